"""One stored match at the table, through the kernel's lines and with an OLED on its bus. The tests
continue the same match one after the other: each finds the board at rest and leaves it so."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import kept
import pi
import pytest
from program import Program, calm, run
from reference import HOME, state_of
from shares import one_in
from table import BOARD, BUTTON, LIGHT, LONG_S, PIN, GuestTable, Manners, soon
from wakeups import per_second

from pi_app.match.acts import Act

IS_THOROUGH = one_in(2) == 1
BUZZER = BOARD.buzzer or 0
MOST_TURNS = 100
STILL_S, IDLE_S = 5, 10
WOKEN = 130.0
"""lgpio's thread for PWM 50 times a second, Spotter's loop 20 times, and SDL's for the sound card,
which stays open within a match, 43 times."""
WORDS = ("--match", "nannon", "--to", "unlimited", "--players", "Ada", "Ben")


@pytest.fixture(scope="module")
def table() -> Iterator[GuestTable]:
    pi.plug_oled_in()
    program = Program(*WORDS, dice="1", env=calm())
    table = GuestTable(program, seed=1)
    program.until(lambda view: view["phase"] == "set up")
    yield table
    if program.running():
        program.stop()


def lit_over(seconds: float) -> dict[str, set[bool]]:
    """Each light's changes."""
    seen: dict[str, set[bool]] = {spot: set() for spot in LIGHT}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for spot, pin in LIGHT.items():
            seen[spot].add(pi.is_lit(pin))
        time.sleep(0.02)
    return seen


def sounded_over(seconds: float) -> float:
    """For how long the buzzer sounded in that time."""
    sounded, end = 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        sounded += 0.005 * pi.is_lit(BUZZER)
        time.sleep(0.005)
    return sounded


def test_before_the_first_throw_the_spots_to_fill_blink(table: GuestTable) -> None:
    assert pi.oled("on") == 1
    soon(table.glass_shows_the_view)
    fill = set(table.program.view["put_right"]["fill"])
    assert fill == set("1256")
    assert lit_over(2.0) == {spot: {True, False} if spot in fill else {False} for spot in LIGHT}


def test_where_a_lifted_checker_may_go_is_lit(table: GuestTable) -> None:
    move = table.until_legal(lambda move: {move.origin, move.target} <= PIN.keys())
    table.reed(move.origin, closed=False)
    table.program.until(lambda view: view["board"] == "in hand")
    time.sleep(0.5)
    shown = table.program.seen()
    assert shown.view
    targets = {spot.name for spot in shown.view.targets}
    assert targets == {to for origin, to, _ in filter(None, table.legal()) if origin == move.origin}
    assert move.target in targets
    assert lit_over(1.0) == {spot: {spot in targets} for spot in LIGHT}
    table.reed(move.origin, closed=True)
    table.program.until(lambda view: view["board"] == "resting")
    assert lit_over(0.5) == {spot: {False} for spot in LIGHT}


def test_an_illegal_move_is_told_by_oled_lights_and_buzzer(table: GuestTable) -> None:
    def look() -> None:
        assert 0.45 < sounded_over(0.8) < 0.55  # two beeps of a quarter of a second
        put_right = table.program.view["put_right"]
        right = {*put_right["fill"], *put_right["clear"]}
        assert lit_over(2.0) == {
            spot: {True, False} if spot in right else {False} for spot in LIGHT
        }
        assert table.glass_shows_the_view()

    for _ in range(MOST_TURNS):
        table.play(until="moving")
        if table.err(look=look):
            return
        table.turn()
    raise AssertionError("no illegal move in all these turns")


def test_a_long_press_doubles_and_a_short_one_takes(table: GuestTable) -> None:
    table.until_offered(Act.DOUBLE)
    stake = table.program.view["cube"]["value"]
    table.press(LONG_S)
    table.program.until(lambda view: view["phase"] == "double offered")
    table.agrees()
    table.press()
    taken = table.program.until(lambda view: view["phase"] == "to roll")
    assert taken["cube"]["value"] == 2 * stake
    table.agrees()


@pytest.mark.parametrize("hits", [False, True])
def test_a_play_is_taken_back_with_its_roll_on_the_table(table: GuestTable, hits: bool) -> None:
    play = table.until_legal(lambda move: move.hit == hits and move.target in PIN)
    before = table.program.view
    table.make(play)
    table.take_back(before, play)
    table.turn()


def test_an_entering_hit_made_while_spotter_stood_still_is_read(table: GuestTable) -> None:
    move = table.until_legal(lambda move: move.hit and move.origin == HOME)
    os.kill(table.program.pid, signal.SIGSTOP)
    table.carry(move)
    time.sleep(3)
    os.kill(table.program.pid, signal.SIGCONT)
    table.hand_over(move, table.legal()[move])


def test_play_goes_on_while_the_oled_is_dead_and_it_comes_back(table: GuestTable) -> None:
    table.play(until="moving")
    dead = pi.glass().tobytes()
    pi.oled_answers(False)
    for _ in range(3):
        table.turn()
        table.play(until="moving")
    assert table.program.seen().away == ("OLED",)
    assert pi.glass().tobytes() == dead
    pi.oled_answers(True)
    soon(lambda: table.program.seen().away == (), within_s=35)
    soon(table.glass_shows_the_view)


def test_a_reed_that_sticks_never_makes_a_wrong_play(table: GuestTable) -> None:
    move = table.until_legal(lambda move: {move.origin, move.target} <= PIN.keys() and not move.hit)
    before = table.program.view
    table.stuck = {move.origin}
    table.carry(move)
    told = table.program.until(lambda view: view["board"] in ("wrong", "disturbed"))
    assert told["put_right"]["clear"] or told["put_right"]["fill"]
    table.press()
    time.sleep(3)
    assert table.program.view["position"] == before["position"]
    table.free()
    table.hand_over(move, table.legal()[move])


def test_a_button_that_sticks_presses_once(table: GuestTable) -> None:
    # A turn without a legal play would end with the press.
    table.until_legal(lambda move: True)
    before = table.program.view
    pi.switch(BUTTON, closed=True)
    time.sleep(30)
    pi.switch(BUTTON, closed=False)
    time.sleep(1)
    assert table.program.view["position"] == before["position"]
    table.turn()


def test_an_idle_spotter_sleeps(table: GuestTable) -> None:
    table.play(until="moving")
    time.sleep(STILL_S)
    woken = per_second(table.program.pid, IDLE_S)
    print("wake-ups a second, by thread:", [round(one) for one in woken if one >= 1])
    assert sum(woken) < WOKEN


def doctor() -> dict[str, str]:
    """The doctor's checks and their messages."""
    said = run("doctor").stdout.splitlines()
    return {line[6:18].strip(): f"{line[:6].strip()} {line[18:]}" for line in said}


def test_the_doctor_looks_and_disturbs_nothing(table: GuestTable) -> None:
    table.play(until="moving")
    said = doctor()
    for name in ("pins", "OLED"):
        assert said[name].startswith(f"? in use by Spotter (process {table.program.pid})")
    assert (said["I2C"], said["I2C speed"]) == ("ok bus 1 is on", "ok 400 kHz")
    assert pi.oled("on") == 1
    assert table.glass_shows_the_view()
    table.turn()


def test_a_second_spotter_is_refused_in_one_line(table: GuestTable) -> None:
    ended = run("--once")
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1)
    assert f"already running (process {table.program.pid})" in ended.stderr
    table.play(until="moving")
    table.turn()


@pytest.mark.skipif(not IS_THOROUGH, reason="matches go on for long enough in test_guest_match.py")
def test_a_game_with_bounce_and_illegal_moves_has_no_wrong_play(table: GuestTable) -> None:
    table.play(until="opening throw")
    table.done = {}
    table.play(Manners(errs=0.4), until="game over")
    assert table.done["play"] > 5
    assert table.done["told"] > 1
    print(table.done, f"{len(table.program.views)} views")


def test_a_clean_end_releases_every_line_and_darkens_the_oled(table: GuestTable) -> None:
    assert {*PIN.values(), BUTTON} < pi.held()
    last = state_of(table.program.view)
    assert table.program.stop() == 0
    assert state_of(kept.decisions()[-1]) == last
    table.audit()
    assert table.program.errors() == ""
    assert pi.held() == set()
    assert not any(map(pi.is_lit, LIGHT.values()))
    assert pi.oled("on") == 0
    said = doctor()
    assert said["pins"].startswith("ok 6 sensors can be read")
    assert said["OLED"] == "ok ssd1306 answers at 0x3C on bus 1"
