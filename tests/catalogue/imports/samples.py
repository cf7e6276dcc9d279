"""Small invented input in the formats that are imported, for tests that say more than the handed files do."""

NOTICE = """\
Titre : Moulin bleu Type de document : objet à 3 dimensions, artefacts, ... Auteurs : Ada Pré, \
Auteur ; Bo Val, Illustrateur Editeur : Liège : Éditions du Pré Année de publication : 2019 \
ISBN/ISSN/EAN : 4006381333931 Langues : Français (fre) Catégories : A 406 jeu de stratégie (jeu de \
règles) Mots-clés : moulin Nombre minimum de joueurs : 2 Nombre maximum de joueurs : 4 Age minimum : \
8 Age maximum : 99 Durée moyenne (minutes) : 30 Contenu : Contenu:
1 plateau, 24 meules, 4 ânes.
But du jeu:
Moudre avant les autres.
Fin du jeu:
La partie s'arrête à la dernière meule.Moulin bleu [objet à 3 dimensions, artefacts, ...] / Ada Pré, \
Auteur ; Bo Val, Illustrateur . - Liège : Éditions du Pré, 2019.
ISBN : 4006381333931
Langues : Français ( fre)
Catégories : A 406 jeu de stratégie (jeu de règles) Mots-clés : moulin Nombre minimum de joueurs : 2 \
Nombre maximum de joueurs : 4 Age minimum : 8 Age maximum : 99 Durée moyenne (minutes) : 30 Contenu \
: Contenu:
1 plateau, 24 meules, 4 ânes.
But du jeu:
Moudre avant les autres.
Fin du jeu:
La partie s'arrête à la dernière meule.Exemplaires (2)
Cote Section Localisation Code-barres Disponibilité PRE A 406 jeu de stratégie Maison des Jeux 01001 \
Disponible PRE A 406 jeu de stratégie Maison des Jeux 01002 Sorti jusqu'au 14/03/2026 Documents \
numériques
Moulin_bleu__2020.pdfAdobe Acrobat PDF
"""

TABLE = """| Titre : |
Âne gris : le retour |
| Type de document : |
Jeu |
| Auteurs : |
Cy Bois |
| Editeur : |
[S.l.] : Les |trois ânes, [s.d.] |
| Catégories : |
A 403 jeu de parcours
|
| Nombre de joueurs minimum : |
1 |
| Âge minimum : |
18 mois |
| Durée du jeu : |
15 à 20 min |
| Niveau de bruit : |
fort |
| Contenu : |
1 piste, 1 âne |
|
Exemplaires (1)
| Code-barres | Cote | Support | Localisation | Section | Disponibilité |
|---|---|---|---|---|---|
| ACC00077 | BOI | Jeu | Annexe | Petits | Bon Etat Exclu du prêt |
"""

RULES = """Reglas de Moulin bleu

Objetivo del juego

Moler antes que los demás jugadores de la mesa.

Fin del juego

La partida acaba cuando se usa la última muela.
"""

FRONT = """---
game: Moulin bleu
language: en
kind: faq
edition: second
title: Questions on the mill
source: our own words
source_url: https://example.org/mill
licence: CC0-1.0
---
# Questions

## May a donkey wait?

Yes, one turn.
"""

HOST = "https://wiki.example.org/index.php"


def entry(page: str, revision: int, time: str, text: str, comment: str = "") -> str:
    """One entry of a feed that lost its tags."""
    return (
        f"{HOST}?title={page.replace(' ', '_')}&diff={revision}{page}{time}"
        f"<p>Zoé : {comment}</p>\n<hr />\n<div>{text}</div>Zoé"
    )


def feed(*entries: str) -> str:
    """A feed that lost its tags."""
    address = "https://wiki.example.org/api.php?action=feedcontributions"
    head = "Wiki - Contributions [fr]2024-01-01T00:00:00ZContributionsMediaWiki 1.39.0"
    return f"{address}{head}{''.join(entries)}"


WIKI = feed(
    entry("Gamehelpmoulinbleu", 12, "2023-05-02T10:00:00Z", "== But ==<br />\nMoudre vite.", "/* But */"),
    entry("Gamehelpmoulinbleu", 11, "2023-05-01T10:00:00Z", "== But ==<br />\nMoudre."),
    entry("Gamehelp1830", 9, "2023-04-01T10:00:00Z", "== Rails ==<br />\nPoser un rail."),
)
