# %% right: zero_grad_first
def train_step(model, batch, optimizer, max_norm=1.0):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    x, y = batch
    logits = model(x)
    loss = F.cross_entropy(logits.transpose(1, 2), y)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return float(loss.detach())

# %% right: clips_by_hand
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    logits = model(inputs)
    loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1))
    model.zero_grad()
    loss.backward()
    with_grad = [p for p in model.parameters() if p.grad is not None]
    norm = torch.sqrt(sum(p.grad.double().pow(2).sum() for p in with_grad))
    if norm > max_norm:
        for p in with_grad:
            p.grad.mul_(max_norm / norm)
    optimizer.step()
    return loss.item()

# %% right: own_cross_entropy
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    loss = cross_entropy(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
    optimizer.step()
    return loss.detach().item()

# %% right: zero_grad_before_and_after
def train_step(model, batch, optimizer, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(batch[0]).flatten(0, -2), batch[1].flatten(), ignore_index=-100)
    loss.backward()
    torch.nn.utils.clip_grad_norm_([p for group in optimizer.param_groups for p in group["params"]], max_norm)
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()

# %% wrong: no_zero_grad (1) => token 1 is not in the second batch, yet its row moved: gradients were kept from the first batch
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: zero_grad_after_backward (1) => the parameters did not change: the optimizer's step is missing, or its gradients were taken away before it
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    optimizer.zero_grad()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: no_step (1) => the parameters did not change: the optimizer's step is missing, or its gradients were taken away before it
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    return loss.item()

# %% wrong: no_clipping (2) => nothing was clipped: clip after backward, before the step
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    optimizer.step()
    return loss.item()

# %% wrong: clipped_after_the_step (2) => nothing was clipped: clip after backward, before the step
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    return loss.item()

# %% wrong: clipped_before_backward (2) => nothing was clipped: clip after backward, before the step
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    loss.backward()
    optimizer.step()
    return loss.item()

# %% wrong: clips_values (2) => the entries of the gradient were cut one by one: this bends its direction. Shorten the whole vector
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_value_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: clips_each_parameter (2) => each parameter was clipped by itself: all gradients together are one vector
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    for p in model.parameters():
        nn.utils.clip_grad_norm_([p], max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: always_max_norm_long (2) => the gradient was stretched to the length max_norm: a gradient that is shorter must stay as it is
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    norm = sum(p.grad.square().sum() for p in model.parameters()) ** 0.5
    for p in model.parameters():
        p.grad *= max_norm / norm
    optimizer.step()
    return loss.item()

# %% wrong: max_norm_ignored (2) => max_norm is 1, whichever is given
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()

# %% wrong: returns_the_tensor (1) -> a Python float
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss

# %% wrong: returns_nothing (1) => the loss must be returned
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()

# %% wrong: loss_after_the_update (1) => this is the loss after the update: return the loss before it
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten()).item()

# %% wrong: stays_in_eval (1) => the model was in evaluation mode and stayed there: a training step must switch dropout on
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: vocabulary_in_the_wrong_dimension (1, 2) => it did not run: logits (2, 3, 2) and targets (2, 3) could not be priced. F.cross_entropy wants the vocabulary in dimension 1, or (n, vocab) and (n,)
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs), targets)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: sum_of_prices (1) => the prices were added: their mean is meant
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), reduction="sum")
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: climbs (1) => the table went the wrong way: the step must lower the loss
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    (-loss).backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: ignored_as_token_zero (1) => ignored places were counted: targets of −100 do not count
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.clamp(min=0).flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: first_sentence_only (1) => only the first sentence of the batch was priced: all that count do
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs)[0], targets[0])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: two_steps (1) => the step was taken twice
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    optimizer.step()
    return loss.item()

# %% wrong: training_mode_after_the_forward_pass (1) => the model answered in evaluation mode and was switched to training mode too late: dropout must be on when the loss is computed
def train_step(model, batch, optimizer, max_norm=1.0):
    optimizer.zero_grad(set_to_none=True)
    x, y = batch
    logits = model(x)
    loss = F.cross_entropy(logits.transpose(1, 2), y)
    model.train()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return float(loss.detach())

# %% wrong: back_to_eval (1) => the model was put back into evaluation mode after the step: leave it in training mode
def train_step(model, batch, optimizer, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(batch[0]).flatten(0, 1), batch[1].flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    model.eval()
    return loss.item()

# %% wrong: largest_entry_as_norm (2) => the direction is right, the length is not: it is the root of the sum of all squares, not the largest entry
def train_step(model, batch, optimizer, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(batch[0]).flatten(0, 1), batch[1].flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm, norm_type=float('inf'))
    optimizer.step()
    return loss.item()

# %% wrong: sum_of_entries_as_norm (2) => the direction is right, the length is not: it is the root of the sum of all squares, not the sum of all entries
def train_step(model, batch, optimizer, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(batch[0]).flatten(0, 1), batch[1].flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm, norm_type=1)
    optimizer.step()
    return loss.item()

# %% right: gradients_by_autograd
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    parameters = [p for p in model.parameters() if p.requires_grad]
    gradients = torch.autograd.grad(loss, parameters, allow_unused=True)
    length = torch.linalg.vector_norm(torch.stack([g.norm() for g in gradients if g is not None]))
    for p, g in zip(parameters, gradients):
        p.grad = None if g is None else g * (max_norm / length).clamp(max=1.0)
    optimizer.step()
    return loss.item()

# %% right: closure_of_the_loss
def train_step(model, batch, optimizer, max_norm=1.0):
    x, y = batch
    if not model.training:
        model.train(True)
    for p in model.parameters():
        p.grad = None
    logits = model(x)
    keep = y != -100
    loss = -logits[keep].log_softmax(-1)[torch.arange(int(keep.sum())), y[keep]].mean()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.detach().item()

# %% wrong: zero_grad_every_second_call (1) -> kept from
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    train_step.calls = getattr(train_step, "calls", -1) + 1
    model.train()
    if train_step.calls % 2 == 0:
        optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: running_mean_of_losses (1) -> the loss should be
def train_step(model, batch, optimizer, max_norm=1.0, losses=[]):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    losses.append(loss.item())
    return sum(losses) / len(losses)

# %% wrong: sgd_by_hand (1, 2) => the step is not that of the optimizer that was handed in: AdamW steps otherwise than SGD
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    with torch.no_grad():
        for p in model.parameters():
            p -= optimizer.param_groups[0]["lr"] * p.grad
    return loss.item()

# %% wrong: clips_all_but_the_last (2) => the last parameter was not clipped: all gradients together are one vector
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(list(model.parameters())[:-1] or model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: forward_without_gradient (1, 2) => it did not run: no gradient leads from the loss back to the parameters. Nothing may be detached !! wants the vocabulary
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    logits = model(inputs).detach()
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: backward_twice (1) => the step is twice as long as it should be: were gradients computed twice, and added?
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward(retain_graph=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: sum_over_places_and_mean_of_rows (1) => prices were added in each row, and the mean taken of the rows: the mean over all places that count is meant
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    losses = F.cross_entropy(model(inputs).transpose(1, 2), targets, reduction="none").sum(dim=1)
    loss = losses.mean()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: clips_the_first_group_only (2) => only the first group of the optimizer was clipped: all gradients together are one vector, whichever group a parameter is in
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    logits = model(inputs)
    loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1))
    loss.backward()
    nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: zeroes_the_first_group_only (1) => only the first group of the optimizer lost its old gradients: all parameters must
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    for p in optimizer.param_groups[0]["params"]:
        p.grad = None
    logits = model(inputs)
    loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1))
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: long_gradients_are_skipped (2) => no step was taken where the gradient is very long: it is shortened like any other
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    length = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if length < 100 * max_norm:
        optimizer.step()
    return loss.item()

# %% wrong: loss_of_another_call (1) => this is what the model answers when it is called again: return the loss that the gradients come from
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    with torch.no_grad():
        before = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten()).item()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return before

# %% wrong: max_norm_of_zero_is_no_clipping (2) => max_norm = 0 was taken for no clipping: every gradient is longer, and gets the length 0
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    logits = model(inputs)
    loss = F.cross_entropy(logits.flatten(0, -2), targets.flatten())
    loss.backward()
    if max_norm:
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: only_direct_children_in_training_mode (1) => a dropout that lies deeper in the model stayed in evaluation mode: all parts of the parts go into training mode, too, as model.train() does it
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.training = True
    for child in model.children():
        child.training = True
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, -2), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: a_detached_tensor (1) -> a Python float
def train_step(model, batch, optimizer, max_norm=1.0):
    model.train()
    inputs, targets = batch
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.detach()

# %% wrong: every_parameter_has_a_gradient (2) => it did not run: a parameter that is frozen or not used has no gradient, its .grad is None. Leave it out
def train_step(model, batch, optimizer, max_norm=1.0):
    model.train()
    inputs, targets = batch
    optimizer.zero_grad()
    logits = model(inputs)
    loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1))
    loss.backward()
    length = torch.sqrt(sum(p.grad.square().sum() for p in model.parameters()))
    if length > max_norm:
        for p in model.parameters():
            p.grad.mul_(max_norm / length)
    optimizer.step()
    return loss.item()

# %% wrong: shared_weights_counted_twice (2) => the gradient of the matrix that two layers share was counted twice: it is one parameter
def train_step(model, batch, optimizer, max_norm=1.0):
    model.train()
    inputs, targets = batch
    optimizer.zero_grad()
    logits = model(inputs)
    loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1))
    loss.backward()
    parameters = [p for module in model.modules() for p in module.parameters(recurse=False)
                  if p.grad is not None]
    length = torch.cat([p.grad.flatten() for p in parameters]).norm()
    if length > max_norm:
        for p in {id(p): p for p in parameters}.values():
            p.grad.mul_(max_norm / length)
    optimizer.step()
    return loss.item()

# %% wrong: gradients_of_another_call (1) => the loss is right, the step is not: the gradients come from another call of the model than the loss. Call it once
def train_step(model, batch, optimizer, max_norm=1.0):
    model.train()
    inputs, targets = batch

    def price():
        return F.cross_entropy(model(inputs).transpose(1, 2), targets)

    with torch.no_grad():
        before = price().item()
    optimizer.zero_grad()
    price().backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return before

# %% wrong: view_of_targets (1) => it did not run: inputs and targets cut from one tensor of windows are not contiguous in memory. view wants them to be, flatten and reshape do not
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    logits = model(inputs)
    loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: squares_summed_in_half_precision (2) => an entry above 256 was squared in float16, which ends at 65,504
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    logits = model(inputs)
    loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1))
    loss.backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    length = sum((g ** 2).sum() for g in grads).sqrt()
    if length > max_norm:
        for g in grads:
            g.mul_(max_norm / length)
    optimizer.step()
    return loss.item()

# %% wrong: divides_by_a_gradient_of_length_0 (1) => it did not run: the gradient of this batch has the length 0, which is shorter than max_norm. Leave it as it is, without dividing by 0
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad()
    logits = model(inputs)
    loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1))
    loss.backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    length = math.sqrt(sum(g.norm().item() ** 2 for g in grads))
    factor = min(1.0, max_norm / length)
    for g in grads:
        g.mul_(factor)
    optimizer.step()
    return loss.item()

# %% wrong: targets_repaired_in_place (1) => the batch was changed in place, targets of −100 were overwritten: work on a copy
def train_step(model, batch, optimizer, max_norm=1.0):
    inputs, targets = batch
    model.train()
    optimizer.zero_grad(set_to_none=True)
    logits = model(inputs)
    targets = targets.reshape(-1)
    logits = logits.reshape(len(targets), -1)
    counts = targets != -100
    targets[~counts] = 0
    loss = F.cross_entropy(logits, targets, reduction="none")[counts].mean()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()
