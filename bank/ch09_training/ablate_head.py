# %% right: forward_pre_hook
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads

    def silence(module, inputs):
        x = inputs[0].clone()
        x[..., head * width:(head + 1) * width] = 0
        return (x,)

    handle = attention.W_o.register_forward_pre_hook(silence)
    try:
        yield
    finally:
        handle.remove()

# %% right: class_with_enter_and_exit
class ablate_head:
    def __init__(self, model, layer, head):
        self.W_o = model.blocks[layer].attention.W_o
        d_head = self.W_o.weight.size(1) // model.blocks[layer].attention.num_heads
        self.where = slice(head * d_head, head * d_head + d_head)

    def __enter__(self):
        self.kept = self.W_o.weight.data[:, self.where].clone()
        self.W_o.weight.data[:, self.where] = 0
        return self

    def __exit__(self, *error):
        self.W_o.weight.data[:, self.where] = self.kept
        return False

# %% right: multiplied_by_a_mask
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    W_o, heads = attention.W_o, attention.num_heads
    mask = torch.ones(heads, W_o.in_features // heads)
    mask[head] = 0
    old = W_o.weight.data.clone()
    W_o.weight.data.mul_(mask.flatten().to(old))
    try:
        yield model
    finally:
        W_o.weight.data.copy_(old)

# %% right: subtracts_the_heads_term
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    W = attention.W_o
    width = W.in_features // attention.num_heads
    part = slice(head * width, (head + 1) * width)

    def without(module, inputs, output):
        return output - inputs[0][..., part] @ module.weight[:, part].T

    handle = W.register_forward_hook(without)
    try:
        yield
    finally:
        handle.remove()

# %% right: exit_stack
import contextlib

def ablate_head(model, layer, head):
    stack = contextlib.ExitStack()
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    def hook(module, args):
        x = args[0]
        keep = torch.ones(x.size(-1), dtype=x.dtype, device=x.device)
        keep[head * width:(head + 1) * width] = 0
        return (x * keep,)
    stack.callback(attention.W_o.register_forward_pre_hook(hook).remove)
    return stack

# %% wrong: no_finally (2) => after an exception inside the with-block the head is still off: put it back whatever happens
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    kept = attention.W_o.weight.detach().clone()
    with torch.no_grad():
        attention.W_o.weight[:, head * width:(head + 1) * width] = 0
    yield
    with torch.no_grad():
        attention.W_o.weight.copy_(kept)

# %% wrong: kept_a_view (2) => after the with-block the head is still off: what was changed must be put back, from a copy, not from a view
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    columns = slice(head * width, (head + 1) * width)
    kept = attention.W_o.weight.detach()[:, columns]
    try:
        with torch.no_grad():
            attention.W_o.weight[:, columns] = 0
        yield
    finally:
        with torch.no_grad():
            attention.W_o.weight[:, columns] = kept

# %% wrong: never_put_back (2) => after the with-block the head is still off: what was changed must be put back, from a copy, not from a view
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    with torch.no_grad():
        attention.W_o.weight[:, head * width:(head + 1) * width] = 0
    yield

# %% wrong: rows (1) => rows of W_o were zeroed: these are features of its output. A head owns columns
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    kept = attention.W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            attention.W_o.weight[head * width:(head + 1) * width] = 0
        yield
    finally:
        with torch.no_grad():
            attention.W_o.weight.copy_(kept)

# %% wrong: single_column (1) => a single feature was switched off: head h owns d_head of them, from h · d_head on
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    kept = attention.W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            attention.W_o.weight[:, head] = 0
        yield
    finally:
        with torch.no_grad():
            attention.W_o.weight.copy_(kept)

# %% wrong: heads_from_one (1) => head 0 was switched off: heads count from 0, and head 1 was asked for
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    kept = attention.W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            attention.W_o.weight[:, (head - 1) * width:head * width] = 0
        yield
    finally:
        with torch.no_grad():
            attention.W_o.weight.copy_(kept)

# %% wrong: width_is_num_heads (1) => the wrong width: d_head is d_model / num_heads, 2 here, not num_heads
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.num_heads
    kept = attention.W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            attention.W_o.weight[:, head * width:(head + 1) * width] = 0
        yield
    finally:
        with torch.no_grad():
            attention.W_o.weight.copy_(kept)

# %% wrong: every_third_feature (1) => every third feature was switched off: a head's features lie side by side
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    kept = attention.W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            attention.W_o.weight[:, head::attention.num_heads] = 0
        yield
    finally:
        with torch.no_grad():
            attention.W_o.weight.copy_(kept)

# %% wrong: layer_below (1) => the head of the layer below was switched off: layers count from 0
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer - 1].attention
    width = attention.W_o.in_features // attention.num_heads
    kept = attention.W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            attention.W_o.weight[:, head * width:(head + 1) * width] = 0
        yield
    finally:
        with torch.no_grad():
            attention.W_o.weight.copy_(kept)

# %% wrong: all_heads (1) => all heads of the layer were switched off
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    kept = attention.W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            attention.W_o.weight.zero_()
        yield
    finally:
        with torch.no_grad():
            attention.W_o.weight.copy_(kept)

# %% wrong: bias_as_well (1) => the bias of W_o went as well: it belongs to no head and stays
@contextmanager
def ablate_head(model, layer, head):
    W_o = model.blocks[layer].attention.W_o
    width = W_o.in_features // model.blocks[layer].attention.num_heads
    kept, bias = W_o.weight.detach().clone(), W_o.bias.detach().clone()
    try:
        with torch.no_grad():
            W_o.weight[:, head * width:(head + 1) * width] = 0
            W_o.bias.zero_()
        yield
    finally:
        with torch.no_grad():
            W_o.weight.copy_(kept), W_o.bias.copy_(bias)

# %% wrong: only_the_values_weights (1) => only W_v's weights were zeroed: its bias still goes through W_o
@contextmanager
def ablate_head(model, layer, head):
    W_v = model.blocks[layer].attention.W_v
    width = W_v.out_features // model.blocks[layer].attention.num_heads
    kept = W_v.weight.detach().clone()
    try:
        with torch.no_grad():
            W_v.weight[head * width:(head + 1) * width] = 0
        yield
    finally:
        with torch.no_grad():
            W_v.weight.copy_(kept)

# %% wrong: queries_zeroed (1) => the head now looks at all tokens alike, and still adds what it finds: it must add nothing
@contextmanager
def ablate_head(model, layer, head):
    W_q = model.blocks[layer].attention.W_q
    width = W_q.out_features // model.blocks[layer].attention.num_heads
    part = slice(head * width, (head + 1) * width)
    kept, bias = W_q.weight.detach().clone(), W_q.bias.detach().clone()
    try:
        with torch.no_grad():
            W_q.weight[part] = 0
            W_q.bias[part] = 0
        yield
    finally:
        with torch.no_grad():
            W_q.weight.copy_(kept), W_q.bias.copy_(bias)

# %% wrong: all_others_off (1) => the head was kept and all others were switched off
@contextmanager
def ablate_head(model, layer, head):
    W_o = model.blocks[layer].attention.W_o
    width = W_o.in_features // model.blocks[layer].attention.num_heads
    kept = W_o.weight.detach().clone()
    keep = torch.zeros(W_o.in_features)
    keep[head * width:(head + 1) * width] = 1
    try:
        with torch.no_grad():
            W_o.weight.mul_(keep)
        yield
    finally:
        with torch.no_grad():
            W_o.weight.copy_(kept)

# %% wrong: turned_down (1) => the head was only turned down: it must add nothing
@contextmanager
def ablate_head(model, layer, head):
    W_o = model.blocks[layer].attention.W_o
    width = W_o.in_features // model.blocks[layer].attention.num_heads
    kept = W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            W_o.weight[:, head * width:(head + 1) * width] *= 0.5
        yield
    finally:
        with torch.no_grad():
            W_o.weight.copy_(kept)

# %% wrong: hook_left_in (2) => after the with-block the head is still off: the hook is still there
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads

    def silence(module, inputs):
        x = inputs[0].clone()
        x[..., head * width:(head + 1) * width] = 0
        return (x,)

    attention.W_o.register_forward_pre_hook(silence)
    yield

# %% wrong: swallows_exceptions (2) => an exception inside the with-block was swallowed: it must come out, after the model is put back
@contextmanager
def ablate_head(model, layer, head):
    W_o = model.blocks[layer].attention.W_o
    width = W_o.in_features // model.blocks[layer].attention.num_heads
    kept = W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            W_o.weight[:, head * width:(head + 1) * width] = 0
        yield
    except Exception:
        pass
    finally:
        with torch.no_grad():
            W_o.weight.copy_(kept)

# %% wrong: not_a_context_manager (1, 2) -> context manager
def ablate_head(model, layer, head):
    W_o = model.blocks[layer].attention.W_o
    width = W_o.in_features // model.blocks[layer].attention.num_heads
    with torch.no_grad():
        W_o.weight[:, head * width:(head + 1) * width] = 0
    return model

# %% wrong: multiplied_and_divided (1, 2) => the numbers are not what they were, to the last bit: put back a copy
@contextmanager
def ablate_head(model, layer, head):
    W_o = model.blocks[layer].attention.W_o
    width = W_o.in_features // model.blocks[layer].attention.num_heads
    part = slice(head * width, (head + 1) * width)
    try:
        with torch.no_grad():
            W_o.weight[:, part] *= 1e-7
        yield
    finally:
        with torch.no_grad():
            W_o.weight[:, part] /= 1e-7

# %% wrong: frozen_afterwards (2) => a parameter no longer requires a gradient: afterwards it learns as before
@contextmanager
def ablate_head(model, layer, head):
    W_o = model.blocks[layer].attention.W_o
    width = W_o.in_features // model.blocks[layer].attention.num_heads
    W_o.weight.requires_grad_(False)
    kept = W_o.weight.clone()
    try:
        W_o.weight[:, head * width:(head + 1) * width] = 0
        yield
    finally:
        W_o.weight.copy_(kept)

# %% wrong: does_nothing (1, 2) => inside the with-block the model answers as always: nothing was switched off
@contextmanager
def ablate_head(model, layer, head):
    yield

# %% right: values_and_their_bias
@contextmanager
def ablate_head(model, layer, head):
    W_v = model.blocks[layer].attention.W_v
    width = W_v.out_features // model.blocks[layer].attention.num_heads
    part = slice(head * width, (head + 1) * width)
    weight, bias = W_v.weight.detach().clone(), W_v.bias.detach().clone()
    try:
        with torch.no_grad():
            W_v.weight[part] = 0
            W_v.bias[part] = 0
        yield
    finally:
        with torch.no_grad():
            W_v.weight[part] = weight[part]
            W_v.bias[part] = bias[part]

# %% right: product_of_values_hook
class ablate_head:
    def __init__(self, model, layer, head):
        self.attention = model.blocks[layer].attention
        self.head = head

    def __enter__(self):
        heads = self.attention.num_heads

        def silent(module, given):
            parts = list(given[0].tensor_split(heads, dim=-1))
            parts[self.head] = torch.zeros_like(parts[self.head])
            return (torch.cat(parts, dim=-1),)
        self.hook = self.attention.W_o.register_forward_pre_hook(silent)

    def __exit__(self, *error):
        self.hook.remove()
        return False

# %% wrong: keys_zeroed (1) => the head now looks at all tokens alike, and still adds what it finds: it must add nothing
@contextmanager
def ablate_head(model, layer, head):
    W_k = model.blocks[layer].attention.W_k
    width = W_k.out_features // model.blocks[layer].attention.num_heads
    part = slice(head * width, (head + 1) * width)
    weight, bias = W_k.weight.detach().clone(), W_k.bias.detach().clone()
    try:
        with torch.no_grad():
            W_k.weight[part] = 0
            W_k.bias[part] = 0
        yield
    finally:
        with torch.no_grad():
            W_k.weight.copy_(weight), W_k.bias.copy_(bias)

# %% wrong: next_head (1) => the head after it was switched off: heads count from 0
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    kept = attention.W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            attention.W_o.weight[:, (head + 1) * width:(head + 2) * width] = 0
        yield
    finally:
        with torch.no_grad():
            attention.W_o.weight.copy_(kept)

# %% wrong: width_of_two (1) => the wrong width: a head owns d_model / num_heads features
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    kept = attention.W_o.weight.detach().clone()
    try:
        with torch.no_grad():
            attention.W_o.weight[:, 2 * head:2 * head + 2] = 0
        yield
    finally:
        with torch.no_grad():
            attention.W_o.weight.copy_(kept)

# %% wrong: only_plain_exceptions (2) => after an exception inside the with-block the head is still off: put it back whatever happens
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    kept = attention.W_o.weight.detach().clone()
    with torch.no_grad():
        attention.W_o.weight[:, head * width:(head + 1) * width] = 0
    try:
        yield
    except ValueError:
        with torch.no_grad():
            attention.W_o.weight.copy_(kept)
        raise
    with torch.no_grad():
        attention.W_o.weight.copy_(kept)

# %% wrong: on_a_copy (1, 2) => inside the with-block the model answers as always: nothing was switched off
@contextmanager
def ablate_head(model, layer, head):
    other = copy.deepcopy(model)
    W_o = other.blocks[layer].attention.W_o
    width = W_o.in_features // other.blocks[layer].attention.num_heads
    with torch.no_grad():
        W_o.weight[:, head * width:(head + 1) * width] = 0
    yield other

# %% wrong: new_parameter (2) => W_o.weight is another parameter than before: an optimizer made earlier would no longer train it. Put the numbers back into the old one
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    old = attention.W_o.weight.detach().clone()
    new = old.clone()
    new[:, head * width:(head + 1) * width] = 0
    attention.W_o.weight = nn.Parameter(new)
    try:
        yield
    finally:
        attention.W_o.weight = nn.Parameter(old)

# %% wrong: mean_instead (1) => the head's output was replaced by its mean: it must add nothing
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    def hook(module, inputs):
        x = inputs[0].clone()
        part = x[..., head * width:(head + 1) * width]
        x[..., head * width:(head + 1) * width] = part.mean(dim=(0, 1))
        return (x,)
    handle = attention.W_o.register_forward_pre_hook(hook)
    try:
        yield
    finally:
        handle.remove()

# %% wrong: gradient_dropped (2) => the gradient that waited for an optimizer is gone or another one: leave gradients alone
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    weight = attention.W_o.weight
    kept = weight.detach().clone()
    try:
        with torch.no_grad():
            weight[:, head * width:(head + 1) * width] = 0
        yield
    finally:
        with torch.no_grad():
            weight.copy_(kept)
        weight.grad = None

# %% wrong: zeroes_gradients_of_the_head (2) => the gradient that waited for an optimizer is gone or another one: leave gradients alone
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads
    columns = slice(head * width, (head + 1) * width)
    weight = attention.W_o.weight
    kept = weight.detach().clone()
    try:
        with torch.no_grad():
            weight[:, columns] = 0
            if weight.grad is not None:
                weight.grad[:, columns] = 0
        yield
    finally:
        with torch.no_grad():
            weight.copy_(kept)

# %% wrong: one_number_in_its_place (1) => the head still adds one number to all features: it must add nothing. (The layer norms behind take it away again.)
@contextmanager
def ablate_head(model, layer, head):
    W_o = model.blocks[layer].attention.W_o
    width = W_o.in_features // model.blocks[layer].attention.num_heads
    columns = W_o.weight.data[:, head * width:(head + 1) * width]
    kept = columns.clone()
    columns.fill_(1.0)
    try:
        yield
    finally:
        columns.copy_(kept)

# %% wrong: on_while_training (1) => in training mode the head is not off inside: both modes are asked for
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads

    def silence(module, inputs):
        if not module.training:
            x = inputs[0].clone()
            x[..., head * width:(head + 1) * width] = 0
            return (x,)

    handle = attention.W_o.register_forward_pre_hook(silence)
    try:
        yield
    finally:
        handle.remove()

# %% wrong: evaluation_mode_stays (2) => the model was put into evaluation mode: leave the mode as it is
@contextmanager
def ablate_head(model, layer, head):
    attention = model.eval().blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads

    def silence(module, inputs):
        x = inputs[0].clone()
        x[..., head * width:(head + 1) * width] = 0
        return (x,)

    handle = attention.W_o.register_forward_pre_hook(silence)
    try:
        yield
    finally:
        handle.remove()

# %% wrong: all_hooks_removed (2) => after the inner block the outer head is on again, too: take away your own hook alone
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads

    def silence(module, inputs):
        x = inputs[0].clone()
        x[..., head * width:(head + 1) * width] = 0
        return (x,)

    attention.W_o.register_forward_pre_hook(silence)
    try:
        yield
    finally:
        attention.W_o._forward_pre_hooks.clear()

# %% right: attention_swapped_for_a_wrapper
from contextlib import contextmanager
class Without_(nn.Module):
    def __init__(self, inner, head):
        super().__init__()
        self.inner, self.head = inner, head
        for name in ("W_q", "W_k", "W_v", "W_o", "num_heads"):
            setattr(self, name, getattr(inner, name))
    def forward(self, *args, **kwargs):
        W_o, head = self.inner.W_o, self.head
        width = W_o.in_features // self.inner.num_heads
        def cut(module, args):
            x = args[0].clone()
            x[..., head * width:(head + 1) * width] = 0
            return (x,)
        handle = W_o.register_forward_pre_hook(cut)
        try:
            return self.inner(*args, **kwargs)
        finally:
            handle.remove()
@contextmanager
def ablate_head(model, layer, head):
    block = model.blocks[layer]
    old = block.attention
    block.attention = Without_(old, head).train(old.training)
    try:
        yield
    finally:
        block.attention = old

# %% wrong: frozen_weights_learn_afterwards (2) => W_o.weight was frozen before, and learns afterwards: leave it as it was
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    W = attention.W_o.weight
    width = W.size(1) // attention.num_heads
    part = slice(head * width, (head + 1) * width)
    kept = W.detach()[:, part].clone()
    with torch.no_grad():
        W[:, part] = 0
    try:
        yield
    finally:
        W.requires_grad_(True)
        with torch.no_grad():
            W[:, part] = kept

# %% wrong: mode_of_all_parts_from_the_model (2) => parts of the model were in another mode than the model, and are not any more: leave the mode of every part as it is
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads

    def off(module, given):
        joined = given[0].clone()
        joined[..., head * width:(head + 1) * width] = 0
        return (joined,)

    was = model.training
    handle = attention.W_o.register_forward_pre_hook(off)
    try:
        yield
    finally:
        handle.remove()
        model.train(was)

# %% wrong: put_back_after_ordinary_exceptions_only (2) => after a KeyboardInterrupt, which is no ordinary Exception, the head is still off: put it back whatever happens
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    width = attention.W_o.in_features // attention.num_heads

    def off(module, given):
        joined = given[0].clone()
        joined[..., head * width:(head + 1) * width] = 0
        return (joined,)

    handle = attention.W_o.register_forward_pre_hook(off)
    try:
        yield
    except Exception:
        handle.remove()
        raise
    else:
        handle.remove()

# %% wrong: copied_when_made (2) => W_o changed before `with` was entered, and afterwards the older numbers are back: copy them on the way in, not earlier
class ablate_head:
    def __init__(self, model, layer, head):
        attention = model.blocks[layer].attention
        self.weight = attention.W_o.weight
        width = attention.W_o.in_features // attention.num_heads
        self.part = slice(head * width, (head + 1) * width)
        self.saved = self.weight.detach()[:, self.part].clone()

    def __enter__(self):
        with torch.no_grad():
            self.weight[:, self.part] = 0

    def __exit__(self, *error):
        with torch.no_grad():
            self.weight[:, self.part] = self.saved

# %% wrong: no_grad_around_the_yield -> gradients are on inside
@contextmanager
def ablate_head(model, layer, head):
    attention = model.blocks[layer].attention
    weight = attention.W_o.weight
    d_head = weight.size(1) // attention.num_heads
    part = slice(head * d_head, (head + 1) * d_head)
    kept = weight[:, part].clone()
    with torch.no_grad():
        weight[:, part] = 0
        try:
            yield
        finally:
            weight[:, part] = kept
