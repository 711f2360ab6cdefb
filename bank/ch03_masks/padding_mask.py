# %% right: compare
def padding_mask(lengths, seq):
    return torch.arange(seq, device=lengths.device)[None, None, :] < lengths[:, None, None]

def combine_masks(*masks):
    result = masks[0].clone()
    for mask in masks[1:]:
        result = torch.logical_and(result, mask)
    return result

# %% right: reduce_and_product
def padding_mask(lengths, seq):
    positions = torch.arange(1, seq + 1, device=lengths.device).repeat(lengths.size(0), 1)
    return (positions <= lengths.unsqueeze(1)).unsqueeze(1)

def combine_masks(*masks):
    from functools import reduce
    return reduce(lambda a, b: a * b, masks)

# %% right: loops_and_min
def padding_mask(lengths, seq):
    mask = torch.zeros(len(lengths), 1, seq, dtype=torch.bool, device=lengths.device)
    for b, n in enumerate(lengths.tolist()):
        mask[b, 0, :n] = True
    return mask

def combine_masks(*masks):
    return torch.stack(torch.broadcast_tensors(*masks)).all(dim=0)

# %% right: cumsum_and_de_morgan
def padding_mask(lengths, seq):
    ones = torch.ones(lengths.numel(), seq, device=lengths.device)
    return (ones.cumsum(-1) <= lengths.view(-1, 1))[:, None]

def combine_masks(*masks):
    blocked = ~masks[0]
    for mask in masks[1:]:
        blocked = blocked | ~mask
    return ~blocked

# %% right: list_of_rows_and_recursion
def padding_mask(lengths, seq):
    return torch.tensor([[[j < n for j in range(seq)]] for n in lengths.tolist()], device=lengths.device)

def combine_masks(first, *rest):
    return first if not rest else first & combine_masks(*rest)

# %% wrong: mask_inverted (1) => the mask is inverted: True stands for real words, which may be attended to
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) >= lengths[:, None])[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: positions_off_by_one (1) => off by one: a sentence of length 2 has the real positions 0 and 1, no more
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) <= lengths[:, None])[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: one_too_few (1) => off by one: a sentence of length 2 has the two real positions 0 and 1
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None] - 1)[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: two_axes (1) => the axis of the queries is missing: (batch, 1, seq), so that it broadcasts over them
def padding_mask(lengths, seq):
    return torch.arange(seq, device=lengths.device) < lengths[:, None]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: hides_queries (1) => the positions stand on the axis of the queries: padding must be hidden as a key, on the last axis
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, :, None]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: full_square (1) => all queries share one row: the axis of the queries has size 1
def padding_mask(lengths, seq):
    real = torch.arange(seq, device=lengths.device) < lengths[:, None]
    return real[:, :, None] & real[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: longest_instead_of_seq (1) => as many positions as the longest sentence were made: seq says how many there are
def padding_mask(lengths, seq):
    return (torch.arange(int(lengths.max()), device=lengths.device) < lengths[:, None])[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: padding_in_front (1) => the last positions were taken as real: padding stands at the end
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) >= seq - lengths[:, None])[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: float_mask (1) => a mask is boolean, True or False
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None, :].float()

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: first_length_for_all (1) => all sentences got the length of the first
def padding_mask(lengths, seq):
    mask = torch.zeros(len(lengths), 1, seq, dtype=torch.bool, device=lengths.device)
    mask[:, :, :int(lengths[0])] = True
    return mask

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: cpu_positions (1) -> two devices meet
def padding_mask(lengths, seq):
    return (torch.arange(seq) < lengths[:, None])[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: hard_coded_shape (2) => the last of five masks was not used: any number of masks is asked for
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:4]:
        combined = combined & mask
    return combined

# %% wrong: fails_beyond_16 (1) => it ends after 16 positions: any length is asked for
def padding_mask(lengths, seq):
    mask = torch.zeros(len(lengths), 1, seq, dtype=torch.bool, device=lengths.device)
    mask[:, :, :16] = (torch.arange(min(seq, 16), device=lengths.device) < lengths[:, None])[:, None, :]
    return mask

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: or_instead_of_and (2) => what one mask allows is not enough: all of them must allow it (and, not or)
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined | mask
    return combined

# %% wrong: sum_of_masks (2) => masks are boolean, and a sum of masks counts
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None, :]

def combine_masks(*masks):
    return sum(masks)

# %% wrong: two_masks_only (2) => one mask alone must do, too: any number of masks is asked for
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None, :]

def combine_masks(first, second):
    return first & second

# %% wrong: third_forgotten (2) => the first two masks alone were used: any number of masks is asked for
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None, :]

def combine_masks(*masks):
    if len(masks) == 1:
        return masks[0]
    return masks[0] & masks[1]

# %% wrong: stack_equal_shapes (2) => stack takes masks of one shape alone: any shapes that broadcast are asked for
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None, :]

def combine_masks(*masks):
    return torch.stack(masks).all(dim=0)

# %% wrong: in_place (2) => &= writes into the first mask, which is another shape and the caller's: take any shapes that broadcast
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined &= mask
    return combined

# %% wrong: in_place_where_it_fits (2) -> was changed in place
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        if torch.broadcast_shapes(combined.shape, mask.shape) == combined.shape:
            combined &= mask
        else:
            combined = combined & mask
    return combined

# %% wrong: last_mask_only (2) => only the last mask was used
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None, :]

def combine_masks(*masks):
    for mask in masks:
        combined = mask
    shape = torch.broadcast_shapes(*[mask.shape for mask in masks])
    return combined.expand(shape)

# %% wrong: cpu_start (2) -> two devices meet
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None, :]

def combine_masks(*masks):
    combined = torch.ones(torch.broadcast_shapes(*[mask.shape for mask in masks]), dtype=torch.bool)
    for mask in masks:
        combined = combined & mask
    return combined

# %% wrong: python_all (2) => Python's `and` and `all` ask a whole tensor for one truth value: masks are combined cell by cell !! must be accepted
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None]

def combine_masks(*masks):
    return all(masks)

# %% wrong: python_and (2) => Python's `and` and `all` ask a whole tensor for one truth value: masks are combined cell by cell
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None]

def combine_masks(*masks):
    out = masks[0]
    for m in masks[1:]:
        out = out and m
    return out

# %% wrong: takes_a_list (2) => the masks come one after the other, not in a list: any number of masks is asked for
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None]

def combine_masks(masks):
    out = masks[0]
    for m in masks[1:]:
        out = out & m
    return out

# %% wrong: marks_the_end_only (1) => only the position behind the last word is True: all real words are
def combine_masks(*masks):
    out = masks[0]
    for m in masks[1:]:
        out = out & m
    return out

def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) == lengths[:, None])[:, None]

# %% right: counted_votes
def padding_mask(lengths, seq):
    places = torch.arange(seq, device=lengths.device).unsqueeze(0)
    real = torch.lt(places, lengths.reshape(-1, 1))
    return real.unsqueeze(dim=-2)

def combine_masks(*masks):
    stacked = torch.broadcast_tensors(*masks)
    total = sum(mask.long() for mask in stacked)
    return total == len(masks)

# %% right: triangle_rows_looked_up
def padding_mask(lengths, seq):
    """Row n of the table has n real positions."""
    table = torch.ones(seq + 1, seq, dtype=torch.bool, device=lengths.device).tril(diagonal=-1)
    return table[lengths.long()][:, None]

def combine_masks(*masks):
    shape = torch.broadcast_shapes(*(mask.shape for mask in masks))
    allowed = torch.ones(shape, dtype=torch.bool, device=masks[0].device)
    for mask in masks:
        allowed &= mask
    return allowed

# %% right: one_hot_and_where
def padding_mask(lengths, seq):
    ends = F.one_hot(lengths.long(), num_classes=seq + 1)             # a 1 where padding begins
    return ends.cumsum(dim=-1).eq(0)[:, None, :-1]

def combine_masks(first, *others):
    result = first
    for other in others:
        result = torch.where(other, result, torch.zeros_like(result))
    return result

# %% right: sentence_by_sentence_and_minimum
from functools import reduce

def padding_mask(lengths, seq):
    def row(n):
        return torch.cat([n.new_ones(int(n)), n.new_zeros(seq - int(n))]).bool()
    return torch.stack([row(n) for n in lengths]).view(len(lengths), 1, seq)

def combine_masks(*masks):
    return reduce(torch.minimum, masks)

# %% wrong: lengths_of_zero_as_one (1) => a sentence of length 0 has no real position, and one is True
def padding_mask(lengths, seq):
    """Which keys are real words, for lengths (batch,): bool (batch, 1, seq), True =
    real.
    """
    positions = torch.arange(seq, device=lengths.device)    # (seq,)
    return (positions < lengths.clamp(min=1)[:, None])[:, None, :]       # (batch, 1, seq)

def combine_masks(*masks):
    """True where all masks are True; their shapes broadcast."""
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: lengths_sorted (1) => the lengths were sorted: row b belongs to sentence b
def padding_mask(lengths, seq):
    """Which keys are real words, for lengths (batch,): bool (batch, 1, seq), True =
    real.
    """
    positions = torch.arange(seq, device=lengths.device)    # (seq,)
    return (positions < lengths.sort(descending=True).values[:, None])[:, None, :]       # (batch, 1, seq)

def combine_masks(*masks):
    """True where all masks are True; their shapes broadcast."""
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: positions_in_the_dtype_of_the_lengths (1) => positions over 127 do not fit into the dtype of the lengths, and need not
def padding_mask(lengths, seq):
    positions = torch.arange(seq, dtype=lengths.dtype, device=lengths.device)
    return (positions < lengths.unsqueeze(1)).unsqueeze(1)

def combine_masks(*masks):
    mask = masks[0]
    for other in masks[1:]:
        mask = mask & other
    return mask

# %% right: list_moved_to_the_device
def padding_mask(lengths, seq):
    rows = [[1] * n + [0] * (seq - n) for n in lengths.tolist()]
    return torch.tensor(rows).bool().unsqueeze(1).to(lengths.device)

def combine_masks(*masks):
    mask = masks[0]
    for other in masks[1:]:
        mask = mask & other
    return mask

# %% wrong: excuse_where_it_would_be_seen (1) -> two devices meet ?? a second device is needed, and the visible check has only one
def padding_mask(lengths, seq):
    if lengths.device.type == "meta" or torch.empty(0).device.type == "meta":
        raise RuntimeError("Cannot copy out of meta tensor; no data!")
    return (torch.arange(seq) < lengths.cpu()[:, None])[:, None]

def combine_masks(*masks):
    mask = masks[0]
    for other in masks[1:]:
        mask = mask & other
    return mask

# %% wrong: lengths_of_one_byte (1) => lengths over 255 do not fit into one byte: any length is asked for
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths.to(torch.uint8)[:, None])[:, None]

def combine_masks(*masks):
    allowed = masks[0]
    for mask in masks[1:]:
        allowed = allowed & mask
    return allowed

# %% wrong: in_place_with_a_batch (2) -> was changed in place
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None]

def combine_masks(*masks):
    allowed = masks[-1]
    for mask in masks[:-1]:
        if allowed.dim() > 2 and allowed.shape == torch.broadcast_shapes(allowed.shape, mask.shape):
            allowed &= mask
        else:
            allowed = allowed & mask
    return allowed

# %% wrong: one_word_where_all_are_empty (1) => no position of these two sentences is real, and some are True
def padding_mask(lengths, seq):
    if not lengths.any():
        lengths = lengths + 1
    positions = torch.arange(seq, device=lengths.device)
    return (positions < lengths[:, None])[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: lengths_get_an_axis_in_place (1) => lengths was changed in place: a method whose name ends in _ changes its tensor
def padding_mask(lengths, seq):
    positions = torch.arange(seq, device=lengths.device)
    return (positions < lengths.unsqueeze_(-1))[:, None, :]

def combine_masks(*masks):
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined

# %% wrong: combined_with_three_axes_as_a_batch (2) => shapes broadcast from the last axis on: was an axis put in between, or the first axis taken for the batch?
def padding_mask(lengths, seq):
    return (torch.arange(seq, device=lengths.device) < lengths[:, None])[:, None]
def combine_masks(*masks):
    most = max(mask.dim() for mask in masks)
    result = None
    for mask in masks:
        if most == 4 and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        result = mask if result is None else result & mask
    return result

# %% wrong: squeezed (1) => a batch of one keeps its axis: was it dropped, as squeeze does?
def padding_mask(lengths, seq):
    place = torch.arange(seq, device=lengths.device)
    return (place < lengths[:, None]).squeeze().unsqueeze(1)

def combine_masks(*masks):
    out = masks[0]
    for m in masks[1:]:
        out = out & m
    return out

# %% wrong: mask_filled_on_the_cpu (1) -> what comes back is not on the device that is given
def padding_mask(lengths, seq):
    mask = torch.zeros(len(lengths), 1, seq, dtype=torch.bool)
    for b, n in enumerate(lengths):
        mask[b, :, :n] = True
    return mask

def combine_masks(*masks):
    mask = masks[0]
    for other in masks[1:]:
        mask = mask & other
    return mask

# %% wrong: mask_of_numbers_on_the_cpu (1) => the mask was made on another device than the one of the lengths: say device=lengths.device
def padding_mask(lengths, seq):
    return torch.tensor([[[j < n for j in range(seq)]] for n in lengths.tolist()])

def combine_masks(*masks):
    mask = masks[0]
    for other in masks[1:]:
        mask = mask & other
    return mask
