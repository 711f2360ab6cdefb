"""What comes along with a course, or from the web: the interactive pages, and the narration.

A page computes everything by itself and sends nothing. Colab shows frames and sound of other sites
in an output. VS Code shows frames from https: there, and no file by a relative path
(microsoft/vscode#154722, #172867); its Markdown cells drop <audio>, an output plays MP3 (#158759).
"""

from __future__ import annotations

import base64
import json
import re
import threading
import urllib.request
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

FOLDERS = ("site/interactive/pages", "interactive")  # of the pages, in a clone and in the zip
PATIENCE = 4.0  # seconds
LARGEST = 3_000_000  # numbers of a model that a page can draw
_pages = ""  # the address of the pages


def page(address: str, height: int = 760) -> None:
    """Show an interactive page: the file that came along with the course, else by its address."""
    global _pages
    _pages, _, name = address.removesuffix(".html").rpartition("/")
    show_page(name, "Interactive page of this chapter", height)


def show_my_attention(
    weights: Any,
    tokens: Iterable[object] | None = None,
    keys: Iterable[object] | None = None,
    title: str = "Your tensor",
    height: int = 640,
) -> None:
    """Draw attention weights, (seq, seq) or (heads, seq, seq), to walk through cell by cell. keys:
    names of the keys, where they are not the tokens.
    """
    weights = weights.detach().cpu().tolist() if hasattr(weights, "detach") else weights
    names = [str(token) for token in tokens] if tokens else None
    data = {"weights": weights, "tokens": names, "title": title}
    if keys is not None:
        data["keys"] = [str(key) for key in keys]
    show_page("my_attention", title, height, data, "ATTENTION_DATA")


def show_my_model(
    model: Any,
    vocab: Iterable[object],
    text: str | None = None,
    title: str = "Your model",
    height: int = 820,
) -> None:
    """Watch a GPT of chapter 8 read: its heads, its layers, what each of them is needed for.

    vocab: the token of each id; text: what it reads first. The page gets the model's numbers as
    float16, so its last digits are rounded.
    """
    size = sum(parameter.numel() for parameter in model.parameters())
    if size > LARGEST:
        print(f"Too large for a page: {size:,} numbers; up to {LARGEST:,} can be drawn.")
        return
    sizes = ("num_layers", "num_heads", "d_model", "max_len")
    data = {
        "config": {name: getattr(model.config, name) for name in sizes},
        "vocab": [str(token) for token in vocab],
        "tensors": {name: packed(one.detach().half()) for name, one in model.named_parameters()},
        "text": text,
        "title": title,
    }
    show_page("my_model", title, height, data, "ATTENTION_MODEL")


def packed(tensor: Any) -> dict[str, Any]:
    """A tensor as the pages read it."""
    raw = tensor.cpu().contiguous().numpy().tobytes()
    about = {"shape": list(tensor.shape), "dtype": str(tensor.dtype).removeprefix("torch.")}
    return {**about, "data": base64.b64encode(raw).decode()}


def listen(address: str, _: object = None) -> None:
    """Players for the narration of a chapter, by their addresses, unless the text itself plays it.

    address: of the folder with its script and its sound, ends in "/". _: in older notebooks.
    """
    came_along = _found("/".join(address.strip("/").split("/")[-2:]))
    if came_along and not _is_vs_code() or not (text := web_answer(f"{address}script.md", 10**5)):
        return
    rows = ["<p>The sound comes from the web; the transcripts stand in the text below.</p>"]
    for number, (kind, title) in enumerate(re.findall(r"(?m)^## (\w+): (.+)$", text), 1):
        player = f'<audio controls preload="none" src="{address}{number:02}-{kind}.mp3"></audio>'
        rows.append(f"<p><b>{escape(title)}</b><br>{player}</p>")
    _display("".join(rows))


def web_answer(address: str, most: int = 1) -> str:
    """What an address answers in time, its first bytes; where nothing, one line says what to do."""
    said, why = "", "no answer"

    def ask() -> None:
        nonlocal said, why
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE) as reply:
                said = reply.read(most).decode(errors="replace")
        except Exception as error:  # no network, no such page, a proxy that refuses
            why = f"it answers {error.code}" if hasattr(error, "code") else "no network"

    # in a thread of its own: looking up a name can take longer than any limit
    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(PATIENCE)
    if not said:
        print(f"Not shown here ({why}). In a browser that has a network: {address}")
    return said


def show_page(
    name: str, title: str, height: int, data: dict[str, Any] | None = None, variable: str = ""
) -> None:
    """Display a page in a frame that can reach nothing outside itself, and hand it data."""
    if file := next(filter(None, (_found(f"{one}/{name}.html") for one in FOLDERS)), None):
        text = file.read_text("utf-8")
        if data:
            told = json.dumps(data).replace("<", "\\u003c")  # a token could end the script
            script = f"<script>globalThis.{variable} = {told};</script>\n<script>"
            text = text.replace("<script>", script, 1)
        source = f'srcdoc="{escape(text)}"'
    elif not _pages:
        print("First run the cell of the interactive page of this chapter, then this one again.")
        return
    elif web_answer(f"{_pages}/{name}.html"):
        source = f'src="{_pages}/{name}.html"'
        if data:
            message = json.dumps({"model": data} if variable == "ATTENTION_MODEL" else data)
            told = f"this.contentWindow.postMessage({message}, '*')"
            source += f' onload="{escape(told)}"'
    else:
        return
    style = f"width:100%;height:{height}px;border:0"
    frame = f'<iframe sandbox="allow-scripts" title="{escape(title)}" style="{style}" {source}>'
    _display(f"<div>{frame}</iframe></div>")


def _found(path: str) -> Path | None:
    """A file or folder of the course, seen from a notebook in it; None where only the notebook came
    along, as on Colab.
    """
    here = Path.cwd()
    places = (folder / path for folder in (here, *here.parents[:4]))
    return next((place for place in places if place.exists()), None)


def _is_vs_code() -> bool:
    """Whether VS Code runs the notebook, which shows no player in a text."""
    from IPython import get_ipython

    shell = get_ipython()
    return shell is not None and "__vsc_ipynb_file__" in shell.user_ns


def _display(text: str) -> None:
    from IPython.display import HTML, display

    display(HTML(text))
