from __future__ import annotations

from pi_app.base.microseconds import Us, ms
from pi_app.devices.gpio import BEEPS, Beep, Blink
from pi_app.referee.effects import Cue


def drawn(thing: Blink | Beep, start: int, end: int, step: int) -> str:
    return "".join("#" if thing.is_on(ms(time_ms)) else "." for time_ms in range(start, end, step))


def test_a_blinking_light_begins_lit() -> None:
    assert drawn(Blink(ms(1000)), 1000, 2250, 50) == "#####.....#####.....#####"


def test_a_beep_follows_its_lengths_and_ends() -> None:
    assert drawn(Beep(ms(500), (80, 40, 120)), 500, 800, 20) == "####..######..."


def test_next_changes_lead_through_the_beep_once() -> None:
    beep = Beep(ms(500), (80, 40, 120))
    changes = [beep.next_change(ms(time_ms)) for time_ms in (500, 579, 580, 620, 740)]
    assert changes == [ms(580), ms(580), ms(620), ms(740), None]


def test_next_changes_of_a_blink_are_where_it_changes() -> None:
    blink = Blink(ms(1000.5))
    for time_ms in (1000.5, 1100, 1250.5, 1499):
        change = blink.next_change(ms(time_ms))
        assert change > ms(time_ms)
        assert blink.is_on(change) != blink.is_on(ms(time_ms))
        assert blink.is_on(Us(change - 1)) == blink.is_on(ms(time_ms))


def test_every_cue_has_its_own_beep() -> None:
    assert set(BEEPS) == set(Cue)
    assert len(set(BEEPS.values())) == len(Cue)
    assert all(len(lengths) % 2 for lengths in BEEPS.values())  # ends with sound, not silence


def test_a_won_game_beeps_for_four_tenths_of_a_second() -> None:
    beep = Beep(ms(0), BEEPS[Cue.WON])
    assert beep.next_change(ms(0)) == ms(400)
    assert beep.next_change(ms(400)) is None
