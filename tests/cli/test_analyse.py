"""`spotter analyse`: a kept match, or a file, judged on the command line."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from any_table import AnyTable
from small_matches import double_passed
from stored import store

from pi_app.__main__ import main
from pi_app.app.backlog import AnalysisWish, Backlog
from pi_app.coach.study import Study
from pi_app.export.mat import mat_lines
from pi_app.games.all import ALL
from pi_app.journal.disk import JournalError
from pi_app.journal.opening import FILE, data_folder
from pi_app.match.turns import Phase
from pi_app.players.contract import Answer
from pi_app.referee.events import MatchId

SIDES = ("white", "black")
pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of Nannon in unlimited play, one of Backgammon, and one that has just begun."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    data_folder().mkdir(parents=True)
    table = AnyTable("nannon", None, 9)
    while table.view.phase is not Phase.GAME_OVER:
        table.goes_on()
    store(data_folder() / FILE, table, double_passed(), AnyTable("nannon", 3))


@pytest.mark.usefixtures("kept")
def test_a_kept_match_is_judged_blunders_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Ann – Bea, rated by exact"
    assert "proven" in lines[1]
    assert lines.pop(2) == "Unlimited play without the Jacoby rule."
    assert lines[3].split()[:4] == ["decisions", "doubtful", "errors", "blunders"]
    rows = lines[4 : lines.index("", 4)]
    assert [row.split()[0] for row in rows if not row.startswith(" ")] == ["Ann", "Bea"]
    assert {row.split()[0] for row in rows if row.startswith(" ")} == {"play", "double"}
    assert "above 0.12 blunder, above 0.06 error, above 0.03 doubtful" in lines[-4]
    losses = [line.split()[0] for line in lines[6 + len(rows) : -5] if line[:1].strip()]
    assert losses
    assert losses == sorted(losses, key=["blunder", "error", "doubtful"].index)


@pytest.mark.usefixtures("kept")
def test_as_json_every_decision_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["game"], told["judge"], told["exact"]) == ("nannon", "exact", True)
    assert (told["version"], told["jacoby"], told["luck_by"]) == (1, False, "exact")
    assert [one["opens"] for one in told["luck"]].count(True) == 1
    lucks = [sum(one["luck"] for one in told["luck"] if one["side"] == side) for side in SIDES]
    assert lucks == pytest.approx([each["figures"][0]["luck"] for each in told["players"]])
    lost = [kind["lost"] for kind in told["players"][0]["figures"][0]["kinds"]]
    assert sum(lost) == pytest.approx(told["players"][0]["figures"][0]["lost"])
    for kind in told["players"][0]["figures"][0]["kinds"]:
        assert kind["rating"] == pytest.approx(500 * kind["equity"] / kind["decisions"])
    every = told["decisions"]
    assert all(one["loss"] >= 0 for one in every)
    (figures,) = told["players"][0]["figures"]
    own = [one for one in every if one["side"] == "white" and one["counts"]]
    assert figures["decisions"] == len(own)
    assert figures["lost"] == pytest.approx(sum(one["loss"] for one in own))
    assert figures["rating"] == pytest.approx(500 * figures["lost"] / len(own))


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted({*ALL.rules.matches} - {"nannon", "cannon"}))
def test_a_match_of_any_game_is_judged(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    data_folder().mkdir(parents=True)
    table = AnyTable(game, 1, 5)
    for _ in range(9):
        table.goes_on()
    store(data_folder() / FILE, table)
    assert main(["analyse", "1", "--player", "network"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Ann – Bea, rated by ")
    assert "Losses in " in told


def test_no_engine_of_cannon_knows_a_loss(capsys: pytest.CaptureFixture[str]) -> None:
    data_folder().mkdir(parents=True)
    table = AnyTable("cannon", 1, 5)
    for _ in range(5):
        table.goes_on()
    store(data_folder() / FILE, table)
    assert main(["analyse", "1"]) == 1
    said = "level-6 counts neither points nor chances, so no loss is known"
    assert capsys.readouterr().err == f"spotter: {said}\n"


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_by_a_signal_it_prints_what_is_judged(
    how: signal.Signals, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(stops: Callable[[Study], bool]) -> tuple[int, str]:
        class Stopped(Study):
            def answer(self, answer: Answer) -> None:
                super().answer(answer)
                if stops(self):
                    os.kill(os.getpid(), how)

        with monkeypatch.context() as patch:
            patch.setattr("pi_app.cli.coach.Study", Stopped)
            return main(["analyse", "1", *words]), capsys.readouterr().out

    def after_five(study: Study) -> bool:
        return study.total - study.left == 5

    words = ["--json"]
    status, out = told(lambda _: False)
    whole = json.loads(out)
    assert (status, whole["unasked"]) == (0, 0)
    status, out = told(after_five)
    part = json.loads(out)
    assert status == 130
    assert (part["luck"], part["luck_by"]) == ([], None)
    assert part["unasked"] == len(whole["decisions"]) - len(part["decisions"]) > 0
    assert part["decisions"] == whole["decisions"][: len(part["decisions"])]
    assert len(part["decisions"]) >= 5
    words = []
    assert (
        f"Stopped: the last decisions ({part['unasked']}) and luck are not judged."
        in told(after_five)[1]
    )
    assert "Stopped: luck is not judged." in told(lambda study: study.left == 1)[1]


@pytest.mark.slow
@pytest.mark.usefixtures("kept")
def test_the_jacoby_rule_is_as_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    for word, said in (("--jacoby", "by"), ("--no-jacoby", "without")):
        assert main(["analyse", "1", word]) == 0
        assert f"Unlimited play {said} the Jacoby rule." in capsys.readouterr().out
    assert main(["analyse", "2", "--jacoby"]) == 2
    assert "only unlimited play with a cube has this rule" in capsys.readouterr().err


SILENT = (
    "Unlimited play without the Jacoby rule, which its file does not name; --jacoby judges by it."
)


@pytest.mark.parametrize(
    ("tag", "words", "said"),
    [
        ("", [], SILENT),
        ("", ["--no-jacoby"], "Unlimited play without the Jacoby rule."),
        ("", ["--jacoby"], "Unlimited play by the Jacoby rule."),
        ('; [Jacoby "Off"]\n', [], "Unlimited play without the Jacoby rule."),
        ('; [Jacoby "On"]\n', [], "Unlimited play by the Jacoby rule."),
    ],
)
def test_the_remedy_is_named_where_a_file_is_silent_about_the_jacoby_rule(
    tag: str, words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "money.mat"
    heading = " 0 point match\n\n Game 1\n Ann : 0                 Ben : 0\n"
    file.write_text(f"{tag}{heading}  1) 31: 8/5 6/5      52: 13/11 13/8\n      Wins 1 point\n")
    assert main(["analyse", str(file), "--player", "network", *words]) == 0
    assert said in capsys.readouterr().out.splitlines()


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("words", "status", "error"),
    [
        (["2", "--player", "greedy"], 1, "greedy counts neither points nor chances"),
        (["2", "--player", "nobody"], 2, "player 'nobody' is not known here"),
        (["3"], 1, "3: nothing played in this match yet"),
        (["4"], 2, "match 4 is not in"),
        (["0"], 2, "'0' is no number of a match"),
        (["there-is-none.mat"], 2, "there-is-none.mat: No such file"),
    ],
)
def test_what_cannot_be_judged_is_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], status: int, error: str
) -> None:
    assert main(["analyse", *words]) == status
    told = capsys.readouterr().err
    assert error in told
    assert told.count("\n") == 1


def test_a_file_is_read_and_what_is_wrong_with_it_names_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.mat"
    lines = list(mat_lines(double_passed().kept, "2026-03-01T20:15"))
    file.write_text("\n".join(lines), encoding="utf-8")
    assert main(["analyse", str(file), "--player", "random"]) == 1
    assert "random counts neither points nor chances" in capsys.readouterr().err
    file.write_text("\n".join(lines).replace("Ann", "J\u00fcrgen"), encoding="cp1252")
    assert main(["analyse", str(file), "--player", "random"]) == 1
    assert "random counts neither points nor chances" in capsys.readouterr().err
    file.write_text("\n".join(lines).replace("13/10", "13/9"), encoding="utf-8")
    assert main(["analyse", str(file)]) == 2
    assert "match.mat: line 9: " in capsys.readouterr().err


TWO = """What would you play?
XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10
or here, xgid=-b----E-C---eE---c-e----B-:1:1:1:52:0:0:1:0:10?
"""


def test_positions_of_a_text_are_rated_each_by_its_own_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pasted.txt"
    file.write_text(TWO, encoding="utf-8")
    assert main(["analyse", str(file), "--player", "greedy"]) == 0
    first, second = capsys.readouterr().out.split("\n\n", 1)
    assert first.splitlines()[0] == "backgammon -b----E-C---eE---c-e----B- w roll=31 to=7"
    assert "8/5 6/5" in first
    assert second.startswith("backgammon ")
    assert main(["analyse", TWO, "--player", "greedy", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["player"] for one in told] == ["greedy", "greedy"]
    assert main(["hint", "backgammon", TWO.splitlines()[1], "--player", "greedy"]) == 0
    assert capsys.readouterr().out.strip() == "\n".join(first.splitlines()[1:])


def test_a_text_without_a_position_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "empty.txt"
    file.write_text("", encoding="utf-8")
    assert main(["analyse", str(file)]) == 1
    assert "no position" in capsys.readouterr().err
    # The name of the second folder has as many letters as a position ID.
    for folder in (tmp_path, Path("/home/pi/match")):
        assert main(["analyse", str(folder / "gone.mat")]) == 2
        assert "gone.mat: No such file" in capsys.readouterr().err
    file.write_text(TWO.replace(":52:", ":77:"), encoding="utf-8")
    assert main(["analyse", str(file)]) == 2
    out, err = capsys.readouterr()
    assert (out, "empty.txt, line 3" in err) == ("", True), err


@pytest.mark.usefixtures("kept")
def test_all_stored_matches_are_analysed_once_and_reported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["report"]) == 1
    none = "no match is analysed yet; spotter analyse analyses all that are stored"
    assert capsys.readouterr().err == f"spotter: {none}\n"
    over = AnyTable("nannon", 1, 5)
    while over.view.phase is not Phase.MATCH_OVER:
        over.goes_on()
    store(data_folder() / FILE, over)
    assert main(["analyse"]) == 0
    assert capsys.readouterr().out.startswith("1 match analysed")
    assert main(["analyse"]) == 0
    assert capsys.readouterr().out.startswith("0 matches analysed")
    assert main(["report", "--name", "Bea"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Bea, nannon")
    assert "2026-03" in told
    assert "Ann" in told
    assert main(["report", "--json", "--name", "Bea"]) == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["player"], one["total"]["matches"]) == ("Bea", 1)
    assert all(each["position"].startswith("nannon ") for each in one["costly"])
    assert main(["analyse", "--all"]) == 2
    assert main(["analyse", "--no-jacoby"]) == 2
    for option in ("--luck", "--all", "--jacoby"):
        assert main(["analyse", TWO, option]) == 2


@pytest.mark.usefixtures("kept")
def test_a_match_that_cannot_be_analysed_is_named_and_the_others_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [AnyTable("nannon", 1, seed) for seed in (5, 6)]
    for table in tables:
        while table.view.phase is not Phase.MATCH_OVER:
            table.goes_on()
    store(data_folder() / FILE, *tables)
    wish = Backlog.wish

    def damaged(backlog: Backlog, number: MatchId) -> AnalysisWish:
        if number == 5:  # the newest, so the first
            raise JournalError("its checksum is wrong")
        return wish(backlog, number)

    with monkeypatch.context() as patch:
        patch.setattr(Backlog, "wish", damaged)
        assert main(["analyse"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("1 match analysed")
    assert "spotter: match 5: its checksum is wrong" in err.splitlines()
    assert main(["analyse"]) == 0
    assert capsys.readouterr().out.startswith("1 match analysed")
