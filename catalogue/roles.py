"""Parts that people have in a game: UNIMARC relator codes (UNIMARC Manual, appendix C) and their words.

The French words are those which PMB prints; they are facts of its label file, met in imports.
"""

from django.utils.translation import gettext_lazy as _

from catalogue.text import fold

LABELS = {
    "": "",
    "040": _("artist"),
    "070": _("author"),
    "205": _("collaborator"),
    "230": _("composer"),
    "245": _("concept"),
    "250": _("conductor"),
    "340": _("editor"),
    "350": _("engraver"),
    "410": _("graphic artist"),
    "440": _("illustrator"),
    "550": _("narrator"),
    "570": _("other"),
    "600": _("photographer"),
    "630": _("producer"),
    "650": _("publisher"),
    "705": _("sculptor"),
    "730": _("translator"),
}
PMB_WORDS = {
    "artiste": "040",
    "auteur": "070",
    "collaborateur": "205",
    "compositeur": "230",
    "concepteur": "245",
    "createur": "245",
    "chef d'orchestre": "250",
    "editeur scientifique": "340",
    "redacteur": "340",
    "graveur": "350",
    "graphiste": "410",
    "illustrateur": "440",
    "narrateur": "550",
    "autre": "570",
    "photographe": "600",
    "producteur": "630",
    "editeur": "650",
    "editeur commercial": "650",
    "sculpteur": "705",
    "traducteur": "730",
    "musicien": "545",
    "interprete": "590",
    "realisateur": "300",
    "acteur": "005",
    "adaptateur": "010",
    "scenariste": "690",
    "dessinateur": "440",
    "coloriste": "440",
    "directeur de publication": "651",
    "prefacier": "080",
}


def role_of(word: str) -> str | None:
    """The code of a role printed in French, or None if the word is no role."""
    return PMB_WORDS.get(fold(word).replace("’", "'").strip())
