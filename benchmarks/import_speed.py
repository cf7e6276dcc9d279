"""How fast an import goes, and its memory: `python -m benchmarks.import_speed [RECORDS] [--profile]`.

Makes a PMB page of invented records in a library of its own, previews and applies it, reads the same page
again, and takes the batch back; says seconds, records a second and the most memory of each process.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FIRST = ("Moulin", "Verger", "Phare", "Marché", "Pont", "Nuage", "Four", "Ruche", "Canal", "Grange")
SECOND = ("bleu", "du lac", "des ânes", "perdu", "sous la neige", "à vapeur", "de Lise", "en fête")
NAMES = ("Ada", "Bo", "Cy", "Dora", "Elie", "Fleur", "Gus", "Hanne", "Ivo", "Jo")
FAMILIES = ("Pré", "Val", "Bois", "Mont", "Lac", "Champ", "Roche", "Dune")
HOUSES = ("Le Pré", "Trois Ânes", "Atelier Nord", "La Ruche", "Maison Dune")
CLASSES = (
    "A 401 jeu d'association",
    "A 403 jeu de parcours",
    "A 406 jeu de stratégie",
    "A 407 jeu de hasard",
)
WORDS = ("roue", "âne", "blé", "eau", "vent", "sac", "pont", "dé", "carte", "tuile", "pion", "tour")


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", nargs="?", type=int, default=10_000)
    parser.add_argument("--profile", action="store_true", help="profile the import in this process")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LUDOTHECA_DATA"] = str(Path(folder, "data"))
        page = Path(folder, "page.txt")
        write_page(page, given.records)
        print(f"{given.records} records, {page.stat().st_size / 1e6:.1f} MB")
        run("migrate", "-v0")
        if given.profile:
            profile(page)
            return
        measure("preview and apply", given.records, "import_records", str(page))
        measure("again, unchanged", given.records, "import_records", str(page))
        measure("undo", given.records, "import_records", "--undo", "1")


def measure(what: str, records: int, *command: str) -> None:
    """Run a command and say how long it took and what it used at most."""
    start = time.monotonic()
    run(*command)
    gone = time.monotonic() - start
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{what:<18} {gone:7.1f} s  {records / gone:7.0f} records/s  at most {most:.0f} MB,"
        f" processor so far {cpu.ru_utime + cpu.ru_stime:.0f} s"
    )


def run(*command: str) -> None:
    """`manage.py command`, silent."""
    subprocess.run([sys.executable, "manage.py", *command], check=True, stdout=subprocess.DEVNULL)


def profile(page: Path) -> None:
    """Where the time goes."""
    import cProfile  # noqa: PLC0415 - only here
    import pstats  # noqa: PLC0415

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django  # noqa: PLC0415

    django.setup()
    from django.db import connection  # noqa: PLC0415

    from catalogue.imports.ingest import Options, import_batch  # noqa: PLC0415

    connection.ensure_connection()
    profiler = cProfile.Profile()
    start = time.process_time()
    profiler.runcall(import_batch, [page], Options())
    print(f"{time.process_time() - start:.1f} s of processor, profiled")
    for order in ("tottime", "cumtime"):
        pstats.Stats(profiler).sort_stats(order).print_stats(45)


def write_page(path: Path, records: int) -> None:
    """A page of so many notices, no two of one game."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(notice(number) for number in range(records))


def notice(number: int) -> str:
    """One record: labels, the ISBD paragraph, rules, and one box or two."""
    title = f"{FIRST[number % 10]} {SECOND[number // 10 % 8]} {number}"
    people = [f"{NAMES[number // k % 10]} {FAMILIES[number // k % 8]}" for k in (1, 7)]
    authors = f"{people[0]}, Auteur ; {people[1]}, Illustrateur"
    house, kind = HOUSES[number % 5], CLASSES[number % 4]
    text = " ".join(WORDS[(number * k + k * k) % 12] for k in range(1, 120))
    rules = (
        f"1 plateau, {number % 60 + 10} tuiles, 4 pions.\nBut du jeu:\n{text}.\nFin du jeu:\nLa nuit tombe."
    )
    own = (
        f"Catégories : {kind} (jeu de règles) Mots-clés : {WORDS[number % 12]} Nombre minimum de joueurs : 2"
        f" Nombre maximum de joueurs : {number % 5 + 2} Age minimum : {number % 8 + 4} Age maximum : 99"
        f" Durée moyenne (minutes) : {number % 9 * 5 + 10} Contenu : Contenu:\n{rules}"
    )
    boxes = " ".join(
        f"PRE {kind} Maison des Jeux {1_000_000 + 2 * number + k} Disponible" for k in range(1 + number % 2)
    )
    year, kind_of_thing = 1990 + number % 35, "objet à 3 dimensions, artefacts, ..."
    return (
        f"Titre : {title} Type de document : {kind_of_thing} Auteurs : {authors} Editeur : Liège : {house}"
        f" Année de publication : {year} ISBN/ISSN/EAN : {code(number)} Langues : Français (fre) {own}"
        f"{title} [{kind_of_thing}] / {authors} . - Liège : {house}, {year}.\nISBN : {code(number)}\n"
        f"Langues : Français ( fre)\n{own}"
        f"Exemplaires ({1 + number % 2})\nCote Section Localisation Code-barres Disponibilité {boxes}\n"
    )


def code(number: int) -> str:
    """An EAN of its own, with the right check digit."""
    body = f"376{number:09}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body))
    return f"{body}{-total % 10}"


if __name__ == "__main__":
    main()
