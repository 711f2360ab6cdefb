"""Hand a tensor of attention weights from a notebook to the interactive page.

The function needs nothing but Python and the page's text, so a notebook can carry it. The page comes in as
<iframe sandbox="allow-scripts" srcdoc=…>: it shows in JupyterLab, Notebook 7, VS Code and Colab, and can reach nothing.
"""

import html
import json
from pathlib import Path


def attention_page(weights, tokens=None, keys=None, title="Your tensor", page="site/interactive/pages/my_attention.html"):
    """The text of the page with these weights in it.

    weights: (seq, seq), (heads, seq, seq) or (batch, heads, seq, seq), a tensor or nested lists.
    tokens name the queries; keys the keys, where they are others. page: a path, or the page's text itself.
    """
    weights = weights.detach().cpu().tolist() if hasattr(weights, "detach") else weights
    text = page if page.lstrip().startswith("<") else Path(page).read_text(encoding="utf-8")
    data = {"weights": weights, "tokens": tokens and [str(token) for token in tokens], "title": title}
    if keys is not None:
        data["keys"] = [str(key) for key in keys]
    script = json.dumps(data).replace("<", "\\u003c")              # NaN and Infinity stay: this is JavaScript, not JSON
    return text.replace("<script>", f"<script>globalThis.ATTENTION_DATA = {script};</script>\n<script>", 1)


def show_my_attention(weights, tokens=None, keys=None, title="Your tensor", height=640, **page):
    """Draw attention weights in the notebook, to walk through cell by cell."""
    from IPython.display import HTML
    text = html.escape(attention_page(weights, tokens, keys, title, **page))
    return HTML(f'<div><iframe sandbox="allow-scripts" title="{html.escape(title)}" style="width:100%;height:{height}px;border:0" srcdoc="{text}"></iframe></div>')
