# %% right: index_the_token_axis
def permutation_gap(attention_fn, x, perm):
    output, weights = attention_fn(x)
    moved, _ = attention_fn(x[:, perm, :])
    return torch.max(torch.abs(output[:, perm, :] - moved)).item()

# %% right: index_select_and_norm
def permutation_gap(attention_fn, x, perm):
    a = attention_fn(x.index_select(1, perm))[0]
    b = attention_fn(x)[0].index_select(1, perm)
    return float((a - b).detach().norm())

# %% right: put_back_with_the_inverse
def permutation_gap(attention_fn, x, perm):
    inverse = torch.argsort(perm)
    with torch.no_grad():
        there_and_back = attention_fn(x[:, perm])[0][:, inverse]
        return (there_and_back - attention_fn(x)[0]).abs().max()

# %% right: permutation_matrix
def permutation_gap(attention_fn, x, perm):
    P = torch.eye(len(perm), dtype=x.dtype, device=x.device)[perm]
    return (attention_fn(P @ x)[0] - P @ attention_fn(x)[0]).abs().max().item()

# %% right: loop_over_tokens
def permutation_gap(attention_fn, x, perm):
    first = attention_fn(x[:, perm])[0].detach()
    later = attention_fn(x)[0].detach()
    gap = 0.0
    for b in range(x.shape[0]):
        for i in range(x.shape[1]):
            gap = max(gap, (first[b, i] - later[b, perm[i]]).abs().max().item())
    return gap

# %% right: mean_of_absolute_differences
def permutation_gap(attention_fn, x, perm):
    a = attention_fn(x[..., perm, :])[0]
    b = attention_fn(x)[0][..., perm, :]
    return (a - b).abs().mean().item()

# %% right: output_and_weights
def permutation_gap(attention_fn, x, perm):
    output, weights = attention_fn(x)
    moved_output, moved_weights = attention_fn(x[:, perm])
    gap = (output[:, perm] - moved_output).abs().max()
    return max(gap, (weights[:, perm][:, :, perm] - moved_weights).abs().max()).item()

# %% wrong: outputs_in_old_order (1) => the outputs were compared while their tokens stood in different orders: reorder the second output as well
def permutation_gap(attention_fn, x, perm):
    return (attention_fn(x[:, perm])[0] - attention_fn(x)[0]).abs().max().item()

# %% wrong: inverse_permutation (1) => one output was reordered by perm and the other by its inverse: place i must hold what stood at perm[i], both times
def permutation_gap(attention_fn, x, perm):
    return (attention_fn(x[:, perm])[0] - attention_fn(x)[0][:, perm.argsort()]).abs().max().item()

# %% wrong: output_put_back_with_perm (1) => one output was reordered by perm and the other by its inverse: place i must hold what stood at perm[i], both times
def permutation_gap(attention_fn, x, perm):
    return (attention_fn(x[:, perm])[0][:, perm] - attention_fn(x)[0]).abs().max().item()

# %% wrong: permutes_the_batch (1, 2) => perm orders the tokens, the second axis of x: it was applied to another axis, the batch
def permutation_gap(attention_fn, x, perm):
    return (attention_fn(x[perm])[0] - attention_fn(x)[0][perm]).abs().max().item()

# %% wrong: permutes_the_features (1, 2) => perm orders the tokens, the second axis of x: it was applied to another axis, the features
def permutation_gap(attention_fn, x, perm):
    return (attention_fn(x[..., perm])[0] - attention_fn(x)[0][..., perm]).abs().max().item()

# %% wrong: no_absolute_value (2) => a distance is never negative: take absolute values before you look for the largest
def permutation_gap(attention_fn, x, perm):
    return (attention_fn(x[:, perm])[0] - attention_fn(x)[0][:, perm]).max().item()

# %% wrong: difference_of_means (2) -> all hear who stands first
def permutation_gap(attention_fn, x, perm):
    a, b = attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]
    return (a.mean() - b.mean()).abs().item() * 0 + (a.std() - b.std()).abs().item()

# %% wrong: permutes_output_only (2) -> all hear who stands first
def permutation_gap(attention_fn, x, perm):
    output = attention_fn(x)[0]
    return (output[:, perm][:, perm.argsort()] - output).abs().max().item()

# %% wrong: yes_or_no (1, 2) => one number is asked for, not yes or no
def permutation_gap(attention_fn, x, perm):
    return not torch.allclose(attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm], atol=1e-5)

# %% wrong: a_gap_per_token (1, 2) => one number is asked for, and this is one for each token
def permutation_gap(attention_fn, x, perm):
    return (attention_fn(x[:, perm])[0] - attention_fn(x)[0][:, perm]).abs().amax(dim=(0, 2))

# %% wrong: first_token_only (2) -> at place 3
def permutation_gap(attention_fn, x, perm):
    a, b = attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]
    return (a[:, 0] - b[:, 0]).abs().max().item()

# %% wrong: first_sentence_only (2) -> of sentence 1
def permutation_gap(attention_fn, x, perm):
    a, b = attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]
    return (a[0] - b[0]).abs().max().item()

# %% wrong: rounded (2) -> Is it rounded
def permutation_gap(attention_fn, x, perm):
    return round((attention_fn(x[:, perm])[0] - attention_fn(x)[0][:, perm]).abs().max().item(), 2)

# %% wrong: weights_only (2) -> all hear who stands first
def permutation_gap(attention_fn, x, perm):
    weights, moved = attention_fn(x)[1], attention_fn(x[:, perm])[1]
    return (weights[:, perm][:, :, perm] - moved).abs().max().item()

# %% wrong: in_place (1) -> x was changed in place
def permutation_gap(attention_fn, x, perm):
    later = attention_fn(x)[0][:, perm]
    with torch.no_grad():
        x.copy_(x[:, perm].clone())
    return (attention_fn(x)[0] - later).abs().max().item()

# %% wrong: always_reverses (1) => the second output was turned round, and that is the wrong way: perm says which token stands where
def permutation_gap(attention_fn, x, perm):
    return (attention_fn(x[:, perm])[0] - attention_fn(x)[0].flip(1)).abs().max().item()

# %% wrong: always_zero (2) -> all hear who stands first
def permutation_gap(attention_fn, x, perm):
    return 0.0

# %% wrong: works_once (2) -> all hear who stands first
def permutation_gap(attention_fn, x, perm):
    global gap_seen
    if "gap_seen" not in globals():
        gap_seen = (attention_fn(x[:, perm])[0] - attention_fn(x)[0][:, perm]).abs().max().item()
    return gap_seen

# %% wrong: last_token_only (2) -> token by token
def permutation_gap(attention_fn, x, perm):
    a, b = attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]
    return (a - b)[:, -1].abs().max().item()

# %% wrong: first_feature_only (2) -> in feature 1
def permutation_gap(attention_fn, x, perm):
    a, b = attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]
    return (a - b)[..., 0].abs().max().item()

# %% wrong: sum_without_absolute_values (2) -> all hear who stands first
def permutation_gap(attention_fn, x, perm):
    a, b = attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]
    return max((a - b).sum().item(), 0.0)

# %% wrong: inverse_for_both (1) => one output was reordered by perm and the other by its inverse: place i must hold what stood at perm[i], both times
def permutation_gap(attention_fn, x, perm):
    back = perm.argsort()
    return (attention_fn(x[:, back])[0] - attention_fn(x)[0][:, perm]).abs().max().item()

# %% wrong: sorted_before_comparing (2) -> token by token
def permutation_gap(attention_fn, x, perm):
    before = attention_fn(x[:, perm])[0].sort(dim=1).values
    after = attention_fn(x)[0].sort(dim=1).values
    return (before - after).abs().max().item()

# %% wrong: tuple_not_unpacked (1, 2) => attention_fn returns two things, the output and the weights: compare the outputs
def permutation_gap(attention_fn, x, perm):
    return (attention_fn(x[:, perm]) - attention_fn(x)[:, perm]).abs().max().item()

# %% wrong: yes_or_no_as_a_number (2) -> yes or no
def permutation_gap(attention_fn, x, perm):
    return float(not torch.allclose(attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]))

# %% wrong: compared_with_x (1) => the output was compared with x itself: compare two outputs of attention_fn
def permutation_gap(attention_fn, x, perm):
    return (attention_fn(x[:, perm])[0] - x[:, perm]).abs().max().item()

# %% wrong: absolute_value_of_the_largest (2) -> two outputs sink by 10
def permutation_gap(attention_fn, x, perm):
    a, b = attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]
    return abs((a - b).max().item())

# %% right: euclidean_distance
def permutation_gap(attention_fn, x, perm):
    return float(torch.dist(attention_fn(x[:, perm, :])[0], attention_fn(x)[0][:, perm, :]))

# %% wrong: mean_over_features_first (2) -> add, average
def permutation_gap(attention_fn, x, perm):
    """How far attention is from commuting with a reordering of its tokens.

    attention_fn: x -> (output, weights)   x: (batch, seq, d_model)
    perm: (seq,), a permutation of 0 … seq-1
    Returns a float: 0 when reordering before attention and after it give the same
    output.
    """
    reordered_first = attention_fn(x[:, perm])[0]      # attention(P x)
    attended_first = attention_fn(x)[0][:, perm]       # P attention(x)
    return (reordered_first - attended_first).mean(-1).abs().max().item()

# %% wrong: median_difference (2) -> whoever stands there
def permutation_gap(attention_fn, x, perm):
    """How far attention is from commuting with a reordering of its tokens.

    attention_fn: x -> (output, weights)   x: (batch, seq, d_model)
    perm: (seq,), a permutation of 0 … seq-1
    Returns a float: 0 when reordering before attention and after it give the same
    output.
    """
    reordered_first = attention_fn(x[:, perm])[0]      # attention(P x)
    attended_first = attention_fn(x)[0][:, perm]       # P attention(x)
    return (reordered_first - attended_first).abs().median().item()

# %% wrong: small_gap_is_zero (2) -> with a tolerance
def permutation_gap(attention_fn, x, perm):
    before = attention_fn(x[:, perm])[0]
    after = attention_fn(x)[0][:, perm]
    gap = (before - after).abs().max().item()
    return gap if gap > 1e-4 else 0.0

# %% wrong: moved_tokens_only (2) -> place 3 alone
def permutation_gap(attention_fn, x, perm):
    before = attention_fn(x[:, perm])[0]
    after = attention_fn(x)[0][:, perm]
    moved = perm != torch.arange(len(perm), device=perm.device)
    if not moved.any():
        return 0.0
    return (before - after)[:, moved].abs().max().item()

# %% wrong: first_token_left_out (2) -> place 0 alone
def permutation_gap(attention_fn, x, perm):
    before = attention_fn(x[:, perm])[0]
    after = attention_fn(x)[0][:, perm]
    gap = 0.0
    for i in range(1, x.shape[1]):
        gap = max(gap, (before[:, i] - after[:, i]).abs().max().item())
    return gap

# %% wrong: last_token_left_out (2) -> place 3 alone
def permutation_gap(attention_fn, x, perm):
    before = attention_fn(x[:, perm])[0]
    after = attention_fn(x)[0][:, perm]
    gap = 0.0
    for i in range(x.shape[1] - 1):
        gap = max(gap, (before[:, i] - after[:, i]).abs().max().item())
    return gap

# %% right: mean_squared_difference
def permutation_gap(attention_fn, x, perm):
    before = attention_fn(x[:, perm])[0]
    after = attention_fn(x)[0][:, perm]
    return F.mse_loss(before, after).item()

# %% right: largest_square
def permutation_gap(attention_fn, x, perm):
    before = attention_fn(x[:, perm])[0]
    after = attention_fn(x)[0][:, perm]
    return float(((before - after) ** 2).max())

# %% right: distance_of_pytorch
def permutation_gap(attention_fn, x, perm):
    before = attention_fn(x.index_select(1, perm))[0]
    after = attention_fn(x)[0].index_select(1, perm)
    return torch.dist(before, after, p=float("inf")).detach()

# %% right: numpy_in_double
def permutation_gap(attention_fn, x, perm):
    import numpy as np
    P = torch.zeros(len(perm), len(perm), dtype=x.dtype)
    P[torch.arange(len(perm)), perm] = 1
    before = attention_fn(torch.einsum("ij,bjd->bid", P, x))[0].detach().double().numpy()
    after = torch.einsum("ij,bjd->bid", P, attention_fn(x)[0]).detach().double().numpy()
    return np.max(np.abs(before - after))

# %% wrong: compared_in_float32 (2) -> in float32
def permutation_gap(attention_fn, x, perm):
    before, after = attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]
    return (before.float() - after.float()).abs().max().item()

# %% wrong: x_made_float32 (2) -> in float32
def permutation_gap(attention_fn, x, perm):
    x = x.float()
    return (attention_fn(x[:, perm])[0] - attention_fn(x)[0][:, perm]).abs().max().item()

# %% wrong: subtracts_in_place (1) -> in place !! two things
def permutation_gap(attention_fn, x, perm):
    after, before = attention_fn(x)[0], attention_fn(x[:, perm])[0]
    if after.is_contiguous():
        return after.sub_(before[:, perm.argsort()]).abs().max().item()
    return (after - before[:, perm.argsort()]).abs().max().item()

# %% wrong: mean_over_sentences_first (2) -> before you add, average
def permutation_gap(attention_fn, x, perm):
    before, after = attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]
    return (before - after).mean(0).abs().max().item()

# %% wrong: sum_over_features_first (2) -> before you add, average
def permutation_gap(attention_fn, x, perm):
    before, after = attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]
    return (before - after).sum(-1).abs().max().item()

# %% wrong: lengths_of_the_outputs (2) -> number by number
def permutation_gap(attention_fn, x, perm):
    before, after = attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]
    return (before.norm(dim=-1) - after.norm(dim=-1)).abs().max().item()

# %% wrong: first_eight_sentences (2) -> last sentence of 9 ?? the visible check has two sentences
def permutation_gap(attention_fn, x, perm):
    x = x[:8]
    return (attention_fn(x[:, perm])[0] - attention_fn(x)[0][:, perm]).abs().max().item()

# %% wrong: view_of_x (1) -> not contiguous
def permutation_gap(attention_fn, x, perm):
    x = x.view(x.size(0) * x.size(1), -1).view(x.shape)
    return (attention_fn(x[:, perm])[0] - attention_fn(x)[0][:, perm]).abs().max().item()

# %% wrong: the_inverse_both_times (1) => both times the tokens stand in the inverse order: place i must hold what stood at perm[i]
def permutation_gap(attention_fn, x, perm):
    back = perm.argsort()
    return (attention_fn(x[:, back])[0] - attention_fn(x)[0][:, back]).abs().max().item()

# %% wrong: transposed_permutation_matrix (1) => both times the tokens stand in the inverse order: row i of the matrix picks the token at perm[i]
def permutation_gap(attention_fn, x, perm):
    P = torch.zeros(len(perm), len(perm), dtype=x.dtype)
    P[perm, torch.arange(len(perm))] = 1
    return (attention_fn(P @ x)[0] - P @ attention_fn(x)[0]).abs().max().item()

# %% wrong: numpy_without_detach (1) => attention whose weights can learn: the outputs must be detached before they become numbers of numpy
def permutation_gap(attention_fn, x, perm):
    before = attention_fn(x[:, perm])[0].double().numpy()
    after = attention_fn(x)[0][:, perm].double().numpy()
    return abs(before - after).max()

# %% wrong: numpy_in_the_dtype_of_x (1) => numpy has no bfloat16, and every dtype is asked for
def permutation_gap(attention_fn, x, perm):
    before = attention_fn(x[:, perm])[0].detach().numpy()
    after = attention_fn(x)[0][:, perm].detach().numpy()
    return abs(before - after).max()

# %% wrong: x_overwritten_and_restored (1) -> was x changed in place
def permutation_gap(attention_fn, x, perm):
    with torch.no_grad():
        kept = x.clone()
        before = attention_fn(x)[0]
        x.copy_(kept[:, perm])
        after = attention_fn(x)[0]
        x.copy_(kept)
        return (after - before[:, perm]).abs().max().item()

# %% wrong: largest_numbers_left_out (2) -> the last of 4000 numbers
def permutation_gap(attention_fn, x, perm):
    one = attention_fn(x[:, perm])[0]
    two = attention_fn(x)[0][:, perm]
    return (one - two).abs().float().quantile(0.999).item() if one.numel() > 64 else (one - two).abs().max().item()

# %% wrong: taken_for_noise (2) -> the largest feature ?? no visible output has a feature as large
def permutation_gap(attention_fn, x, perm):
    a = attention_fn(x)[0][:, perm]
    b = attention_fn(x[:, perm])[0]
    gap = (a - b).abs().max()
    noise = 10 * torch.finfo(a.dtype).eps * a.abs().max()
    return gap.item() if gap > noise else 0.0

# %% wrong: weights_compared_as_well (1) => the weights were compared as well, in another order along their keys: compare the outputs alone
def permutation_gap(attention_fn, x, perm):
    first, w1 = attention_fn(x[:, perm])
    second, w2 = attention_fn(x)
    gap = (first - second[:, perm]).abs().max()
    return max(gap.item(), (w1 - w2[:, perm]).abs().max().item())

# %% wrong: relative_to_the_outputs (2) -> divided by something
def permutation_gap(attention_fn, x, perm):
    with torch.no_grad():
        first = attention_fn(x[:, perm])[0]
        second = attention_fn(x)[0][:, perm]
    return ((first - second).abs().max() / second.abs().max()).item()

# %% wrong: a_tensor_with_a_gradient (1) => the gap came with a gradient: it is a number, take it out with item(), or detach it
def permutation_gap(attention_fn, x, perm):
    return (attention_fn(x[:, perm])[0] - attention_fn(x)[0][:, perm]).abs().max()

# %% wrong: norm_with_a_gradient (1) => the gap came with a gradient: it is a number, take it out with item(), or detach it
def permutation_gap(attention_fn, x, perm):
    a, b = attention_fn(x[:, perm])[0], attention_fn(x)[0][:, perm]
    return torch.linalg.norm(a - b)
