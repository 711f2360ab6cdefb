"""Run one check cell in the trusted process, with the student's names as stand-ins, and say how it
ended.

The verdict is made of what the check itself raised or did not raise; nothing that comes over the
pipe can be one.
"""

import itertools
import linecache
import re
import socket
import traceback
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from autograder.course.carry import REFERENCE
from autograder.course.regions import HIDDEN, regions
from autograder.sandboxed.rpc import frames
from autograder.sandboxed.rpc.endpoint import Endpoint
from autograder.sandboxed.rpc.failures import BridgeError, Garbled, Gone, RemoteError, clean
from autograder.sandboxed.rpc.proxies import StandIn

if TYPE_CHECKING:
    from autograder.grading.reference import Place, Reference


IN_PLACE = "A tensor that was passed in was changed in place: work on a copy."
PROPERTY_ID = re.compile(
    r" *\[[\w-]+\]$"
)  # which sentence of the exercise states it: not for readers
OUT_OF_MEMORY = (
    "can't allocate memory",
    "cannot allocate memory",
    "not enough memory",
    "defaultcpuallocator",
    "bad_alloc",
)


def run_check(
    reference: "Reference",
    check_id: str,
    sock: socket.socket,
    borrowed: Iterable[str] = (),
    again: list[str] | None = None,
    bounds: frames.Bounds | None = None,
) -> dict[str, Any]:
    """The outcome of a check as plain data.

    borrowed: names of earlier exercises for which the student's side gets the reference's. again:
    the cell of the student that is run once more when it has them.
    """
    place = reference.enter(check_id)
    endpoint = Endpoint(sock, strict=True, bounds=bounds, access=place.access)
    text, label = place.check.source, place.code.co_filename
    missing = {}
    try:
        begin(endpoint)
        if borrowed:
            lend(endpoint, place, borrowed, again)
        missing.update(take_names(endpoint, place, reference.namespace, borrowed))
        linecache.cache[label] = (len(text), None, text.splitlines(True), label)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(place.code, reference.namespace)
    except BaseException as error:
        return {
            **_failure(error, place, label, missing, _changed(endpoint, place)),
            "garbled": endpoint.garbled,
        }
    if endpoint.garbled:
        return {
            "passed": False,
            "kind": "wrong",
            "message": "What came from the process that ran the code could not be understood.",
            "garbled": True,
        }
    if _changed(endpoint, place):
        return {
            "passed": False,
            "changed": True,
            "kind": "wrong",
            "hidden": True,
            "message": IN_PLACE,
            "property": "inputs are not changed",
        }
    return {"passed": True}


def _changed(endpoint: Endpoint, place: "Place") -> bool:
    """Whether a call changed what it was given, and the check does not look for that itself."""
    return endpoint.changed_inputs > 0 and REFERENCE not in place.check.checks


def begin(endpoint: Endpoint) -> None:
    """Tell the student's process that what earlier checks handed over is not valid any more."""
    frames.send(endpoint.sock, {"do": "begin"})
    try:
        frames.receive(endpoint.sock, endpoint.bounds)
    except Garbled:
        endpoint.garbled = True
        raise


def lend(
    endpoint: Endpoint, place: "Place", borrowed: Iterable[str], again: list[str] | None
) -> None:
    """Give the student's process stand-ins for the reference's functions and classes, and run the
    answer's cell once more.
    """
    for name in borrowed:
        endpoint.ask("bind", name, place.names[name])
    if again:
        endpoint.ask("run", *again)


def take_names(
    endpoint: Endpoint, place: "Place", namespace: dict[str, Any], borrowed: Iterable[str] = ()
) -> dict[str, str]:
    """Replace the names of exercises by the student's; returns {name: why not} for those that could
    not be had.
    """
    missing = {}
    for name in (name for name in place.exercises if name not in borrowed):
        try:
            namespace[name] = value = endpoint.ask("lookup", name)
            if isinstance(value, StandIn):
                value.looked_up = True
        except Gone:
            raise
        except RemoteError:
            namespace.pop(name, None)
            missing[name] = f"{name} is not defined."
        except BridgeError as error:
            namespace.pop(name, None)
            missing[name] = f"{name} could not be used: {error}."
    return missing


def _failure(error, place, label, missing, changed):
    line = next(
        (
            number
            for frame, number in traceback.walk_tb(error.__traceback__)
            if frame.f_code.co_filename == label
        ),
        0,
    )
    hidden, sentence = _stands_in(place.check.source, line)
    kind, message = _judge(error, place, missing)
    message = f"{message}\n{IN_PLACE}" if changed and kind == "wrong" else message
    return {
        "passed": False,
        "changed": changed,
        "kind": kind,
        "message": clean(message),
        "hidden": hidden,
        "property": sentence,
        "remote_type": error.remote_type if isinstance(error, RemoteError) else "",
    }


def _judge(error, place, missing):
    """(kind, message) for what a check raised."""
    if isinstance(error, Gone):
        return "gone", ""
    if isinstance(error, RemoteError):
        if isinstance(error, MemoryError) or any(
            words in str(error).lower() for words in OUT_OF_MEMORY
        ):
            return "memory", f"{error.remote_type}: {error}"
        where = f" (line {error.where[1]} of {error.where[0]})" if error.where else ""
        own = not error.where or error.where[0] == place.owner
        # the stub's has no text; PyTorch's say what is missing for a dtype or a device
        stub = isinstance(error, NotImplementedError) and not str(error)
        kind = "untouched" if stub and own else "error"
        return kind, (
            f"Your code raised {error.remote_type}{where}: {error}"
            if str(error)
            else f"Your code raised {error.remote_type}{where}."
        )
    if isinstance(error, MemoryError):
        return "memory", "The answer was too large to be compared."
    if isinstance(error, NameError) and getattr(error, "name", None) in missing:
        return "missing", missing[error.name]
    if isinstance(error, BridgeError):
        return "wrong", f"The answer could not be used: {error}."
    if isinstance(error, AssertionError):
        return "wrong", str(error)
    return "wrong", f"What came back could not be used: {type(error).__name__}: {error}"


def _stands_in(text, line):
    """Whether a line of a check is hidden, and the property that its block tests."""
    hidden, sentence = False, ""
    for current, region, edge in itertools.islice(regions(text), line):
        hidden = region == HIDDEN
        if edge:
            sentence = ""
        elif current.strip().startswith("# Property:"):
            sentence = PROPERTY_ID.sub("", current.strip().removeprefix("# Property:").strip())
    return hidden, sentence if hidden else ""
