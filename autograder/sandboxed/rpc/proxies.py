"""Stand-ins for functions, classes and objects that live on the other side, and mirrors of modules.

At the trusted end a stand-in must not let the student's process decide what a check sees:
comparisons, arithmetic and every name that a tensor has are not forwarded, so no object can pass
for the right answer by claiming to equal it.
"""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from . import trials
from .failures import BridgeError, clean

if TYPE_CHECKING:
    from attention_built.looks import Came, Trial

    from .endpoint import Endpoint


LAYERS = "norm softmax log_softmax relu sigmoid tanh exp flatten unflatten bias weight".split()
LAYERS += ["new"]  # a method of chapter 12's cache; of a tensor only an old way to construct one
TENSOR_NAMES = frozenset(
    name for name in dir(torch.Tensor) if not hasattr(nn.Module, name) and name not in LAYERS
)
UNCLAIMABLE = (nn.RNNBase, nn.ParameterList, nn.ParameterDict)


def number_of(value: Any, endpoint: "Endpoint") -> int | None:
    """The number of the object of the other side that ``value`` stands for, or None."""
    if isinstance(value, StandIn):
        found = value.__dict__.get("_remote")
    elif isinstance(type(value), StandIn):
        found = object.__getattribute__(value, "__dict__").get("_remote")
    else:
        return None
    return found[1] if found and found[0] is endpoint else None


def forwardable(name: str, endpoint: "Endpoint") -> bool:
    """Whether an attribute of this name may be asked for."""
    return not name.startswith("_") and not (endpoint.strict and name in TENSOR_NAMES)


def fetch(stand_in: Any, name: str) -> Any:
    """An attribute of an object of the other side: any value on the student's side, plain data, or
    a method of a class that the check asked for by name, on the trusted one.
    """
    endpoint, _ = object.__getattribute__(stand_in, "__dict__")["_remote"]
    if not forwardable(name, endpoint):
        raise AttributeError(
            f"{type(stand_in).__name__!r} object has no attribute {name!r} that can be read from"
            " here"
        )
    value = endpoint.ask("get", stand_in, name)
    if (
        endpoint.strict
        and isinstance(type(value), StandIn)
        and not type(stand_in).looked_up
        and not isinstance(value, nn.Module)
    ):
        raise AttributeError(
            f"attribute {name!r} of a {type(stand_in).__name__!r} object is no plain value"
        )
    return value


def carried_out(stand_in: Any, trial: "Trial", subject: Any) -> "Came":
    """What comes of a case with ``subject``, which is or holds an object of the other side."""
    endpoint, _ = object.__getattribute__(stand_in, "__dict__")["_remote"]
    return trials.ask(endpoint, subject, trial)


class StandIn(type):
    """Metaclass of everything that stands for something of the other side; a stand-in for a class
    is called to construct.
    """

    looked_up = False
    __carry_out__ = carried_out

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        found = cls.__dict__.get("_remote")
        if found is None:
            return super().__call__(*args, **kwargs)
        return found[0].ask("call", cls, *args, **kwargs)

    def __getattr__(cls, name: str) -> Any:
        found = cls.__dict__.get("_remote")
        if found is None or not forwardable(name, found[0]):
            raise AttributeError(
                f"class {cls.__name__!r} has no attribute {name!r} that can be read from here"
            )
        return found[0].ask("get", cls, name)


class Remote(metaclass=StandIn):
    """An object of the other side."""

    __carry_out__ = carried_out

    def __init__(self, endpoint: "Endpoint", number: Any) -> None:
        object.__setattr__(self, "_remote", (endpoint, number))

    def __getattr__(self, name: str) -> Any:
        return fetch(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._remote[0].ask("put", self, name, value)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of the other process>"

    def _ask(self, operation: str, *args: Any, **kwargs: Any) -> Any:
        return self._remote[0].ask(operation, self, *args, **kwargs)


class RemoteFunction(Remote):
    """A function of the other side; all it can do is be called."""

    def __init__(self, endpoint: "Endpoint", number: Any, name: str) -> None:
        super().__init__(endpoint, number)
        object.__setattr__(self, "__name__", name)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"a function of the other process has no attribute {name!r} that can be read from here"
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("call", *args, **kwargs)


# what an object can do, and the method by which it does; one that is entered is left, too
PROTOCOLS = {
    "call": "__call__",
    "next": "__next__",
    "iter": "__iter__",
    "enter": "__enter__",
    "len": "__len__",
    "item": "__getitem__",
}


def _asking(operation: str) -> Callable[..., Any]:
    """A method that has the other side do something with the object."""
    return lambda self, *args, **kwargs: self._ask(operation, *args, **kwargs)


def _leave(self: Remote, kind: Any, error: Any, trace: Any) -> bool:
    return self._ask("exit", error) is True


@functools.lru_cache(maxsize=256)
def object_class(name: str, protocols: tuple[str, ...], base: Any = None) -> Any:
    """The class of stand-ins for objects of the other side that can do what the protocols say."""
    methods = {PROTOCOLS[protocol]: _asking(protocol) for protocol in protocols}
    if "enter" in protocols:
        methods["__exit__"] = _leave
    looked_up = getattr(base, "looked_up", False)
    return StandIn(name, (base or Remote,), {**methods, "looked_up": looked_up})


def module_bases(claimed: Any, base: Any) -> tuple[Any, ...]:
    """The stand-in for a module is also an instance of the torch.nn class that it claims to be, for
    isinstance alone.
    """
    found = (
        getattr(nn, claimed, None) if isinstance(claimed, str) and claimed.isidentifier() else None
    )
    fits = (
        isinstance(found, type)
        and issubclass(found, nn.Module)
        and found is not nn.Module
        and not issubclass(found, UNCLAIMABLE)
    )
    return (base, found) if fits else (base,)


def claim(kind: type) -> str | None:
    """The torch.nn class that a module class is, or comes from."""
    return next(
        (
            base.__name__
            for base in kind.__mro__
            if getattr(nn, base.__name__, None) is base and base is not nn.Module
        ),
        None,
    )


class RemoteModule(nn.Module, metaclass=StandIn):
    """Its parameters, buffers and sub-modules are real and kept up to date by ``ModuleSync``;
    calling it, and reading or setting any other attribute, happens on the other side."""

    __carry_out__ = carried_out

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._remote[0].ask("call", self, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        tables = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            if name in tables[table] and not (name in TENSOR_NAMES and tables["_remote"][0].strict):
                return tables[table][name]
        return fetch(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        tables = self.__dict__
        if name == "training" or name.startswith("_"):
            object.__setattr__(self, name, value)
        elif isinstance(value, nn.Parameter) or name in tables["_parameters"]:
            self.register_parameter(name, value)
        elif name in tables["_buffers"]:
            tables["_buffers"][name] = value
        elif isinstance(value, nn.Module) or name in tables["_modules"]:
            raise BridgeError(
                f"the sub-module {name!r} of a module that lives in the other process cannot be"
                " replaced"
            )
        else:
            self._remote[0].ask("put", self, name, value)

    def register_parameter(self, name: str, value: Any) -> None:
        if name not in self._parameters:
            raise BridgeError(
                "a module that lives in the other process cannot be given the new parameter"
                f" {name!r}"
            )
        self._parameters[name] = value

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        made = memo[id(self)] = self._remote[0].ask("copy", self)
        return made

    def __repr__(self) -> str:
        inside = ", ".join(self._modules)
        return f"{type(self).__name__}({inside})"


def make_mirror(
    endpoint: "Endpoint", number: Any, name: str, claimed: Any, kind: Any = None
) -> Any:
    """An empty mirror; ``kind`` is the stand-in of its class where that is known here."""
    made_of = (
        kind
        if isinstance(kind, type) and issubclass(kind, RemoteModule)
        else mirror_class(clean(name, 80), claimed)
    )
    mirror = made_of.__new__(made_of)
    nn.Module.__init__(mirror)
    object.__setattr__(mirror, "_remote", (endpoint, number))
    return endpoint.references.register_weakly(number, mirror)


@functools.lru_cache(maxsize=256)
def mirror_class(name: str, claimed: Any) -> Any:
    return StandIn(name, module_bases(claimed, RemoteModule), {})


def stand_in_class(
    endpoint: "Endpoint", number: Any, name: str, is_module: bool, claimed: Any
) -> Any:
    """What stands here for a class of the other side."""
    bases = module_bases(claimed, RemoteModule) if is_module else (Remote,)
    return StandIn(name, bases, {"_remote": (endpoint, number)})
