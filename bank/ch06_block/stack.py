# %% right: loop
def stack(blocks, x, mask=None):
    result = []
    for block in blocks:
        x = block(x, mask)[0]
        result.append(x)
    return result

# %% right: last_entry
def stack(blocks, x, mask=None):
    states = [x]
    for block in blocks:
        out, weights = block(states[-1], mask=mask)
        states.append(out)
    return states[1:]

# %% right: recursion
def stack(blocks, x, mask=None):
    if len(blocks) == 0:
        return []
    y = blocks[0](x, mask=mask)[0]
    return [y] + stack(blocks[1:], y, mask)

# %% right: accumulate
from itertools import accumulate

def stack(blocks, x, mask=None):
    return list(accumulate(blocks, lambda h, block: block(h, mask=mask)[0], initial=x))[1:]

# %% right: filled_by_index
def stack(blocks, x, mask=None):
    states = [None] * len(blocks)
    for i, block in enumerate(blocks):
        states[i], _ = block(x if i == 0 else states[i - 1], mask)
    return states

# %% wrong: with_the_input => the input is not part of the list
def stack(blocks, x, mask=None):
    states = [x]
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.append(x)
    return states

# %% wrong: input_in_place_of_the_output => the list begins with the input: take what a block gives, not what it reads
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        states.append(x)
        x, _ = block(x, mask=mask)
    return states

# %% wrong: only_the_last => a list is asked for, an entry for each block: the last tensor alone came
def stack(blocks, x, mask=None):
    for block in blocks:
        x, _ = block(x, mask=mask)
    return x

# %% wrong: list_of_the_last => one entry for each block: only what the last one gave came
def stack(blocks, x, mask=None):
    for block in blocks:
        x, _ = block(x, mask=mask)
    return [x]

# %% wrong: pairs => a block returns two things, the new x and the weights: only x is asked for
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        out = block(x, mask=mask)
        x = out[0]
        states.append(out)
    return states

# %% wrong: weights_in_place_of_x => these are the weights, which a block returns second: x is asked for
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, weights = block(x, mask=mask)
        states.append(weights)
    return states

# %% wrong: pair_into_the_next_block => a block returns two things, the new x and the weights: only x goes on
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x = block(x, mask=mask)
        states.append(x)
    return states

# %% wrong: not_chained => the second block read x: it must read what the first gave
def stack(blocks, x, mask=None):
    return [block(x, mask=mask)[0] for block in blocks]

# %% wrong: mask_forgotten => a block did not get the mask: every block gets it as it was given
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, _ = block(x)
        states.append(x)
    return states

# %% wrong: mask_for_the_first_only => a block did not get the mask: every block gets it as it was given
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask)
        mask = None
        states.append(x)
    return states

# %% wrong: mask_inverted => the mask was turned round: every block gets it as it was given
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, _ = block(x, mask=None if mask is None else ~mask)
        states.append(x)
    return states

# %% wrong: causal_without_being_asked => no mask was given, yet a block got one
def stack(blocks, x, mask=None):
    if mask is None:
        mask = torch.ones(x.size(-2), x.size(-2)).tril().bool()
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.append(x)
    return states

# %% wrong: turned_round => the order is turned round: the first block comes first
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.insert(0, x)
    return states

# %% wrong: same_tensor_again_and_again => the entries are one and the same tensor, written over by each block
def stack(blocks, x, mask=None):
    states, state = [], x.clone()
    for block in blocks:
        state.copy_(block(state, mask=mask)[0])
        states.append(state)
    return states

# %% wrong: in_place -> was changed in place
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x.copy_(block(x, mask=mask)[0])
        states.append(x.clone())
    return states

# %% wrong: residual_added_again => x was added once more: what a block gives is the entry
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x = x + block(x, mask=mask)[0]
        states.append(x)
    return states

# %% wrong: three_blocks_only => any number of blocks: only three were used
def stack(blocks, x, mask=None):
    states = []
    for block, _ in zip(blocks, range(3)):
        x, _ = block(x, mask=mask)
        states.append(x)
    return states

# %% wrong: one_joined_tensor => a list is asked for, not one tensor that holds all entries
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.append(x)
    return torch.stack(states)

# %% wrong: normalised_on_the_way => the entries are what the blocks give, unchanged: these were divided by their length
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.append(x / x.norm(dim=-1, keepdim=True))
    return states

# %% wrong: generator_instead_of_a_list => a list is asked for: a generator gives its entries once only
def stack(blocks, x, mask=None):
    def walk(x):
        for block in blocks:
            x, _ = block(x, mask=mask)
            yield x
    return walk(x)

# %% wrong: first_block_again_and_again => the first block was called again and again: each has its turn
def stack(blocks, x, mask=None):
    states = []
    for _ in blocks:
        x, _w = blocks[0](x, mask=mask)
        states.append(x)
    return states

# %% wrong: mask_only_after_the_first => a block did not get the mask: every block gets it as it was given
def stack(blocks, x, mask=None):
    states = []
    for i, block in enumerate(blocks):
        x, _ = block(x, mask=mask if i else None)
        states.append(x)
    return states

# %% wrong: every_second_block => one entry for each block: every second one is missing
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.append(x)
    return states[::2]

# %% wrong: kept_between_calls -> the list should come back
def stack(blocks, x, mask=None, states=[]):
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.append(x)
    return states

# %% wrong: difference_to_the_input => the input was subtracted: what a block gives is the entry
def stack(blocks, x, mask=None):
    states, start = [], x
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.append(x - start)
    return states

# %% wrong: tensor_added_to_the_list => list += tensor adds its sentences one by one: append the tensor
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask)
        states += x
    return states

# %% wrong: mask_required => a mask need not be given
def stack(blocks, x, mask):
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.append(x)
    return states

# %% wrong: mask_of_ones_by_default => no mask was given, yet a block got one
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask if mask is not None else torch.ones(x.size(1), x.size(1)).bool())
        states.append(x)
    return states

# %% wrong: returns_too_soon => the list ends after the first block: return it after the last
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.append(x)
        return states

# %% right: while_with_iterator
def stack(blocks, x, mask=None):
    def run():
        h = x
        for block in iter(blocks):
            output = block(h, mask=mask)
            h = output[0]
            yield h

    return [*run()]

# %% right: reduce_over_blocks
from functools import reduce


def stack(blocks, x, mask=None):
    def extend(states, block):
        before = states[-1] if states else x
        return states + [block(before, mask)[0]]

    return reduce(extend, blocks, [])

# %% right: walrus_comprehension
def stack(blocks, x, mask=None):
    return [x := block(x, mask=mask)[0] for block in blocks]

# %% wrong: mask_kept => no mask was given, yet a block got one
def stack(blocks, x, mask=None):
    """The representations after each block, in order."""
    stack.mask = mask = mask if mask is not None else getattr(stack, 'mask', None)
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.append(x)
    return states

# %% wrong: mask_of_floats => every block gets the mask as it was given: its numbers became floats
def stack(blocks, x, mask=None):
    if mask is not None:
        mask = mask.float()
    states = []
    for block in blocks:
        x, _ = block(x, mask=mask)
        states.append(x)
    return states

# %% wrong: each_block_twice => two blocks were called four times: each is called once, and what it gives is the entry and what the next reads
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        states.append(block(x, mask)[0])
        x = block(x, mask)[0]
    return states

# %% wrong: no_block_gives_x => any number of blocks: none at all gives an empty list
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, _ = block(x, mask)
        states.append(x)
    return states or [x]

# %% wrong: none_not_handed_on => without a mask the block was called with x alone: every block gets the mask as it was given, None too
def stack(blocks, x, mask=None):
    states = []
    for block in blocks:
        x, _ = block(x) if mask is None else block(x, mask)
        states.append(x)
    return states

# %% wrong: mask_made_boolean => every block gets the mask as it was given: its numbers became True and False
def stack(blocks, x, mask=None):
    mask = None if mask is None else mask.to(torch.bool)
    states = []
    for block in blocks:
        x = block(x, mask)[0]
        states.append(x)
    return states

# %% wrong: mask_that_hides_nothing_left_out => a mask that hides nothing was left out: every block gets the mask as it was given
def stack(blocks, x, mask=None):
    if mask is not None and mask.all():
        mask = None
    states = []
    for block in blocks:
        x, _ = block(x, mask)
        states.append(x)
    return states

# %% wrong: float_input -> torch.float64 expected
def stack(blocks, x, mask=None):
    states, h = [], x.float()
    for block in blocks:
        h = block(h, mask)[0]
        states.append(h)
    return states

# %% wrong: table_of_float32 -> torch.float64 expected
def stack(blocks, x, mask=None):
    states = torch.zeros(len(blocks), *x.shape)
    for i, block in enumerate(blocks):
        x = block(x, mask)[0]
        states[i] = x
    return list(states)
