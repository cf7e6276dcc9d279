"""The words that rule texts use for their own parts, in six languages.

All are compared as `catalogue.text.name_key` folds them: without accents, case and marks. Called by
`headings`, `joints`, `split` and `catalogue.pieces`.
"""

from catalogue.text import name_key


def _keys(*lists: str) -> frozenset[str]:
    return frozenset(name_key(phrase) for words in lists for phrase in words.split("|"))


# Headings over the list of pieces.
PIECES = _keys(
    "contenu|contenu du jeu|contenu de la boîte|la boîte contient|matériel|matériel de jeu|matériel du jeu",
    "componentes|componentes del juego|contenido|contenido del juego|material de juego|material del juego",
    "contents|components|game components|parts|pieces|equipment|what is in the box",
    "inhalt|spielinhalt|spielmaterial|material",
    "inhoud|spelmateriaal|contenuto|componenti|materiale",
)

FRENCH = (
    "but|but du jeu|buts du jeu|objectif|objectif du jeu|objet du jeu|idée du jeu|principe|principe du jeu"
    "|principes de base|aperçu|aperçu du jeu|présentation|présentation du jeu|règles|règles du jeu"
    "|règle du jeu|règles avancées|règles de tournoi|préparatifs|préparation|préparation du jeu"
    "|préparation de la partie|mise en place|mise en place du jeu|installation|placement initial"
    "|début du jeu|début de la partie|début d'un nouveau tour|déroulement|déroulement du jeu"
    "|déroulement de la partie|déroulement d'une partie|déroulement d'un tour|déroulement d'une manche"
    "|séquence de jeu|tour de jeu|tours de jeu|un tour de jeu|fin d'une manche|fin de manche|fin du jeu"
    "|fin de partie|fin de la partie|fin de la partie et vainqueur|fin du jeu et vainqueur"
    "|tours suivants et fin de partie|décompte|décompte final|décompte des points|calcul des points"
    "|comptage des points|score|vainqueur|gagnant|le vainqueur|le gagnant|égalité|en cas d'égalité|variante"
    "|variantes|stratégie|conseils de stratégie|premier joueur"
)
SPANISH = (
    "objeto del juego|objetivo|objetivo del juego|meta|idea del juego|resumen|preparar|preparación"
    "|preparación del juego|preparación de la partida|inicio del juego|cómo se juega|cómo jugar|desarrollo"
    "|desarrollo del juego|desarrollo de la partida|turno|turno de juego|el turno|fin del juego"
    "|final del juego|fin de la partida|final de la partida|puntuación|puntuación final|recuento|ganador"
    "|empate|variante|variantes|reglas|reglas del juego|estrategia"
)
ENGLISH = (
    "goal|goal of the game|aim|aim of the game|object|object of the game|objective|objective of the game"
    "|overview|setup|set up|game setup|preparation|how to play|gameplay|game play|playing the game"
    "|course of play|course of the game|turn|a turn|your turn|turn order|end|end of the game|end of game"
    "|game end|ending the game|scoring|final scoring|winner|winning|winning the game|tie|ties|tie breaker"
    "|variant|variants|rules|rules of the game|strategy"
)
GERMAN = (
    "ziel|spielziel|ziel des spiels|spielidee|überblick|vorbereitung|spielvorbereitung|vorbereitungen"
    "|aufbau|spielaufbau|ablauf|spielablauf|spielverlauf|spielzug|ein spielzug|ende|spielende"
    "|ende des spiels|wertung|schlusswertung|punktwertung|sieger|gleichstand|variante|varianten|regeln"
    "|spielregeln|strategie"
)
OTHERS = (
    "scopo|scopo del gioco|preparazione|svolgimento|svolgimento del gioco|turno di gioco|fine del gioco"
    "|fine della partita|punteggio|vincitore|varianti|regole|regole del gioco|doel|doel van het spel"
    "|voorbereiding|spelverloop|verloop van het spel|einde|einde van het spel|puntentelling|winnaar"
    "|varianten|spelregels"
)
MAIN = PIECES | _keys(FRENCH, SPANISH, ENGLISH, GERMAN, OTHERS)

# Long and sure enough to be a heading even where it has lost its line: after a full stop, or glued to it.
SURE = (
    "Placement initial|Déroulement du jeu|Déroulement de la partie|Préparation du jeu"
    "|Préparation de la partie|Mise en place|But du jeu|Fin du jeu|Fin de la partie|Fin de partie"
    "|Décompte des points|Objetivo del juego|Preparación del juego|Fin del juego|Final del juego"
    "|Object of the game|Goal of the game|End of the game|Spielziel|Spielvorbereitung|Spielablauf|Spielende"
)

# Calls for attention: they belong to the section they stand in.
CALLS = _keys(
    "exemple|exemples|par exemple|remarque|remarques|important|très important|très imoprtant|attention",
    "conseil|conseils|exception|exceptions|note|notes|nota|nota bene|nb",
    "ejemplo|ejemplos|por ejemplo|importante|muy importante|atención|consejo|excepción",
    "example|examples|for example|very important|warning|tip|tips|hint",
    "beispiel|beispiele|zum beispiel|wichtig|sehr wichtig|hinweis|hinweise|achtung|ausnahme|tipp",
    "esempio|attenzione|voorbeeld|let op|belangrijk",
)

# Words with which a step of a turn is counted: `Phase 2: Approvisionnement`.
STEPS = "phases?|étapes?|etapes?|fases?|pasos?|steps?|rounds?|schritte?|runden?|manches?"

# A line that speaks of what follows introduces it; it is no heading.
INTRODUCING = (
    "suivante?s?|ci-dessous|ci-dessus|sont|siguientes?|depende|dependiendo|son|following|below|are"
    "|folgenden?|sind"
)

# With these a sentence begins, rarely a heading.
DETERMINERS = (
    "le|la|les|chaque|tous|toutes|il|ils|elle|elles|on|vous|nous|tu|si|quand|ce|cette|ces|ensuite|puis|el"
    "|los|las|cada|cuando|the|each|you|if|when|der|die|das|jeder|wenn|er|sie|es|ihr"
)
# A line that ends with one of these goes on in the next.
LINKING = _keys(
    "à|au|aux|de|du|des|le|la|les|un|une|et|ou|en|par|pour|sur|avec|dans|que|qui|sa|son|ses|leur|ne|pas",
    "y|o|a|al|del|el|los|las|con|para|por|su|sus|the|an|of|and|or|to|in|on|at|with|for|by|his|her|is",
    "und|oder|der|die|das|den|dem|ein|eine|einen|mit|von|zu|auf|im|e|di|il|lo|gli|een|van|het|met",
)
# The first words of sentences, to tell `paysanLe joueur` from `PlayStation`.
OPENERS = (
    "Le|La|Les|Un|Une|Des|Il|Ils|Elle|Elles|On|Chaque|Si|En|Au|Aux|Ce|Cette|Ces|Dans|Pour|Lors|Lorsque"
    "|Quand|Dès|Puis|Ensuite|Tous|Toutes|Tout|El|Los|Las|Una|Cada|Cuando|The|Each|When|Every|Der|Die|Das"
    "|Jeder|Wenn"
)
