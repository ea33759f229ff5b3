"""Reads the stored matches on a thread of its own; the loop asks and uses what is ready.

Reading a long match, counting hundreds of them or writing to a slow stick takes seconds on a
Raspberry Pi, and sensing must not wait for it. The result is one immutable `Shelf`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from pi_app.app.backlog import AnalysisWish
from pi_app.app.importing import FileRead, MatchImport, StoreMatch
from pi_app.app.membership import STICK_GONE
from pi_app.base.errors import GivenError, SpotterError
from pi_app.base.files import why
from pi_app.base.strict import ConfigError
from pi_app.base.threads import Worker
from pi_app.boards import load_board
from pi_app.devices.stick import (
    NO_STICK,
    Stick,
    files_on,
    find_stick,
    plain_name,
    write_files,
)
from pi_app.export.codes import code_of, parts_of
from pi_app.export.leaves import leaves
from pi_app.export.match_files import is_offered
from pi_app.export.retold import Kept
from pi_app.export.sheet import score_sheet
from pi_app.export.statistics import Names, Totals, by_name, figures_of, names_counted, people
from pi_app.games.equipment import Compendium
from pi_app.journal.archive import Archive, MatchSummary
from pi_app.journal.disk import JournalError
from pi_app.journal.store import Journal
from pi_app.match.turns import OVER
from pi_app.referee.events import EventError, MatchId, Start, far_seat
from pi_app.referee.options import agree, problem_at
from pi_app.rules.contract import Games
from pi_app.rules.naming import name_players
from pi_app.rules.terms import Both
from pi_app.screen.ui import (
    CodePart,
    KeptMatch,
    OpenMatch,
    PlayerFigures,
    PosedLeaf,
    Shelf,
    StickFile,
    StickFiles,
    standing,
)
from pi_app.sensing.description import Board
from pi_app.user.agreement import form_of
from pi_app.user.commands import Fetch, ImportFiles, Wanted
from pi_app.words.sentences import AND, SEMICOLONS, Listing, Sentence, joined
from pi_app.words.wall_time import local_day, local_time

READ_ONLY = Sentence("USB stick {stick} is write-protected")
WRITTEN = Sentence("Saved to {stick}: {files}")
NOT_WRITTEN = Sentence("Not saved to {stick}: {why}")
NO_FORM = Sentence("no .{form}: {why}")
STORED_AS = Sentence("Stored: {players}")
KNOWN_AS = Sentence("Stored before, as match {number}")
NOT_IMPORTED = Sentence("Not imported: {why}")
IN_PART = Sentence("Stored in part: {why}")
NOT_STORED = Sentence("Not stored: {why}")
VERSUS = Sentence("{white} – {black}")
COACH_LOCKED = Sentence("No coach until this match ends")
NOT_TOLD = Sentence("This match cannot be shown: {why}")

COUNTED_AT_ONCE = 20
"""Matches between two updates of the statistics."""


def is_playable(start: Start, board: Board, board_name: str) -> bool:
    """Whether a match with this start can be resumed on this board."""
    return start.board == board_name and start.game in board.games.matches


def unfinished(journal: Journal, games: Games, playable: Callable[[Start], bool]) -> str | None:
    """The players and the score of the latest unfinished match that can be played here, in one
    line."""
    try:
        number = journal.unfinished(playable)
        match = journal.match(number) if number else None
    except JournalError:
        return None
    return standing(_players(match.start, games), match.score) if match else None


def _players(start: Start, games: Games) -> tuple[str, str]:
    """The names as shown; for an unknown game as stored."""
    game = games.matches.get(start.game)
    return name_players(start.players, game.side_names) if game else start.players


class Librarian(Worker[Fetch | ImportFiles]):
    """Reads the journal at `path` for the screen; `playable` says which matches the board can
    resume.

    `shelf` is the result so far and may be read at any time. A match to be analysed is opened and
    passed to `analyse`. Imported matches are passed to `store`, which waits until the loop has
    written them.
    """

    def __init__(
        self,
        path: Path,
        games: Compendium,
        playable: Callable[[Start], bool],
        stick: Callable[[], Stick | None] = find_stick,
        analyse: Callable[[AnalysisWish], None] = lambda _: None,
        store: StoreMatch | None = None,
    ) -> None:
        super().__init__("kept matches")
        self.shelf = Shelf()
        self._path, self._games, self._playable = path, games, playable
        self._stick, self._analyse, self._store = stick, analyse, store
        self._ends = False
        self._boards: dict[str, Board | None] = {}
        self._figures: dict[MatchId, Both[Totals]] = {}

    def close(self) -> None:
        """Stop an import after the file that is being read."""
        self._ends = True
        super().close()

    def take(self, wish: Fetch | ImportFiles) -> None:
        """Fetch this now. Afterwards `shelf` has it, or the journal's error."""
        self.shelf = replace(self.shelf, message="")
        try:
            with closing(Archive(self._path)) as archive:
                if isinstance(wish, ImportFiles):
                    self._import(archive, wish.names)
                else:
                    self._find(archive, wish)
        except SpotterError as error:
            self.shelf = replace(self.shelf, matches=self.shelf.matches or (), message=error.said)

    def _find(self, archive: Archive, wish: Fetch) -> None:
        if wish.wanted is Wanted.FILES:
            self._offer()
        elif wish.wanted is Wanted.LIST:
            self.shelf = self._list(archive)
        elif wish.wanted is Wanted.PLAYERS:
            for shelf in self._count(archive):
                self.shelf = shelf
        elif wish.number is not None:
            match = archive.match(wish.number)
            kept = Kept(match.start, tuple(archive.decisions(match.number)), self._games.rules)
            try:
                self.shelf = self._found(wish, match, kept)
            except GivenError as error:
                self.shelf = replace(self.shelf, message=NOT_TOLD(why=error.said))

    def _found(self, wish: Fetch, match: MatchSummary, kept: Kept) -> Shelf:
        if wish.wanted is Wanted.STICK:
            return replace(self.shelf, message=self._written(match, kept))
        if wish.wanted is Wanted.CODE:
            parts = parts_of(_heading(match), score_sheet(kept))
            number = min(wish.part, len(parts) - 1)
            part = CodePart(match.number, number, len(parts), code_of(parts[number]))
            return replace(self.shelf, part=part)
        if wish.wanted is Wanted.POSITION:
            return replace(self.shelf, posed=self._posed(match, kept, wish.part))
        if wish.wanted is Wanted.ANALYSIS and kept.terms.locked and not match.is_over:
            return replace(self.shelf, message=COACH_LOCKED())
        if wish.wanted is Wanted.ANALYSIS:
            self._analyse(AnalysisWish(match.number, local_time(match.date), kept))
        opened = OpenMatch(
            self._line(match), match.start.game, self._drawn_on(match.start), tuple(leaves(kept))
        )
        return replace(self.shelf, opened=opened, part=None)

    def _posed(self, match: MatchSummary, kept: Kept, number: int) -> PosedLeaf:
        steps = tuple(leaves(kept))
        state = steps[min(number, len(steps) - 1)].state
        seat = agree(kept.start, kept.games)[1].machine
        posed = PosedLeaf(
            match.number, number, match.start.players, None if far_seat(seat) else seat
        )
        if state.phase in OVER:
            return posed
        problem = problem_at(match.start, kept.series, state)
        ids = None if kept.series.is_mixed else self._games.find(match.start.game).ids
        xgid = ids.write(problem) if ids else ""
        code = code_of("\n".join(filter(None, (problem.text, xgid))))
        return replace(posed, problem=problem, xgid=xgid, code=code)

    # The list

    def _list(self, archive: Archive) -> Shelf:
        matches = archive.matches()[::-1]
        given = (name for match in matches for name in self._names(match.start, people) if name)
        return replace(
            self.shelf,
            matches=tuple(map(self._line, matches)),
            names=tuple(dict.fromkeys(given)),
        )

    def _line(self, match: MatchSummary) -> KeptMatch:
        start, game = match.start, self._games.rules.matches.get(match.start.game)
        board = self._board(start.board)
        return KeptMatch(
            match.number,
            game.title if game else start.game,
            board.title if board else start.board,
            _players(start, self._games.rules),
            start.match_to,
            match.score,
            local_time(match.date),
            match.is_over,
            self._playable(start),
            bool(start.imported),
            form_of(start, self._games.rules),
        )

    def _names(self, start: Start, named: Callable[[Start, tuple[str, str]], Names]) -> Names:
        """The counted names; none for an unknown game, because its side names are unknown."""
        game = self._games.rules.matches.get(start.game)
        return named(start, game.side_names) if game else (None, None)

    def _board(self, name: str) -> Board | None:
        if name not in self._boards:
            self._boards[name] = None
            with suppress(ConfigError):
                self._boards[name] = load_board(name, self._games.rules)
        return self._boards[name]

    def _drawn_on(self, start: Start) -> Board:
        """The board that the match was played on; if it is gone, the game's usual one."""
        board = self._board(start.board)
        if board and start.game in board.games.matches:
            return board
        return load_board(self._games.board_of(start.game), self._games.rules)

    # Statistics

    def _count(self, archive: Archive) -> Iterator[Shelf]:
        """Yield the statistics as they grow; stop once something else is wanted."""
        counted: list[tuple[Names, Both[Totals]]] = []
        matches = archive.matches()
        for number, match in enumerate(reversed(matches), start=1):
            if not self._wishes.empty():
                return
            with suppress(EventError):
                counted.append(
                    (self._names(match.start, names_counted), self._figures_of(archive, match))
                )
            if number % COUNTED_AT_ONCE == 0 or number == len(matches):
                players = tuple(PlayerFigures(*one) for one in by_name(counted).items())
                yield replace(self.shelf, players=players, counted=number)

    def _figures_of(self, archive: Archive, match: MatchSummary) -> Both[Totals]:
        """Cached for finished matches."""
        if match.number in self._figures:
            return self._figures[match.number]
        kept = Kept(match.start, archive.decisions(match.number), self._games.rules)
        found = figures_of(kept)
        if match.is_over:
            self._figures[match.number] = found
        return found

    # Files on a stick

    def _offer(self) -> None:
        """List the match files of the stick; one that is pulled out while they are looked for
        has none."""
        stick = self._stick()
        if stick is None:
            self.shelf = replace(self.shelf, files=StickFiles(""), message=NO_STICK())
            return
        try:
            names = files_on(stick, is_offered)
        except OSError as error:
            message = STICK_GONE(stick=stick.name, why=why(error))
            self.shelf = replace(self.shelf, files=StickFiles(stick.name), message=message)
        else:
            files = StickFiles(stick.name, tuple(map(StickFile, names)))
            self.shelf = replace(self.shelf, files=files)

    def _import(self, archive: Archive, wanted: tuple[str, ...]) -> None:
        """Import files one after the other; `shelf` has each as soon as it is stored."""
        stick, offered = self._stick(), self.shelf.files
        if stick is None or offered is None or stick.name != offered.stick or not self._store:
            self.shelf = replace(self.shelf, files=None, message=NO_STICK())
            return
        work = MatchImport.into(archive, self._store, self._games.rules)
        files, names = {one.name: one for one in offered.files}, Counter[str]()
        with suppress(CancelledError):
            for name in wanted:
                if self._ends:
                    return
                files[name] = self._imported(work, stick, name, names)
                told = StickFiles(stick.name, tuple(files.values()), importing=True)
                self.shelf = replace(self.shelf, files=told)
        frequent = tuple(name for name, _ in names.most_common())
        done = StickFiles(stick.name, tuple(files.values()), frequent)
        self.shelf = replace(self._list(archive), files=done)

    def _imported(
        self, work: MatchImport, stick: Stick, name: str, names: Counter[str]
    ) -> StickFile:
        path = stick.folder / name
        try:
            read = work.take(path)
        except JournalError as error:
            return StickFile(name, NOT_STORED(why=error.said), faulty=True)
        names.update(read.players)
        return StickFile(name, _told_of(read, path), read.number, bool(read.faults))

    # Export

    def _written(self, match: MatchSummary, kept: Kept) -> str:
        """Write the sheet and every form of the game to the stick. Return the message about it."""
        stick = self._stick()
        if stick is None:
            return NO_STICK()
        if not stick.writable:
            return READ_ONLY(stick=stick.name)
        name = plain_name("spotter", local_day(match.date), str(match.number), *match.start.players)
        files = {f"{name}.txt": [_heading(match), *score_sheet(kept)]}
        left_out = []
        for form in self._games.forms(match.start.game):
            if form.lines is None:
                continue
            try:
                files[f"{name}.{form.name}"] = list(form.lines(kept, match.date))
            except EventError as error:
                left_out.append(NO_FORM(form=form.name, why=error.said))
        try:
            write_files(stick, files)
        except OSError as error:
            return NOT_WRITTEN(stick=stick.name, why=why(error))
        written = WRITTEN(stick=stick.name, files=Listing(tuple(files), AND))
        return joined((written, *left_out), SEMICOLONS)


def _told_of(read: FileRead, path: Path) -> str:
    faults = "; ".join(fault.removeprefix(f"{path}: ") for fault in read.faults)
    if read.number is None:
        return NOT_IMPORTED(why=faults)
    if read.known:
        return KNOWN_AS(number=str(read.number))
    white, black = read.players
    return IN_PART(why=faults) if faults else STORED_AS(players=VERSUS(white=white, black=black))


def _heading(match: MatchSummary) -> str:
    white, black = match.start.players
    return f"Match {match.number}, {white} – {black}, {local_time(match.date)}"
