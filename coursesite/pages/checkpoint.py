"""A trained model as JSON: what ``models`` writes, pages decode in the browser, and the fixtures
load back.

A tensor is {shape, dtype: "int8", scale, data}: value[row, i] = data[row, i] · scale[row], a vector
being one row; scale is base64 of float32, data base64 of int8, both little-endian. Rounding happens
here, once: page and fixture compute with the same rounded numbers.
"""

import base64
import json
from pathlib import Path
from typing import Any

import torch

from coursesite.pages import interactive_folder


def checkpoint_path(root: Path, name: str) -> Path:
    """Where the trained model of a chapter lies."""
    return interactive_folder(root) / "data" / f"{name}.json"


def checkpoint(root: Path, name: str) -> dict[str, Any]:
    """The committed model of a chapter: its sizes, its words and its packed tensors."""
    return json.loads(checkpoint_path(root, name).read_text(encoding="utf-8"))


def packed(tensor: torch.Tensor) -> dict[str, Any]:
    """A tensor of one or two dimensions, rounded to 8 bits a number, as a dictionary for JSON."""
    rows = tensor.detach().float().reshape(1 if tensor.dim() == 1 else tensor.size(0), -1)
    scale = (rows.abs().amax(dim=1) / 127).clamp(min=1e-8)
    whole = (rows / scale[:, None]).round().clamp(-127, 127).to(torch.int8)
    return {
        "shape": list(tensor.shape),
        "dtype": "int8",
        "scale": _text(scale),
        "data": _text(whole),
    }


def unpacked(made: dict[str, Any]) -> torch.Tensor:
    """The numbers of a packed tensor, in float64."""
    whole, scale = (
        torch.frombuffer(bytearray(base64.b64decode(made[key])), dtype=dtype).double()
        for key, dtype in [("data", torch.int8), ("scale", torch.float32)]
    )
    return (whole.reshape(len(scale), -1) * scale[:, None]).reshape(made["shape"])


def packed_model(model: torch.nn.Module) -> dict[str, Any]:
    """Every parameter by name; one that stands in two places is kept once, under its first name."""
    return {name: packed(parameter) for name, parameter in model.named_parameters()}


def filled_model(model: Any, tensors: dict[str, Any]) -> Any:
    """The model in float64 with the numbers of a checkpoint, ready to be asked."""
    model = model.double().eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(unpacked(tensors[name]))
    return model


def _text(tensor: torch.Tensor) -> str:
    return base64.b64encode(tensor.contiguous().numpy().tobytes()).decode()
