"""The question with which the project began: the figs have run out. In every language of the demo library,
and on the handed texts, where the rule speaks of fruit and the only figs stand elsewhere."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from catalogue.models import Game
from search import sync
from search.find import find_passages

pytestmark = pytest.mark.django_db
LIBRARY = Path(settings.BASE_DIR) / "fixtures" / "library"
SAYS = {
    "fr": ("rend alors la totalité de ses fruits", "Appelez toutes les figues"),
    "es": ("devuelve cuantas frutas de esa clase tenga",),
    "en": ("hands back every fruit of that kind",),
    "de": ("sämtliche Früchte dieser Sorte zurück",),
}
"""The rule in each language; in French the FAQ says it as well."""
ASKED = {
    "fr": ("que se passe-t-il quand il n'y a plus de figues", "figues épuisées", "plus de figue"),
    "es": ("qué pasa cuando se acaban los higos", "no quedan higos"),
    "en": ("what if the figs run out", "no more figs"),
    "de": ("was passiert, wenn die Feigen ausgehen", "keine Feigen mehr"),
    "it": ("cosa succede se finiscono i fichi",),
    "nl": ("wat als de vijgen op zijn",),
}
QUESTIONS = [(language, text) for language, texts in ASKED.items() for text in texts]


@pytest.fixture
def finca() -> Game:
    files = [path for path in LIBRARY.rglob("*") if path.is_file()]
    call_command("import_records", *sorted(map(str, files)), verbosity=0)
    sync.rebuild()
    return Game.objects.get(title="Finca")


def test_the_rule_comes_first_in_the_askers_language_or_the_nearest(finca: Game) -> None:
    for language, text in QUESTIONS:
        hit = find_passages(text, reader_language=language).hits[0]
        assert hit.game_id == finca.pk, text
        assert hit.language == language or language not in SAYS, text
        assert any(words in hit.body for words in SAYS[hit.language]), text


def test_the_rule_comes_first_in_every_language_that_the_library_holds(finca: Game) -> None:
    for language, (text, *_) in ASKED.items():
        for held, said in SAYS.items():
            found = find_passages(text, game_id=finca.pk, language=held, reader_language=language)
            assert any(words in found.hits[0].body for words in said), (text, held)


HANDED = {"fr": "pas suffisamment de fruit", "es": "no tiene suficientes frutas"}
NEAREST = {"fr": ("fr",), "es": ("es",)}
"""In which language the handed texts answer first; whoever asks in another is answered in any."""
ALSO_ASKED = {
    "fr": ("il n'y a pas assez d'oranges", "il ne reste plus de citrons dans la réserve"),
    "es": ("no hay suficientes limones",),
    "en": ("no more figs", "there are not enough lemons left"),
    "de": ("keine Feigen mehr", "die Zitronen sind alle"),
    "it": ("finca fichi esauriti",),
    "nl": ("geen vijgen meer",),
}


def test_the_handed_rules_say_first_what_happens_without_enough_fruit(shared: Path) -> None:
    call_command("import_records", *sorted(map(str, (shared / "seeds").glob("*.txt"))), verbosity=0)
    sync.rebuild()
    asked = [(la, text) for la in ASKED for text in (*ASKED[la][: 2 if la == "fr" else 1], *ALSO_ASKED[la])]
    for language, text in asked:
        hit = find_passages(text, reader_language=language).hits[0]
        assert hit.game_title == "Finca", text
        assert hit.language in NEAREST.get(language, tuple(HANDED)), text
        assert HANDED[hit.language] in hit.body, text
