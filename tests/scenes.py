"""Every scenario's end as a scene on the screen, its pages, and the oddest that can be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from clubhouses import club_scenes
from coaches import hint_scenes, lesson_scenes, training_scenes
from known import BOARDS, FACES, GAMES, find_game, load_board
from shelves import line_of, shelf_scenes
from views import moves_of

from pi_app.app.computer import FAILED, UPDATING
from pi_app.base.microseconds import ms
from pi_app.cli.replay import BEFORE, PAGES, opened, replayed, shown_after
from pi_app.coach.practice import PuzzleKind, load_puzzles
from pi_app.coach.training import Coached, Exercise, Training
from pi_app.export.codes import code_of
from pi_app.games.all import ALL
from pi_app.match.score import Cube, Score
from pi_app.phones.phones import NO_PORT, NOT_SERVED
from pi_app.referee.events import MachineSeat
from pi_app.referee.speech import EARLIER, HOLD_OR_NEXT
from pi_app.referee.view import BackTo, View
from pi_app.rules.terms import Move, PositionError, Side, Spot
from pi_app.screen.actions import NOT_HERE, pose
from pi_app.screen.ui import (
    Edit,
    Inspected,
    Page,
    PhoneLinks,
    Quiz,
    Shelf,
    Shown,
    TextField,
    Typing,
    Ui,
    puzzles_of,
    standing,
)
from pi_app.sensing.description import Sensor
from pi_app.sensing.trust import Health, PossibleFault
from pi_app.user.agreement import Form
from pi_app.user.settings import Settings
from pi_app.words.sentences import OR, Listing

FILES = {file.stem: file for file in sorted((Path(__file__).parent / "scenarios").glob("*.jsonl"))}
LONG_NAMES = ("Wilhelmina-Maria", "Бенджамин Жуков")
TURNED = Settings().changed("screen.turned", True)
POSITION = Typing(TextField.POSITION, "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10")
STATUS = ("24 × 5 cells: the scanner answers", "0 bad frames, 2 gaps, 1 reset (last: watchdog)")
NOTICES = ("This match is not being saved: the disk is full.",)


@cache
def shown_in(name: str) -> Shown:
    """All that the screen is given at the end of a scenario."""
    return shown_after(replayed(GAMES, str(FILES[name])), ALL)


def view_in(name: str) -> View:
    view = shown_in(name).view
    assert view
    return view


def scene_in(name: str, page: str = "play") -> tuple[Shown, Ui]:
    """One of them alone: to make them all takes seconds."""
    return opened(page, shown_in(name))


def named(shown: Shown, names: tuple[str, str]) -> Shown:
    return replace(shown, view=replace(shown.view, players=names)) if shown.view else shown


IN_USE = "Address already in use"
NO_PASSWORD = "sudo: a password is required"
PORT_IN_USE = NOT_SERVED(why=NO_PORT(port="8090", why=IN_USE))
ADDRESS = "http://192.168.178.120:8090/#"
TOKENS = "p" * 20, "w" * 20


@cache
def scenes() -> Mapping[str, tuple[Shown, Ui]]:
    """The view and the screen's state, as "nannon-moving" or "nannon-moving menu"."""
    made = {name: opened("play", shown_in(name)) for name in FILES}
    paged = [f"{game}-moving" for game in GAMES] + [name for name in FILES if "sensors" in name]
    for name in (*paged, "nannon-blind", "nannon-choose", "nannon-wrong", "cannon-disturbed"):
        made |= {
            f"{name} {page}": opened(page, shown_in(name)) for page in PAGES if page not in OWN
        }
    nobody = Shown(load_board("nannon-6"), FACES)
    made |= {page: opened(page, nobody) for page in BEFORE}
    made |= dict(lesson_scenes()) | dict(hint_scenes(shown_in))
    made |= dict(_odd()) | dict(_refused()) | dict(shelf_scenes()) | dict(club_scenes())
    made |= dict(training_scenes()) | dict(_begins())
    return made


def _begins() -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    """The ways to begin a match, by people who have played before."""
    alone = Form(
        (LONG_NAMES[0], ""), 3, game="backgammon", machine=MachineSeat(Side.BLACK, "gnubg-2")
    )
    lines = (
        line_of("backgammon", 2, form=alone),
        line_of("hypergammon", 1, form=Form(LONG_NAMES, None, game="hypergammon")),
    )
    shown = Shown(load_board("tables-24"), FACES, rivals=ALL.rivals, shelf=Shelf(lines))
    yield "start of many", (shown, Ui())
    resumable = standing(LONG_NAMES, Score(118, 120))
    yield "start of many again", (replace(shown, resumable=resumable, notices=NOTICES), Ui())
    yield from _puzzles(replace(shown, puzzles=load_puzzles()))
    ui, _ = pose().act(Ui(Page.NEW_MATCH, form=Form(LONG_NAMES, 7)), shown, ms(0))
    assert ui.edit
    bad = replace(ui.edit, reasons=(NOT_HERE(game=LONG_NAMES[0]),))
    yield "pose", (replace(shown, inspected=Inspected(frozenset())), ui)
    yield "pose refused", (shown, replace(ui, edit=bad))
    yield "typing position", (shown, replace(ui, page=Page.TYPING, typing=POSITION))
    given = Form(LONG_NAMES, 7, game="backgammon", ahead=Score(0, 6), tutored=Side.BLACK)
    yield "handicap of a family", (shown, Ui(Page.HANDICAP, form=given))
    yield "new-match of a family", (shown, Ui(Page.NEW_MATCH, form=given))
    tavli = Form(LONG_NAMES, 7, game="tavli")
    yield "new-match of tavli", (shown, Ui(Page.NEW_MATCH, form=tavli))
    several = replace(shown, boards_of={game: load_board(board) for game, board in BOARDS.items()})
    seat = MachineSeat(Side.BLACK, "network-2")
    form = Ui(Page.GAMES, form=replace(alone, game="pin", machine=seat))
    yield "new-match of ten games", (several, form)
    yield "new-match against the machine", (several, replace(form, page=Page.NEW_MATCH))
    for name, first in (("first", 0), ("later", 8)):
        yield f"opponents {name}", (shown, Ui(Page.OPPONENTS, form=alone, first_rival=first))


OWN = ("play", "puzzle")
"""Pages that the scenes show as they are, or that are the same beside every match."""


def _puzzles(shown: Shown) -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    """A puzzle of each kind, asked and answered wrongly and late."""
    exercise = Exercise("backgammon", due="2026-03-01", cost=0.5)
    coached = Coached(Training({LONG_NAMES[0]: (exercise,)}))
    yield "practice due", (replace(shown, coached=coached, today="2026-03-02"), Ui(Page.PRACTICE))
    for kind in PuzzleKind:
        asked = Quiz(kind, 1, ms(0))
        worst = [*puzzles_of(shown, kind)[1].answers][-1]
        told = replace(asked, answer=worst, took=ms(123_456), right=99, asked=128)
        yield f"puzzle {kind.value}", (shown, Ui(Page.PUZZLE, quiz=asked))
        yield f"puzzle {kind.value} answered", (shown, Ui(Page.PUZZLE, quiz=told))


def _odd() -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    shown, play, nobody = (
        shown_in("nannon-moving"),
        Ui(Page.PLAY),
        Shown(load_board("nannon-6"), FACES),
    )
    typed = TURNED.changed("play.dice", "typed")
    away = ("OLED", "sensors")
    yield "amiss", (replace(shown, notices=NOTICES, away=away), play)
    yield "start amiss", (replace(nobody, notices=NOTICES, away=away), Ui())
    yield "start again", (replace(nobody, resumable="Ada 3 – 5 Ben", notices=NOTICES), Ui())
    form = Form(LONG_NAMES, 125)
    yield "new match other", (replace(nobody, settings=typed), Ui(Page.NEW_MATCH, form=form))
    for typing in (
        Typing(TextField.WHITE, LONG_NAMES[0]),
        Typing(TextField.BLACK, "", accents=True),
    ):
        yield f"typing {typing.entry.value}", (nobody, Ui(Page.TYPING, typing=typing))
    yield "typing target", (nobody, Ui(Page.TYPING, typing=Typing(TextField.TARGET, "125")))
    sure = shown_in("backgammon-played")
    yield "backgammon-played sensors sure", opened("sensors", sure)
    to_roll = view_in("backgammon-to-roll")
    turn = EARLIER(side=to_roll.side_name(Side.WHITE), play="6-5")
    far = replace(to_roll, back_to=BackTo(turn, 123))
    on = nobody.settings.changed("phones.on", True)
    play_link, watch_link = (ADDRESS + token for token in TOKENS)
    links = PhoneLinks(play_link, watch_link, code_of(play_link), code_of(watch_link), 2)
    watched = replace(links, play="", play_code=None)
    for name, there in (
        ("", links),
        (" watching", watched),
        (" port in use", PhoneLinks(trouble=PORT_IN_USE)),
    ):
        yield f"phones{name}", (replace(nobody, settings=on, phones=there), Ui(Page.PHONES))
    yield "phones off", (nobody, Ui(Page.PHONES))
    for name, said in (("", ""), (" updates", UPDATING()), (" fails", FAILED(why=NO_PASSWORD))):
        yield f"quit{name}", (replace(nobody, computer=said), Ui(Page.QUIT))
    yield "take back", (replace(shown_in("backgammon-to-roll"), view=far), Ui(Page.TAKE_BACK))
    yield "resign really", (shown, Ui(Page.RESIGN, resigning=2))
    long = replace(
        view_in("nannon-moving"),
        cube=Cube(16, Side.BLACK),
        score=Score(118, 120),
        match_to=None,
        sensors_off=(Sensor("3"),),
        suspects=(Sensor("4"),),
    )
    yield "long match", (replace(shown, view=long), play)
    faults = [(Sensor("4"), Health.DEAD, 97), (Sensor("1"), Health.UNSTEADY, 12)]
    faulty = replace(
        view_in("nannon-moving"),
        suspects=(Sensor("4"),),
        faults=tuple(PossibleFault(*fault) for fault in (*faults, (Sensor("2"), Health.STUCK, 2))),
    )
    yield "sensors faulty", (replace(shown, view=faulty), Ui(Page.SENSORS))
    many = ("HOME/2*", "1/3", "2/4", "5/SAFETY")
    view = replace(view_in("nannon-choose"), choices=many, choice_moves=tuple(map(moves_of, many)))
    yield "choose of many", (replace(shown, view=view), play)
    cannon = shown_in("cannon-choose")
    yield "cannon-choose of four", (replace(cannon, view=choosing_of_four()), play)
    for name in FILES:
        if name.startswith("cannon-"):
            turned = replace(shown_in(name), settings=TURNED, notices=NOTICES)
            yield f"{name} turned", (turned, play)


def choosing_of_four() -> View:
    """A soldier has gone: it took one of three, or a cannon shot it."""
    view = view_in("cannon-choose")
    shot = (Move(Spot.read("h3"), Spot.read("off.black")),)
    return replace(
        view,
        choices=(*view.choices, "xh3"),
        choice_moves=(*view.choice_moves, shot),
        hint=HOLD_OR_NEXT(plays=Listing(("c5xb5", "c5xd5", "xh3"), OR)),
    )


def _refused() -> Iterator[tuple[str, tuple[Shown, Ui]]]:
    for game in GAMES:
        shown, ui = opened("editor", shown_in(f"{game}-moving"))
        assert ui.edit
        turned = replace(shown, settings=TURNED)
        yield f"{game} editor refused", (turned, replace(ui, edit=refused(ui.edit, game)))
        unlimited = replace(ui.form, match_to=None)
        ui = replace(ui, page=Page.NEW_MATCH, form=unlimited)
        yield f"{game} new match unlimited", (replace(shown, view=None), ui)


def refused(edit: Edit, game: str) -> Edit:
    """Everything a finger could do wrong: each spot holds more than it can."""
    full = {spot: stack * 16 or (Side.WHITE,) * 3 for spot, stack in edit.checkers.items()}
    try:
        find_game(game).position_of(full, edit.mover)
    except PositionError as error:
        return Edit(edit.checkers, Side.BLACK, error.reasons, brush=None)
    raise AssertionError(f"{game} takes any stack")
