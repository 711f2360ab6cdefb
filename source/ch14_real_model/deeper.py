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
# # 14 · Deeper: A model from the world
#
# What [chapter 14](ch14_real_model.ipynb) says in a sentence, with its numbers. Optional, and without exercises: nothing later needs it.

# %% tags=["setup"]
import matplotlib.pyplot as plt

import attention_built as ab
from attention_built import show
plt.rcParams.update(ab.STYLE)
