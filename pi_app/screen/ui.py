"""The screen's own state: the open page, unfinished input, and animations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from enum import Enum, auto
from typing import NamedTuple

from pi_app.base.microseconds import ENDLESS, Us, ms
from pi_app.base.values import dataclass
from pi_app.coach.practice import Puzzle, PuzzleKind
from pi_app.coach.study import Lesson
from pi_app.coach.training import Coached
from pi_app.export.codes import Code
from pi_app.export.ids import Ids
from pi_app.export.leaves import Leaf
from pi_app.export.statistics import Totals
from pi_app.match.acts import Act
from pi_app.match.origin import Problem
from pi_app.match.score import Score
from pi_app.match.turns import OVER
from pi_app.players.contract import Rival
from pi_app.referee.events import MachineSeat, MatchId, far_seat
from pi_app.referee.view import SECOND, View
from pi_app.rules.contract import AnyGame, Games, Series
from pi_app.rules.terms import Move, Side, Spot, Stack
from pi_app.screen.face import Face
from pi_app.screen.theme import Theme
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.walk import Ask, Finding
from pi_app.user.agreement import Form
from pi_app.user.settings import Settings
from pi_app.words.sentences import AND, ENGLISH, Language, Listing, Numbering, Sentence


@dataclass(frozen=True, slots=True)
class Clubhouse:
    """This board's state in its club; `own` is its name there, empty outside a club.

    `links`: matches with other boards are possible. `boards` are present, `invited` ones have not
    answered. `trouble` is the club's present problem, `message` the result of joining or
    leaving, `answer` that of the last invitation. `asker` is the board with a request.

    `codes`: friends far away can be met by a code. `friends` are those met before, each a board and
    a name. `code` is the one to be told to a friend, `meets` says how the meeting goes; both are
    empty without one. `page` is the address at which a friend without a board plays, with the code
    in it, and `picture` the same as a QR code.
    """

    own: str = ""
    links: bool = False
    boards: tuple[str, ...] = ()
    invited: tuple[str, ...] = ()
    trouble: str = ""
    message: str = ""
    answer: str = ""
    asker: str = ""
    codes: bool = False
    friends: tuple[tuple[str, str], ...] = ()
    code: str = ""
    meets: str = ""
    words: tuple[str, ...] = ()
    """The words of codes."""
    opponent: str = ""
    """The friend far away whose match is played."""
    can_close: bool = False
    """Whether the other board of the match has been silent for a day."""
    page: str = ""
    picture: Code | None = None

    @property
    def only_friends(self) -> bool:
        """Whether there is no club whose boards can be invited."""
        return self.codes and not self.own

    @property
    def others(self) -> tuple[tuple[str, str], ...]:
        """Whom a match can be played with, the friends first: each a board and a name."""
        return (*self.friends, *((board, board) for board in self.boards))


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A line of the list of stored matches; `title` and `board` are the names of game and board for
    people.

    `began` is the local time as text. `here`: the board in use can play it. `imported`: another
    program's file told it. `form` is that of another match like it, if there can be one.
    """

    number: MatchId
    title: str
    board: str
    players: tuple[str, str]
    match_to: int | None
    score: Score
    began: str
    over: bool
    here: bool
    imported: bool = False
    form: Form | None = None


@dataclass(frozen=True, slots=True)
class OpenMatch:
    match: KeptMatch
    game: str
    board: Board
    leaves: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class CodePart:
    match: MatchId
    number: int
    count: int
    code: Code


@dataclass(frozen=True, slots=True)
class PosedLeaf:
    """The position of one step, from which another match can begin: its text, its XGID if any, its
    QR code.

    All are empty if the game is over. `players` and `machine` are those of the match.
    """

    match: MatchId
    leaf: int
    players: tuple[str, str] = ("", "")
    machine: MachineSeat | None = None
    problem: Problem | None = None
    xgid: str = ""
    code: Code | None = None


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    name: str
    figures: Totals


@dataclass(frozen=True, slots=True)
class StickFile:
    """A match file of a USB stick, by its name below the stick's folder.

    `told` says what became of it, empty before it is read; `match` is the stored match.
    `faulty`: something in it could not be read.
    """

    name: str
    told: str = ""
    match: MatchId | None = None
    faulty: bool = False


@dataclass(frozen=True, slots=True)
class StickFiles:
    """The match files of a stick. `importing`: some are still to be read; afterwards `names` are
    the players of what was imported, the most frequent first."""

    stick: str
    files: tuple[StickFile, ...] = ()
    names: tuple[str, ...] = ()
    importing: bool = False


@dataclass(frozen=True, slots=True)
class Shelf:
    """The stored matches as far as they are read.

    `matches` are newest first, None while they are being read. `names` are the players', the most
    recent first. The statistics cover `counted` matches. `message` is a message about the last
    request, if it has no page of its own. `files` are those of the stick; None before they are
    read.
    """

    matches: tuple[KeptMatch, ...] | None = None
    names: tuple[str, ...] = ()
    opened: OpenMatch | None = None
    part: CodePart | None = None
    players: tuple[PlayerFigures, ...] = ()
    counted: int = 0
    message: str = ""
    posed: PosedLeaf | None = None
    files: StickFiles | None = None


EMPTY_SHELF = Shelf(matches=())
"""For a program that stores no matches."""


DEVICES: Mapping[str, Sentence] = {"sensors": Sentence("sensors"), "OLED": Sentence("OLED")}
"""Devices that can be lost, by their names in events."""
READING_STICK = Sentence("Reading the USB stick")
STANDING = Sentence("{white} {ours} – {theirs} {black}")
NO_ANSWER = Sentence("No answer from the {devices}; Spotter keeps trying")

NAME_LENGTH, BOARD_NAME_LENGTH, CODE_LENGTH, POSITION_LENGTH = 16, 32, 40, 200
TARGETS: tuple[int | None, ...] = (1, 3, 5, 7, 11, 21, None)
LONG_AGO = Us(-ENDLESS)


TUMBLE = ms(400)
"""How long dice roll."""


class Page(Enum):
    """The open page; the play page shows the view."""

    PLAY = "play"
    START = "start"
    PRACTICE = "practice"
    PUZZLE = "puzzle"
    NEW_MATCH = "new match"
    GAMES = "games"
    HANDICAP = "handicap"
    OPPONENTS = "opponents"
    TOURNAMENT = "tournament"
    BOARDS = "boards"
    CLUB = "club"
    LEAVE_CLUB = "leave club"
    TYPING = "typing"
    MENU = "menu"
    ASK = "ask"
    SAY = "say"
    RESIGN = "resign"
    TAKE_BACK = "take back"
    SENSORS = "sensors"
    RULES = "rules"
    TOUR = "tour"
    SET_UP = "set up"
    SETTINGS = "settings"
    EDITOR = "editor"
    MATCHES = "matches"
    FILES = "files"
    MATCH = "match"
    DELETE = "delete"
    LEAF = "leaf"
    SHEET = "sheet"
    CODE = "code"
    PLAYERS = "players"
    HINT = "hint"
    ANALYSIS = "analysis"
    RATINGS = "ratings"
    REPORT = "report"
    TRAINING = "training"
    POSITION = "position"
    WALL = "wall"
    PHONES = "phones"
    QUIT = "quit"


BEFORE_A_MATCH = frozenset(
    {
        Page.START,
        Page.NEW_MATCH,
        Page.GAMES,
        Page.HANDICAP,
        Page.OPPONENTS,
        Page.TOURNAMENT,
        Page.BOARDS,
        Page.CLUB,
        Page.LEAVE_CLUB,
        Page.TYPING,
        Page.RULES,
        Page.TOUR,
        Page.SET_UP,
        Page.SENSORS,
        Page.TRAINING,
        Page.PRACTICE,
        Page.PUZZLE,
    }
)
"""Pages that close when a match begins."""


class TextField(Enum):
    WHITE = "white"
    BLACK = "black"
    TARGET = "target"
    BOARD = "board"
    CODE = "code"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class WalkTest:
    """A walk test's instruction, tested sensors, findings and report."""

    ask: Ask
    tried: tuple[Sensor, ...]
    findings: tuple[Finding, ...]
    report: tuple[str, ...] = ()


class TrialPart(Enum):
    """The parts of a trial turn."""

    LIFTED = auto()
    PUT = auto()
    PRESSED = auto()


class Fitness(Enum):
    """The result of a check of this computer."""

    WELL = auto()
    ILL = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class Inspected:
    """The sensors before a match: the closed ones, the walk test, and which parts of a trial turn
    were seen."""

    closed: frozenset[Sensor]
    walk: WalkTest | None = None
    parts: frozenset[TrialPart] = frozenset()


@dataclass(frozen=True, slots=True)
class PhoneLinks:
    """The addresses with which phones of this network become screens, and the QR codes of both.

    `play` is empty for a phone that may only watch. `count` phones are connected. `trouble` says
    why there are no addresses.
    """

    play: str = ""
    watch: str = ""
    play_code: Code | None = None
    watch_code: Code | None = None
    count: int = 0
    trouble: str = ""


class LyingOn(NamedTuple):
    """What lies on a spot, and what the player whose turn it is calls that."""

    name: str
    stack: Stack


@dataclass(frozen=True, slots=True)
class PageGuest:
    """A friend without a board, on whose page the checkers of the `near` side are moved by touches.

    `host` is whom the friend plays with, `lying` what stands on each spot now.
    """

    host: str
    near: Side
    lying: Mapping[Spot, tuple[Side, ...]]


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything that the program gives the screen.

    `faces` describe the boards' games. `view` is None before the first match. `resumable` is the
    match to resume in one line. `notices` are lasting lines, such as a full disk. `status`
    describes the board's electronics, for the page of sensors. `away` are devices that do not
    answer. `language` is that of all texts. `boards` are those that come with Spotter. `brightness`
    is in per cent, None if it cannot be changed.

    `shelf` are the stored matches, `playing` the current one. `inspected` are the sensors before a
    match. `boards_of` has each game's usual board; it is empty if no other board is at hand.
    `rivals` are the machine's players of each game, the weakest first. `lesson` is the
    coach's result, if any; `hints`: this match allows them. `question` is another board's request.
    `club` is None if there is none to join. `health` has the results of the checks of `spotter
    doctor`, by their names. `coached` are everybody's exercises, `today` is the date. `phones` are
    the addresses for phones. `puzzles` are those that come with Spotter, `ids` reads positions as
    other programs write them. `computer` is what became of the last `ComputerWish`, None if there
    can be none. `guest` is there on the page of a friend without a board.
    """

    board: Board
    faces: Mapping[str, Face]
    view: View | None = None
    settings: Settings = field(default_factory=Settings)
    notices: tuple[str, ...] = ()
    resumable: str | None = None
    status: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    language: Language = ENGLISH
    boards: tuple[str, ...] = ()
    brightness: int | None = None
    shelf: Shelf = EMPTY_SHELF
    playing: MatchId | None = None
    inspected: Inspected | None = None
    boards_of: Mapping[str, Board] = field(default_factory=dict)
    rivals: Mapping[str, tuple[Rival, ...]] = field(default_factory=dict)
    lesson: Lesson | None = None
    hints: bool = False
    question: str | None = None
    club: Clubhouse | None = None
    health: tuple[tuple[str, Fitness], ...] = ()
    coached: Coached = field(default_factory=Coached)
    today: str = ""
    phones: PhoneLinks = PhoneLinks()
    puzzles: tuple[Puzzle, ...] = ()
    ids: Ids | None = None
    computer: str | None = None
    guest: PageGuest | None = None

    @property
    def theme(self) -> Theme:
        return Theme.of(self.settings.screen.theme, self.settings.screen.board)

    @property
    def turned(self) -> bool:
        return self.settings.screen.turned_for(self.view.to_act if self.view else Side.WHITE)

    @property
    def numbering(self) -> Numbering:
        """The numbering in use; in a match that of the side to act."""
        counting = self.view.counting if self.view else None
        by_black = counting.mover is Side.BLACK if counting else self.turned
        return self.settings.screen.numbering(by_black)

    def numbering_of(self, mover: Side) -> Numbering:
        """The numbering beside a play of this side that is shown again."""
        return self.settings.screen.numbering(mover is Side.BLACK)

    @property
    def spoken(self) -> Language:
        return self.language.counting(self.numbering)

    @property
    def games(self) -> Games:
        return games_of(self.boards_of, self.board)

    def board_for(self, game: str) -> Board:
        """The board on which a game can be drawn: the one in use, or its usual one."""
        return self.board if game in self.board.games.matches else self.boards_of[game]

    @property
    def notes(self) -> tuple[str, ...]:
        if not self.away:
            return self.notices
        devices = tuple(DEVICES[name]() if name in DEVICES else name for name in self.away)
        return (*self.notices, NO_ANSWER(devices=Listing(devices, AND)))


def games_of(boards: Mapping[str, Board], board: Board) -> Games:
    """The games of these boards, by the game for which each is the usual one, else of this one."""
    if not boards:
        return board.games
    own = [(name, usual.games) for name, usual in boards.items() if name in usual.games]
    series = (one for _, games in own for one in games.series)
    return Games((games[name] for name, games in own), board.games.options, series)


def standing(players: tuple[str, str], score: Score) -> str:
    white, black = players
    return STANDING(white=white, ours=score.white, theirs=score.black, black=black)


def chosen_game(form: Form, shown: Shown) -> Series:
    """The form's game or series if it can be played here, else the first of the board's games."""
    return shown.games.matches.get(form.game) or Series.of(shown.board.games.first)


def due_count(shown: Shown) -> int:
    """How many exercises of all players are due."""
    training, costly = shown.coached.training, shown.settings.coach.costly
    every = (one for name in training.players for one in training.of(name, shown.games, costly))
    return sum(one.due <= shown.today for one in every)


def puzzles_of(shown: Shown, kind: PuzzleKind) -> tuple[Puzzle, ...]:
    """The puzzles of a kind whose game can be drawn here."""
    games = shown.games.matches
    return tuple(one for one in shown.puzzles if one.kind is kind and one.game in games)


def last_forms(shown: Shown) -> Iterator[Form]:
    """The forms of matches like those that were played last, the latest first."""
    kept = (one.form for one in shown.shelf.matches or () if one.form)
    return (form for form in kept if form.game in shown.games.matches)


def form_like(shown: Shown, *, machine: bool) -> Form | None:
    """The form of a match like the last one between people, or against the machine."""
    return next((form for form in last_forms(shown) if bool(form.machine) is machine), None)


def seat_in(shown: Shown, game: str, seat: MachineSeat, bars: int | None = None) -> MachineSeat:
    """The machine's seat in this game: its player there last time, else the same one or the one
    nearest in strength, else the weakest that looks at the board."""
    rivals = {one.name: one for one in shown.rivals.get(game, ())}
    last = (form.machine.player for form in last_forms(shown) if form.machine and form.game == game)
    for name in (next(last, ""), seat.player):
        if name in rivals:
            return replace(seat, player=name)
    strength = 1 if bars is None else bars
    # One that plays by chance is chosen by hand, or where there is no other.
    some = [one for one in rivals.values() if one.bars] or [*rivals.values()]
    nearest = min(some, key=lambda one: (abs(one.bars - strength), one.bars))
    return replace(seat, player=nearest.name)


def edited_game(shown: Shown, edit: Edit | None) -> AnyGame | None:
    """The game whose position is edited; None if none is."""
    if edit is None:
        return None
    name = edit.posed or (shown.view.game if shown.view else "")
    return shown.games[name] if name else None


def title_of(shown: Shown, game: str, player: str) -> str:
    """The name for people of an engine of this game; its own name if it is not at hand."""
    rivals = shown.rivals.get(game, ())
    return next((rival.title for rival in rivals if rival.name == player), player)


@dataclass(frozen=True, slots=True)
class Typing:
    """The field being typed, its text so far, and whether accented letters are shown."""

    entry: TextField
    text: str
    accents: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """The position in the editor, and why it is impossible.

    On spots for several checkers a tap adds one of `brush`; with None it removes one. `posed` is
    the game of a new match that is to begin there; empty for the position of the present match.
    """

    checkers: Mapping[Spot, tuple[Side, ...]]
    mover: Side
    reasons: tuple[str, ...] = ()
    brush: Side | None = Side.WHITE
    posed: str = ""


@dataclass(frozen=True, slots=True)
class Motion:
    """When the dice last rolled and when the shown play last changed, and which they were.

    `shows_way`: the play is to be made on the board; its way is shown once.
    """

    roll: object = None
    rolled_at: Us = LONG_AGO
    moves: tuple[Move, ...] = ()
    moved_at: Us = LONG_AGO
    shows_way: bool = False

    def follow(self, view: View, now: Us) -> Motion:
        roll = (view.game_number, view.position, view.roll, view.thrown)
        motion = self
        if roll != self.roll:
            fell = now if view.roll or view.thrown else LONG_AGO
            motion = replace(motion, roll=roll, rolled_at=fell)
        moves = view.to_make or view.moves
        if moves == self.moves and bool(view.to_make) == self.shows_way:
            return motion
        # A hand that makes a part of the machine's play does not start it again.
        again = self.shows_way and bool(view.to_make)
        at = LONG_AGO if again else max(now, Us(motion.rolled_at + TUMBLE))
        return replace(motion, moves=moves, moved_at=at, shows_way=bool(view.to_make))


@dataclass(frozen=True, slots=True)
class Focus:
    """The place that keys act on: a point in pixels on a page."""

    page: Page
    at: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Browsing:
    """Where the player is in the stored matches; each number counts from 0.

    `match` is the open one, `first` the first listed, `leaf` the shown step, `row` the first row of
    the sheet or of the stick's files, `part` the shown QR code, `player` the one whose statistics
    are open, `judged` the first error or match listed. `left_out` are files that are not to be
    imported. `whose` errors are listed; None means of whoever is no machine.
    """

    first: int = 0
    match: MatchId | None = None
    leaf: int = 0
    row: int = 0
    part: int = 0
    player: int = 0
    judged: int = 0
    left_out: frozenset[str] = frozenset()
    whose: tuple[Side, ...] | None = None


@dataclass(frozen=True, slots=True)
class Quiz:
    """The puzzles of a kind being answered: the place of the open one among them, its answer so
    far, when it was shown, how long the answer took, in whole seconds while it is open, and how
    many of the asked were right."""

    kind: PuzzleKind
    place: int
    since: Us
    answer: str = ""
    took: Us = Us(0)
    right: int = 0
    asked: int = 0


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Which page of the rules or of the set-up is open, from 0, and the page that follows."""

    leaf: int = 0
    after: Page | None = None


@dataclass(frozen=True, slots=True)
class Ui:
    """The screen's state: the open page, unfinished input, and the `match` with its players.

    `hinted` is the drawn play of a hint, from 0. `analysed`: steps were opened from the analysis
    and return to it. `first_board` is the first board of the club listed. `looked` is another
    board's request that was opened from its banner. `seat` is the side whose player is chosen,
    `first_rival` the first one listed. `quiz` are the puzzles being answered.
    """

    page: Page = Page.START
    form: Form = field(default_factory=Form)
    typing: Typing = field(default_factory=lambda: Typing(TextField.WHITE, ""))
    edit: Edit | None = None
    dice: tuple[int, ...] = ()
    resigning: int | None = None
    first_setting: int = 0
    motion: Motion = field(default_factory=Motion)
    match: tuple[str, str, str] | None = None
    focus: Focus | None = None
    browsing: Browsing = field(default_factory=Browsing)
    sensor: Sensor | None = None
    walk_asked: bool = False
    bookmark: Bookmark = Bookmark()
    hinted: int = 0
    analysed: bool = False
    first_board: int = 0
    looked: str | None = None
    seat: Side = Side.BLACK
    first_rival: int = 0
    quiz: Quiz | None = None

    @property
    def focused(self) -> tuple[int, int] | None:
        return self.focus.at if self.focus and self.focus.page is self.page else None


def see(ui: Ui, view: View | None, now: Us) -> Ui:
    """The state after a new view, now: a match that begins opens the play page; outdated pages
    close; the seconds of an open puzzle go on."""
    if ui.page is Page.PUZZLE and ui.quiz and not ui.quiz.answer:
        ui = replace(ui, quiz=replace(ui.quiz, took=Us((now - ui.quiz.since) // SECOND * SECOND)))
    if view is None:
        return replace(ui, match=None, page=Page.START if ui.page is Page.PLAY else ui.page)
    motion = ui.motion.follow(view, now)
    if ui.page is Page.HINT and motion != ui.motion:
        ui = replace(ui, page=Page.PLAY)  # the hands went on: a hint is for what was
    ui = replace(ui, motion=motion)
    if ui.match != (view.game, *view.players):
        # The half-edited position belongs to another match.
        form = ui.form if view.tour else _form_of(ui.form, view)
        ui = replace(ui, match=(view.game, *view.players), form=form, edit=None)
        if ui.page in (*BEFORE_A_MATCH, Page.EDITOR):
            ui = replace(ui, page=Page.PLAY)
    if ui.page is Page.RESIGN and view.phase in OVER:
        ui = replace(ui, page=Page.PLAY, resigning=None)
    if ui.page is Page.TAKE_BACK and Act.TAKE_BACK not in view.offers:
        ui = replace(ui, page=Page.PLAY)
    return ui if len(ui.dice) < view.dice else replace(ui, dice=())


def _form_of(form: Form, view: View) -> Form:
    """The form of a match like this one."""
    white, black = (_written(view, side) for side in Side)
    return replace(
        form,
        players=(white, black),
        match_to=view.match_to,
        game=view.series or view.game,
        order=view.order,
        machine=None if far_seat(view.machine) else view.machine,
        terms=view.terms,
        position=None,
    )


def _written(view: View, side: Side) -> str:
    seat = None if far_seat(view.machine) else view.machine
    name, machines = view.player(side), seat is not None and seat.side is side
    return "" if machines or name == view.side_name(side) else name
