# %% right: zero_then_backward
def gradient_norms(blocks, x, part=""):
    y = x
    for block in blocks:
        for p in block.parameters():
            p.grad = None
    for block in blocks:
        y, _ = block(y)
    y[..., 0].sum().backward()
    result = []
    for block in blocks:
        total = 0.0
        for name, p in block.named_parameters():
            if part in name and p.grad is not None:
                total += float((p.grad ** 2).sum())
        result.append(total ** 0.5)
    return result

# %% right: autograd_grad
def gradient_norms(blocks, x, part=""):
    h = x
    for block in blocks:
        h = block(h)[0]
    loss = h[..., 0].sum()
    norms = []
    for block in blocks:
        parameters = [p for name, p in block.named_parameters() if p.requires_grad and part in name]
        grads = torch.autograd.grad(loss, parameters, retain_graph=True, allow_unused=True) if parameters else []
        norms.append(torch.cat([torch.zeros(1), *(g.reshape(-1) for g in grads if g is not None)]).norm().item())
    return norms

# %% right: one_call_for_all_parameters
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        x, weights = block(x)
    groups = [[(n, p) for n, p in block.named_parameters() if p.requires_grad] for block in blocks]
    grads = iter(torch.autograd.grad(x.select(-1, 0).sum(), [p for group in groups for _, p in group], allow_unused=True))
    norms = []
    for group in groups:
        squares = torch.zeros(())
        for name, _ in group:
            g = next(grads)
            if g is not None and name.find(part) >= 0:
                squares = squares + g.detach().double().pow(2).sum()
        norms.append(squares.sqrt())
    return norms

# %% right: norm_of_norms
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad(set_to_none=True)
    for block in blocks:
        x = block(x)[0]
    x[..., 0].sum().backward()
    norms = []
    for block in blocks:
        each = [torch.linalg.vector_norm(p.grad) for name, p in block.named_parameters() if p.grad is not None and part in name]
        norms.append(torch.stack(each).norm().item() if each else 0.0)
    return norms

# %% right: difference_of_accumulated
def gradient_norms(blocks, x, part=""):
    before = [[None if p.grad is None else p.grad.clone() for p in b.parameters()] for b in blocks]
    for block in blocks:
        x, _ = block(x)
    torch.einsum("...d,d->", x, torch.eye(x.shape[-1], dtype=x.dtype)[0]).backward()
    norms = []
    for block, old in zip(blocks, before):
        total = 0.0
        for (name, p), o in zip(block.named_parameters(), old):
            if p.grad is not None and part in name:
                total += (p.grad if o is None else p.grad - o).square().sum().item()
        norms.append(math.sqrt(total))
    return norms

# %% wrong: gradients_pile_up (2) => gradients of an earlier call, or those that were there before, are still in it
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: zeroed_only_in_the_last (2) => gradients of an earlier call, or those that were there before, are still in it
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        x, _ = block(x)
    block.zero_grad()
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: sum_of_norms (1) => the norms of the single parameters were added: take the length of one long vector, the root of the sum of squares
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.norm().item() for n, p in block.named_parameters() if part in n and p.grad is not None) for block in blocks]

# %% wrong: mean_of_norms (1) => the norms of the single parameters were averaged: take the length of one long vector, the root of the sum of squares
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    norms = []
    for block in blocks:
        each = [p.grad.norm().item() for n, p in block.named_parameters() if part in n and p.grad is not None]
        norms.append(sum(each) / max(1, len(each)))
    return norms

# %% wrong: squares (1) => these are the squares of the norms: the root is missing
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) for block in blocks]

# %% wrong: l1_norm (1) => the absolute values were added: the L2 norm is the root of the sum of squares
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.abs().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) for block in blocks]

# %% wrong: largest_entry (1) => this is the largest single gradient, not the L2 norm
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [max((p.grad.abs().max().item() for n, p in block.named_parameters() if part in n and p.grad is not None), default=0.0) for block in blocks]

# %% wrong: biases_left_out (1) => the biases were left out: all parameters of the block count
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.dim() > 1 and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: mean_loss (1) => the loss was averaged over tokens: it is the sum of feature 0
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].mean().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: loss_of_all_features (1) => the loss was the sum of all features: only feature 0, y[..., 0], counts
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x.sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: loss_of_the_first_token (1) => the loss was taken from the first token, y[:, 0]: it is feature 0 of every token, y[..., 0]
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[:, 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: loss_of_the_last_feature (1) => the loss was taken from the last feature, not from feature 0
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., -1].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: a_loss_for_each_block (1, 2) => each block got a loss of its own output: the loss is that of the last
def gradient_norms(blocks, x, part=""):
    norms = []
    for block in blocks:
        block.zero_grad()
        x, _ = block(x.detach())
        x[..., 0].sum().backward()
        norms.append(sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5)
    return norms

# %% wrong: blocks_not_chained (1) => each block read x: a block reads the output of the one before
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
    y = sum(block(x)[0] for block in blocks)
    y[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: reversed_order (1) => the order is turned round: the first block comes first
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in reversed(blocks)]

# %% wrong: gradient_of_the_input (1, 2) => this is the gradient of what enters each block: measure the gradients of its parameters
def gradient_norms(blocks, x, part=""):
    h, entered = x.detach().clone().requires_grad_(), []
    for block in blocks:
        h = h * 1
        h.retain_grad()
        entered.append(h)
        h, _ = block(h)
    h[..., 0].sum().backward()
    return [e.grad.norm().item() for e in entered]

# %% wrong: gradient_of_the_output (1, 2) => this is the gradient of what leaves each block: measure the gradients of its parameters
def gradient_norms(blocks, x, part=""):
    left = []
    for block in blocks:
        x, _ = block(x)
        x.retain_grad()
        left.append(x)
    x[..., 0].sum().backward()
    return [e.grad.norm().item() for e in left]

# %% wrong: norm_of_the_parameters (1, 2) => these are the norms of the parameters themselves: measure their gradients
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [math.sqrt(sum(p.square().sum().item() for p in block.parameters())) for block in blocks]

# %% wrong: first_parameter_only (1) => only one parameter of each block was measured: all its parameters count
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [max((p.grad.norm().item() for n, p in block.named_parameters() if part in n and p.grad is not None), default=0.0) for block in blocks]

# %% wrong: one_sentence_only (1) => the loss is the sum over all sentences: the first alone was counted
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[0, :, 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: frozen_parameters_raise (2) => a parameter that gets no gradient counts as 0, a frozen one too: its grad is None
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n) ** 0.5 for block in blocks]

# %% wrong: clipped_while_measuring (2) => gradients of an earlier call, or those that were there before, are still in it
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [float(torch.nn.utils.clip_grad_norm_([p for n, p in block.named_parameters() if part in n], 1.0)) for block in blocks]

# %% wrong: one_norm_for_all (1) => this is one norm for all blocks together: one for each is asked for
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    total = sum(p.grad.square().sum().item() for block in blocks for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5
    return [total for _ in blocks]

# %% wrong: hard_coded_output (1, 2) -> should be
def gradient_norms(blocks, x, part=""):
    return [1728 ** 0.5, 300 ** 0.5]

# %% wrong: forgets_the_last_block (1, 2) => one number for each block: the last is missing
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in blocks[:-1]]

# %% right: names_and_pythagoras
def gradient_norms(blocks, x, part=""):
    y = x
    for block in blocks:
        y = block(y)[0]
    for block in blocks:
        block.zero_grad()
    y[..., :1].sum().backward()
    result = []
    for block in blocks:
        length = 0.0
        for name, p in block.named_parameters():
            if part in name and p.grad is not None:
                length = math.hypot(length, float(p.grad.norm()))
        result.append(length)
    return result

# %% wrong: part_ignored (2) => part changed nothing: only parameters whose name contains it count
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for p in block.parameters() if p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: part_must_equal_the_name (2) => only parameters whose name contains part count, letter by letter
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in ("", n) and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: part_must_begin_the_name (2) => only parameters whose name contains part count, letter by letter
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if n.startswith(part) and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: part_is_left_out_instead (2) => the parameters whose name contains part were left out: they are what counts
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if (part == "" or part not in n) and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: no_parameter_no_number (2) => a part that no name contains gives 0: an empty list of norms was stacked
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [torch.stack([p.grad.norm() for n, p in block.named_parameters() if part in n and p.grad is not None]).norm().item() for block in blocks]

# %% wrong: part_missing (2) => gradient_norms takes blocks, x and part
def gradient_norms(blocks, x):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for p in block.parameters() if p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: first_two_blocks_only (1) => one number for each block: only two blocks were used
def gradient_norms(blocks, x, part=""):
    blocks = blocks[:2]
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: freezes_what_is_not_asked_for (2) => parameters were frozen or thawed: the blocks stay as they are
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        for n, p in block.named_parameters():
            p.requires_grad_(part in n)
        x, _ = block(x)
    x[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in block.named_parameters() if p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: pair_into_the_next_block (1, 2) => a block returns two things, the new x and the weights: only x goes on
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x = block(x)
    x[..., 0].sum().backward()
    return [math.sqrt(sum(p.grad.square().sum() for name, p in block.named_parameters() if part in name and p.grad is not None)) for block in blocks]

# %% wrong: zeroed_after_backward (1, 2) => no gradient was there to be read: it comes with backward(), and zeroing it afterwards loses it
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].sum().backward()
    for block in blocks: block.zero_grad()
    return [math.sqrt(sum(p.grad.square().sum() for name, p in block.named_parameters() if part in name and p.grad is not None)) for block in blocks]

# %% wrong: loss_of_the_first_sentence (1) => the loss was the sum of all features of the first sentence, y[0]: only feature 0, y[..., 0], of all sentences counts
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[0].sum().backward()
    return [math.sqrt(sum(p.grad.square().sum() for name, p in block.named_parameters() if part in name and p.grad is not None)) for block in blocks]

# %% wrong: squared_loss (1) => the loss was squared: it is the plain sum of feature 0
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    x[..., 0].square().sum().backward()
    return [math.sqrt(sum(p.grad.square().sum() for name, p in block.named_parameters() if part in name and p.grad is not None)) for block in blocks]

# %% wrong: detached_between_the_blocks (1) => the gradient stops above the last block: x was detached between the blocks
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x.detach())
    x[..., 0].sum().backward()
    return [math.sqrt(sum(p.grad.square().sum() for name, p in block.named_parameters() if part in name and p.grad is not None)) for block in blocks]

# %% wrong: no_backward (1, 2) => no gradient was there to be read: it comes with backward(), and zeroing it afterwards loses it
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        block.zero_grad()
        x, _ = block(x)
    loss = x[..., 0].sum()
    return [math.sqrt(sum(p.grad.square().sum() for name, p in block.named_parameters() if part in name and p.grad is not None)) for block in blocks]

# %% wrong: old_gradient_of_a_frozen_parameter (2) => W_v is frozen and counts as 0: an old gradient that it still holds was counted
def gradient_norms(blocks, x, part=""):
    for block in blocks:
        for p in block.parameters():
            if p.requires_grad:
                p.grad = None
    y = x
    for block in blocks:
        y, _ = block(y)
    y[..., 0].sum().backward()
    norms = []
    for block in blocks:
        total = 0.0
        for name, p in block.named_parameters():
            if part in name and p.grad is not None:
                total += p.grad.pow(2).sum().item()
        norms.append(total ** 0.5)
    return norms

# %% right: old_gradients_put_aside
def gradient_norms(blocks, x, part=""):
    everything = [p for block in blocks for p in block.parameters()]
    aside = [p.grad for p in everything]
    for p in everything:
        p.grad = None
    with torch.enable_grad():
        y = x.detach()
        for block in blocks:
            y, *_ = block(y)
        loss = y.select(-1, 0).sum()
        if loss.requires_grad:
            loss.backward()
    norms = torch.stack([torch.cat([torch.zeros(1, dtype=x.dtype)] + [p.grad.flatten() for n, p in block.named_parameters() if n.find(part) >= 0 and p.grad is not None]).norm() for block in blocks])
    for p, grad in zip(everything, aside):
        p.grad = grad
    return norms

# %% right: on_a_copy_of_the_blocks
def gradient_norms(blocks, x, part=""):
    import copy
    mine = copy.deepcopy(list(blocks))
    h = x.clone()
    for block in mine:
        for p in block.parameters():
            p.grad = None
        h, _ = block(h)
    try:
        h[..., 0].sum().backward()
    except RuntimeError:
        return [0.0] * len(mine)
    return [torch.nn.utils.get_total_norm([p.grad for n, p in b.named_parameters() if part in n and p.grad is not None] or [torch.zeros(1)]).item() for b in mine]

# %% wrong: unused_parameter_read (2) => a parameter that the forward pass does not use has no gradient: it counts as 0
def gradient_norms(blocks, x, part=""):
    for b in blocks:
        for p in b.parameters():
            p.grad = None
    y = x
    for b in blocks:
        y, _ = b(y)
    y[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in b.named_parameters() if part in n and p.requires_grad) ** 0.5 for b in blocks]

# %% wrong: unused_parameter_not_allowed (2) => a parameter that the forward pass does not use has no gradient: it counts as 0
def gradient_norms(blocks, x, part=""):
    y = x
    for b in blocks:
        y, _ = b(y)
    loss = y[..., 0].sum()
    norms = []
    for b in blocks:
        ps = [p for n, p in b.named_parameters() if part in n and p.requires_grad]
        gs = torch.autograd.grad(loss, ps, retain_graph=True) if ps else []
        norms.append(sum(g.square().sum().item() for g in gs) ** 0.5)
    return norms

# %% wrong: switches_to_evaluation (2) => the blocks are in evaluation mode afterwards: they stay as they are
def gradient_norms(blocks, x, part=""):
    for b in blocks:
        b.eval()
        for p in b.parameters():
            p.grad = None
    y = x + 0 * x.detach().clone().requires_grad_()
    for b in blocks:
        y, _ = b(y)
    y[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in b.named_parameters() if part in n and p.grad is not None) ** 0.5 for b in blocks]

# %% wrong: part_as_a_pattern (2) => only parameters whose name contains part count, letter by letter
def gradient_norms(blocks, x, part=""):
    import re
    for b in blocks:
        for p in b.parameters():
            p.grad = None
    y = x + 0 * x.detach().clone().requires_grad_()
    for b in blocks:
        y, _ = b(y)
    y[..., 0].sum().backward()
    return [sum(p.grad.square().sum().item() for n, p in b.named_parameters() if re.search(part, n) and p.grad is not None) ** 0.5 for b in blocks]

# %% wrong: old_gradients_added_to_and_put_back (2) => gradients of an earlier call, or those that were there before, are still in it
def gradient_norms(blocks, x, part=""):
    everything = [p for block in blocks for p in block.parameters()]
    aside = [p.grad for p in everything]
    with torch.enable_grad():
        y = x.detach()
        for block in blocks:
            y, *_ = block(y)
        loss = y.select(-1, 0).sum()
        if loss.requires_grad:
            loss.backward()
    norms = torch.stack([torch.cat([torch.zeros(1, dtype=x.dtype)] + [p.grad.flatten() for n, p in block.named_parameters() if n.find(part) >= 0 and p.grad is not None]).norm() for block in blocks])
    for p, grad in zip(everything, aside):
        p.grad = grad
    return norms

# %% wrong: everything_thawed_afterwards (2) => parameters were frozen or thawed: the blocks stay as they are
def gradient_norms(blocks, x, part=""):
    params = [[(n, p) for n, p in b.named_parameters() if part in n and p.requires_grad] for b in blocks]
    for b in blocks:
        b.requires_grad_(False)
    for own in params:
        for _, p in own:
            p.requires_grad_(True)
    if not any(params):
        for b in blocks:
            b.requires_grad_(True)
        return [0.0] * len(blocks)
    y = x
    for b in blocks:
        y = b(y)[0]
    flat = [p for own in params for _, p in own]
    grads = iter(torch.autograd.grad(y[..., 0].sum(), flat, allow_unused=True))
    norms = []
    for own in params:
        gs = [next(grads) for _ in own]
        norms.append(sum((g ** 2).sum().item() for g in gs if g is not None) ** 0.5)
    for b in blocks:
        b.requires_grad_(True)
    return norms

# %% wrong: number_of_the_block_in_the_name (2) => only parameters whose name contains part count, letter by letter
def gradient_norms(blocks, x, part=""):
    tower = nn.ModuleList(blocks)
    tower.zero_grad(set_to_none=True)
    y = x.detach()
    for block in tower:
        y, _ = block(y)
    y[..., 0].sum().backward()
    sums = [0.0] * len(tower)
    for name, p in tower.named_parameters(remove_duplicate=False):
        if part in name and p.grad is not None:
            sums[int(name.split(".")[0])] += p.grad.double().square().sum().item()
    return [s ** 0.5 for s in sums]

# %% wrong: capitals_ignored (2) => only parameters whose name contains part count, letter by letter
def gradient_norms(blocks, x, part=""):
    y = x
    for block in blocks:
        y = block(y)[0]
    params = [p for b in blocks for p in b.parameters() if p.requires_grad]
    got = dict(zip(map(id, params), torch.autograd.grad(y[..., 0].sum(), params, allow_unused=True)))
    return [math.sqrt(sum(got[id(p)].square().sum().item() for n, p in b.named_parameters()
                          if part.lower() in n.lower() and got.get(id(p)) is not None)) for b in blocks]

# %% wrong: x_asks_for_gradients (1) => x asks for gradients after the call: requires_grad_() changes the caller's tensor
def gradient_norms(blocks, x, part=""):
    x.requires_grad_(True)
    y = x
    for block in blocks:
        block.zero_grad()
        y, _ = block(y)
    y[..., 0].sum().backward()
    return [sum((p.grad ** 2).sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in blocks]

# %% wrong: thawed_for_the_measurement (2) => W_v is frozen and counts as 0: it was made trainable for the measurement
def gradient_norms(blocks, x, part=""):
    frozen = [p for block in blocks for p in block.parameters() if not p.requires_grad]
    for p in frozen:
        p.requires_grad_(True)
    y = x
    for block in blocks:
        block.zero_grad()
        y, _ = block(y)
    y[..., 0].sum().backward()
    norms = [sum((p.grad ** 2).sum().item() for n, p in block.named_parameters() if part in n and p.grad is not None) ** 0.5 for block in blocks]
    for p in frozen:
        p.requires_grad_(False)
    return norms
