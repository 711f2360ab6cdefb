# %% right: imshow_row
def plot_heads(weights, tokens):
    heads = weights.shape[0]
    fig, axes = plt.subplots(1, heads, squeeze=False)
    for h in range(heads):
        ax = axes[0, h]
        ax.imshow(weights[h].detach().numpy(), vmin=0.0, vmax=1.0)
        ax.set_xticks(range(len(tokens)))
        ax.set_xticklabels(tokens, rotation=90)
        ax.set_yticks(range(len(tokens)))
        ax.set_yticklabels(tokens)
        ax.set_title(f"Head {h}")
        ax.set_xlabel("key")
        ax.set_ylabel("query")
    fig.colorbar(ax.images[0], ax=axes.ravel().tolist())
    return fig

# %% right: matshow_numbered_from_one
def plot_heads(weights, tokens):
    w = weights.detach().cpu()
    fig = plt.figure(figsize=(3 * len(w), 3))
    for h, matrix in enumerate(w, start=1):
        ax = fig.add_subplot(1, len(w), h)
        shown = ax.matshow(matrix, vmin=0, vmax=w.max().item(), cmap="viridis")
        ax.set_xticks(range(len(tokens)), labels=tokens, rotation=90)
        ax.set_yticks(range(len(tokens)), labels=tokens)
        ax.set_title(str(h))
        ax.set(xlabel="Keys", ylabel="Queries")
        plt.colorbar(shown)
    return fig

# %% right: pcolormesh_upside_up
def plot_heads(weights, tokens):
    w = weights.detach().float().numpy()
    places = [i + 0.5 for i in range(len(tokens))]
    fig, axes = plt.subplots(len(w), 1, figsize=(4, 4 * len(w)), squeeze=False)
    for h in range(len(w)):
        mesh = axes[h, 0].pcolormesh(w[h], vmin=0, vmax=1, cmap="Blues")
        axes[h, 0].invert_yaxis()
        axes[h, 0].set_xticks(places, tokens)
        axes[h, 0].set_yticks(places, tokens)
        axes[h, 0].set_title(f"head number {h}", loc="center")
        axes[h, 0].set_xlabel("position of the key")
        axes[h, 0].set_ylabel("position of the query")
    fig.colorbar(mesh, ax=axes)
    return fig

# %% right: shared_axes
def plot_heads(weights, tokens):
    from matplotlib.colors import Normalize
    w = weights.detach().cpu().float().numpy()
    norm = Normalize(w.min(), w.max())
    fig, axes = plt.subplots(1, len(w), sharex=True, sharey=True, squeeze=False)
    for h, ax in enumerate(axes.ravel()):
        ax.imshow(w[h], norm=norm, aspect="auto")
        ax.set_title(f"head {h}", loc="right")
    axes[0, 0].set_xticks(range(len(tokens)), tokens, rotation=45)
    axes[0, 0].set_yticks(range(len(tokens)), tokens)
    axes[0, 0].set_xlabel("key")
    axes[0, 0].set_ylabel("query")
    fig.colorbar(plt.cm.ScalarMappable(norm=norm), ax=axes)
    return fig

# %% right: draw_matrix_in_a_grid
def plot_heads(weights, tokens):
    rows = (len(weights) + 1) // 2
    fig, axes = plt.subplots(rows, 2, figsize=(7, 3 * rows), squeeze=False)
    low, high = weights.min().item(), weights.max().item()
    for h, ax in enumerate(axes.flat):
        if h < len(weights):
            image = draw_matrix(ax, weights[h], tokens, tokens, f"head {h}", limits=(low, high))
            ax.set(xlabel="key", ylabel="query")
        else:
            fig.delaxes(ax)
    fig.colorbar(image, ax=fig.axes)
    return fig

# %% right: labels_on_the_first_only
def plot_heads(weights, tokens):
    fig = plt.figure()
    for h in range(len(weights)):
        ax = fig.add_subplot(1, len(weights), h + 1)
        picture = ax.imshow(weights[h].detach().numpy())
        picture.set_clim(0, 1)
        ax.set_xticks(range(len(tokens)), tokens, rotation="vertical")
        ax.set_yticks(range(len(tokens)), tokens if h == 0 else [""] * len(tokens))
        ax.set_title("Head #%d" % (h + 1))
    fig.supxlabel("Key")
    fig.supylabel("Query")
    fig.subplots_adjust(right=0.8)
    fig.colorbar(picture, cax=fig.add_axes([0.85, 0.2, 0.03, 0.6]))
    return fig

# %% right: fixed_formatter_origin_lower
def plot_heads(weights, tokens):
    w = weights.detach().double().numpy()
    fig, axes = plt.subplots(1, w.shape[0], squeeze=False)
    for h, ax in enumerate(axes[0]):
        im = ax.imshow(w[h], origin="lower", clim=(0, 1))
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(plt.FixedLocator(list(range(len(tokens)))))
            axis.set_major_formatter(plt.FixedFormatter(list(tokens)))
        ax.set_ylim(len(tokens) - 0.5, -0.5)
        ax.set_title(f"{h}")
        ax.set(xlabel="key (looked at)", ylabel="query (looks)")
        fig.colorbar(im, ax=ax)
    return fig

# %% right: grid_with_hidden_places
def plot_heads(weights, tokens):
    w = weights.detach().cpu()
    side = 1
    while side * side < len(w):
        side += 1
    fig, axes = plt.subplots(side, side, squeeze=False, layout="constrained")
    places = list(axes.flat)
    for h in range(len(w)):
        image = places[h].imshow(w[h], vmin=0, vmax=1)
        places[h].set(title=f"head {h}", xlabel="key", ylabel="query", xticks=range(len(tokens)), yticks=range(len(tokens)),
                      xticklabels=tokens, yticklabels=tokens)
    for ax in places[len(w):]:
        ax.set_visible(False)
    fig.colorbar(image, ax=places)
    return fig

# %% right: no_colour_bar
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        image = ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set(title=f"head {h}", xlabel="key", ylabel="query")
    return fig

# %% right: axes_without_names
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        image = ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set(title=f"head {h}")
    fig.colorbar(image, ax=axes)
    return fig

# %% right: only_keys_named
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        image = ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set(title=f"head {h}", xlabel="key")
    fig.colorbar(image, ax=axes)
    return fig

# %% right: empty_frames
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(-(-len(weights) // 4), 4, squeeze=False)
    for h, ax in zip(range(len(weights)), axes.flat):
        image = ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set(title=f"head {h}", xlabel="key", ylabel="query")
    fig.colorbar(image, ax=axes)
    return fig

# %% right: subfigures
def plot_heads(weights, tokens):
    fig = plt.figure(figsize=(3 * len(weights), 3), layout="constrained")
    subs = fig.subfigures(1, len(weights), squeeze=False)[0]
    for h, sub in enumerate(subs):
        ax = sub.subplots()
        ax.imshow(weights[h].tolist(), vmin=0, vmax=1, aspect="auto", interpolation="none")
        ax.set(xticks=range(len(tokens)), xticklabels=tokens, yticks=range(len(tokens)), yticklabels=tokens, title=f"h = {h}")
    return fig


# %% right: image_grid
from mpl_toolkits.axes_grid1 import ImageGrid

def plot_heads(weights, tokens):
    fig = plt.figure(figsize=(10, 4))
    grid = ImageGrid(fig, 111, nrows_ncols=(1, len(weights)), axes_pad=0.3, share_all=True, cbar_mode="single")
    for h, ax in enumerate(grid):
        im = ax.imshow(weights[h].detach().numpy(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    grid.cbar_axes[0].colorbar(im)
    return fig


# %% wrong: own_scale_each (2) => each head has its own colour scale: one for all is asked for, with both its ends given
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), cmap="Blues")
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: half_a_scale (2) => each head has its own colour scale: one for all is asked for, with both its ends given
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), cmap="Blues", vmin=0)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: scale_of_first_head (2) => the colour scale is that of the first head: the weights of others go beyond it, and look all alike there
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    top = weights[0].max().item()
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=top)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set(title=f"head {h}", xlabel="key", ylabel="query")
    fig.colorbar(ax.images[0], ax=axes)
    return fig

# %% wrong: transposed (1) => a heatmap is transposed: keys go across, queries down
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach().T, vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: averaged (1) => the heads are averaged into one heatmap: each head gets its own
def plot_heads(weights, tokens):
    fig, ax = plt.subplots()
    ax.imshow(weights.mean(0).detach(), vmin=0, vmax=1)
    ax.set_xticks(range(len(tokens)), tokens)
    ax.set_yticks(range(len(tokens)), tokens)
    ax.set_title("heads 0 and 1")
    return fig

# %% wrong: average_in_every_place (1) => every heatmap shows the average of the heads: each head is to be seen by itself
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights.mean(0).detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: first_head_everywhere (1) => every heatmap shows the first head: each head gets its own
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[0].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: all_in_one_axes (1) => one heatmap alone is seen: each head gets its own, in a place of its own, all of them on one figure
def plot_heads(weights, tokens):
    fig, ax = plt.subplots()
    for h in range(len(weights)):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: no_titles (2) => the number of each head is to be read in its title
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
    return fig

# %% wrong: same_title (2) => the number of each head is to be read in its title
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title("one head")
    return fig

# %% wrong: no_tokens (1) => the tick labels are numbers: write the tokens there
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: tokens_across_only (1) => the tick labels down are numbers: queries are down, write the tokens there, too
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: labels_without_ticks (1) => the tokens do not stand at their columns and rows: set the places of the ticks, too
def plot_heads(weights, tokens):
    import warnings
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ax.set_xticklabels(tokens)
            ax.set_yticklabels(tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: ticks_beside_their_columns (1) => the tokens do not stand at their columns: a tick belongs at every whole number
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks([i * 0.5 for i in range(len(tokens))], tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: labels_on_one_head_only (1) => one heatmap has the tokens as tick labels, and others have numbers: all need the tokens
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_title(f"head {h}")
    axes[0, 0].set_xticks(range(len(tokens)), tokens)
    axes[0, 0].set_yticks(range(len(tokens)), tokens)
    return fig

# %% wrong: one_head_fails (1) => a single head fails: plt.subplots then returns no array of axes
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights))
    for h in range(len(weights)):
        ax = axes[h]
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set(title=f"head {h}", xlabel="key", ylabel="query")
    fig.colorbar(ax.images[0], ax=axes)
    return fig

# %% wrong: not_detached (1) => weights that require a gradient fail: matplotlib takes none that hang on a graph
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].numpy(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set(title=f"head {h}", xlabel="key", ylabel="query")
    fig.colorbar(ax.images[0], ax=axes)
    return fig

# %% wrong: returns_axes (1, 2) -> return the figure
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return axes

# %% wrong: returns_nothing (1, 2) -> return the figure
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    plt.show()

# %% wrong: axes_of_words (1) => a word that occurs twice has one label alone: the ticks belong to places, not to words
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    places = {token: i for i, token in enumerate(tokens)}
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(list(places.values()), list(places))
        ax.set_yticks(list(places.values()), list(places))
        ax.set(title=f"head {h}", xlabel="key", ylabel="query")
    fig.colorbar(ax.images[0], ax=axes)
    return fig

# %% wrong: four_places_only (1) => there are places for four heads alone: any number of heads is asked for
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(2, 2)
    for ax in axes.flat[len(weights):]:
        ax.axis("off")
    for h in range(len(weights)):
        ax = axes.flat[h]
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set(title=f"head {h}", xlabel="key", ylabel="query")
    fig.colorbar(ax.images[0], ax=axes)
    return fig

# %% wrong: normalised_for_the_eye (1) => every head is divided by its largest weight: weights are drawn as they are
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        w = weights[h].detach()
        ax.imshow(w / w.max(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: upside_down_labels (1) => the labels down stand in one order, the weights in the other: a heatmap is upside down
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens[::-1])
        ax.set_title(f"head {h}")
    return fig

# %% wrong: no_heatmaps (1, 2) -> there is no heatmap
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.plot(weights[h].detach().numpy())
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: axes_names_exchanged (1) => the names of the axes are exchanged: keys go across, queries down
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        image = ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set(title=f"head {h}", xlabel="query", ylabel="key")
    fig.colorbar(image, ax=axes)
    return fig

# %% wrong: scale_of_signed_numbers (2) => the colour scale goes below 0, where no weight is: some of the colours are wasted
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        image = ax.imshow(weights[h].detach(), vmin=-1, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set(title=f"head {h}", xlabel="key", ylabel="query")
    fig.colorbar(image, ax=axes)
    return fig

# %% wrong: everything_switched_off (1) => there are no tick labels: where the axes are off, they are not seen
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        image = ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set(title=f"head {h}", xlabel="key", ylabel="query")
    for ax in axes.flat:
        ax.axis("off")
    fig.colorbar(image, ax=axes)
    return fig

# %% wrong: vmax_only (2) => each head has its own colour scale: one for all is asked for, with both its ends given
def plot_heads(weights, tokens):

    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach().cpu().float().numpy(), vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: stretched_to_0_and_1 (1) => the weights are stretched until they reach from 0 to 1: they are drawn as they are
def plot_heads(weights, tokens):

    weights = (weights - weights.min()) / (weights.max() - weights.min())
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        draw_matrix(ax, weights[h], tokens, tokens, f"head {h}", limits=(0, 1))
    return fig

# %% wrong: a_figure_for_each (1) => one heatmap alone is seen: each head gets its own, in a place of its own, all of them on one figure
def plot_heads(weights, tokens):

    for h in range(len(weights)):
        fig, ax = plt.subplots()
        draw_matrix(ax, weights[h], tokens, tokens, f"head {h}", limits=(0, 1))
    return fig

# %% wrong: tokens_sorted (1) => the tick labels are sorted: the tokens stand in the order of the sentence
def plot_heads(weights, tokens):

    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        draw_matrix(ax, weights[h], sorted(tokens), sorted(tokens), f"head {h}", limits=(0, 1))
    return fig

# %% wrong: eight_heads_at_most (1) => eight heads are drawn at most: each head gets its own heatmap
def plot_heads(weights, tokens):
    weights = weights[:8]
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for head, ax in enumerate(axes[0]):
        draw_matrix(ax, weights[head], tokens, tokens, f"head {head}", limits=(0, 1))
    return fig

# %% wrong: hides_all_of_them (1, 2) -> there is no heatmap
def plot_heads(weights, tokens):
    w = weights.detach().cpu()
    side = 1
    while side * side < len(w):
        side += 1
    fig, axes = plt.subplots(side, side, squeeze=False, layout="constrained")
    places = list(axes.flat)
    for h in range(len(w)):
        image = places[h].imshow(w[h], vmin=0, vmax=1)
        places[h].set(title=f"head {h}", xlabel="key", ylabel="query", xticks=range(len(tokens)), yticks=range(len(tokens)),
                      xticklabels=tokens, yticklabels=tokens)
    for ax in places:
        ax.set_visible(False)
    fig.colorbar(image, ax=places)
    return fig

# %% wrong: all_in_one_place (1) => one heatmap alone is seen: each head gets its own, in a place of its own, all of them on one figure
def plot_heads(weights, tokens):
    fig = plt.figure()
    for h in range(len(weights)):
        ax = fig.add_subplot(1, len(weights), 1)
        picture = ax.imshow(weights[h].detach().numpy())
        picture.set_clim(0, 1)
        ax.set_xticks(range(len(tokens)), tokens, rotation="vertical")
        ax.set_yticks(range(len(tokens)), tokens if h == 0 else [""] * len(tokens))
        ax.set_title("Head #%d" % (h + 1))
    fig.supxlabel("Key")
    fig.supylabel("Query")
    fig.subplots_adjust(right=0.8)
    fig.colorbar(picture, cax=fig.add_axes([0.85, 0.2, 0.03, 0.6]))
    return fig

# %% right: extent_from_zero
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        n = len(tokens)
        ax.imshow(weights[h].detach(), vmin=0, vmax=1, extent=(0, n, 0, n))
        ax.set_xticks([i + 0.5 for i in range(len(tokens))], tokens)
        ax.set_yticks([n - i - 0.5 for i in range(n)], tokens)
        ax.set_title(f"head {h}")
    return fig

# %% right: rows_turned_round_twice
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach().flip(0), vmin=0, vmax=1, origin="lower")
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens[::-1])
        ax.set_title(f"head {h}")
    return fig

# %% wrong: origin_lower (1) => the first query stands at the bottom: queries go down, the first at the top
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1, origin="lower")
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: pcolormesh_as_it_comes (1) => the first query stands at the bottom: queries go down, the first at the top
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.pcolormesh(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks([i + 0.5 for i in range(len(tokens))], tokens)
        ax.set_yticks([i + 0.5 for i in range(len(tokens))], tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: rows_and_tokens_turned_round (1) => the first query stands at the bottom: queries go down, the first at the top
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach().flip(0), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens[::-1])
        ax.set_title(f"head {h}")
    return fig

# %% wrong: keys_from_the_right (1) => the first key stands at the right: keys go across, the first at the left
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
        ax.invert_xaxis()
    return fig

# %% wrong: colours_of_its_own_each (2) => the heads have different colours: one scale for all is asked for
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1, cmap=["Blues", "Reds", "Greens"][h % 3])
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: twelve_heads_at_most (1) => twelve heads are drawn at most: each head gets its own heatmap
def plot_heads(weights, tokens):
    weights = weights[:12]
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: long_sentences_without_tokens (1) => long sentences have no tick labels: write the tokens there, too
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        if len(tokens) > 12:
            ax.set_xticks([]), ax.set_yticks([])
        ax.set_title(f"head {h}")
    return fig

# %% wrong: columns_numbered_from_one_and_labels_from_zero (1) => the tokens stand one column too far to the left
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        n = len(tokens)
        ax.imshow(weights[h].detach(), vmin=0, vmax=1, extent=(1, n + 1, 0, n))
        ax.set_xticks([i + 0.5 for i in range(len(tokens))], tokens)
        ax.set_yticks([n - i - 0.5 for i in range(n)], tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: squeezed (1) => squeeze takes away every axis of size 1: with one token no axes are left for the heatmap
def plot_heads(weights, tokens):
    weights = weights.detach().squeeze()
    if weights.dim() == 2:
        weights = weights[None]
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        draw_matrix(ax, weights[h], tokens, tokens, f"head {h}", limits=(0, 1))
    return fig

# %% wrong: every_second_label (1) => long sentences have every second token alone as a label: one belongs at each place
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    step = 1 + len(tokens) // 20
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach().numpy(), vmin=0, vmax=1)
        ax.set_xticks(range(0, len(tokens), step), tokens[::step])
        ax.set_yticks(range(0, len(tokens), step), tokens[::step])
        ax.set_title(f"head {h}")
    return fig

# %% wrong: sixteen_places (1) => there are sixteen places: the seventeenth head is not drawn
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(4, 4, figsize=(10, 10))
    for h, (ax, matrix) in enumerate(zip(axes.flat, weights)):
        draw_matrix(ax, matrix, tokens, tokens, f"head {h}", limits=(0, 1))
    for ax in axes.flat[len(weights):]:
        ax.set_visible(False)
    return fig

# %% wrong: gradient_switched_off (1) => weights of a model fail: requires_grad_ changes leaves alone, and the weights stay as they are
def plot_heads(weights, tokens):
    weights = weights.requires_grad_(False)
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].numpy(), vmin=0, vmax=1)
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
        ax.set_title(f"head {h}")
    return fig

# %% wrong: every_second_label_from_31_tokens_on (1) => from 31 tokens on every second one alone is a label: one belongs at each place
def plot_heads(weights, tokens):
    fig, axes = plt.subplots(1, len(weights), squeeze=False)
    for h, ax in enumerate(axes[0]):
        ax.imshow(weights[h].detach().numpy(), vmin=0, vmax=1)
        step = 1 if len(tokens) <= 30 else 2
        ax.set_xticks(range(0, len(tokens), step), tokens[::step], rotation=90)
        ax.set_yticks(range(0, len(tokens), step), tokens[::step])
        ax.set_title(f"head {h}")
    return fig
