"""GNU Backgammon's own form of a match, `.sgf`: one game tree a game, read and written.

SGF is a collection of trees of nodes with properties (red-bean.com/sgf); GM[6] is Backgammon.  GNU
Backgammon writes `;W[31hefe]`: the dice and, letter by letter, from and to.  The letters a to x are
the points in White's numbers, y is the bar, z is off.  `double` after a double is a beaver.  MI has
the length and the score, RU the rules and the variation, RE the result, with R if it was resigned,
CV the cube that automatic doubles turned.  Only the main line is read; analyses are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain

from pi_app.export.mat import MatGame, games_of, player_name
from pi_app.export.mat_reading import steps_of
from pi_app.export.retold import Kept
from pi_app.export.transcript import (
    MOST_POINTS,
    EntryError,
    FileEntry,
    FileGame,
    FileWord,
    MatchFile,
    MatchReading,
    Steps,
    replayed,
)
from pi_app.match.score import Score
from pi_app.referee.options import read_options
from pi_app.rules.contract import Games
from pi_app.rules.tables.game import TablesGame
from pi_app.rules.tables.position import BAR, OFF
from pi_app.rules.terms import Side
from pi_app.words.texts import quoted
from pi_app.words.wall_time import date_of

SGF = re.compile(r"\s*\(\s*;\s*[A-Z]{1,2}\s*\[")
"""How such a text begins."""
_TOKEN = re.compile(r"([();])|([A-Z]{1,3})\s*((?:\[(?:\\.|[^\]\\])*\]\s*)+)", re.DOTALL)
_VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_INFO = re.compile(r"(\w+):(\d{1,9})")
_RESULT = re.compile(r"([WB])\+(\d{1,5})(R?)")
_PLAY = re.compile(r"([1-6])([1-6])((?:[a-z]{2}){0,4})")
_CUBE = {"double": FileWord.DOUBLE, "take": FileWord.TAKE, "drop": FileWord.DROP}
_ANSWERED = {FileWord.DOUBLE: FileWord.BEAVER, FileWord.BEAVER: FileWord.RACCOON}
"""What `double` is after these."""
_SIDES = {"W": Side.WHITE, "B": Side.BLACK}
_VARIATIONS = {
    "nackgammon": "NackGammon",
    "hypergammon3": "HyperGammon (3)",
    "hypergammon2": "HyperGammon (2)",
    "hypergammon1": "HyperGammon (1)",
}
"""The words of RU, in small letters, and GNU Backgammon's names elsewhere."""
_EMPTY = "-" * (BAR + 1)
_LETTERS = "abcdefghijklmnopqrstuvwx"
_BAR, _OFF = "y", "z"


def read_sgf(text: str, games: Games) -> MatchReading:
    """Raises EntryError."""
    match, line, last = MatchFile(), 1, 0
    for nodes in _trees(text):
        game: FileGame | None = None
        for place, node in nodes:
            line += text.count("\n", last, place)
            last = place
            if "GM" in node:
                game = _begun(match, node, line)
            if game:
                _take(game, node, line)
    return replayed(match, games)


def _trees(text: str) -> Iterator[list[tuple[int, dict[str, list[str]]]]]:
    """The main line of each tree: the place and the properties of each node."""
    depth, closed = 0, False
    nodes: list[tuple[int, dict[str, list[str]]]] = []
    for found in _TOKEN.finditer(text):
        sign, name, values = found.groups()
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
            closed = True
            if depth <= 0:
                yield nodes
                nodes, depth, closed = [], 0, False
        elif closed:
            continue
        elif sign == ";":
            nodes.append((found.start(), {}))
        elif nodes:
            nodes[-1][1][name] = [_ESCAPED.sub(r"\1", one) for one in _VALUE.findall(values)]
    if nodes:
        yield nodes


def _begun(match: MatchFile, node: Mapping[str, list[str]], line: int) -> FileGame:
    if node["GM"] != ["6"]:
        raise EntryError(f"line {line}: GM[{node['GM'][0]}] is another game; Backgammon is 6")
    told = (_INFO.fullmatch(one) for one in node.get("MI", ()))
    info = {found[1]: found[2] for found in told if found}
    length, number, white, black = (
        int(info.get(name, "0")) for name in ("length", "game", "ws", "bs")
    )
    if not match.games:
        rules = [word.strip().lower() for word in ":".join(node.get("RU", ())).split(":")]
        if length > MOST_POINTS:
            raise EntryError(f"line {line}: {length} points are more than {MOST_POINTS}")
        match.match_to = length or None
        match.players = (node.get("PW", [""])[0], node.get("PB", [""])[0])
        match.crawford = length == 1 or "crawford" in rules
        match.jacoby = "jacoby" in rules
        match.cube = "nocube" not in rules
        match.variation = next((_VARIATIONS[word] for word in rules if word in _VARIATIONS), "")
        match.date = day if date_of(day := node.get("DT", [""])[0]) else ""
    game = FileGame(line, number + 1, Score(white, black))
    if value := node.get("CV"):
        game.cube = int(value[0]) if re.fullmatch("[1-9][0-9]{0,3}", value[0]) else 1
    if found := _RESULT.match(node.get("RE", [""])[0]):
        winner = _SIDES[found[1]]
        game.result = FileEntry(line, FileWord.WINS, winner, found[0], points=int(found[2]))
    match.games.append(game)
    return game


def _take(game: FileGame, node: Mapping[str, list[str]], line: int) -> None:
    for name, side in _SIDES.items():
        for value in node.get(name, ()):
            game.entries.append(_entry(game, side, value.strip().lower(), line))
    if (dice := node.get("DI")) and re.fullmatch("[1-6]{2}", dice[0]) and "PL" in node:
        side = _SIDES.get(node["PL"][0], Side.WHITE)
        open_roll = (int(dice[0][0]), int(dice[0][1]))
        game.entries.append(
            FileEntry(line, FileWord.ROLL, side, dice[0], open_roll, (), hidden=True)
        )
    if node.keys() & {"AE", "AW", "AB"}:
        if game.entries:
            game.fault = game.fault or EntryError(f"line {line}: the board was set within the game")
        else:
            game.position = _board(node)


def _entry(game: FileGame, side: Side, value: str, line: int) -> FileEntry:
    if word := _CUBE.get(value):
        if word is FileWord.DOUBLE and game.entries:
            word = _ANSWERED.get(game.entries[-1].word, word)
        return FileEntry(line, word, side, value)
    found = _PLAY.fullmatch(value)
    if found is None:
        game.fault = game.fault or EntryError(f"line {line}: {quoted(value)} is no play")
        return FileEntry(line, FileWord.ROLL, side, value)
    way = found[3]
    steps: Steps = tuple(
        (_number(way[n], side), _number(way[n + 1], side)) for n in range(0, len(way), 2)
    )
    return FileEntry(line, FileWord.ROLL, side, value, (int(found[1]), int(found[2])), steps)


def _number(letter: str, side: Side) -> int:
    """A spot in the numbers of its side."""
    if letter in (_BAR, _OFF):
        return BAR if letter == _BAR else OFF
    number = _LETTERS.find(letter) + 1
    return number if side is Side.WHITE else BAR - number


def _board(node: Mapping[str, list[str]]) -> str:
    """As Spotter writes a board; all that is not set is empty."""
    board = list(_EMPTY)
    for name, first, bar in (("AW", "A", BAR), ("AB", "a", 0)):
        for letter in chain.from_iterable(node.get(name, ())):
            place = bar if letter == _BAR else _LETTERS.find(letter) + 1
            if place or letter == _BAR:
                now = board[place]
                board[place] = first if now == "-" else chr(ord(now) + 1)
    return "".join(board)


# Writing


def sgf_lines(kept: Kept, began: str) -> Iterator[str]:
    """The lines of the file; `began` is 2026-03-01T20:15.

    Raises EventError for a match that the format has no words for.
    """
    words = rules_of(kept)
    for game in games_of(kept):
        yield _head(kept, game, words, began[:10] if date_of(began) else "")
        for turn in game.turns:
            letter, value = _letter(turn.side), _value(turn.side, turn.text)
            yield f";PL[{letter}]DI[{value}]" if turn.is_open else f";{letter}[{value}]"
        yield ")"


def rules_of(kept: Kept) -> str:
    """The words of RU."""
    agreement = read_options(kept.start, kept.series, kept.games.options).agreement
    variation = kept.game.variation if isinstance(kept.game, TablesGame) else ""
    told = {
        "Crawford": agreement.crawford and agreement.match_to is not None,
        "Jacoby": agreement.jacoby,
        "NoCube": not agreement.cube,
    }
    named = {name: word.capitalize() for word, name in _VARIATIONS.items()}
    words = [word for word, on in told.items() if on]
    return ":".join([*words, *filter(None, [named.get(variation)])])


def _head(kept: Kept, game: MatGame, rules: str, day: str) -> str:
    white, black = (
        player_name(*who) for who in zip(kept.start.players, ("White", "Black"), strict=True)
    )
    info = {
        "length": kept.start.match_to or 0,
        "game": game.number - 1,
        "ws": game.score.white,
        "bs": game.score.black,
    }
    fields = [
        "(;FF[4]GM[6]CA[UTF-8]AP[Spotter]",
        "MI" + "".join(f"[{name}:{value}]" for name, value in info.items()),
        f"PW[{_plain(white)}]PB[{_plain(black)}]",
        f"DT[{day}]" if day else "",
        f"RU[{rules}]" if rules else "",
        f"CV[{game.cube}]" if game.cube > 1 else "",
    ]
    if game.won:
        winner, points = game.won
        fields.append(f"RE[{_letter(winner)}+{points}{'R' * game.resigned}]")
    return "".join(fields)


def _value(side: Side, text: str) -> str:
    word = text.split(maxsplit=1)[0].lower()
    if word in ("doubles", "beavers"):
        return "double"
    if word in ("takes", "drops"):
        return word[:-1]
    dice, _, rest = text.partition(":")
    return dice + "".join(_spot(spot, side) for step in steps_of(rest) for spot in step)


def _spot(number: int, side: Side) -> str:
    if number in (BAR, OFF):
        return _BAR if number == BAR else _OFF
    return _LETTERS[(number if side is Side.WHITE else BAR - number) - 1]


def _letter(side: Side) -> str:
    return "W" if side is Side.WHITE else "B"


def _plain(text: str) -> str:
    return re.sub(r"([\\\]:])", r"\\\1", text)
