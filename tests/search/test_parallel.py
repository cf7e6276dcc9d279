"""Which sections of two texts belong together."""

import pytest

from catalogue.rules.sections import parse
from search.parallel import anchors

FRENCH = "## But\nGagner.\n\n## Tour\n\n### Piocher\nDeux cartes.\n\n## Fin\nAprès six tours."
SPANISH = "## Objetivo\nGanar.\n\n## Turno\n\n### Robar\nDos cartas.\n\n## Fin\nTras seis turnos."


def test_translations_lead_from_each_section_to_the_same_one() -> None:
    assert anchors(parse(FRENCH), parse(SPANISH)) == ("objetivo", "turno", "robar", "fin")


@pytest.mark.parametrize(
    "other",
    [
        SPANISH.replace("### Robar", "## Robar"),
        SPANISH + "\n\n## Variantes\nNinguna.",
        "## Objetivo\nGanar.",
        "Sin títulos.",
        "",
    ],
)
def test_of_texts_built_otherwise_nothing_is_claimed(other: str) -> None:
    assert anchors(parse(FRENCH), parse(other)) == ()
