"""What a column of a table may mean, and the headings under which toy libraries write it.

Headings in French, English, German, Spanish, Portuguese, Italian and Dutch, folded as `heading_key` folds
them. Data, and no rule: which column is which is decided in `columns`.
"""

import re
from enum import StrEnum
from functools import lru_cache

from catalogue.text import name_key

CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Field(StrEnum):
    """A meaning. The values are what a person writes in `--map 'Heading=title'`."""

    RECORD_ID = "record_id"
    TITLE = "title"
    NUMBERED_TITLE = "numbered_title"  # "1335: Torch"
    SUBTITLE = "subtitle"
    OTHER_TITLE = "other_title"
    BARCODE = "barcode"
    CALL_NUMBER = "call_number"
    PRODUCT_CODE = "product_code"
    REFERENCE = "reference"  # the publisher's number
    BGG_ID = "bgg_id"
    PUBLISHER = "publisher"
    PLACE = "place"
    AUTHOR = "author"
    ILLUSTRATOR = "illustrator"
    YEAR = "year"
    EDITION = "edition"
    DOCUMENT_TYPE = "document_type"
    LANGUAGES = "languages"
    CATEGORY = "category"
    KEYWORDS = "keywords"
    PLAYERS = "players"
    PLAYERS_MIN = "players_min"
    PLAYERS_MAX = "players_max"
    AGE = "age"
    AGE_MIN = "age_min"
    AGE_MAX = "age_max"
    MINUTES = "minutes"
    MINUTES_MIN = "minutes_min"
    MINUTES_MAX = "minutes_max"
    PRINCIPLE = "principle"
    PEDAGOGY = "pedagogy"
    CONTENTS = "contents"
    NOTE = "note"
    STORAGE_NOTE = "storage_note"  # "Storage location: Games, a note"
    GAME_FACT = "game_fact"  # kept in the note, with its heading
    SECTION = "section"
    BRANCH = "branch"
    STATUS = "status"
    WITHDRAWN_ON = "withdrawn_on"
    COPY_NOTE = "copy_note"
    COPY_FACT = "copy_fact"  # kept in the note of the box, with its heading
    COPIES = "copies"  # how many boxes
    OWNERS = "owners"  # one box each
    IGNORED = "ignored"
    # tables beside that of the games
    OF_GAME = "of_game"
    OF_TITLE = "of_title"
    PIECE = "piece"
    PIECE_COUNT = "piece_count"
    REMOVED = "removed"
    FAMILY_NAME = "family_name"
    FIRST_NAME = "first_name"
    ROLE = "role"
    CATEGORY_CODE = "category_code"
    CATEGORY_LABEL = "category_label"


SEVERAL = {
    *(Field.OTHER_TITLE, Field.PRODUCT_CODE, Field.REFERENCE, Field.PUBLISHER, Field.AUTHOR),
    *(Field.ILLUSTRATOR, Field.LANGUAGES, Field.CATEGORY, Field.KEYWORDS, Field.PRINCIPLE, Field.PEDAGOGY),
    *(Field.CONTENTS, Field.NOTE, Field.GAME_FACT, Field.COPY_NOTE, Field.COPY_FACT, Field.IGNORED),
}
"""Meanings that more than one column may have."""

WORDS: dict[Field, str] = {
    Field.TITLE: (
        "titre|titre du jeu|titre jeu|nom|nom du jeu|nom jeu|nom du jouet|jeu|jouet|intitule|designation"
        "|libelle|title|name|item name|item|asset name|game|game name|game title|toy|toy name|toy title"
        "|product name|product|objectname|spiel|spielname|spieltitel|spielbezeichnung|titel|bezeichnung"
        "|spielzeug|artikel|titulo|titulo del juego|nombre|nombre del juego|juego|juguete|nome|nome do jogo"
        "|jogo|titulo do jogo|titolo|nome gioco|nome del gioco|gioco|titolo del gioco|spel|naam|naam spel"
    ),
    Field.SUBTITLE: "sous titre|subtitle|untertitel|subtitulo|sottotitolo|ondertitel|complement du titre",
    Field.OTHER_TITLE: (
        "autre titre|titre original|titre alternatif|jeux nom traduction|nom traduction|traduction"
        "|original title|originalname|original name|alternative title|alternate names|other title"
        "|originaltitel|alternativtitel|titulo original|titolo originale|otros titulos|nom original"
    ),
    Field.RECORD_ID: (
        "id|no|nr|num|idjeux|id jeu|id jeux|identifiant|item id|record id|internal id|idspiel|spiel id"
        "|id juego|id gioco|id jogo|n|uid|uuid|key|lfd nr|laufnummer|ref interne"
    ),
    Field.BARCODE: (  # what surely is a label's number first, what may be one last
        "code barres|code barre|codebarre|codebarres|code a barres|code barres exemplaire|barcode|bar code"
        "|strichcode|codigo de barras|codigo a barras|codice a barre|streepjescode|cb|asset tag|numero jeu"
        "|numero du jeu|numero de jeu|num jeu|n jeu|no jeu|no du jeu|numero d inventaire|no d inventaire"
        "|n inventaire|inventaire|toy number|toy no|toy id|game number|inventory number|inventory no"
        "|accession number|inventarnummer|inventar nr|inventarnr|spielnummer|spiel nr|spielnr"
        "|exemplarnummer|medien nr|mediennummer|numero de inventario|n inventario|numero inventario"
        "|inventario|nummer|inventarisnummer|objektnummer|etikett|numero|item code|code|codigo"
        "|codice|exemplaire"
    ),
    Field.CALL_NUMBER: (
        "cote|call number|callnumber|shelfmark|shelf mark|sticker|signatur|standnummer|signatura|tejuelo"
        "|collocazione|cota|plaatsnummer|rubrique"
    ),
    Field.PRODUCT_CODE: (
        "ean|ean13|ean 13|ean code|code ean|gtin|isbn|isbn ean|isbn issn ean|issn|upc|codigo ean|codice ean"
    ),
    Field.REFERENCE: (
        "reference|reference editeur|ref editeur|reference fabricant|ref|model number|model no|article number"
        "|part number|sku|artikelnummer|artikel nr|bestellnummer|verlagsnummer|referencia|referenza"
    ),
    Field.BGG_ID: "bgg|bggid|bgg id|id bgg|boardgamegeek|boardgamegeek id|objectid|bgg object id|bgg nummer",
    Field.PUBLISHER: (
        "editeur|editeurs|maison d edition|marque|fabricant|editeur fabricant|marque editeur|publisher"
        "|publishers|manufacturer|brand|maker|verlag|hersteller|marke|verlag hersteller|editorial|editora"
        "|marca|fabricante|editore|casa editrice|produttore|uitgever|uitgeverij|merk|fabrikant"
        "|edition editeur"
    ),
    Field.PLACE: "lieu d edition|ville d edition|place of publication|erscheinungsort|lugar de edicion",
    Field.AUTHOR: (
        "auteur|auteurs|auteur s|createur|createurs|author|authors|designer|designers|game designer|autor"
        "|autoren|autor in|spieleautor|spieleautoren|autores|autora|disenador|autore|autori|ontwerper"
    ),
    Field.ILLUSTRATOR: (
        "illustrateur|illustrateurs|illustration|dessinateur|illustrator|illustrators|artist|artists|grafik"
        "|grafiker|illustratoren|ilustrador|ilustradores|ilustracion|illustratore|illustratori"
    ),
    Field.YEAR: (
        "annee|annee sortie|annee de sortie|annee d edition|annee edition|annee de publication|date d edition"
        "|date de parution|parution|year|year published|yearpublished|publication year|release year|jahr"
        "|erscheinungsjahr|jahrgang|ano|ano de edicion|ano de publicacion|ano de lancamento|anno"
        "|anno di pubblicazione|jaar"
    ),
    Field.EDITION: "edition|mention d edition|auflage|edicion|edicao|edizione|version|editie|ausgabe",
    Field.DOCUMENT_TYPE: (
        "type|type de document|type de jeu|type d objet|support|item type|kind|medium|art|spielart"
        "|typ|medienart"
        "|tipo|tipo de juego|tipologia|soort|itemtype|asset type|type jeu"
    ),
    Field.LANGUAGES: (
        "langue|langues|langue s|language|languages|sprache|sprachen|idioma|idiomas|lingua|lingue|linguas"
        "|taal|talen|version languages|langue du jeu|sprache n"
    ),
    Field.CATEGORY: (
        "esar|esar principale|esar secondaire|classement esar|code esar|classification|classe|col|class"
        "|categorie|categories|categorie jeu|categorie s|famille|rubrique esar|genre|category|toy category"
        "|categories list|kategorie|kategorien|spielkategorie|gattung|systematik|sachgruppe|lupo|categoria"
        "|categorias|clasificacion|classificazione|genere|categorieen|rubrik|rubriek"
    ),
    Field.KEYWORDS: (
        "mots cles|mot cle|mots clefs|tags|tag|etiquettes|theme|themes|mecanique|mecaniques|mecanisme"
        "|mecanismes|niveau|interaction|keywords|keyword|subjects|subject|mechanic|mechanics|mechanism"
        "|schlagwort|schlagworte|schlagworter|schlagwoerter|stichworte|thema|mechanik|mechanismus"
        "|palabras clave|etiquetas|mecanica|palavras chave|tema|parole chiave|meccanica|trefwoorden|genre jeu"
    ),
    Field.PLAYERS: (
        "joueurs|nbre joueurs|nb joueurs|nb de joueurs|nbr joueurs|nombre de joueurs|nombre joueurs"
        "|joueur s|nb joueur|players|number of players|no of players|player count|of players|spieler"
        "|spielerzahl|spieleranzahl|anzahl spieler|spielerinnen|personen|anzahl personen|jugadores"
        "|numero de jugadores|n jugadores|n de jugadores|jogadores|numero de jogadores|n de jogadores"
        "|giocatori|numero giocatori|numero di giocatori|n giocatori|spelers|aantal spelers"
    ),
    Field.PLAYERS_MIN: (
        "joueurs min|nb joueurs min|nbre joueurs min|nombre minimum de joueurs|nombre de joueurs minimum"
        "|joueurs mini|minimum joueurs|min players|minplayers|players min|minimum players|minimum of players"
        "|spieler min|min spieler|spieler von|spieler ab|mindestspielerzahl|minspieler|jugadores min"
        "|min jugadores|minimo jugadores|jogadores min|min jogadores|giocatori min|min giocatori|spelers min"
        "|min joueurs|nb min|min spelers"
    ),
    Field.PLAYERS_MAX: (
        "joueurs max|nb joueurs max|nbre joueurs max|nombre maximum de joueurs|nombre de joueurs maximum"
        "|joueurs maxi|maximum joueurs|max players|maxplayers|players max|maximum players|maximum of players"
        "|spieler max|max spieler|spieler bis|hochstspielerzahl|maxspieler|jugadores max|max jugadores"
        "|maximo jugadores|jogadores max|max jogadores|giocatori max|max giocatori|spelers max"
        "|max joueurs|nb max|max spelers"
    ),
    Field.AGE: (
        "age|ages|age conseille|age recommande|tranche d age|tranche age|public|public vise|age joueurs"
        "|age range|age group|recommended age|suitable age|alter|altersangabe|altersempfehlung|altersgruppe"
        "|ab alter|edad|edades|edad recomendada|rango de edad|idade|faixa etaria|eta|eta consigliata"
        "|fascia di eta|leeftijd|age mois|altersstufe"
    ),
    Field.AGE_MIN: (
        "age min|age mini|age minimum|des|a partir de|age des|minage|min age|age from|minimum age|from age"
        "|alter von|alter ab|mindestalter|alter min|ab|edad min|edad minima|desde|idade min|idade minima"
        "|eta min|eta minima|leeftijd vanaf|min leeftijd"
    ),
    Field.AGE_MAX: (
        "age max|age maxi|age maximum|jusqu a|maxage|max age|age to|maximum age|to age|alter bis|hochstalter"
        "|alter max|edad max|edad maxima|hasta|idade max|idade maxima|eta max|eta massima|max leeftijd"
    ),
    Field.MINUTES: (
        "duree|duree du jeu|duree de jeu|duree moyenne|duree partie|duree d une partie|temps|temps de jeu"
        "|duree min|duree minutes|duree moyenne minutes|playing time|playingtime|play time|playtime|duration"
        "|time|length of play|game length|minutes|spieldauer|dauer|spielzeit|duracion|tiempo|tiempo de juego"
        "|duracao|tempo|tempo de jogo|durata|tempo di gioco|speelduur|duur|speeltijd|spieldauer min"
    ),
    Field.MINUTES_MIN: (
        "duree minimum|duree mini|minplaytime|min playtime|min playing time|spieldauer von|mindestdauer"
        "|dauer von|duracion minima|durata minima|min duration"
    ),
    Field.MINUTES_MAX: (
        "duree maximum|duree max|duree maxi|maxplaytime|max playtime|max playing time|spieldauer bis"
        "|dauer bis|duracion maxima|durata massima|max duration"
    ),
    Field.PRINCIPLE: (
        "resume|principe|principe du jeu|but du jeu|but|descriptif|presentation|description|summary|synopsis"
        "|short description|long description|goal|aim|beschreibung|kurzbeschreibung|spielidee|spielziel"
        "|zusammenfassung|descripcion|resumen|objetivo|descricao|resumo|descrizione|riassunto|beschrijving"
        "|item description|abstract|inhaltsangabe|sinopsis"
    ),
    Field.PEDAGOGY: (
        "analyse pedagogique|pedagogie|interet pedagogique|competences|dys|objectif pedagogique|capacites"
        "|pedagogical notes|skills|learning outcomes|padagogischer wert|lernziele|forderbereich|pedagogia"
        "|habilidades|competencias|competenze"
    ),
    Field.CONTENTS: (
        "contenu|contenu de la boite|pieces|liste des pieces|materiel de jeu|composition|contents|components"
        "|content|pieces list|list of pieces|inventory list|inhalt|inhalt der schachtel|spielmaterial|teile"
        "|stuckliste|teileliste|zubehor|contenido|componentes|piezas|conteudo|pecas|contenuto"
        "|componenti|pezzi"
        "|inhoud|onderdelen|inhaltsverzeichnis|package contents"
    ),
    Field.NOTE: (
        "remarque|remarques|note|notes|commentaire|commentaires|observation|observations|comment|comments"
        "|remarks|bemerkung|bemerkungen|notiz|notizen|anmerkung|anmerkungen|kommentar|hinweis|nota|notas"
        "|observaciones|comentario|comentarios|observacoes|osservazioni|commento|annotazioni|opmerking"
        "|opmerkingen|notitie|remarque location|note generale|divers|privatecomment"
    ),
    Field.GAME_FACT: (
        "taille|taille poids|dimensions|format|poids|liens|lien|site|site web|url|video|video regle"
        "|video regles|prix obtenus|recompenses|awards|size|weight|link|links|website|grosse|gewicht"
        "|auszeichnungen|preise|premios|tamano|peso|enlace|dimensioni|premi|care information|care"
        "|difficulte|difficulty|complexity|serie|collection|series|reihe|materiel"
    ),
    Field.SECTION: (
        "secteur|section|rayon|emplacement|etagere|meuble|armoire|location|shelf|shelf location"
        "|aisle|cupboard"
        "|storage location|storage|regal|standort|ort|schrank|bereich|abteilung|lagerort|ubicacion|estante"
        "|seccion|estanteria|localizacao|prateleira|secao|scaffale|posizione|sezione|plaats|kast|invlocation"
    ),
    Field.BRANCH: (
        "localisation|site ludotheque|bibliotheque|ludotheque|antenne|lieu|branch|library"
        "|site name|zweigstelle"
        "|filiale|bibliothek|ludothek|sucursal|biblioteca|ludoteca|sede|filial|vestiging|bibliotheek"
    ),
    Field.STATUS: (
        "etat|statut|disponibilite|situation|dispo|status|availability|state|current status|verfugbarkeit"
        "|zustand status|ausleihstatus|estado|disponibilidad|situacao|disponibilidade|stato|disponibilita"
    ),
    Field.WITHDRAWN_ON: (
        "date suppression|date de suppression|date de retrait|supprime le|retire le|pilon|date withdrawn"
        "|withdrawn on|disposal date|ausgeschieden am|ausscheidedatum|loschdatum|fecha de baja|data baixa"
    ),
    Field.COPY_NOTE: (
        "etat du jeu|etat de la boite|etat des pieces|manque|pieces manquantes|missing pieces|missing parts"
        "|missing|damage|fehlende teile|fehlt|schaden|piezas faltantes|faltan|pezzi mancanti|conditiontext"
        "|ontbrekende onderdelen"
    ),
    Field.COPY_FACT: (
        "condition|condition notes|zustand|prix|prix d achat|prix achat|prix de remplacement|valeur|cout"
        "|date achat|date d achat|date acquisition|date d acquisition|achete le|date d entree|fournisseur"
        "|magasin|pces rechanges|pieces rechanges|pieces de rechange|donateur|don|date purchased"
        "|purchase date"
        "|date acquired|purchased|added on|acquisition date|acquisitiondate|price|price paid|pricepaid"
        "|purchase price|purchase cost|cost|value|value rrp|rrp|replacement price|replacement cost|currvalue"
        "|supplier|vendor|acquiredfrom|donated by|owned by|loan fee|loan period|hire price|hire charge|fee"
        "|deposit|serial number|serial|warranty|spare parts|shown on website|kaufdatum|anschaffungsdatum"
        "|anschaffung|einkaufsdatum|kaufpreis|preis|anschaffungspreis|neupreis|wert|lieferant|handler|spender"
        "|ersatzteile|leihgebuhr|gebuhr|kaution|pfand|leihfrist|fecha de compra|precio|precio de compra"
        "|proveedor|donante|valor|data de compra|preco|fornecedor|doador|data acquisto|prezzo|fornitore"
        "|donatore|aankoopdatum|prijs|leverancier|tarif|tarif de location|prix location|caution|duree du pret"
        "|duree de pret|location price|cv currency|pp currency|location2|location 2|sous section"
    ),
    Field.COPIES: (
        "nombre d exemplaires|nb exemplaires|nbre exemplaires|exemplaires|nb ex|quantite en stock|copies"
        "|number of copies|no of copies|stock|exemplare|anzahl exemplare|anzahl|stuckzahl|ejemplares"
        "|numero de ejemplares|exemplares|copie|numero copie|exemplaren|quantite|quantity|qty|cantidad"
        "|quantidade|quantita|aantal"
    ),
    Field.OWNERS: (
        "owner|owners|proprietaire|proprietaires|besitzer|propietario|dono|donos|proprietario|eigenaar"
    ),
    Field.IGNORED: (
        "edit|delete|actions|action|view|select|modifier|supprimer|mmsid|a985|b985|valeur specifique"
        "|jeux perso|jeux tagge|date modif|date de modification|modifie le|last modified|updated at|created"
        "|created at|updated|cree le|length|popularity|image|photo|picture|thumbnail|bild|foto"
        "|imagen|full name"
        "|email|e mail|mail|username|user name|company|borrower|emprunteur|emprunte par|lent to|on loan to"
        "|ausgeliehen an|entleiher|prestado a|last loan|dernier pret|letzte ausleihe|due date|date de retour"
        "|retour prevu|nb prets|nombre de prets|loans|anzahl ausleihen|model name|geandert am|erfasst am"
        "|telephone|phone|address|adresse|rating|rank|average|imageid|publisherid|collid"
    ),
}
KNOWN = {word: field for field, words in reversed(WORDS.items()) for word in words.split("|")}


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split("|"))


OF_GAME = _words(
    "toy id|toy number|toy no|toy|item id|item|item code|game id|game number|game|idjeux|id jeu|id jeux"
    "|numero jeu|code jeu|jeu|no jeu|spiel id|spiel nr|spielnummer|spiel|idspiel|id juego|juego|id gioco"
    "|gioco|id jogo|jogo|spel id|spel|barcode|code barres|code"
)
OF_TITLE = _words(
    "toy name|toy title|item name|game name|game title|nom jeu|nom du jeu|titre|titre du jeu|title|spielname"
    "|titel|nombre del juego|titulo|titolo|nome gioco"
)
PIECE = _words(
    "name|piece|piece name|part|part name|component|description|piece description|nom|piece nom|nom piece"
    "|designation|composant|libelle|teil|bezeichnung|teilname|bestandteil|pieza|nombre|componente|pezzo|nome"
    "|peca|onderdeel|contents"
)
PIECE_COUNT = _words(
    "quantity|qty|count|number|pieces|quantite|nombre|nb|nbre|qte|anzahl|menge|stuck|stuckzahl|cantidad"
    "|unidades|quantita|numero|quantidade|aantal"
)
REMOVED = _words("soft deleted|deleted|removed|supprime|retire|perdu|geloscht|entfernt|eliminado|eliminato")
FAMILY_NAME = _words(
    "auteurs nom|auteur nom|nom|nom auteur|nom de famille|name|last name|surname|family name|author|auteur"
    "|nachname|familienname|autor|apellido|apellidos|cognome|sobrenome|achternaam|person|personne"
)
FIRST_NAME = _words(
    "auteurs prenom|auteur prenom|prenom|prenom auteur|first name|given name|forename|vorname|nombre|nome"
    "|voornaam"
)
ROLE = _words("fonction|role|function|funktion|rolle|funcion|ruolo|funcao|functie|metier|responsabilite")
CATEGORY_CODE = _words(
    "code|category|category code|categorie|code categorie|kategorie|categoria|kurzel|id|codigo|codice"
)
CATEGORY_LABEL = _words(
    "description|label|name|libelle|intitule|nom|designation|bezeichnung|beschreibung|descripcion|nombre"
    "|descrizione|nome|category name|explanation|explication"
)
CATEGORY_HINTS = _words(
    "max renewals|reservable|of current toys|of total toys|parent|parent category|couleur|color|colour|farbe"
    "|sort order|renewals|nb jeux|nombre de jeux|number of items|anzahl spiele"
)
OTHER_TABLES = {
    "members": _words(
        "membership|membership type|membership number|member|member number|member no|adherent|numero adherent"
        "|date d adhesion|cotisation|mitglied|mitgliedsnummer|mitgliedernummer|socio|numero de socio|abonne"
        "|abonnement|expires|expiry date|date of birth|date de naissance|geburtsdatum"
    ),
    "loans": _words(
        "loan date|date out|checked out|due|due date|date due|return date|date returned|checked in|date pret"
        "|date de pret|date retour|date de retour|retour prevu|emprunteur|borrower|ausleihdatum|ruckgabedatum"
        "|ruckgabe|entleiher|fecha de prestamo|fecha de devolucion"
    ),
}


@lru_cache(maxsize=1000)
def heading_key(heading: str) -> str:
    """A heading so that two ways of writing it are one: `Nbre_joueurs`, `nbre joueurs` -> `nbre joueurs`."""
    return name_key(CAMEL.sub(" ", heading)) if any(map(str.isalnum, heading)) else ""
