"""In which state a box is, by the words that toy libraries and their programs write for it.

In seven languages, folded. Who has a box now is the lending desk's knowledge: "on loan" is in service here.
Pure functions on text.
"""

from functools import lru_cache

from catalogue.text import fold

WORDS: dict[str, str] = {  # the values of models.Condition
    "not_for_loan": (
        "exclu|non pretable|not for loan|reference only|undeployable|nicht ausleihbar|nicht verleihbar"
        "|prasenz|no prestable|non prestabile|consult|not available for loan|niet uitleenbaar"
        "|usage interne|interne"
    ),
    "in_repair": (
        "repair|in repair|en reparation|reparation|a reparer|being repaired|reparatur|in reparatur"
        "|en reparacion|in riparazione|pending diagnostics|maintenance|broken|casse|defect|defekt|kaputt"
        "|out for repair|reparatie"
    ),
    "incomplete": ("incomplet|incomplete|unvollstandig|incompleto|onvolledig|parts missing|manque"),
    "lost": (
        "perdu|lost|missing|verloren|vermisst|perdido|extraviado|perso|disparu|stolen|vole|gestohlen"
        "|robado|verschwunden|introuvable|lost/stolen|zoek|manquant"
    ),
    "withdrawn": (
        "desactive|withdrawn|retire|archive|archived|supprime|elimine|pilon|deleted|disposed|ausgeschieden"
        "|ausgesondert|ausgemustert|entfernt|de baja|dado de baja|eliminado|joined with another|inactive"
        "|inactif|sold|vendu|verkauft|scarico|abgeschrieben"
    ),
    "donated": ("donne|given away|verschenkt|donated to"),
    "cleaning": ("nettoyage|a nettoyer|cleaning|being cleaned|reinigung|limpieza|pulizia"),
    "quarantine": ("quarantaine|quarantine|quarantane|cuarentena|quarantena"),
    "in_service": (
        "disponible|in library|in stock|on loan|checked out|available|emprunte|en pret|prete|sorti|pret"
        "|verfugbar|vorhanden|ausgeliehen|verliehen|entliehen|am lager|disponivel|disponibile|prestado"
        "|emprestado|in prestito|reserve|reserved|reserviert|reservado|ready to deploy|deployed"
        "|deployable|in service|en service|actif|active|aktiv|activo|ok|en rayon|rendu|returned"
        "|beschikbaar|uitgeleend|in use|on hold|due|overdue|in transit|ja|libre|frei|present"
    ),
}
BEGINNINGS = {state: tuple(words.split("|")) for state, words in WORDS.items()}
WHOLE_UP_TO = 3  # letters; "ok" and "pret" begin other words too


@lru_cache(maxsize=1000)
def state(value: str) -> str | None:
    """A condition of the catalogue, or None for words that are not known."""
    key = fold(value).strip()
    return next(
        (name for name, known in BEGINNINGS.items() if any(_begins(key, word) for word in known)), None
    )


def is_status(value: str) -> bool:
    """Whether a cell says in which state a box is, or where."""
    return state(value) is not None


def _begins(key: str, word: str) -> bool:
    """Whether a cell begins with the whole word; a short one must be all it says."""
    behind = key[len(word) : len(word) + 1]
    return key.startswith(word) and not behind.isalnum() and (len(word) > WHOLE_UP_TO or not behind)
