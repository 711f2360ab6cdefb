"""The mirror of a module of the other side."""

import functools
from typing import TYPE_CHECKING, Any

from torch import nn

from . import proxies
from .failures import BridgeError, clean

if TYPE_CHECKING:
    from .endpoint import Endpoint


class RemoteModule(nn.Module, metaclass=proxies.StandIn):
    """Its parameters, buffers and sub-modules are real and kept up to date by ``ModuleSync``;
    calling it, and reading or setting any other attribute, happens on the other side."""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._remote[0].ask("call", self, *args, **kwargs)

    def __getattr__(self, name):
        tables = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            if name in tables[table] and not (
                name in proxies.TENSOR_NAMES and tables["_remote"][0].strict
            ):
                return tables[table][name]
        return proxies.fetch(self, name)

    def __setattr__(self, name, value):
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

    def __deepcopy__(self, memo):
        made = memo[id(self)] = self._remote[0].ask("copy", self)
        return made

    def __repr__(self):
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
    return endpoint.references.hold(number, mirror)


@functools.lru_cache(maxsize=256)
def mirror_class(name: str, claimed: Any) -> Any:
    return proxies.StandIn(name, proxies.module_bases(claimed, RemoteModule), {})


def stand_in_class(
    endpoint: "Endpoint", number: Any, name: str, is_module: bool, claimed: Any
) -> Any:
    """What stands here for a class of the other side."""
    bases = proxies.module_bases(claimed, RemoteModule) if is_module else (proxies.Remote,)
    return proxies.StandIn(name, bases, {"_remote": (endpoint, number)})
