# %% right: copy_of_W_o
def without_head(layer, x, head):
    import copy
    quiet = copy.deepcopy(layer)
    width = x.shape[-1] // layer.num_heads
    with torch.no_grad():
        quiet.W_o.weight[:, head * width:(head + 1) * width] = 0
    return quiet(x)[0]

# %% right: minus_what_it_adds
def without_head(layer, x, head):
    output, weights = layer(x)
    width = x.size(-1) // layer.num_heads
    own = slice(head * width, (head + 1) * width)
    part = weights[:, head] @ layer.W_v(x)[..., own]
    return output - part @ layer.W_o.weight[:, own].T

# %% right: loop_over_heads
def without_head(layer, x, head):
    _, weights = layer(x)
    parts = layer.W_v(x).chunk(layer.num_heads, dim=-1)
    joined = []
    for h, v in enumerate(parts):
        out = weights[:, h] @ v
        joined.append(torch.zeros_like(out) if h == head else out)
    return layer.W_o(torch.cat(joined, dim=-1))

# %% right: keep_vector
def without_head(layer, x, head):
    weights = layer(x)[1]
    B, T, D = x.shape
    H = layer.num_heads
    v = layer.W_v(x).view(B, T, H, D // H).transpose(1, 2) if x.is_contiguous() else layer.W_v(x).reshape(B, T, H, D // H).transpose(1, 2)
    keep = torch.ones(H, dtype=x.dtype, device=x.device)
    keep[head] = 0
    out = (weights @ v) * keep[:, None, None]
    return layer.W_o(out.transpose(1, 2).reshape(B, T, D))

# %% right: written_and_put_back
def without_head(layer, x, head):
    width = x.size(-1) // layer.num_heads
    own = slice(head * width, (head + 1) * width)
    saved = layer.W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            layer.W_o.weight[:, own] = 0
            return layer(x)[0].clone()
    finally:
        with torch.no_grad():
            layer.W_o.weight.copy_(saved)

# %% right: functional_linear
def without_head(layer, x, head):
    width = x.size(-1) // layer.num_heads
    columns = torch.arange(x.size(-1), device=x.device) // width != head
    weights = layer(x)[1]
    joined = torch.einsum("bhqk,bkhd->bqhd", weights, layer.W_v(x).unflatten(-1, (layer.num_heads, width))).flatten(2)
    return F.linear(joined, layer.W_o.weight * columns.to(x.dtype), layer.W_o.bias)

# %% right: sum_of_the_others
def without_head(layer, x, head):
    weights, values = layer(x)[1], layer.W_v(x)
    width = x.size(-1) // layer.num_heads
    total = torch.zeros_like(x) if layer.W_o.bias is None else torch.zeros_like(x) + layer.W_o.bias
    for h in range(layer.num_heads):
        if h != head:
            own = slice(h * width, (h + 1) * width)
            total = total + weights[:, h] @ values[..., own] @ layer.W_o.weight[:, own].T
    return total

# %% right: everything_by_hand
def without_head(layer, x, head):
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    q, k, v = (W(x).unflatten(-1, (H, d)).transpose(1, 2) for W in (layer.W_q, layer.W_k, layer.W_v))
    out = F.scaled_dot_product_attention(q, k, v).clone()
    out[:, head] = 0
    return layer.W_o(out.transpose(1, 2).flatten(2))

# %% right: asks_for_a_number_first
def without_head(layer, x, head):
    if x.numel() and bool(x.isnan().all()):
        raise ValueError("x holds nothing but NaN")
    import copy
    quiet = copy.deepcopy(layer)
    width = x.shape[-1] // layer.num_heads
    with torch.no_grad():
        quiet.W_o.weight[:, head * width:(head + 1) * width] = 0
    return quiet(x)[0]


# %% wrong: nothing_off => nothing is switched off: that is the output of all heads
def without_head(layer, x, head):
    return layer(x)[0]

# %% wrong: other_head => the other head was switched off
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., (H - 1 - head) * d:(H - head) * d] = 0
    return layer.W_o(joined)

# %% wrong: counted_from_one => nothing is switched off: that is the output of all heads
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., (head - 1) * d:head * d] = 0
    return layer.W_o(joined)

# %% wrong: rows_of_W_o => rows of W_o.weight were zeroed: its rows make the output, its columns meet the heads
def without_head(layer, x, head):
    import copy
    quiet = copy.deepcopy(layer)
    d = x.size(-1) // layer.num_heads
    with torch.no_grad():
        quiet.W_o.weight[head * d:(head + 1) * d] = 0
    return quiet(x)[0]

# %% wrong: features_of_the_output => features of the output were zeroed: W_o has mixed the heads by then
def without_head(layer, x, head):
    output = layer(x)[0].clone()
    d = x.size(-1) // layer.num_heads
    output[..., head * d:(head + 1) * d] = 0
    return output

# %% wrong: what_it_adds => that is what the head adds: the layer without it is asked for
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    return joined[..., own] @ layer.W_o.weight[:, own].T

# %% wrong: only_that_head => the other head was switched off
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    only = torch.zeros_like(joined)
    only[..., own] = joined[..., own]
    return layer.W_o(only)

# %% wrong: bias_of_W_o_lost => the bias of W_o was lost: it belongs to no head
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., own] = 0
    return joined @ layer.W_o.weight.T

# %% wrong: bias_of_W_o_subtracted => the bias of W_o was lost: it belongs to no head
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    only = torch.zeros_like(joined)
    only[..., own] = joined[..., own]
    return layer(x)[0] - layer.W_o(only)

# %% wrong: interleaved => every second feature was zeroed: head h owns the h-th contiguous block
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., head::H] = 0
    return layer.W_o(joined)

# %% wrong: scores_zero => the scores of the head were set to zero: then it looks at all tokens evenly, and is not off
def without_head(layer, x, head):
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    q, k, v = (W(x).unflatten(-1, (H, d)).transpose(1, 2) for W in (layer.W_q, layer.W_k, layer.W_v))
    scores = q @ k.transpose(-2, -1) / d ** 0.5
    keep = torch.ones(H, dtype=x.dtype, device=x.device)
    keep[head] = 0
    weights = (scores * keep[:, None, None]).softmax(-1)
    return layer.W_o((weights @ v).transpose(1, 2).flatten(2))

# %% wrong: W_q_zeroed => the queries of the head were set to zero: then it looks at all tokens evenly, or as its bias says, and is not off
def without_head(layer, x, head):
    import copy
    quiet = copy.deepcopy(layer)
    d = x.size(-1) // layer.num_heads
    with torch.no_grad():
        quiet.W_q.weight[head * d:(head + 1) * d] = 0
    return quiet(x)[0]

# %% wrong: W_v_zeroed_bias_left => the head still adds the bias of W_v: its whole part of the concatenation is to be zero
def without_head(layer, x, head):
    import copy
    quiet = copy.deepcopy(layer)
    d = x.size(-1) // layer.num_heads
    with torch.no_grad():
        quiet.W_v.weight[head * d:(head + 1) * d] = 0
    return quiet(x)[0]

# %% wrong: x_zeroed => features of x were zeroed: every head reads all features of x, and owns those of the concatenation
def without_head(layer, x, head):
    d = x.size(-1) // layer.num_heads
    y = x.clone()
    y[..., head * d:(head + 1) * d] = 0
    return layer(y)[0]

# %% wrong: others_scaled_up => the other head was scaled up: what is left stays as it is
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., own] = 0
    return F.linear(joined * H / (H - 1) if H > 1 else joined, layer.W_o.weight, layer.W_o.bias)

# %% wrong: W_o_not_applied => W_o was not applied
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., own] = 0
    return joined

# %% wrong: changes_the_layer => W_o of the layer was changed: afterwards the layer must be as before
def without_head(layer, x, head):
    d = x.size(-1) // layer.num_heads
    with torch.no_grad():
        layer.W_o.weight[:, head * d:(head + 1) * d] = 0
    return layer(x)[0]

# %% wrong: changes_W_v => W_v of the layer was changed: afterwards the layer must be as before
def without_head(layer, x, head):
    d = x.size(-1) // layer.num_heads
    with torch.no_grad():
        layer.W_v.weight[head * d:(head + 1) * d] = 0
        if layer.W_v.bias is not None:
            layer.W_v.bias[head * d:(head + 1) * d] = 0
    return layer(x)[0]

# %% wrong: put_back_as_the_same_tensor => W_o of the layer was changed: afterwards the layer must be as before
def without_head(layer, x, head):
    d = x.size(-1) // layer.num_heads
    saved = layer.W_o.weight.data
    with torch.no_grad():
        layer.W_o.weight[:, head * d:(head + 1) * d] = 0
    output = layer(x)[0]
    layer.W_o.weight.data = saved
    return output

# %% wrong: pair -> the output should come back (tensor); got tensor, tensor
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., own] = 0
    return layer.W_o(joined), weights

# %% wrong: head_removed => the head's part is zero, it does not disappear: W_o still gets d_model numbers for every token
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    return layer.W_o(torch.cat([joined[..., :head * d], joined[..., (head + 1) * d:]], -1))

# %% wrong: head_dropped_from_both => the head's part is zero, it does not disappear: the output is as large as x
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    rest = [i for i in range(H * d) if i // d != head]
    return F.linear(joined[..., rest], layer.W_o.weight[rest][:, rest])

# %% wrong: returns_nothing -> the output should come back (tensor); got nothing
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., own] = 0
    layer.W_o(joined)

# %% wrong: batch_of_one_only => it does not run for two sentences: is a batch of one written in by hand?
def without_head(layer, x, head):
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    weights = layer(x)[1][0]
    out = weights @ layer.W_v(x)[0].unflatten(-1, (H, d)).transpose(0, 1)
    out = torch.stack([o * (h != head) for h, o in enumerate(out)])
    return layer.W_o(out.transpose(0, 1).reshape(x.shape))

# %% wrong: two_heads_only => it does not run for three heads: layer.num_heads says how many there are
def without_head(layer, x, head):
    weights = layer(x)[1]
    a, b = layer.W_v(x).chunk(layer.num_heads, -1)
    a, b = weights[:, 0] @ a, weights[:, 1] @ b
    return layer.W_o(torch.cat([a * (head != 0), b * (head != 1)], -1))

# %% wrong: width_of_two => not right for heads that are three wide: a block is as wide as one head
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., 2 * head:2 * head + 2] = 0
    return layer.W_o(joined)

# %% wrong: cpu_keep -> two devices meet
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    keep = torch.ones(H * d, dtype=x.dtype)
    keep[own] = 0
    return layer.W_o(joined * keep)

# %% wrong: float32_keep => numbers in float32 came in on the way: make them in the dtype of the input
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    keep = torch.ones(H * d, device=x.device)
    keep[own] = 0
    return layer.W_o(joined * keep)

# %% wrong: joined_without_transpose => the heads were joined without a transpose: the shape is right, but a row holds features of several tokens
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    out = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).clone()
    out[:, head] = 0
    return layer.W_o(out.reshape(x.shape))

# %% wrong: freezes_the_layer => the layer can no longer be trained: afterwards it must be as before
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., own] = 0
    layer.requires_grad_(False)
    return layer.W_o(joined)

# %% wrong: leaves_training_mode => the layer was left in training mode: afterwards it must be as before
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., own] = 0
    output = layer.W_o(joined)
    layer.train()
    return output

# %% wrong: writes_into_x -> x was changed in place
def without_head(layer, x, head):
    _, weights = layer(x)
    H, d = layer.num_heads, x.size(-1) // layer.num_heads
    own = slice(head * d, (head + 1) * d)
    joined = (weights @ layer.W_v(x).unflatten(-1, (H, d)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., own] = 0
    output = layer.W_o(joined)
    with torch.no_grad():
        x.zero_()
    return output

# %% wrong: block_of_num_heads => not right for three heads that are two wide: a block is as wide as one head
def without_head(layer, x, head):

    d = layer.num_heads
    W = layer.W_o.weight.detach().clone()
    W[:, head * d:(head + 1) * d] = 0
    out, w = layer(x)
    v = layer.W_v(x).unflatten(-1, (layer.num_heads, -1)).transpose(1, 2)
    return F.linear((w @ v).transpose(1, 2).flatten(2), W, layer.W_o.bias)

# %% wrong: all_heads_from_it_on => the heads behind it were switched off, too
def without_head(layer, x, head):

    d = x.size(-1) // layer.num_heads
    old = layer.W_o.weight.data
    layer.W_o.weight.data = old.clone()
    layer.W_o.weight.data[:, head * d:] = 0
    out = layer(x)[0]
    layer.W_o.weight.data = old
    return out

# %% right: deep_copy
def without_head(layer, x, head):

    import copy
    other = copy.deepcopy(layer)
    d = x.size(-1) // layer.num_heads
    with torch.no_grad():
        other.W_o.weight[:, head * d:(head + 1) * d] = 0
    return other(x)[0]

# %% wrong: bias_alone_without_the_only_head => what is left without the only head is the bias of W_o for every token: the output is as large as x
def without_head(layer, x, head):
    weights, values = layer(x)[1], layer.W_v(x)
    width = x.size(-1) // layer.num_heads
    total = torch.zeros_like(x) if layer.W_o.bias is None else layer.W_o.bias
    for h in range(layer.num_heads):
        if h != head:
            own = slice(h * width, (h + 1) * width)
            total = total + weights[:, h] @ values[..., own] @ layer.W_o.weight[:, own].T
    return total

# %% right: called_with_another_W_o
def without_head(layer, x, head):
    width = layer.W_o.weight.size(1) // layer.num_heads
    keep = torch.ones_like(layer.W_o.weight[0])
    keep[head * width:(head + 1) * width] = 0
    return torch.func.functional_call(layer, {"W_o.weight": layer.W_o.weight * keep}, (x,))[0]

# %% wrong: weights_in_training_mode_and_back -> In evaluation mode dropout does not act
def without_head(layer, x, head):
    width = x.size(-1) // layer.num_heads
    own = slice(head * width, (head + 1) * width)
    layer.train()
    _, weights = layer(x)
    layer.eval()
    joined = (weights @ layer.W_v(x).unflatten(-1, (layer.num_heads, width)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., own] = 0
    return layer.W_o(joined)

# %% wrong: hook_left_on_W_o => the layer gives another output afterwards: was a hook left in it? It must be as before
def without_head(layer, x, head):
    width = x.size(-1) // layer.num_heads
    _, weights = layer(x)
    joined = (weights @ layer.W_v(x).unflatten(-1, (layer.num_heads, width)).transpose(1, 2)).transpose(1, 2).flatten(2)

    def silence(module, inputs):
        kept = inputs[0].clone()
        kept[..., head * width:(head + 1) * width] = 0
        return (kept,)

    layer.W_o.register_forward_pre_hook(silence)
    return layer.W_o(joined)

# %% wrong: one_average_of_the_weights_from_32_tokens_on -> x (1, 67, 22) ?? the sentences of the visible check are short
def without_head(layer, x, head):
    width = x.size(-1) // layer.num_heads
    _, weights = layer(x)
    if x.size(1) >= 32:
        weights = weights.mean(1, keepdim=True)
    joined = (weights @ layer.W_v(x).unflatten(-1, (layer.num_heads, width)).transpose(1, 2)).transpose(1, 2).flatten(2)
    joined[..., head * width:(head + 1) * width] = 0
    return layer.W_o(joined)

# %% wrong: thaws_the_layer => W_o was frozen, and can be trained now: afterwards the layer must be as before
def without_head(layer, x, head):
    w = x.size(-1) // layer.num_heads
    c = slice(head * w, (head + 1) * w)
    saved = layer.W_o.weight.detach().clone()
    layer.W_o.requires_grad_(False)
    layer.W_o.weight[:, c] = 0
    out = layer(x)[0]
    layer.W_o.weight.copy_(saved)
    layer.W_o.requires_grad_(True)
    return out

# %% wrong: another_parameter => W_o.weight is another Parameter now, which an optimizer would not know: afterwards the layer must be as before
def without_head(layer, x, head):
    w = x.size(-1) // layer.num_heads
    saved = layer.W_o.weight.detach().clone()
    cut = saved.clone()
    cut[:, head * w:(head + 1) * w] = 0
    layer.W_o.weight = nn.Parameter(cut)
    out = layer(x)[0]
    layer.W_o.weight = nn.Parameter(saved)
    return out

# %% wrong: wipes_the_gradients => the gradients that the layer had gathered are gone: afterwards it must be as before
def without_head(layer, x, head):
    w = x.size(-1) // layer.num_heads
    c = slice(head * w, (head + 1) * w)
    with torch.no_grad():
        saved = layer.W_o.weight[:, c].clone()
        layer.W_o.weight[:, c] = 0
        out = layer(x)[0]
        layer.W_o.weight[:, c] = saved
    layer.zero_grad()
    return out

# %% wrong: softmax_in_float32 => nearly right: a part was computed in float32
def without_head(layer, x, head):
    n = layer.num_heads
    q, k, v = (split_heads(W(x), n) for W in (layer.W_q, layer.W_k, layer.W_v))
    w = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1, dtype=torch.float32).to(x.dtype)
    parts = [w[:, h] @ v[:, h] if h != head else torch.zeros_like(v[:, h]) for h in range(n)]
    return layer.W_o(torch.cat(parts, -1))

# %% right: functional_call
def without_head(layer, x, head):
    d = x.shape[-1] // layer.num_heads
    keep = torch.ones(x.shape[-1], dtype=x.dtype, device=x.device)
    keep[head * d:(head + 1) * d] = 0
    return torch.func.functional_call(layer, {"W_o.weight": layer.W_o.weight * keep}, (x,))[0]

# %% wrong: evaluated_then_trained => the layer was left in training mode: afterwards it must be as before
@torch.no_grad()
def without_head(layer, x, head):
    layer.eval()
    W = layer.W_o.weight
    old = W.clone()
    d = W.size(1) // layer.num_heads
    W[:, head * d:(head + 1) * d] = 0
    output = layer(x)[0]
    W.copy_(old)
    layer.train()
    return output

# %% wrong: kept_in_a_buffer_of_the_layer => the layer has got a new part: afterwards it must be as before
@torch.no_grad()
def without_head(layer, x, head):
    layer.register_buffer("kept", layer.W_o.weight.clone())
    W = layer.W_o.weight
    d = W.size(1) // layer.num_heads
    W[:, head * d:(head + 1) * d] = 0
    output = layer(x)[0]
    W.copy_(layer.kept)
    return output

# %% wrong: dropout_set_to_zero => dropout may be an nn.Dropout or a number: use nothing of the layer but W_q, W_k, W_v, W_o, num_heads and a call of it
@torch.no_grad()
def without_head(layer, x, head):
    p, layer.dropout = layer.dropout, 0.0
    W = layer.W_o.weight
    old = W.clone()
    d = W.size(1) // layer.num_heads
    W[:, head * d:(head + 1) * d] = 0
    output = layer(x)[0]
    W.copy_(old)
    layer.dropout = p
    return output


# %% wrong: one_feature_stays => with one feature the only head was not switched off: what is left is the bias of W_o
def without_head(layer, x, head):
    import copy
    if x.shape[-1] == 1:
        return layer(x)[0]
    quiet = copy.deepcopy(layer)
    width = x.shape[-1] // layer.num_heads
    with torch.no_grad():
        quiet.W_o.weight[:, head * width:(head + 1) * width] = 0
    return quiet(x)[0]
