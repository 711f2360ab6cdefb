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
from dataclasses import replace
from typing import Any

from attention_built import checks
from autograder.course.regions import HIDDEN, regions
from autograder.grading.plan import CheckRequest
from autograder.grading.reference import Place, Reference
from autograder.grading.result import Outcome, Status
from autograder.sandboxed.rpc import frames
from autograder.sandboxed.rpc.endpoint import Endpoint
from autograder.sandboxed.rpc.failures import BridgeError, Garbled, Gone, RemoteError, clean
from autograder.sandboxed.rpc.proxies import StandIn

UNREADABLE = "What came from the process that ran the code could not be understood."
# which sentence of the exercise states a property: not for readers
PROPERTY_ID = re.compile(r" *\[[\w-]+\]$")
OUT_OF_MEMORY = re.compile(
    "can't allocate memory|cannot allocate memory|not enough memory|defaultcpuallocator|bad_alloc",
    re.IGNORECASE,
)


def run_check(reference: Reference, request: CheckRequest, sock: socket.socket) -> Outcome:
    """The Outcome of a check. sock: the student's process is at its other end."""
    place = reference.enter(request.check)
    endpoint = Endpoint(sock, strict=True, access=place.access)
    text, label = place.check.source, place.code.co_filename
    missing: dict[str, str] = {}
    checks.carried = []
    try:
        begin(endpoint)
        if request.borrowed:
            lend(endpoint, place, request)
        missing.update(take_names(endpoint, place, reference.namespace, request.borrowed))
        linecache.cache[label] = (len(text), None, text.splitlines(True), label)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(place.code, reference.namespace)
    except BaseException as error:
        return replace(_failure(error, place, missing), garbled=endpoint.garbled)
    if endpoint.garbled:
        return Outcome(Status.WRONG, UNREADABLE, garbled=True)
    carried = [(reference.costs(place.owner, slips), told) for slips, told in checks.carried]
    return Outcome(Status.PASSED, carried=carried)


def begin(endpoint: Endpoint) -> None:
    """Tell the student's process that what earlier checks handed over is not valid any more."""
    frames.send(endpoint.sock, {"do": "begin"})
    try:
        frames.receive(endpoint.sock, endpoint.bounds)
    except Garbled:
        endpoint.garbled = True
        raise


def lend(endpoint: Endpoint, place: Place, request: CheckRequest) -> None:
    """Give the student's process stand-ins for the reference's functions and classes, and run the
    answer's cells once more.
    """
    for name in request.borrowed:
        endpoint.ask("bind", name, place.names[name])
    for label, text in request.again:
        endpoint.ask("run", label, text)


def take_names(
    endpoint: Endpoint, place: Place, namespace: dict[str, Any], borrowed: tuple[str, ...] = ()
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


def _failure(error: BaseException, place: Place, missing: dict[str, str]) -> Outcome:
    """The Outcome for what a check raised."""
    frames_of_it = traceback.walk_tb(error.__traceback__)
    label = place.code.co_filename
    line = next((line for frame, line in frames_of_it if frame.f_code.co_filename == label), 0)
    hidden, sentence = _stands_in(place.check.source, line)
    ours = isinstance(error, NameError) and not isinstance(error, RemoteError)
    if isinstance(error, NameError) and ours and error.name in missing:
        return Outcome(Status.ERROR, clean(missing[error.name]), sentence, hidden, True)
    status, message = _judge(error, place)
    return Outcome(status, clean(message), sentence, hidden)


def _judge(error: BaseException, place: Place) -> tuple[Status, str]:
    if isinstance(error, Gone):
        return Status.DIED, ""
    if isinstance(error, RemoteError):
        if isinstance(error, MemoryError) or OUT_OF_MEMORY.search(str(error)):
            return Status.MEMORY, f"{error.remote_type}: {error}"
        where = f" (line {error.where[1]} of {error.where[0]})" if error.where else ""
        own = not error.where or error.where[0] == place.owner
        # the stub's has no text; PyTorch's say what is missing for a dtype or a device
        stub = isinstance(error, NotImplementedError) and not str(error)
        said = f": {error}" if str(error) else "."
        status = Status.UNTOUCHED if stub and own else Status.ERROR
        return status, f"Your code raised {error.remote_type}{where}{said}"
    if isinstance(error, MemoryError):
        return Status.MEMORY, "The answer was too large to be compared."
    if isinstance(error, BridgeError):
        return Status.WRONG, f"The answer could not be used: {error}."
    if isinstance(error, AssertionError):
        return Status.WRONG, str(error)
    return Status.WRONG, f"What came back could not be used: {type(error).__name__}: {error}"


def _stands_in(text: str, line: int) -> tuple[bool, str]:
    """Whether a line of a check is hidden, and the property that its block tests."""
    hidden, sentence = False, ""
    for current, region, edge in itertools.islice(regions(text), line):
        hidden = region == HIDDEN
        if edge:
            sentence = ""
        elif current.strip().startswith("# Property:"):
            sentence = PROPERTY_ID.sub("", current.strip().removeprefix("# Property:").strip())
    return hidden, sentence if hidden else ""
