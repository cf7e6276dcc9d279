"""The only writer of catalogue rows.

Every function is one transaction: it writes, and announces the game (see `outbox`). A call that would
change nothing writes nothing. Pages, API, admin, commands and importers all come here; a bulk write has
no other way.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields as dataclass_fields
from datetime import date, datetime
from typing import cast

from django.contrib.auth.models import User
from django.core.files.base import File
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from catalogue import anchors, rows
from catalogue.categories import category_key, read_category
from catalogue.draft import (
    ContributorDraft,
    CopyDraft,
    GameDraft,
    PublicationDraft,
    RevisionDraft,
    RulesHead,
)
from catalogue.models import (
    Branch,
    Category,
    Copy,
    CopyEvent,
    Document,
    Flag,
    Game,
    Keyword,
    Person,
    Publisher,
    RemovedText,
    Revision,
    RulesText,
    Section,
)
from catalogue.outbox import announce, announce_all, leave_signs
from catalogue.rows import COLUMNS
from catalogue.text import name_key, one_line

Named = Person | Publisher | Category | Keyword | Section | Branch
GAME_PARTS = (
    "alternative_titles",
    "contributors__person",
    "publications__publisher",
    "identifiers",
    "languages",
    "categories",
    "keywords",
)


class BarcodeTaken(Exception):
    """Another box carries this barcode; `copy` is that box."""

    def __init__(self, copy: Copy) -> None:
        super().__init__(copy.barcode)
        self.copy = copy


class ChangedMeanwhile(Exception):
    """The row no longer says what the caller has seen; `now` is what it says."""

    def __init__(self, now: object) -> None:
        super().__init__("changed meanwhile")
        self.now = now


class NameTaken(Exception):
    """Another row of the kind has this name already; `row` is that one."""

    def __init__(self, row: "Named") -> None:
        super().__init__(str(row))
        self.row = row


class InUse(Exception):
    """The row cannot go while others point at it (a game with copies, a copy with loans)."""


# --- games -------------------------------------------------------------------------------------


def describe(game: Game) -> GameDraft:
    """What the record of `game` says now; the inverse of `create_game`."""
    values = {name: getattr(game, name) for name in COLUMNS}
    return GameDraft(
        **values,
        alternative_titles=tuple(a.title for a in game.alternative_titles.all()),
        contributors=tuple(ContributorDraft(c.person.name, c.role) for c in game.contributors.all()),
        publications=tuple(PublicationDraft(p.publisher.name, p.place) for p in game.publications.all()),
        identifiers=tuple(i.printed for i in game.identifiers.all()),
        languages=tuple(language.tag for language in game.languages.all()),
        categories=tuple(str(c) for c in game.categories.all()),
        keywords=tuple(k.name for k in game.keywords.all()),
    )


@transaction.atomic
def create_game(draft: GameDraft) -> Game:
    """A new game that says what `draft` says. Raises ValueError without a title."""
    [game] = create_games([draft])
    return game


@transaction.atomic
def create_games(drafts: Sequence[GameDraft]) -> list[Game]:
    """`create_game` for many records, in as many queries as for one."""
    games = Game.objects.bulk_create(rows.fill_game(Game(), draft) for draft in drafts)
    pairs = list(zip(games, drafts, strict=True))
    for name, (model, _) in rows.PARTS.items():
        if found := rows.of_part(name, pairs):
            model.objects.bulk_create(found)
    for game in games:
        announce(game)
    return games


@transaction.atomic
def update_game(game: Game, draft: GameDraft, *, seen: GameDraft | None = None) -> tuple[str, ...]:
    """Make `game` say what `draft` says. Returns the names of the fields that changed, sorted.

    Raises ChangedMeanwhile when it no longer says what `seen` says.
    """
    game = lock_game(game.pk)
    before = describe(game)
    _refuse_unseen(before, seen)
    changed = tuple(
        sorted(
            f.name
            for f in dataclass_fields(GameDraft)
            if comparable(f.name, getattr(before, f.name)) != comparable(f.name, getattr(draft, f.name))
        )
    )
    if not changed:
        return ()
    rows.fill_game(game, draft)
    game.save()
    for name in rows.PARTS.keys() & set(changed):
        _clear(game, name)
        model, _ = rows.PARTS[name]
        model.objects.bulk_create(rows.of_part(name, [(game, draft)]))
    announce(game)
    return changed


@transaction.atomic
def delete_game(game: Game) -> None:
    """Remove a game with its rules texts. Raises InUse while it has copies."""
    game = lock_game(game.pk)
    announce(game)
    leave_signs(Game.objects.filter(pk=game.pk))
    for text in game.rules_texts.all():
        _leave_sign(text)
    try:
        game.delete()
    except models.ProtectedError as error:
        raise InUse(str(game)) from error


def lock_game(pk: int) -> Game:
    """The game, its row locked until the transaction ends. Raises Game.DoesNotExist."""
    return Game.objects.select_for_update(no_key=True).get(pk=pk)


def _refuse_unseen(now: object, seen: object) -> None:
    if seen is not None and now != seen:
        raise ChangedMeanwhile(now)


def comparable(name: str, value: object) -> object:
    """A field's value so that two spellings of the same thing are equal; `name` is a field of GameDraft."""
    if name == "categories":
        return sorted(category_key(read_category(c)) for c in cast(Sequence[str], value))
    if name == "keywords":
        return sorted(map(name_key, cast(Sequence[str], value)))
    if name == "contributors":
        return [(name_key(c.name), c.role) for c in cast(Sequence[ContributorDraft], value)]
    if name == "publications":
        return [(name_key(p.publisher), p.place) for p in cast(Sequence[PublicationDraft], value)]
    return value


def _clear(game: Game, part: str) -> None:
    have = getattr(game, part)
    if hasattr(have, "through"):
        have.clear()
    else:
        have.all().delete()


# --- names that records share ------------------------------------------------------------------

GAMES_OF: dict[type[Named], str] = {
    Person: "contributors__person",
    Publisher: "publications__publisher",
    Category: "categories",
    Keyword: "keywords",
    Section: "copies__section",
    Branch: "copies__branch",
}


@transaction.atomic
def rename(row: Named, name: str) -> bool:
    """Call a person, publisher, category ... by another name, in every record that uses it.

    A category's name is as printed, code first. Returns whether anything changed; raises NameTaken, or
    ValueError for an empty name.
    """
    values = _name_values(row, name)
    if not values["key"]:
        raise ValueError("A name needs a letter or a digit.")
    other = namesake(row, name)
    if other is not None:
        raise NameTaken(other)
    if not type(row).objects.filter(pk=row.pk).exclude(**values).update(**values):
        return False
    announce_all(Game.objects.filter(**{GAMES_OF[type(row)]: row}))
    return True


def namesake(row: Named, name: str) -> Named | None:
    """Another row of the kind that `name` stands for already."""
    key = _name_values(row, name)["key"]
    found: Named | None = type(row).objects.filter(key=key).exclude(pk=row.pk).first()
    return found


def printed_name(row: Named) -> str:
    """The name as it is printed; the inverse of `rename`."""
    if isinstance(row, Category) and row.note:
        return f"{row} ({row.note})"
    return str(row)


def set_time_zone(branch: Branch, time_zone: str) -> None:
    """In which zone a branch tells its days (IANA name; empty: the library's)."""
    Branch.objects.filter(pk=branch.pk).update(time_zone=time_zone)


def _name_values(row: Named, name: str) -> dict[str, str]:
    if isinstance(row, Category):
        parts = read_category(name)
        return {"code": parts.code, "label": parts.label, "note": parts.note, "key": category_key(parts)}
    return {"name": one_line(name), "key": name_key(name)}


# --- copies ------------------------------------------------------------------------------------


@transaction.atomic
def add_copy(game: Game, draft: CopyDraft) -> Copy:
    """A new box of `game`. Raises BarcodeTaken, or ValueError without a barcode."""
    game = lock_game(game.pk)
    copy = Copy(game=game)
    _save_copy(copy, draft)
    announce(game)
    return copy


@transaction.atomic
def add_copies(boxes: Sequence[tuple[Game, CopyDraft]]) -> list[Copy]:
    """`add_copy` for many boxes of games that the caller has made or locked; none, where one is refused."""
    copies = [rows.fill_copy(Copy(game=game), draft) for game, draft in boxes]
    try:
        with transaction.atomic():
            Copy.objects.bulk_create(copies)
    except IntegrityError as error:
        raise _taken(copies, error) from error
    for game, _ in boxes:
        announce(game)
    return copies


@transaction.atomic
def update_copy(copy: Copy, draft: CopyDraft, *, seen: CopyDraft | None = None) -> bool:
    """Make the box say what `draft` says. Returns whether anything changed.

    Raises BarcodeTaken, or ChangedMeanwhile when it no longer says what `seen` says.
    """
    game = lock_game(copy.game_id)
    copy = (
        Copy.objects.select_for_update(of=("self",), no_key=True)
        .select_related("section", "branch")
        .get(pk=copy.pk)
    )
    before = describe_copy(copy)
    _refuse_unseen(before, seen)
    if before == draft:
        return False
    _save_copy(copy, draft)
    if draft.condition != before.condition:
        CopyEvent.objects.create(copy=copy, before=before.condition, after=draft.condition, at=timezone.now())
    announce(game)
    return True


@transaction.atomic
def set_condition(
    copy: Copy, condition: str, *, at: datetime, by: User | None, why: str = "", until_on: date | None = None
) -> CopyEvent:
    """Put the box into another condition, and keep when, by whom and why."""
    game = lock_game(copy.game_id)
    boxes = Copy.objects.select_for_update(no_key=True)
    before = boxes.values_list("condition", flat=True).get(pk=copy.pk)
    Copy.objects.filter(pk=copy.pk).update(condition=condition)
    copy.condition = condition
    announce(game)
    return CopyEvent.objects.create(
        copy=copy, before=before, after=condition, at=at, by=by, why=one_line(why)[:300], until_on=until_on
    )


@transaction.atomic
def delete_copy(copy: Copy) -> None:
    """Remove a box that was never lent. Raises InUse where loans point at it (withdraw it then)."""
    game = lock_game(copy.game_id)
    try:
        copy.delete()
    except models.ProtectedError as error:
        raise InUse(copy.barcode) from error
    announce(game)


def describe_copy(copy: Copy) -> CopyDraft:
    """What the catalogue says of one box; the inverse of `add_copy`."""
    return CopyDraft(
        barcode=copy.barcode,
        call_number=copy.call_number,
        section=copy.section.name if copy.section else "",
        branch=copy.branch.name if copy.branch else "",
        condition=copy.condition,
        note=copy.note,
    )


def _save_copy(copy: Copy, draft: CopyDraft) -> None:
    rows.fill_copy(copy, draft)
    try:
        with transaction.atomic():
            copy.save()
    except IntegrityError as error:
        raise _taken([copy], error) from error


def _taken(copies: Sequence[Copy], error: IntegrityError) -> Exception:
    """BarcodeTaken, where a label is why the boxes could not be saved."""
    own = {copy.pk for copy in copies if copy.pk}
    labels = [copy.barcode for copy in copies]
    holder = Copy.objects.filter(barcode__in=labels).exclude(pk__in=own).first()
    return error if holder is None else BarcodeTaken(holder)


# --- rules texts -------------------------------------------------------------------------------


@transaction.atomic
def add_rules_text(game: Game, head: RulesHead, first: RevisionDraft) -> RulesText:
    """A new rules text of `game` with its first revision."""
    game = lock_game(game.pk)
    text = RulesText(game=game)
    _write_head(text, head)
    text.save()
    _append(text, [first])
    announce(game)
    return text


@transaction.atomic
def add_rules_texts(new: Sequence[tuple[Game, RulesHead, Sequence[RevisionDraft]]]) -> list[RulesText]:
    """Many texts, each with its revisions, oldest first, of games that the caller has made or locked."""
    texts = [RulesText(game=game) for game, _, _ in new]
    for text, (_, head, _) in zip(texts, new, strict=True):
        _write_head(text, head)
    RulesText.objects.bulk_create(texts)
    firsts = [_revision(text, 1, drafts[0]) for text, (_, _, drafts) in zip(texts, new, strict=True)]
    Revision.objects.bulk_create(firsts)
    for text, (game, _, drafts) in zip(texts, new, strict=True):
        if len(drafts) > 1:
            _append(text, drafts[1:])
        announce(game)
    return texts


@transaction.atomic
def update_rules_text(text: RulesText, head: RulesHead, *, seen: RulesHead | None = None) -> bool:
    """Correct what is said about a text (language, edition, source ...). Returns whether anything changed.

    Raises ChangedMeanwhile when it no longer says what `seen` says.
    """
    game = lock_game(text.game_id)
    text.refresh_from_db()
    _refuse_unseen(describe_head(text), seen)
    if describe_head(text) == head:
        return False
    _write_head(text, head)
    text.save()
    announce(game)
    return True


@transaction.atomic
def add_revisions(
    text: RulesText, drafts: Iterable[RevisionDraft], *, seen: Revision | None = None
) -> list[Revision]:
    """Append the revisions that the text does not have yet, oldest first; returns those that were added.

    A revision is known by its `source_key`; one without a key is the same if its words are the current words.
    Raises ChangedMeanwhile when `seen` is no longer the current revision.
    """
    game = lock_game(text.game_id)
    _refuse_unseen(text.current, seen)
    added = _append(text, drafts)
    if added:
        announce(game)
    return added


@transaction.atomic
def delete_rules_text(text: RulesText) -> None:
    """Remove a text with all its revisions."""
    game = lock_game(text.game_id)
    _leave_sign(text)
    text.delete()
    announce(game)


def _leave_sign(text: RulesText) -> None:
    """The number of a text stands on boxes and in links: whoever comes by it is told what is here now."""
    RemovedText.objects.create(
        text_id=text.pk, game_id=text.game_id, title=text.game.title, language=text.language
    )


def describe_head(text: RulesText) -> RulesHead:
    """What is said about a text now."""
    return RulesHead(**{f.name: getattr(text, f.name) for f in dataclass_fields(RulesHead)})


def _write_head(text: RulesText, head: RulesHead) -> None:
    for f in dataclass_fields(RulesHead):
        setattr(text, f.name, getattr(head, f.name))


def _append(text: RulesText, drafts: Iterable[RevisionDraft]) -> list[Revision]:
    have = list(text.revisions.defer("raw"))
    keys = {r.source_key for r in have if r.source_key}
    number = max((r.number for r in have), default=0)
    current = max(have, key=lambda r: (r.made_at, r.number), default=None)
    added: list[Revision] = []
    for draft in drafts:
        if draft.source_key in keys or (not draft.source_key and current and current.body == draft.body):
            continue
        number += 1
        current = _revision(text, number, draft)
        added.append(current)
    Revision.objects.bulk_create(added)
    _keep_old_links(text, have, added)
    return added


def _revision(text: RulesText, number: int, draft: RevisionDraft) -> Revision:
    return Revision(
        rules_text=text,
        number=number,
        body=draft.body,
        made_at=_moment(draft.made_at),
        comment=draft.comment[:1000],
        author=draft.author[:200],
        source_key=draft.source_key,
        raw=draft.raw,
    )


def _keep_old_links(text: RulesText, have: Sequence[Revision], added: Sequence[Revision]) -> None:
    """Sections renamed by what was added, and from there on, stay reachable by the anchors they had."""
    states = sorted([*have, *added], key=lambda r: (r.made_at, r.number))
    first = min((states.index(revision) for revision in added), default=len(states))
    anchors.follow(text, states[max(0, first - 1) :])


def _moment(given: datetime | None) -> datetime:
    return given or timezone.now()


# --- documents and doubts ----------------------------------------------------------------------


@transaction.atomic
def attach_document(game: Game, name: str, file: "File[bytes] | None" = None) -> Document:
    """A file of the game, or only its name; the same name again takes the file if there was none."""
    game = lock_game(game.pk)
    document, made = Document.objects.get_or_create(game=game, name=name)
    if file is not None:
        document.file.save(name, file)
    if made or file is not None:
        announce(game)
    return document


def attach_names(documents: Sequence[tuple[Game, str]]) -> list[Document]:
    """Documents of which only the names are there, none of them attached before."""
    made = Document.objects.bulk_create(Document(game=game, name=name) for game, name in documents)
    for game, _ in documents:
        announce(game)
    return made


def raise_flags(flags: Iterable[tuple[Game, str, str]]) -> list[Flag]:
    """`raise_flag` for several, none of which was raised before."""
    return Flag.objects.bulk_create(Flag(game=game, code=code, detail=said) for game, code, said in flags)


def raise_flag(game: Game, code: str, detail: str = "") -> bool:
    """Put something on the librarian's list; returns False if it was put there before."""
    _, made = Flag.objects.get_or_create(game=game, code=code, detail=detail[:500])
    return made


def settle_flag(flag: Flag, *, now: datetime) -> None:
    """The librarian has looked at it."""
    Flag.objects.filter(pk=flag.pk, settled_at=None).update(settled_at=now)
