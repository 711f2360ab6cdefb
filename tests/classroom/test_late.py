"""When work is due, how late it came, and what that costs."""

from datetime import datetime

import pytest

from autograder.classroom.late import (
    DAY,
    LatePolicy,
    in_utc,
    in_words,
    parse_due,
    parse_policy,
    seconds,
    seconds_late,
)
from autograder.course.errors import AutograderError

ZONES = ("CET", "Europe/Nowhere", "Europe/", "../etc", "+99:00")


@pytest.mark.parametrize(
    "policy, late, points",
    [
        ("none", 10 * DAY, 10),
        ("zero", 60, 0),
        ("10%", 0, 10),
        ("10%", 60, 9),
        ("10%", DAY, 9),
        ("10%", DAY + 1, 8),
        ("10%", 30 * DAY, 0),
        ("25%", 2 * DAY, 5),
        ("1%/h", 3600, 9.9),
        ("1%/h", 3601, 9.8),
    ],
)
def test_late_policies(policy, late, points):
    assert parse_policy(policy).mark(10, late) == pytest.approx(points)


def test_grace_costs_nothing_and_then_the_whole_delay_counts():
    policy = parse_policy("10%", "15m")
    assert policy.mark(10, 15 * 60) == 10
    assert policy.mark(10, 15 * 60 + 1) == 9


@pytest.mark.parametrize("text", ["110%", "half", "-5%", ""])
def test_an_unknown_policy_is_named(text):
    with pytest.raises(AutograderError, match="expected none, zero"):
        parse_policy(text)


def test_a_kind_of_policy_that_is_none_is_refused():
    with pytest.raises(AutograderError, match="expected none, .*; got 'anything'"):
        LatePolicy("anything", 10)


@pytest.mark.parametrize(
    "late, words",
    [
        (0, ""),
        (20, "1 minute"),
        (45 * 60, "45 minutes"),
        (3600, "1.0 hour"),
        (5400, "1.5 hours"),
        (DAY, "1.0 day"),
        (60 * 3600, "2.5 days"),
    ],
)
def test_lateness_is_said_in_a_unit_that_a_person_would_choose(late, words):
    assert in_words(late) == words


@pytest.mark.parametrize(
    "text, hour",
    [
        ("2026-11-20 23:59", 23),
        ("2026-11-20 23:59 UTC", 23),
        ("2026-11-20 23:59 +01:00", 22),
        ("2026-11-20 23:59 Europe/Berlin", 22),
    ],
)
def test_a_due_date_may_name_its_zone(text, hour):
    assert in_utc(parse_due(text)) == datetime(2026, 11, 20, hour, 59)


@pytest.mark.parametrize(
    "text, ends",
    [
        ("2026-11-20 UTC", (20, 23)),
        ("2026-11-20 Europe/Berlin", (20, 22)),
        ("2026-11-20 -05:00", (21, 4)),
    ],
)
def test_a_day_alone_ends_at_midnight_in_its_zone(text, ends):
    day, hour = ends
    assert in_utc(parse_due(text)) == datetime(2026, 11, day, hour, 59, 59)


@pytest.mark.parametrize(
    "due, received, late",
    [
        ("2026-10-24 20:00 Europe/Berlin", (2026, 10, 25, 18, 30), 23.5),  # a day of 25 hours
        ("2026-03-28 20:00 Europe/Berlin", (2026, 3, 29, 18, 30), 24.5),  # one of 23
        ("2026-10-24 20:00", (2026, 10, 25, 20, 30), 24.5),
        ("2026-10-25 02:30 Europe/Berlin", (2026, 10, 25, 1, 0), 1 / 3600),  # 02:00 again
        ("2026-10-24 20:00 Europe/Berlin", (2026, 10, 24, 17, 59), 0),
    ],
)
def test_a_day_is_a_day_of_the_calendar_in_the_zone_of_the_due_date(due, received, late):
    assert seconds_late(datetime(*received), parse_due(due), False) == pytest.approx(late * 3600)


def test_a_policy_may_count_hours():
    assert parse_policy("1%/h").mark(10, 90 * 60) == pytest.approx(9.8)


def test_times_may_have_several_units():
    assert seconds("1h30m") == 5400


BEYOND = ["9999-12-31 23:59 -12:00", "0001-01-01 00:00 +14:00"]  # in UTC they are no dates


@pytest.mark.parametrize(
    "text", ["tomorrow", "", "2026-11-20", *(f"2026-11-20 23:59 {z}" for z in ZONES), *BEYOND]
)
def test_a_due_date_that_is_none_is_refused(text):
    with pytest.raises(AutograderError, match="expected YYYY-MM-DD"):
        parse_due(text)


@pytest.mark.parametrize("text", ["", "90", "1.5h", "-5m", "1h30", "99999999999999d"])
def test_a_time_that_is_none_is_refused(text):
    with pytest.raises(AutograderError, match="expected numbers with s, m, h or d|at most"):
        parse_policy("10%", text)
