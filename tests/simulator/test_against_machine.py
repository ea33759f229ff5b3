"""Whole matches of every game against the machine, its plays made by simulated hands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from known import load_board
from lab.figures import Count, Figures
from lab.match_by_hands import MatchByHands, Plan
from shares import some
from thinkers import Nobody, call_prompt

from pi_app.cli.replay import replay
from pi_app.games.all import ALL
from pi_app.journal.store import Journal
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import MachineSeat
from pi_app.rules.terms import Side
from pi_app.sensing.legal import Legal
from pi_app.sensing.noise import ILLEGAL, PUBLISHED
from pi_app.simulator.reeds import read_faults

OFTEN = PUBLISHED.but(
    {kind: 0.15 * PUBLISHED.share(kind) / sum(map(PUBLISHED.share, ILLEGAL)) for kind in ILLEGAL}
)


def plan_against(
    game: str, side: Side, player: str = "random", match_to: int = 1, call: object = call_prompt
) -> Plan:
    """On the game's usual board, by hands that often err."""
    name = ALL.find(game).board
    board = load_board(name)
    faults, seat = read_faults("default", board), MachineSeat(side, player)
    return Plan(
        board,
        name,
        game,
        match_to,
        faults,
        noise=OFTEN,
        machine=seat,
        call=call,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("game", "side", "player", "match_to"),
    some(
        [
            ("nannon", Side.WHITE, "exact", 3),
            ("nannon", Side.BLACK, "random", 3),
            ("backgammon", Side.BLACK, "greedy", 1),
            ("portes", Side.WHITE, "greedy", 1),
            ("cannon", Side.WHITE, "random", 1),
            ("pin", Side.BLACK, "greedy", 1),
        ],
        4,
    ),
)
def test_a_match_of_every_game_has_no_wrong_play(
    game: str, side: Side, player: str, match_to: int
) -> None:
    figures = Figures()
    table = MatchByHands(plan_against(game, side, player, match_to), "m1", figures)
    table.play()
    assert [i.text for i in table.incidents if i.what is not Count.NEEDLESS] == []
    assert table.view.phase is Phase.MATCH_OVER
    assert not figures.failed
    assert figures.counts[Count.WRONG] == 0
    assert figures.counts[Count.ATTEMPTS] == figures.counts[Count.CAUGHT]


def test_other_plays_than_its_own_are_caught() -> None:
    figures = Figures()
    MatchByHands(plan_against("nannon", Side.BLACK, match_to=5), "a", figures).play()
    assert figures.by_rule["machine-plays"] > 1
    assert figures.counts[Count.WRONG] == 0


def test_a_product_that_takes_any_legal_play_for_its_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = Legal.__init__

    def any_play(legal, packing, game, position, roll, only=None):  # type: ignore[no-untyped-def]
        made(legal, packing, game, position, roll)

    monkeypatch.setattr(Legal, "__init__", any_play)
    figures = Figures()
    for seed in "abc":
        if not figures.counts[Count.WRONG]:
            MatchByHands(plan_against("nannon", Side.BLACK, match_to=3), seed, figures).play()
    assert figures.counts[Count.WRONG] > 0


def test_with_a_player_that_never_answers_hands_play_for_it() -> None:
    figures = Figures()
    table = MatchByHands(plan_against("nannon", Side.BLACK, call=Nobody), "n", figures)
    table.play()
    assert table.view.phase is Phase.MATCH_OVER
    assert not figures.failed


def test_the_journal_keeps_who_it_is_and_what_it_chose(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = Journal(tmp_path / "matches.db")
    table = MatchByHands(plan_against("nannon", Side.BLACK, "exact"), "k", Figures(), journal)
    table.play()
    (match,) = journal.matches()
    decisions = list(journal.decisions(match.number))
    journal.close()
    assert (match.start.options["machine"], match.start.options["machine player"]) == (
        "black",
        "exact",
    )
    chosen = [d.play for d in decisions if d.what is Act.CHOSEN]
    made = [d.play for d in decisions if d.what is Act.PLAY and d.by is Side.BLACK and d.play]
    assert chosen
    assert set(made) - {""} >= set(chosen) - {None}
    file = tmp_path / "events.jsonl"
    file.write_text("\n".join(table.events), encoding="utf-8")
    assert replay([str(file)], ALL) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["phase"], last["position"]) == ("match over", table.view.position)
