# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 1 · Why attention?

# %% tags=["setup"]
import matplotlib.pyplot as plt
import torch
from IPython.display import display
from torch import nn
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(1)

# %% [markdown]
# Two small helpers draw every figure of the course.

# %%
OKABE_ITO = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000"]
STYLE = {
    "axes.prop_cycle": plt.cycler(color=OKABE_ITO), "axes.spines.top": False, "axes.spines.right": False,
    "axes.titlesize": 10, "axes.titlelocation": "left", "figure.constrained_layout.use": True, "font.size": 9,
}
plt.rcParams.update(STYLE)

def show(fig, alt):
    """Display a figure once, with the text that stands for it where it cannot be seen."""
    display(fig, metadata={"image/png": {"alt": alt}})
    plt.close(fig)

def draw_matrix(ax, matrix, rows=None, columns=None, title="", cmap="Blues", limits=None, digits=2):
    """Draw a (rows, columns) matrix as a heatmap; up to 12 x 12 the numbers stand in the cells."""
    matrix = torch.as_tensor(matrix).detach().cpu().float()
    low, high = limits or (matrix.min().item(), matrix.max().item())
    image = ax.imshow(matrix, cmap=cmap, vmin=low, vmax=high)
    ax.set_xticks(range(matrix.shape[1]), columns or range(matrix.shape[1]), rotation=45 if columns else 0)
    ax.set_yticks(range(matrix.shape[0]), rows or range(matrix.shape[0]))
    ax.spines[:].set_visible(False)
    ax.set_title(title)
    if max(matrix.shape) <= 12:
        for (i, j), value in [((i, j), matrix[i, j].item()) for i in range(len(matrix)) for j in range(matrix.shape[1])]:
            red, green, blue, _ = image.cmap(image.norm(value))
            dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
            ax.text(j, i, f"{value:.{digits}f}", ha="center", va="center", color="white" if dark else "black", fontsize=8)
    return image
