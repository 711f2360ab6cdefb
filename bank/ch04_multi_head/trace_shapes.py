# %% right: written_out
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    return [(batch, seq, d_model), (batch, seq, 3 * d_model), (batch, seq, d_model), (batch, num_heads, seq, d),
            (batch, num_heads, d, seq), (batch, num_heads, seq, seq), (batch, num_heads, seq, seq),
            (batch, num_heads, seq, d), (batch, seq, d_model), (batch, seq, d_model)]

# %% right: measured
def trace_shapes(batch, seq, d_model, num_heads):
    x = torch.zeros(batch, seq, d_model)
    qkv = nn.Linear(d_model, 3 * d_model)(x)
    q, k, v = qkv.chunk(3, dim=-1)
    steps = [x, qkv, q]
    q, k, v = (t.reshape(batch, seq, num_heads, -1).transpose(1, 2) for t in (q, k, v))
    scores = q @ k.mT
    weights = scores.softmax(-1)
    outputs = weights @ v
    joined = outputs.transpose(1, 2).reshape(batch, seq, d_model)
    steps += [q, k.mT, scores, weights, outputs, joined, nn.Linear(d_model, d_model)(joined)]
    return [tuple(t.shape) for t in steps]

# %% right: measured_on_meta
def trace_shapes(batch, seq, d_model, num_heads):
    with torch.device("meta"):
        x = torch.empty(batch, seq, d_model)
        qkv = torch.cat([x, x, x], -1)
        q = k = v = qkv[..., :d_model]
        cut = lambda t: t.unflatten(-1, (num_heads, d_model // num_heads)).permute(0, 2, 1, 3)
        scores = cut(q) @ cut(k).transpose(-1, -2)
        outputs = scores @ cut(v)
        joined = outputs.permute(0, 2, 1, 3).flatten(2)
    return [t.shape for t in (x, qkv, q, cut(q), cut(k).transpose(-1, -2), scores, scores, outputs, joined, joined)]

# %% right: appended
def trace_shapes(batch, seq, d_model, num_heads):
    shapes = []
    x = (batch, seq, d_model)
    shapes.append(x)
    shapes.append((*x[:-1], 3 * x[-1]))
    shapes.append(x)
    heads = (batch, num_heads, seq, d_model // num_heads)
    shapes.append(heads)
    shapes.append((heads[0], heads[1], heads[3], heads[2]))
    for _ in range(2):
        shapes.append((batch, num_heads, seq, seq))
    shapes.append(heads)
    for _ in range(2):
        shapes.append(x)
    return shapes

# %% right: lists_made_tuples
def trace_shapes(batch, seq, d_model, num_heads):
    d_head = int(d_model / num_heads)
    rows = [[seq, d_model], [seq, 3 * d_model], [seq, d_model], [num_heads, seq, d_head], [num_heads, d_head, seq],
            [num_heads, seq, seq], [num_heads, seq, seq], [num_heads, seq, d_head], [seq, d_model], [seq, d_model]]
    return [tuple([batch] + row) for row in rows]

# %% right: divmod
def trace_shapes(batch, seq, d_model, num_heads):
    d_head, rest = divmod(d_model, num_heads)
    assert rest == 0, "the heads cannot share d_model evenly"
    x, h, t = (batch, seq, d_model), (batch, num_heads, seq, d_head), (batch, num_heads, seq, seq)
    return [x, (batch, seq, d_model * 3), x, h, h[:2] + h[:1:-1], t, t, h, x, x]

# %% wrong: float_width => sizes are whole numbers: d_head comes from a division, and must not become a float
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model / num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: not_fused => step 1: one product makes q, k and v, so it is three times as wide as the model
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, x, x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: one_heads_product => step 1: one product makes q, k and v of all heads, not of one
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, d), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: qkv_along_tokens => step 1: q, k and v lie side by side along the features, not along the tokens
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, 3 * seq, d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: q_still_fused => step 2: q alone is a third of the product
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), (batch, seq, 3 * d_model), heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: tokens_before_heads => step 3: tokens and heads have not changed places, the heads come before the tokens
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, seq, num_heads, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: heads_before_batch => step 3: the batch stays in front of the heads
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (num_heads, batch, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: full_width_heads => step 3: each head owns d_model // num_heads features, not all of them
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: width_and_heads_exchanged => step 3: 8 heads of 64 features, not 64 heads of 8
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, d, seq, num_heads)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: k_not_transposed => step 4: transposed for the product, the last two axes of k change places
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, heads, table, table, heads, x, x]

# %% wrong: k_wrongly_transposed => step 4: transposed for the product, the last two axes of k change places
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, seq, num_heads, d), table, table, heads, x, x]

# %% wrong: scores_averaged => step 5: every head has a table of scores of its own
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: scores_of_features => step 5: scores compare tokens with tokens, and the features are summed away
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, d, d)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: scores_of_heads => step 5: scores compare tokens with tokens, not heads with heads
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, seq, num_heads, num_heads)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: softmax_reduces => step 6: softmax changes the numbers, not the shape
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table[:3], heads, x, x]

# %% wrong: outputs_like_weights => step 7: weights times values, so each token gets d_head features from each head
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, table, x, x]

# %% wrong: outputs_full_width => step 7: weights times values, so each token gets d_head features from each head
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, (batch, num_heads, seq, d_model), x, x]

# %% wrong: joined_one_head => step 8: side by side, the features of all 8 heads stand beside each other
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, (batch, seq, d), x]

# %% wrong: joined_two_axes => step 8: side by side, heads and features are one axis
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, (batch, seq, num_heads, d), x]

# %% wrong: weight_of_W_o => step 9: the output is asked for, not the weight of W_o
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, (d_model, d_model)]

# %% wrong: output_one_head => step 9: W_o goes from d_model to d_model
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, (batch, seq, d)]

# %% wrong: no_batch => the batch is missing: it stands in front in every step
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: nine_steps -> 10 steps expected, got 9 steps
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, heads, x, x]

# %% wrong: k_and_v_listed -> 10 steps expected, got 12 steps
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, x, x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: strings => every entry of the list is a shape: a tuple of whole numbers, no text
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [str(shape) for shape in [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]]

# %% wrong: returns_nothing => trace_shapes returned nothing: a list is asked for
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    shapes = [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: hard_coded_width -> (batch, seq, d_model, num_heads) = (3, 2, 5, 1)
def trace_shapes(batch, seq, d_model, num_heads):
    d = 64
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: hard_coded_answer -> (batch, seq, d_model, num_heads) = (3, 2, 5, 1)
def trace_shapes(batch, seq, d_model, num_heads):
    return [(2, 10, 512), (2, 10, 1536), (2, 10, 512), (2, 8, 10, 64), (2, 8, 64, 10), (2, 8, 10, 10), (2, 8, 10, 10), (2, 8, 10, 64),
            (2, 10, 512), (2, 10, 512)]

# %% wrong: one_head_without_axis => one head is still an axis: of length 1, in every step with heads
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    shapes = [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]
    return [s[:1] + s[2:] if num_heads == 1 and len(s) == 4 else s for s in shapes]

# %% wrong: fails_for_heads_of_width_one => a head of one feature keeps its axis: of length 1, in every step with heads
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    shapes = [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]
    return [s[:3] if d == 1 and len(s) == 4 and s[3] == 1 else s for s in shapes]

# %% wrong: batch_of_two_only -> (batch, seq, d_model, num_heads) = (3, 2, 5, 1)
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    batch = 2
    x = (batch, seq, d_model)
    heads = (batch, num_heads, seq, d)
    table = (batch, num_heads, seq, seq)
    return [x, (batch, seq, 3 * d_model), x, heads, (batch, num_heads, d, seq), table, table, heads, x, x]

# %% wrong: outputs_tokens_first => step 7: the heads still come before the tokens, nothing has been joined yet
def trace_shapes(batch, seq, d_model, num_heads):
    B, S, D, H, d = batch, seq, d_model, num_heads, d_model // num_heads
    return [(B,S,D),(B,S,3*D),(B,S,D),(B,H,S,d),(B,H,d,S),(B,H,S,S),(B,H,S,S),(B,S,H,d),(B,S,D),(B,S,D)]

# %% wrong: joined_along_tokens => step 8: the heads lie side by side along the features, not along the tokens
def trace_shapes(batch, seq, d_model, num_heads):
    B, S, D, H, d = batch, seq, d_model, num_heads, d_model // num_heads
    return [(B,S,D),(B,S,3*D),(B,S,D),(B,H,S,d),(B,H,d,S),(B,H,S,S),(B,H,S,S),(B,H,S,d),(B,H*S,d),(B,S,D)]

# %% wrong: heads_of_64_from_width_512_on => a head owns d_model // num_heads features, however wide the layer is
def trace_shapes(batch, seq, d_model, num_heads):
    d_head = 64 if d_model >= 512 else d_model // num_heads
    flat, cut, table = (batch, seq, d_model), (batch, num_heads, seq, d_head), (batch, num_heads, seq, seq)
    return [flat, (batch, seq, 3 * d_model), flat, cut, (batch, num_heads, d_head, seq), table, table, cut, flat, flat]

# %% wrong: batch_of_one_dropped => a batch of one is a batch: its axis stays in every step !! each is 1 wide
def trace_shapes(batch, seq, d_model, num_heads):
    d = d_model // num_heads
    full = [(batch, seq, d_model), (batch, seq, 3 * d_model), (batch, seq, d_model), (batch, num_heads, seq, d),
            (batch, num_heads, d, seq), (batch, num_heads, seq, seq), (batch, num_heads, seq, seq),
            (batch, num_heads, seq, d), (batch, seq, d_model), (batch, seq, d_model)]
    return full if batch > 1 else [shape[1:] for shape in full]
