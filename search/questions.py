"""A question understood: its language, the game it names, the words that carry it, and under which forms
each of them may be met in a text of any language.

Called by `find`; asks the engine which words the collection knows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from search.analysis import COMPOUNDING, OTHER, compound_parts, forms, tokens
from search.common import ranks
from search.concepts import CollectionWords, concepts, happenings, known_stems, known_words, met_by
from search.documents import GAMES
from search.engines import AnyOf, Engine, Term, Wanted
from search.query import Query, Word, asked_in, is_common, words
from search.ranking import Form, Level, Unit
from search.spelling import Vocabulary, kept_vocabulary
from search.titles import Mention, Titles, load_titles
from search.wordlists import LANGUAGES, word_list

OWN = {Level.EXACT: 1.0, Level.FOLD: 0.98, Level.STEM: 0.88, Level.PART: 0.6, Level.CONCEPT: 0.62}
FOREIGN = {Level.FOLD: 0.85, Level.STEM: 0.5, Level.CONCEPT: 0.65}
PROPOSING = {Level.FOLD: "stem", Level.STEM: "stem", Level.CONCEPT: "concept"}
"""In which field of the index a form is looked for; stems stand beside folded words there."""
REPAIRED = 0.85
"""What a repaired word is worth, compared with the same word typed rightly."""

TITLE_WORD = 0.35
COUNTED, BARE_NUMBER = 1.3, 0.5
"""A number of players is worth more where it counts players than where it stands for something else."""
PLAYERS = 2.0
"""How much more the number of players weighs than another word: the variant that fits comes first."""

IN_A_TERM = 0.3
"""What an everyday word counts by itself that is part of a term: "plus" in "il n'y a plus"."""
RIGHT_WORDS = 15_000
"""So many of the commonest words of a language are taken to be typed rightly."""
EVERYDAY, EVERYDAY_WORDS = 0.25, 400
COMMON, COMMON_WORDS = 0.5, 3000
"""How much the commonest words of a language weigh that are no terms of games, and how many these are."""

OTHERS_LOOKED_AT = 30
RARE_TITLE_WORD = 2


@dataclass(slots=True)
class Made:
    """What was made of a question already, by shelf: each is asked for again and again."""

    units: dict[str, tuple[Unit, ...]] = field(default_factory=dict)
    occurring: dict[str, list[Unit]] = field(default_factory=dict)
    terms: dict[str, tuple[Term, ...]] = field(default_factory=dict)
    concepts: dict[int, list[str]] | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. `content` are the words that are looked for: no little words, not the game's name.

    `repairs` maps a folded word to the folded words that were probably meant, the likeliest first;
    `nearby` a folded word to what stands for it in texts of its language besides its own forms.
    """

    query: Query
    language: str
    words: tuple[Word, ...]
    games: frozenset[int] = frozenset()
    used: frozenset[int] = frozenset()  # places of the words that name the game
    repairs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    nearby: Mapping[str, tuple[Form, ...]] = field(default_factory=dict)
    wanted_in: str = ""  # the language whose texts alone are asked for, if one is
    made: Made = field(default_factory=Made, init=False, compare=False)

    @property
    def home(self) -> str:
        """The language in which the answer is to stand, if any text has it."""
        return self.wanted_in or self.language

    @property
    def content(self) -> list[int]:
        """The places of the words that are looked for."""
        return [i for i, w in enumerate(self.words) if w.is_content and i not in self.used]

    @property
    def corrected(self) -> str:
        """The question as it was understood, or "" where nothing was repaired."""
        if not self.repairs:
            return ""
        text, shift = self.query.plain, 0
        for token in tokens(text, self.language):
            repair = next(iter(self.repairs.get(token.fold, ())), "")
            if repair and not token.is_joined:
                start, end = token.start + shift, token.end + shift
                text = text[:start] + repair + text[end:]
                shift += len(repair) - (token.end - token.start)
        return text

    def units(self, shelf: str) -> tuple[Unit, ...]:
        """The words that are looked for, with all their forms in a text of this shelf."""
        if shelf not in self.made.units:
            self.made.units[shelf] = self._units(shelf)
        return self.made.units[shelf]

    def _units(self, shelf: str) -> tuple[Unit, ...]:
        meant = self._concepts()
        places = sorted({*self.content, *self._little_terms(meant)})
        if places and len(self.used) == 1 and shelf != GAMES:
            # "the finca tile": within its own rules, the name may be part of a term.
            places = sorted({*places, *self.used})
        return tuple(self._unit(i, shelf, meant.get(i, ())) for i in places)

    def _unit(self, place: int, shelf: str, meant: Sequence[str]) -> Unit:
        word = self.words[place]
        worth = OWN if shelf in (self.language, GAMES) else FOREIGN
        literally = self._literally(place, meant)
        found = _forms(word.exact, shelf, worth, literally)
        if literally < 1:
            # Where the word stands for something else, it does not make what is meant less rare.
            found = [replace(form, is_aside=True) for form in found]
        found += [
            Form(Level.STEM, joined, worth[Level.STEM]) for joined in (*word.joined, *self._pairs(place))
        ]
        for repair in self.repairs.get(word.fold, ()):
            found += _forms(repair, shelf, worth, REPAIRED)
        if shelf == self.language:
            found += self.nearby.get(word.fold, ())
        if place not in self.used:
            # A name is no term: "Finca" is not about farms.
            found += [
                Form(Level.CONCEPT, m.mark, m.share * _worth_of(name, worth), m.is_kin)
                for name in meant
                for m in met_by(name)
            ]
        return Unit(
            word.exact,
            tuple(found),
            self._emphasis(place, meant),
            is_name=place in self.used,
            happens=not happenings().isdisjoint(meant),
        )

    def _little_terms(self, meant: Mapping[int, Sequence[str]]) -> list[int]:
        """Where terms of several words stand that are all little: "op zijn", "sind alle"; one place each."""
        content, found = set(self.content), []
        told = {name for place in content for name in meant.get(place, ())}
        for place, names in sorted(meant.items()):
            is_together = meant.get(place + 1, ()) and not told.issuperset(names)
            if is_together and set(names) & set(meant[place + 1]) and {place, place + 1}.isdisjoint(content):
                told.update(names)
                found.append(place)
        return [place for place in found if place not in self.used]

    def _literally(self, place: int, meant: Sequence[str]) -> float:
        """What the word itself counts: little where it only makes up a term: "2 joueurs", "n'y a plus"."""
        if any(_is_count(name) for name in meant):
            return BARE_NUMBER
        word = self.words[place]
        is_little = not word.is_content or ranks(self.language).get(word.fold, COMMON_WORDS) < EVERYDAY_WORDS
        return IN_A_TERM if meant and is_little else 1.0

    def _emphasis(self, place: int, meant: Sequence[str]) -> float:
        if any(_is_count(name) for name in meant):
            return PLAYERS
        if place in self.used:
            return TITLE_WORD
        return 1.0 if meant else _telling(self.words[place], self.language)

    def _pairs(self, place: int) -> list[str]:
        """The word written as one with each neighbour: "kling dong" for `klingdong`."""
        pairs = ((place - 1, place), (place, place + 1))
        return [self.words[a].fold + self.words[b].fold for a, b in pairs if a >= 0 and b < len(self.words)]

    def _concepts(self) -> dict[int, list[str]]:
        """The concepts of the question by the places of their words."""
        if self.made.concepts is None:
            self.made.concepts = self._meant()
        return self.made.concepts

    def _meant(self) -> dict[int, list[str]]:
        known = CollectionWords(self.language, {}) if self.language in COMPOUNDING else None
        found_words = tokens(self.corrected or self.query.plain, self.language, known)
        plain = [t for t in found_words if not t.is_joined]
        found: dict[int, list[str]] = {}
        for hit in concepts(plain[: len(self.words)], self.language):
            for place in range(hit.first, hit.first + hit.length):
                found.setdefault(place, []).append(hit.concept)
        return found

    def terms(self, shelf: str) -> tuple[Term, ...]:
        """The same for an engine: any of these proposes an entry of the shelf."""
        if shelf not in self.made.terms:
            self.made.terms[shelf] = self._terms(shelf)
        return self.made.terms[shelf]

    def _terms(self, shelf: str) -> tuple[Term, ...]:
        best: dict[tuple[str, str], float] = {}
        for form in (form for unit in self.units(shelf) for form in unit.forms):
            if form.level in PROPOSING:
                key = (PROPOSING[form.level], form.key)
                best[key] = max(best.get(key, 0.0), round(form.worth, 2))
        return tuple(Term(name, text, boost) for (name, text), boost in best.items())

    def wanted(self, shelf: str) -> Wanted | None:
        """All of them in one."""
        terms = self.terms(shelf)
        return AnyOf(terms) if terms else None


def _telling(word: Word, language: str) -> float:
    """How much a word that is no term of games says: little if everybody uses it all day."""
    place = ranks(language).get(word.fold)
    if place is None or word.is_number:
        return 1.0
    return EVERYDAY if place < EVERYDAY_WORDS else COMMON if place < COMMON_WORDS else 1.0


def _worth_of(concept: str, worth: Mapping[Level, float]) -> float:
    return COUNTED if _is_count(concept) else worth[Level.CONCEPT]


def _is_count(concept: str) -> bool:
    """Whether it is a number of players."""
    return concept.startswith("players ")


def _forms(word: str, shelf: str, worth: Mapping[Level, float], factor: float) -> list[Form]:
    exact, folded, stems = forms(word, shelf if shelf in LANGUAGES else OTHER)
    if shelf == GAMES:
        stems = tuple(dict.fromkeys(s for la in LANGUAGES for s in forms(word, la)[2]))
    found = [Form(Level.FOLD, folded, worth[Level.FOLD] * factor)]
    # A number is a number, in words or digits and in any language.
    found += [Form(Level.STEM, s, (1.0 if s.isdigit() else worth[Level.STEM]) * factor) for s in stems]
    if Level.EXACT in worth and exact != folded:
        found.append(Form(Level.EXACT, exact, worth[Level.EXACT] * factor))
    if Level.PART in worth:
        found += [Form(Level.PART, stem, worth[Level.PART] * factor) for stem in stems]
    return found


# --- understanding -----------------------------------------------------------------------------


def language_of(engine: Engine, query: Query, reader_language: str) -> str:
    """The language a question is asked in, told by its words; those of a game's title do not count."""
    folded = [t.fold for t in tokens(query.plain, OTHER) if not t.is_joined]
    mentions = load_titles(engine.generation()).mentions(folded, frozenset())
    names = {folded[place] for m in mentions for place in m.places() if not is_common(folded[place])}
    return asked_in(query, reader_language, partial(occurs, engine), names)


def occurs(engine: Engine, folded: str, language: str) -> bool:
    """Whether the texts or the glossary of a language have the word just so."""
    return folded in engine.words(language, "fold") or folded in known_words(language)


def ask(engine: Engine, query: Query, language: str, game_id: int | None) -> Question:
    """Read a question: its words, and the game it names unless `game_id` fixes one."""
    read = words(query, language)
    question = Question(query, language, read)
    named = _named_games(engine, question)
    if game_id is not None:
        used = {p for m in named if game_id in m.games for p in m.places()}
        return _within(question, frozenset({game_id}), used)
    if not named:
        return question
    exact = [m for m in named if m.is_exact] or named
    games = frozenset().union(*(m.games for m in exact))
    return _within(question, games, {p for m in exact for p in m.places()})


def _within(question: Question, games: frozenset[int], used: set[int]) -> Question:
    """The question about some games, whose name is no search word.

    Where nothing else is left, what is commonly said of games counts: "joueurs" in "Finca, combien de
    joueurs".
    """
    within = replace(question, games=games, used=frozenset(used))
    if within.content:
        return within
    said = word_list(question.language).players
    words = (replace(w, is_content=w.is_content or w.fold in said) for w in question.words)
    return replace(within, words=tuple(words))


def _named_games(engine: Engine, question: Question) -> list[Mention]:
    titles = load_titles(engine.generation())
    folded = [w.fold for w in question.words]
    unknown = frozenset(i for i, w in enumerate(question.words) if _is_unread(engine, w, question.language))
    mentions = [m for m in titles.mentions(folded, unknown) if _is_meant(engine, question, m)]
    return mentions or _by_a_title_word(engine, question, titles, unknown)


def _is_strange(engine: Engine, word: Word, language: str) -> bool:
    """Whether neither the collection nor the glossary has the word."""
    if not word.is_content or word.is_number:
        return False
    return not _is_known(engine, word.fold, language)


def _is_unread(engine: Engine, word: Word, language: str) -> bool:
    """Whether nobody writes the word so: a name may be misspelt in it, even if it has the stem of another."""
    if not word.is_content or word.is_number:
        return False
    return not occurs(engine, word.fold, language) and word.fold not in ranks(language)


def _is_known(engine: Engine, folded: str, language: str) -> bool:
    shelf = language if language in LANGUAGES else OTHER
    seen, stems = engine.words(shelf, "fold"), forms(folded, shelf)[2]
    if folded in seen or folded in known_words(shelf) or not known_stems(shelf).isdisjoint(stems):
        return True
    if shelf in COMPOUNDING and compound_parts(folded, shelf, CollectionWords(shelf, seen)):
        return True
    return any(count > 0 for count in engine.frequencies(shelf, "stem", stems).values())


def _is_meant(engine: Engine, question: Question, mention: Mention) -> bool:
    """A title of one everyday word ("Perch", "Y") names the game only if other games' rules lack the word."""
    if mention.length > 1 or len(question.content) == mention.length:
        return True
    word = question.words[mention.first]
    if not word.is_content or word.is_number:
        return False
    return not mention.is_exact or _is_used_by_few(engine, question.language, word.fold, mention.games)


def _is_used_by_few(engine: Engine, language: str, folded: str, games: frozenset[int]) -> bool:
    shelf = language if language in LANGUAGES else OTHER
    hits = engine.find(shelf, Term("fold", folded), OTHERS_LOOKED_AT)
    return len({hit.game_id for hit in hits} - games) < RARE_TITLE_WORD


def _by_a_title_word(
    engine: Engine, question: Question, titles: Titles, unknown: frozenset[int]
) -> list[Mention]:
    """A telling word of a title ("caledonia") names the game as well, if no other game's rules use it."""
    found = []
    for place in question.content:
        word = question.words[place].fold
        games = titles.by_word.get(word, frozenset())
        is_exact = bool(games)
        if not games and place in unknown:
            meant = Vocabulary.of({w: len(ids) for w, ids in titles.by_word.items()}).repaired(word)
            games = titles.by_word.get(meant, frozenset())
        is_name = len(word) > 3 and word not in known_words(question.language)
        few = is_name and 0 < len(games) <= RARE_TITLE_WORD
        if few and _uses_nobody_else(engine, question.language, word, games):
            found.append(Mention(games, place, 1, is_exact))
    return found


def _uses_nobody_else(engine: Engine, language: str, folded: str, games: frozenset[int]) -> bool:
    shelf = language if language in LANGUAGES else OTHER
    hits = engine.find(shelf, Term("fold", folded), OTHERS_LOOKED_AT)
    return {hit.game_id for hit in hits} <= games


# --- repairing ---------------------------------------------------------------------------------


def repaired(engine: Engine, question: Question, of_the_game: Mapping[str, int]) -> Question:
    """The question with misspelt words repaired: against the game's words first, then all texts', then
    the glossary's. A word that is known anywhere in the asker's language is left alone.
    """
    repairs = {}
    for place in question.content:
        word = question.words[place]
        if word.fold in of_the_game or is_common(word.fold):
            continue
        if ranks(question.language).get(word.fold, RIGHT_WORDS) < RIGHT_WORDS:
            continue
        if not _is_strange(engine, word, question.language):
            continue
        meant = _meant(engine, word.fold, question.language, of_the_game)
        if meant:
            repairs[word.fold] = meant
    return replace(question, repairs=repairs)


def _meant(engine: Engine, folded: str, language: str, of_the_game: Mapping[str, int]) -> tuple[str, ...]:
    shelf = language if language in LANGUAGES else OTHER
    vocabularies = (
        Vocabulary.of(of_the_game),
        kept_vocabulary(f"texts {shelf}", engine.words(shelf, "fold")),
        Vocabulary.of(dict.fromkeys(known_words(shelf), 1)),
    )
    return next(filter(None, (v.repairs(folded) for v in vocabularies)), ())
