"""A page of many invented notices, for tests of whole imports: each a game of its own, with a box."""

from tests.catalogue.imports.samples import TABLE


def notice(number: int, **other: str) -> str:
    """A notice in bars; `other` takes the place of what it says in a cell, or of its barcode."""
    cells = {
        "Titre": f"Jeu {number}",
        "Type de document": "Jeu",
        "Auteurs": f"Ada Pré{number % 7}, Auteur",
        "Editeur": f"Liège : Maison {number % 5}",
        "Année de publication": str(1990 + number % 30),
        "ISBN/ISSN/EAN": code(number),
        "Mots-clés": "moulin",
        "Nombre minimum de joueurs": "2",
        "Nombre maximum de joueurs": "4",
        "Contenu": f"1 plateau, {number} pions",
    }
    box = other.pop("box", f"{100_000 + number}")
    lines = "\n".join(f"| {name} : |\n{value} |" for name, value in (cells | other).items() if value)
    head = "| Code-barres | Cote | Support | Localisation | Section | Disponibilité |"
    assert head in TABLE
    row = f"| {box} | PRE | Jeu | Annexe | Petits | Disponible |"
    return f"{lines}\n|\nExemplaires (1)\n{head}\n|---|---|---|---|---|---|\n{row}\n"


def code(number: int) -> str:
    """An EAN with the right check digit."""
    body = f"376{number:09}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body))
    return f"{body}{-total % 10}"
