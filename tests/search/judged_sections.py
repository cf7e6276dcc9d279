"""Which sections of the handed French and Spanish rules say what the sections of our own summaries say.

Judged by hand. Our summaries of a game have the same sections in every language, so one judgement holds for
all of them: for each section of the handed text, in order, the numbers of those of ours that say the same.
Where a handed section covers several of ours any of them is right; an empty set: ours say nothing of it.
"""

Judged = tuple[frozenset[int], ...]


def judged(line: str) -> Judged:
    """`2,3 4 -`: the first is like our section 2 or 3 (from 0), the second like 4, the third like none."""
    return tuple(
        frozenset() if numbers == "-" else frozenset(map(int, numbers.split(","))) for numbers in line.split()
    )


JUDGED = {
    ("Finca", "fr", "finca"): judged("2,3 4 5 6,7,8,9 10,11,12,13 14 15 16,17"),
    ("Finca", "es", "finca"): judged("- 1 0 2,3,4 5 6,7,8,9 10,11,12,13 14 15 16,17"),
    ("La Granja", "fr", "la-granja"): judged(
        "0 - 1,2 3 3 4 5 - 6 7 8,9,10,11,12,13 14 15 15 15 16 16 16 16 4,16 16 17"
    ),
    ("La havane", "fr", "la-havane"): judged(
        "0 0 2,3 4,6 6 5 7,9 8 10 11,12 27 13 14 15 16 17 18 19 20 21 22 23 24 25 26"
    ),
    ("Safranito", "fr", "safranito"): judged("2 3 0 4 5,6,7 8 9,10,11,12,13 14 15 16,17 18,19 20 21"),
    ("Uptown", "fr", "uptown"): judged("0,1 2,3,4 5 6,7 8,9,10,11 12 13 14 15,16"),
    ("Space Station Phoenix", "fr", "space-station-phoenix"): judged(
        "0 1,2,3 4 5 6,7 8,9 10 11 12,13,14 15 15 16 16"
    ),
    ("Teotihuacan", "fr", "teotihuacan"): judged(
        "0 - 1 - - 2 2 3 - 4 11 5 6 7,8,9 10 11 12 13 - 14 14 - 15 16 17 17"
    ),
    ("Clans of Caledonia", "fr", "clans-of-caledonia"): judged("0 1 2 3 4 5 6,7 8,9,10 - 11 12 13 14 15 16"),
    ("Beep/ Beep/", "fr", "beep-beep"): judged("2,3 0 4,5,6 7,8,9 10 11 12 13,14"),
    ("Perch", "fr", "perch"): judged("1 3 4 5,6,7,8,9 10,11,12,13 14,15"),
    ("Kling-dong", "fr", "kling-dong"): judged("0 2 3,4 5,6,7,8,9,10 11 12,13 14"),
    ("+Les Pieds dans le Plat !", "fr", "les-pieds-dans-le-plat"): judged(
        "0 2,3,4 5,6,7 8 9,10,11,12 13,14,15"
    ),
}
