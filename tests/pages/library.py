"""A small library for the tests of pages: one game with rules in two languages, one without anything."""

from datetime import UTC, datetime

from catalogue import records
from catalogue.draft import ContributorDraft, GameDraft, PublicationDraft, RevisionDraft
from catalogue.models import Game, RulesText
from search import sync
from tests.make import make_copy, make_game, make_rules

FRENCH = """## But du jeu
Récoltez des fruits et livrez-les aux villages de l'île.

## Fin de la partie
La partie s'arrête dès que la dernière maison de bois est posée.

### Égalité
Parmi les joueurs à égalité, celui qui garde le plus de fruits l'emporte.
"""
SPANISH = """## Objetivo
Recoged fruta y llevadla a los pueblos de la isla.

## Fin de la partida
La partida termina cuando se coloca la última casa de madera.
"""
HOSTILE = '<script>alert("title")</script>'


def finca() -> Game:
    """Finca with all that a record may say, three copies, and rules in French and Spanish."""
    game = records.create_game(
        GameDraft(
            title="Finca",
            subtitle="Les vergers de Majorque",
            contributors=(
                ContributorDraft("Ralf zur Linde", "070"),
                ContributorDraft("Franz Vohwinkel", "440"),
            ),
            publications=(PublicationDraft("Filosofia", "Vaudreuil-Dorion"),),
            identifiers=("68862310192",),
            languages=("fr",),
            categories=("A 406 Jeu de stratégie",),
            keywords=("fruits",),
            players_min=2,
            players_max=4,
            age_min_months=120,
            minutes_min=45,
            minutes_max=45,
            principle="On fait tourner le moulin pour récolter des fruits.",
            contents="1 plateau, 108 fruits en bois, 42 tuiles fruits",
        )
    )
    make_copy(game, "04127", call_number="LIN", section="A 406 jeu de stratégie", branch="Maison des Jeux")
    make_copy(game, "04128", condition="in_repair")
    make_copy(game, "04129", condition="withdrawn")
    make_rules(game, FRENCH, edition="Filosofia", source_name="Library", licence="CC0-1.0")
    make_rules(game, SPANISH, "es")
    return game


def three_versions() -> RulesText:
    """A text that was corrected twice."""
    text = make_rules(make_game("La Granja"), "## Tour\nPiochez deux cartes.")
    days = (datetime(2030, 5, 1, 9, tzinfo=UTC), datetime(2030, 6, 1, 9, tzinfo=UTC))
    bodies = ("## Tour\nPiochez trois cartes.", "## Tour\nPiochez trois cartes.\n\n## Fin\nAprès six tours.")
    comments = ("compté dans la boîte", HOSTILE)
    records.add_revisions(
        text,
        [
            RevisionDraft(body=body, made_at=day, comment=comment, author="Ann")
            for body, day, comment in zip(bodies, days, comments, strict=True)
        ],
    )
    return text


def indexed_finca() -> Game:
    """Finca, found by the search."""
    game = finca()
    sync.rebuild()
    return game
