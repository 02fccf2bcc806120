# SPDX-License-Identifier: MIT
"""The constants are those of the C headers, and unknown ones are no error."""

import errno
import pickle
import re

import pytest

import hpt
from hpt import _native as impl

ENUMS = [
    (hpt.Source, "HPT_SOURCE_"),
    (hpt.State, "HPT_STATE_"),
    (hpt.Stage, "HPT_STAGE_"),
    (hpt.Origin, "HPT_ORIGIN_"),
    (hpt.TscClass, "HPT_CPU_"),
    (hpt.OrderedRead, "HPT_ORDERED_"),
    (hpt.Policy, "HPT_SLEEP_"),
    (hpt.Missed, "HPT_TICKER_"),
]


def constants(headers, prefix):
    found = re.findall(rf"^(?:enum {{|\t) ?{prefix}(\w+) += (\d+)", headers, re.M)
    return {name: int(value) for name, value in found if "_SIZE" not in name}


@pytest.mark.parametrize("enum, prefix", ENUMS, ids=lambda value: getattr(value, "__name__", ""))
def test_members_are_those_of_the_header(enum, prefix, headers):
    wanted = constants(headers, prefix)
    wanted.pop("INFO_SIZE_V0", None)
    assert {member.name: member.value for member in enum} == wanted


def test_flags_are_those_of_the_header(headers):
    flags = constants(headers, "HPT_CLOCK_")
    assert {member.name: member.value for member in hpt.ClockFlag} == flags


def test_wakes_are_states_and_errors():
    states = {hpt.Wake.REACHED: hpt.State.OK, hpt.Wake.REANCHORED: hpt.State.REANCHORED}
    assert all(int(wake) == int(state) for wake, state in states.items())
    assert int(hpt.Wake.DISRUPTED) == int(hpt.State.DISRUPTED)
    assert hpt.Wake(-errno.ECANCELED) is hpt.Wake.INTERRUPTED
    assert hpt.Wake(-errno.ESHUTDOWN) is hpt.Wake.SHUT
    assert hpt.Wake(-errno.ENODATA) is hpt.Wake.ENDED
    assert hpt.Wake(-errno.ETIMEDOUT) is hpt.Wake.TIMED_OUT
    assert -hpt.Wake.NOTIFIED > max(errno.errorcode), "a number of its own"


@pytest.mark.parametrize("enum", [enum for enum, _ in ENUMS] + [hpt.Wake])
def test_an_unknown_number_is_a_member(enum):
    member = enum(77)
    assert (member, member.value, member.name, isinstance(member, enum)) == (77, 77, "UNKNOWN_77", True)
    assert "77" in repr(member) and pickle.loads(pickle.dumps(member)) == member
    assert member not in list(enum)


@pytest.mark.parametrize("enum", [enum for enum, _ in ENUMS] + [hpt.Wake])
def test_text_is_the_name_and_the_member_a_number(enum):
    for member in [*enum, enum(77)]:
        assert str(member) == f"{member}" == format(member, "") == "%s" % member == member.name.lower()
        assert f"{member:>20}" == member.name.lower().rjust(20)
        assert f"{member:d}" == "%d" % member == str(member.value) and f"{member:04x}" == f"{member.value:04x}"
        assert isinstance(member, int) and member + 1 == member.value + 1
        assert repr(member) == f"<{enum.__name__}.{member.name}: {member.value}>"


@pytest.mark.parametrize("enum", [enum for enum, _ in ENUMS] + [hpt.Wake])
@pytest.mark.parametrize("value", [-1, "tsc", None, 1.5])
def test_no_number_is_no_member(enum, value):
    with pytest.raises(ValueError):
        enum(value)


def test_an_unknown_wake_code_is_a_wake():
    from hpt._enums import wake

    assert wake(3) == 3 and wake(3).name == "UNKNOWN_3"


def test_wakes_of_gates():
    from hpt._enums import gate_wake

    assert gate_wake(0) is hpt.Wake.NOTIFIED and gate_wake(-errno.ETIMEDOUT) is hpt.Wake.TIMED_OUT


def test_unknown_flags_stay():
    assert int(hpt.ClockFlag(64 | 1)) == 65


@pytest.mark.parametrize(
    "enum, name_of",
    [
        (hpt.Source, impl.source_name),
        (hpt.State, impl.state_name),
        (hpt.Stage, impl.stage_name),
        (hpt.Origin, impl.origin_name),
    ],
)
def test_names_are_the_library_s(enum, name_of):
    assert [name_of(member) for member in enum] == [member.name.lower() for member in enum]
    assert name_of(12345) == "unknown"


def test_sources_by_name():
    assert [impl.source_parse(source.name.lower()) for source in hpt.Source] == list(hpt.Source)
    for wrong in ("TSC", "", "tsc\0", "x" * 1000):
        with pytest.raises(ValueError):
            impl.source_parse(wrong)
    with pytest.raises(TypeError):
        impl.source_parse(b"tsc")


def test_reasons_have_a_text(headers):
    reasons = constants(headers, "HPT_REASON_").values()
    texts = {hpt.Reason(value).text for value in reasons}
    assert "unknown reason" not in texts and len(texts) == len(reasons) > 70
    assert hpt.Reason(9999).text == "unknown reason"
    assert "9999" in repr(hpt.Reason(9999))


def test_the_version_is_the_header_s(headers):
    assert hpt.__version__ == hpt.version() == re.search(r'HPT_VERSION_STRING "(.*)"', headers)[1]
    assert hpt.version_number() == int(re.search(r"HPT_VERSION_NUMBER (\d+)u", headers)[1])
