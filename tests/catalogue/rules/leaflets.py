"""Small PDFs for tests, drawn line by line so that each says exactly what the test is about."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

LEFT, RIGHT, TOP, STEP = 60, 320, 740, 14
HEAD, FOOT = 800, 40

PAGE_ONE = [
    "Chaque joueur reçoit six pommes et pose",
    "son panier devant lui. Le plus jeune com-",
    "mence et tire une carte de la pioche.",
]
PAGE_ONE_RIGHT = [
    "À droite du plateau se trouve le verger.",
    "Les arc-en-ciel y servent de jokers, un arc-",
    "en-ciel remplace donc une pomme mûre.",
    "On ne tire qu'une carte à son tour et la",
]
PAGE_TWO = [
    "carte suivante attend le tour d'après.",
    "La partie finit quand la pioche est vide",
    "et que tous ont joué le même nombre de fois.",
]


def leaflet(*pages: Sequence[tuple[float, float, str]], password: str = "", head: str = "Le Verger") -> bytes:
    """A PDF; each page is pieces of text with their places, under a running head and over its number."""
    out = BytesIO()
    canvas = Canvas(out, pagesize=A4, encrypt=password or None)
    for number, pieces in enumerate(pages, start=1):
        canvas.setFont("Helvetica", 9)
        canvas.drawString(LEFT, HEAD, head)
        canvas.drawCentredString(300, FOOT, str(number))
        canvas.setFont("Helvetica", 11)
        for left, bottom, text in pieces:
            canvas.drawString(left, bottom, text)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def column(lines: Sequence[str], left: float = LEFT, top: float = TOP) -> list[tuple[float, float, str]]:
    """Lines one under the other."""
    return [(left, top - STEP * number, line) for number, line in enumerate(lines)]


def rows(left: Sequence[str], right: Sequence[str]) -> list[tuple[float, float, str]]:
    """Two columns, drawn across: a line of the one, then the line beside it."""
    pieces = [*column(left), *column(right, RIGHT)]
    return sorted(pieces, key=lambda piece: -piece[1])


def two_columns() -> bytes:
    """Three pages: two columns, then one, with a sentence that goes over the end of a page."""
    left = [*PAGE_ONE, "Ensuite il passe la carte à son voisin."]
    last = ["Le vainqueur est celui dont le panier est plein.", "À égalité, on partage les pommes restantes."]
    return leaflet(rows(left, PAGE_ONE_RIGHT), column(PAGE_TWO), column(last))


def scanned(pages: int = 1) -> bytes:
    """Pages that are only a picture."""
    out = BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for _ in range(pages):
        canvas.drawImage(ImageReader(Image.new("L", (60, 80), 200)), 50, 50, 400, 600)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def with_headings() -> bytes:
    """A title and headings that only the size and weight of their letters tell."""
    out = BytesIO()
    canvas = Canvas(out, pagesize=A4)
    top = 780.0
    for size, bold, text in [
        (22, True, "Le Verger"),
        (13, True, "Les pommes mûres"),
        (10, False, "On cueille les pommes rouges avant les vertes, et jamais les deux"),
        (10, False, "dans le même tour de jeu."),
        (13, True, "Le corbeau gourmand"),
        (10, False, "• Il avance d'une case quand le dé le montre."),
        (10, False, "• Il recule quand un joueur lui donne une cerise."),
    ]:
        canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
        canvas.drawString(LEFT, top, text)
        top -= size * 1.6
    canvas.save()
    return out.getvalue()
