"""Reading a table strictly: every fault named, all at once."""

from collections.abc import Callable

import pytest

from pi_app.base.strict import ConfigError, Reader, parse_toml


def reader(text: str) -> Reader:
    return Reader(parse_toml("mine.toml", text))


def test_what_is_asked_for_is_given() -> None:
    table = reader('name = "x"\nwide = 3\nlit = true\nat = [1, 2.5]\ngames = ["a", "b"]')
    assert table.take("name", str) == "x"
    assert table.number("wide", 1, 5) == 3.0
    assert table.take("lit", bool) is True
    assert table.pair("at") == (1.0, 2.5)
    assert table.words("games") == ("a", "b")
    table.done()
    assert table.faults == []


def test_a_default_serves_where_the_key_is_missing() -> None:
    table = reader("")
    assert table.take("name", str, "none") == "none"
    assert table.number("wide", 1, 5, default=2.0) == 2.0
    assert table.whole("count", 1, 5, default=4) == 4
    assert table.choice("side", ["white", "black"], default="black") == "black"
    assert table.pair("at", default=(0.0, 1.0)) == (0.0, 1.0)
    assert table.words("games", default=()) == ()
    assert table.faults == []


@pytest.mark.parametrize(
    ("text", "ask", "fault"),
    [
        ("", lambda t: t.take("name", str), "name is missing; give it a text"),
        ("name = 3", lambda t: t.take("name", str), "name is 3; it must be a text"),
        ("lit = 1", lambda t: t.take("lit", bool), "lit is 1; it must be true or false"),
        ("n = true", lambda t: t.whole("n", 0, 9), "n is True; it must be a whole number"),
        ("n = 2.0", lambda t: t.whole("n", 0, 9), "n is 2.0; it must be a whole number"),
        ("n = 10", lambda t: t.whole("n", 0, 9), "n is 10; it must be from 0 to 9"),
        ("w = -1", lambda t: t.number("w", 0, 9, unit=" mm"), "w is -1.0 mm; it must be from 0 mm"),
        ("w = nan", lambda t: t.number("w", 0, 9), "w is nan; it must be from 0 to 9"),
        ('s = "x"', lambda t: t.choice("s", ["a", "b"]), "s is 'x'; choose one of: a, b"),
        ("at = [1]", lambda t: t.pair("at"), "at is [1]; it must be two numbers, [x, y]"),
        ('at = [1, "2"]', lambda t: t.pair("at"), "at is [1, '2']; it must be two numbers"),
        ("at = 1", lambda t: t.pair("at"), "at is 1; it must be a list"),
        ('g = ["a", 1]', lambda t: t.words("g"), "g is ['a', 1]; it must be a list of words"),
        ("size = 3", lambda t: t.table("size"), "size is 3; it must be a table, [size]"),
        ("spot = [3]", lambda t: t.tables("spot"), "spot is [3]; it must be a list of tables"),
    ],
)
def test_a_fault_names_key_value_and_remedy(
    text: str, ask: Callable[[Reader], object], fault: str
) -> None:
    table = reader(text)
    ask(table)
    assert table.faults[0].startswith(fault)


def test_what_nobody_asked_for_is_unknown() -> None:
    table = reader("lihgt = 5")
    table.done("light")
    assert table.faults == ["lihgt = 5 is not known; known here: light"]


def test_faults_of_nested_tables_carry_their_path() -> None:
    table = reader('[size]\nwidth = "x"\n[[spot]]\nname = "1"\n[[spot]]\nname = 2')
    table.table("size").take("width", float)
    for spot in table.tables("spot"):
        spot.take("name", str)
    assert table.faults == [
        "size.width is 'x'; it must be a number",
        "spot[2].name is 2; it must be a text",
    ]


def test_a_missing_table_is_an_empty_one() -> None:
    table = reader("")
    assert not table.table("size").has("width")
    assert table.tables("spot") == []
    assert table.faults == []


def test_a_syntax_error_names_file_and_place() -> None:
    with pytest.raises(ConfigError, match=r"mine\.toml: not valid TOML: .*line 2"):
        parse_toml("mine.toml", 'name = "x"\nwidth = = 3\n')


def test_a_long_line_is_named_unless_it_is_a_comment() -> None:
    assert parse_toml("mine.toml", f"# {'x' * 5000}\na = 1") == {"a": 1}
    with pytest.raises(ConfigError, match=r"line 1, 'a = 999.*9', has 5004 characters; it can ha"):
        parse_toml("mine.toml", f"a = {'9' * 5000}")


def test_of_a_long_path_the_name_of_the_file_stays() -> None:
    (line,) = ConfigError(f"/home/{'folder/' * 40}mine.toml", ["a is missing"]).lines
    assert line.startswith("/home/folder/")
    assert line.endswith("/mine.toml: a is missing")
    assert len(line) == 100 + len(": a is missing")


def test_a_config_error_is_a_line_a_reason() -> None:
    error = ConfigError("mine.toml", ["a is missing", "b is 3"])
    assert str(error).splitlines() == ["mine.toml: a is missing", "mine.toml: b is 3"]
    assert error.reasons == ("a is missing", "b is 3")
