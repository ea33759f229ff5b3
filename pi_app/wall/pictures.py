"""Boards as SVG pictures, so that a browser draws what the screens draw and knows no game."""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import NewType

from pi_app.base.microseconds import ENDLESS
from pi_app.base.values import dataclass
from pi_app.games.equipment import Compendium
from pi_app.languages import LANGUAGES, load_language
from pi_app.referee.view import LastPlay, TableDie
from pi_app.rules.terms import Move, Side
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import CubeOnBoard, Marks
from pi_app.screen.canvas import Canvas, Rect
from pi_app.screen.pages.play import draw_cube, draw_dice
from pi_app.screen.svg import measuring, svg
from pi_app.screen.theme import Theme
from pi_app.screen.ui import Page
from pi_app.sensing.description import Board
from pi_app.words.sentences import Numbering

# A picture is named by what it shows. So a browser may keep it for ever, a match that is replayed
# finds its pictures again, and nobody can ask for one that has not been told yet.

PictureName = NewType("PictureName", str)

MOST_SCENES = 50_000
"""The most scenes kept; the oldest are forgotten. 1 000 boards send 100 a second, enough for eight
minutes."""
MOST_PICTURES = 4_000
"""The most drawn pictures kept, 2 KB each when compressed."""
SIZE = (800, 480)
ROOM = Rect(0, 0, 560, 464)
"""The size at which a board is drawn: as on a board's screen, so that texts have their
usual size."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture shows of a match: positions as text, dice as rolled, the cube if offered, or
    where it lies.
    `moves` were made by `mover` from `before`; `arrows`: draw them as arrows, else as a faint
    trace."""

    game: str
    board: str
    position: str
    before: str = ""
    moves: tuple[Move, ...] = ()
    mover: Side | None = None
    arrows: bool = False
    dice: tuple[tuple[int, Side], ...] = ()
    offered: int = 0
    cube: CubeOnBoard | None = None

    @property
    def name(self) -> PictureName:
        """A hash: equal scenes have equal names in every run."""
        parts = (
            *(self.game, self.board, self.position, self.before, self.mover, self.arrows),
            *(self.dice, self.offered, self.cube),
            [(m.origin.name, m.target.name, m.hit) for m in self.moves],
        )
        return PictureName(sha256(repr(parts).encode("utf-8", "replace")).hexdigest()[:24])


class Gallery:
    """Scenes by name. A picture is drawn when it is first asked for."""

    def __init__(self, games: Compendium, board: Callable[[str], Board]) -> None:
        """`board` loads a board's description by its name."""
        self._games, self._board = games, lru_cache(board)
        self._measure = measuring()
        self._languages = {name: load_language(name) for name in LANGUAGES}
        self._scenes = OrderedDict[PictureName, Scene]()
        self._drawn = lru_cache(MOST_PICTURES)(self._draw)

    def hang(self, scene: Scene) -> PictureName:
        name = scene.name
        self._scenes[name] = scene
        self._scenes.move_to_end(name)
        while len(self._scenes) > MOST_SCENES:
            self._scenes.popitem(last=False)
        return name

    def picture(self, name: str, theme: Theme, language: str) -> bytes | None:
        """The scene's SVG, compressed with gzip; None for an unknown scene."""
        scene = self._scenes.get(PictureName(name))
        return self._drawn(scene, theme, language) if scene else None

    def _draw(self, scene: Scene, theme: Theme, language: str) -> bytes:
        # The points are numbered as the play beside the picture counts them.
        numbering = Numbering.BLACK if scene.mover is Side.BLACK else Numbering.WHITE
        said_in = self._languages[language].counting(numbering)
        canvas: Canvas[Action] = Canvas(SIZE, self._measure, said_in)
        self._paint(canvas, scene)
        _, *shapes = canvas.picture(Page.PLAY).shapes
        return gzip.compress(svg(shapes, ROOM, theme).encode(), 6, mtime=0)

    def _paint(self, canvas: Canvas[Action], scene: Scene) -> None:
        board = self._board(scene.board)
        rules = board.games[scene.game]
        stands = rules.checkers_at(rules.read_position(scene.position))
        before, side = stands, scene.mover or Side.WHITE
        moves, trace = scene.moves if scene.arrows else (), None
        if scene.moves:
            stood = rules.checkers_at(rules.read_position(scene.before))
            before = stood if scene.arrows else stands
            trace = None if scene.arrows else LastPlay(side, "", scene.moves, stood)
        marks = Marks(stands, before, moves=moves, trace=trace, mover=side, cube=scene.cube)
        draw = self._games.faces[scene.game].draw
        drawn = draw(canvas, ROOM, board, marks, turned=False)
        if scene.offered:
            draw_cube(canvas, drawn.dice, scene.offered, offered=True)
        else:
            if scene.cube and drawn.cube:
                draw_cube(canvas, drawn.cube, scene.cube.number)
            thrown = tuple(TableDie(face, side) for face, side in scene.dice)
            draw_dice(canvas, drawn.dice, thrown, ENDLESS)
