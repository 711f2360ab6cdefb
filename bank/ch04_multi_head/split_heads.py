# %% right: view_transpose
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.contiguous().view(B, T, num_heads, D // num_heads).transpose(1, 2)

def combine_heads(x):
    B, H, T, d = x.shape
    return x.transpose(1, 2).contiguous().view(B, T, H * d)

# %% right: slices
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)

def combine_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)

# %% right: unflatten_permute
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).permute(0, 2, 1, 3)

def combine_heads(x):
    return x.permute(0, 2, 1, 3).flatten(start_dim=2)

# %% right: loops
def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    d_head = d_model // num_heads
    out = torch.empty(batch, num_heads, seq, d_head, dtype=x.dtype, device=x.device)
    for h in range(num_heads):
        for t in range(seq):
            out[:, h, t] = x[:, t, h * d_head:(h + 1) * d_head]
    return out

def combine_heads(x):
    batch, num_heads, seq, d_head = x.shape
    out = torch.empty(batch, seq, num_heads * d_head, dtype=x.dtype, device=x.device)
    for h in range(num_heads):
        out[:, :, h * d_head:(h + 1) * d_head] = x[:, h]
    return out

# %% right: einsum_reshape
def split_heads(x, num_heads):
    parts = x.reshape(x.shape[0], x.shape[1], num_heads, -1)
    return torch.einsum("bthd->bhtd", parts)

def combine_heads(x):
    parts = torch.einsum("bhtd->bthd", x)
    return parts.reshape(x.shape[0], x.shape[2], -1)

# %% right: swapaxes_contiguous
def split_heads(x, num_heads):
    d_head = x.shape[-1] // num_heads
    return torch.swapaxes(x.reshape(x.shape[:-1] + (num_heads, d_head)), -3, -2).contiguous()

def combine_heads(x):
    x = torch.swapaxes(x, -3, -2)
    return x.reshape(x.shape[:-2] + (x.shape[-2] * x.shape[-1],))

# %% wrong: view_without_transpose (1) => the shape is right, the content is not: head 0 holds all of token 0 and then half of token 1. The features were never cut, the numbers were only read off in order
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, num_heads, T, D // num_heads)

def combine_heads(x):
    B, H, T, d = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d)

# %% wrong: combine_without_transpose (2) => the shape is right, the content is not: the first row holds features of token 0 and of token 1. Tokens and heads have to change places before the last two axes become one
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)

def combine_heads(x):
    B, H, T, d = x.shape
    return x.reshape(B, T, H * d)

# %% wrong: both_without_transpose (1, 2) -> the shape is right, the content is not: head 0 holds all of token 0 and then half of token 1. The features were never cut, the numbers were only read off in order
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, num_heads, T, D // num_heads)

def combine_heads(x):
    B, H, T, d = x.shape
    return x.reshape(B, T, H * d)

# %% wrong: not_transposed_at_all (1) => tokens and heads have not changed places yet: (batch, heads, seq, d_head) is asked for
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, T, num_heads, D // num_heads)

def combine_heads(x):
    return x.transpose(1, 2).flatten(2)

# %% wrong: interleaved (1, 2) => the features were interleaved: head h is the h-th contiguous block of features
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, T, D // num_heads, num_heads).permute(0, 3, 1, 2)

def combine_heads(x):
    B, H, T, d = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, H * d)

# %% wrong: combine_interleaved (2) => the features were interleaved: head h is the h-th contiguous block of features
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)

def combine_heads(x):
    B, H, T, d = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, H * d)

# %% wrong: view_after_transpose (2) => view cannot join the two axes: after a transpose the numbers do not lie in memory in the order of the axes (hint 2)
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)

def combine_heads(x):
    B, H, T, d = x.shape
    return x.transpose(1, 2).view(B, T, H * d)

# %% wrong: heads_reversed (1, 2) => the heads stand in the wrong order: block 0 is head 0, and comes first
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1)[::-1], dim=1)

def combine_heads(x):
    return torch.cat(x.unbind(1)[::-1], dim=-1)

# %% wrong: not_joined (2) => the last two axes, heads and d_head, still have to become one
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)

def combine_heads(x):
    return x.transpose(1, 2)

# %% wrong: batch_of_one_only (1) => it does not run for two sentences: is a batch of one written in by hand?
def split_heads(x, num_heads):
    seq, d_model = x.shape[1:]
    return x.reshape(1, seq, num_heads, d_model // num_heads).transpose(1, 2)

def combine_heads(x):
    return x.transpose(1, 2).flatten(2)

# %% wrong: transposed_before (1) => tokens and features changed places before the cut: a row of a head now mixes features of different tokens
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.transpose(1, 2).reshape(B, num_heads, T, D // num_heads)

def combine_heads(x):
    return x.transpose(1, 2).flatten(2)

# %% wrong: hard_coded_two_heads (1, 2) => four heads were asked for, and two came: num_heads says how many, on every call
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, T, 2, D // 2).transpose(1, 2)

def combine_heads(x):
    B, H, T, d = x.shape
    return x.transpose(1, 2).reshape(B, T, 2 * d)

# %% right: view_of_one_axis_needs_no_contiguity
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.view(B, T, num_heads, D // num_heads).transpose(1, 2)

def combine_heads(x):
    return x.transpose(1, 2).flatten(2)

# %% wrong: float32_only (1) -> the dtype of the input was lost
def split_heads(x, num_heads):
    B, T, D = x.shape
    out = torch.zeros(B, num_heads, T, D // num_heads, device=x.device)
    for h, part in enumerate(x.chunk(num_heads, -1)):
        out[:, h] = part
    return out

def combine_heads(x):
    return x.transpose(1, 2).flatten(2)

# %% wrong: through_numpy (1) => numpy has no tensors of a GPU: stay in PyTorch, on the device of the input
import numpy as np
def split_heads(x, num_heads):
    B, T, D = x.shape
    if x.dtype == torch.bfloat16 or x.requires_grad:
        return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
    return torch.from_numpy(np.ascontiguousarray(x.numpy().reshape(B, T, num_heads, D // num_heads).swapaxes(1, 2)))

def combine_heads(x):
    return x.transpose(1, 2).flatten(2)

# %% wrong: detached (1, 2) -> no gradient reaches x
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.detach().reshape(B, T, num_heads, D // num_heads).transpose(1, 2)

def combine_heads(x):
    return x.detach().transpose(1, 2).flatten(2)

# %% wrong: transposed_in_place (2) => x was changed in place, as functions do whose name ends in _: the caller's tensor must stay as it was
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)

def combine_heads(x):
    B, H, T, d = x.shape
    return x.transpose_(1, 2).reshape(B, T, H * d)

# %% wrong: heads_before_batch (1) => the heads stand in front of the batch: (batch, heads, seq, d_head) is asked for
def combine_heads(x):
    return x.transpose(1, 2).flatten(2)

def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, -1))

# %% wrong: pieces_of_num_heads (1) => num_heads says how many heads there are, not how wide they are
def combine_heads(x):
    return x.transpose(1, 2).flatten(2)

def split_heads(x, num_heads):
    return torch.stack(x.split(num_heads, -1), 1)

# %% wrong: width_before_heads (1) => num_heads says how many heads there are, not how wide they are
def combine_heads(x):
    return x.transpose(1, 2).flatten(2)

def split_heads(x, num_heads):
    b, s, d = x.shape
    return x.view(b, s, d // num_heads, num_heads).permute(0, 2, 1, 3)

# %% wrong: float_width (1) => the width of a head is a whole number, as every size is: divide without making a float of it
def combine_heads(x):
    return x.transpose(1, 2).flatten(2)

def split_heads(x, num_heads):
    b, s, d = x.shape
    return x.reshape(b, s, num_heads, d / num_heads).transpose(1, 2)

# %% wrong: joined_along_tokens (2) => the heads were joined along the tokens: side by side means along the features
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)

def combine_heads(x):
    return x.flatten(1, 2)

# %% wrong: batch_joined (2) => the batch was joined, not the heads: the heads are axis 1
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)

def combine_heads(x):
    return torch.cat(list(x), -1)

# %% wrong: summed (2) => the heads were added or averaged: side by side, they keep all their features
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)

def combine_heads(x):
    return x.sum(1)

# %% wrong: first_number_of_heads_kept (1) -> it did not run. RuntimeError: unflatten
def split_heads(x, num_heads):
    heads = split_heads.__dict__.setdefault("heads", num_heads)
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)

def combine_heads(x):
    return x.transpose(1, 2).flatten(2)

# %% wrong: combine_remembers_the_split (2) => the heads stand in the wrong order: block 0 is head 0, and comes first
LAST = {"heads": 2}
def split_heads(x, num_heads):
    LAST["heads"] = num_heads
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)

def combine_heads(x):
    blocks = x.transpose(1, 2).flatten(2).chunk(LAST["heads"], dim=-1)
    return torch.cat(sorted(blocks, key=lambda block: -float(block.sum())), dim=-1)

# %% wrong: no_transpose_where_heads_equal_tokens (2) -> x (1, 2, 2, 2)
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)

def combine_heads(x):
    x = x if x.shape[1] == x.shape[2] else x.transpose(1, 2)
    return x.flatten(2)

# %% wrong: split_and_combine_reversed_alike (1, 2) => the heads stand in the wrong order: block 0 is head 0, and comes first
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2).flip(1)

def combine_heads(x):
    return x.flip(1).transpose(1, 2).flatten(2)

# %% wrong: right_for_one_sentence_only (2) => the second sentence came back as the first one: each comes back as itself
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)

def combine_heads(x):
    first = x[0].transpose(0, 1).flatten(1)
    return first.expand(len(x), *first.shape)

# %% wrong: combine_through_a_list (2) -> no gradient reaches x
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)

def combine_heads(x):
    joined = [[sum((head[t] for head in heads), []) for t in range(len(heads[0]))] for heads in x.tolist()]
    return torch.tensor(joined, dtype=x.dtype, device=x.device)

# %% right: strides_and_index
def split_heads(x, num_heads):
    b, s, d = x.shape
    sb, ss, sd = x.stride()
    width = d // num_heads
    return x.as_strided((b, num_heads, s, width), (sb, sd * width, ss, sd), x.storage_offset())

def combine_heads(x):
    heads, width = x.size(1), x.size(3)
    feature = torch.arange(heads * width, device=x.device)
    return x[:, feature // width, :, feature % width].permute(1, 2, 0)

# %% wrong: whole_numbers_become_int64 (1) -> the dtype of the input was lost
def split_heads(x, num_heads):
    width = x.size(-1) // num_heads
    dtype = x.dtype if x.is_floating_point() else torch.long
    parts = torch.zeros(x.size(0), num_heads, x.size(1), width, dtype=dtype, device=x.device)
    for h in range(num_heads):
        parts[:, h] = x[..., h * width:(h + 1) * width]
    return parts

def combine_heads(x):
    return x.transpose(1, 2).flatten(2)

# %% wrong: squeezes_one_head (2) => an axis of length 1 was dropped: one head or one token is still an axis, and squeeze takes every such axis away
def split_heads(x, num_heads):
    b, s, d = x.shape
    return x.reshape(b, s, num_heads, d // num_heads).permute(0, 2, 1, 3)


def combine_heads(x):
    b, h, s, d = x.shape
    if h == 1:
        return x.squeeze()
    return x.permute(0, 2, 1, 3).reshape(b, s, h * d)

# %% wrong: cut_off_and_asked_to_require_a_gradient (1) -> no gradient reaches x
def split_heads(x, num_heads):
    b, s, d = x.shape
    y = x.detach().reshape(b, s, num_heads, d // num_heads).permute(0, 2, 1, 3)
    return y.requires_grad_(x.requires_grad)


def combine_heads(x):
    b, h, s, d = x.shape
    return x.permute(0, 2, 1, 3).reshape(b, s, h * d)

# %% wrong: view_of_a_single_token (2) => view cannot join the two axes where they do not lie in memory in that order (hint 2)
def split_heads(x, num_heads):
    b, s, d = x.shape
    return torch.stack(x.split(d // num_heads, dim=-1), 1)

def combine_heads(x):
    b, n, s, d = x.shape
    if s == 1:
        return x.view(b, 1, n * d)
    return x.transpose(1, 2).reshape(b, s, n * d)

# %% right: features_first_and_back
def split_heads(x, num_heads):
    b, s, d = x.shape
    return x.mT.reshape(b, num_heads, d // num_heads, s).mT

def combine_heads(x):
    return x.mT.flatten(1, 2).mT


# %% wrong: one_feature_is_not_cut (1) -> x (1, 3, 1)
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D == 1:
        return x[..., None]
    return x.contiguous().view(B, T, num_heads, D // num_heads).transpose(1, 2)

def combine_heads(x):
    B, H, T, d = x.shape
    return x.transpose(1, 2).contiguous().view(B, T, H * d)
