# %% right: list
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% right: streams_first
def logit_lens(model, ids):
    streams = [model.token_embedding(ids)]
    for block in model.blocks:
        streams.append(block(streams[-1]))
    return model.head(model.norm(torch.stack(streams)))

# %% right: written_into
def logit_lens(model, ids):
    x = model.token_embedding(ids)
    parts = []
    for layer in range(len(model.blocks) + 1):
        parts.append(F.linear(model.norm(x), model.head.weight)[None])
        if layer < len(model.blocks):
            x = model.blocks[layer](x)
    return torch.cat(parts)

# %% right: accumulate
def logit_lens(model, ids):
    from itertools import accumulate
    streams = accumulate(model.blocks, lambda x, block: block(x), initial=model.token_embedding(ids))
    return torch.stack([model.head(model.norm(x)) for x in streams])

# %% right: own_norm
def logit_lens(model, ids):
    def say(x):
        size = (x.float().square().mean(-1, keepdim=True) + model.config.eps).rsqrt()
        return model.head((x.float() * size).to(x.dtype) * model.norm.weight)

    x = model.token_embedding(ids)
    said = say(x)[None]
    for block in model.blocks:
        x = block(x)
        said = torch.cat([said, say(x)[None]])
    return said

# %% right: again_from_the_start
def logit_lens(model, ids):
    """Slow, and right: each layer's stream is computed from the start."""
    said = []
    for depth in range(len(model.blocks) + 1):
        x = model.token_embedding(ids)
        for block in model.blocks[:depth]:
            x = block(x)
        said.append(model.head(model.norm(x)))
    return torch.stack(said, dim=0)

# %% right: caches_given
def logit_lens(model, ids):
    x = model.token_embedding(ids)
    said = [model.head(model.norm(x))]
    for block in model.blocks:
        x = block(x, [])
        said += [model.head(model.norm(x))]
    return torch.stack(said)

# %% wrong: no_norm (1) => the last norm is missing: every layer speaks through model.norm and the head
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(stream)]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(stream))
    return torch.stack(said)

# %% wrong: norm_at_the_end_only (1) => only the last entry is normed: every layer speaks through model.norm
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(stream)]
    for block in model.blocks:
        stream = block(stream)
        last = block is model.blocks[-1]
        said.append(model.head(model.norm(stream) if last else stream))
    return torch.stack(said)

# %% wrong: norm_handed_on (1) => the normed stream was handed to the next layer: the norm belongs to the lens alone
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = model.norm(block(stream))
        said.append(model.head(stream))
    return torch.stack(said)

# %% wrong: norm_twice (1) => the last stream went through the norm twice
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    said[-1] = model.head(model.norm(model.norm(stream)))
    return torch.stack(said)

# %% wrong: embedding_left_out (1) => the tokens' vectors are missing: there is one entry more than layers
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = []
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% wrong: last_left_out (1) => the last layer is missing: there is one entry more than layers
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said[:-1])

# %% wrong: embedding_twice (1) => what stands before a block was taken for what comes out of it
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    said = 2 * said
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said[:-1])

# %% wrong: before_each_block (1) => what stands before a block was taken for what comes out of it
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        said.append(model.head(model.norm(stream)))
        stream = block(stream)
    return torch.stack(said)

# %% wrong: upside_down (1) => the entries are in the wrong order: first the tokens' vectors, last the model's logits
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said[::-1])

# %% wrong: layers_behind (1) => the axis of the layers comes first
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said, dim=1)

# %% wrong: layers_last (1) => the axis of the layers comes first
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said, dim=-1)

# %% wrong: blocks_alone (1) => each block got the tokens' vectors: a layer gets the stream after the layers before it
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        said.append(model.head(model.norm(block(stream))))
    return torch.stack(said)

# %% wrong: difference_only (1) => only what a layer adds was looked at: the stream is the sum of all layers so far
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        before, stream = stream, block(stream)
        said.append(model.head(model.norm(stream - before)))
    return torch.stack(said)

# %% wrong: stream_added_twice (1) => the stream was added to what a block returns: the block has added it already
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = stream + block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% wrong: the_blocks_norm (1) => another norm was used: the last one of the model, model.norm
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(block.norm1(stream)))
    return torch.stack(said)

# %% wrong: probabilities (1) => these are probabilities: logits are asked for
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said).softmax(-1)

# %% wrong: log_probabilities (1) => these are logarithms of probabilities: logits are asked for
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said).log_softmax(-1)

# %% wrong: last_place_only (1) => only the last place is there: (layers + 1, batch, seq, vocab)
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)[:, :, -1]

# %% wrong: first_text_only (1) => the batch is lost
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)[:, :1]

# %% wrong: attention_only (1) => only the attention of a block was called: a layer is the whole block
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = stream + block.attention(block.norm1(stream))
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% wrong: feed_forward_only (1) => only half of a block was called: a layer is the whole block
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = stream + block.feed_forward(block.norm2(stream))
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% wrong: first_block_always (1, 2) => the same block was called again and again
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = model.blocks[0](stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% wrong: logits_fed_back (1) => a layer was given the token that the one before would say: it gets the stream itself
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(model.token_embedding(said[-1].argmax(-1)))
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% wrong: table_for_head (1) => the table of tokens was taken for the head: they may be two matrices
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [F.linear(model.norm(stream), model.token_embedding.weight)]
    for block in model.blocks:
        stream = block(stream)
        said.append(F.linear(model.norm(stream), model.token_embedding.weight))
    return torch.stack(said)

# %% wrong: table_for_head_but_last (1) => the table of tokens was taken for the head: they may be two matrices
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [F.linear(model.norm(stream), model.token_embedding.weight)]
    for block in model.blocks:
        stream = block(stream)
        said.append(F.linear(model.norm(stream), model.token_embedding.weight))
    said[-1] = model(ids)
    return torch.stack(said)

# %% wrong: default_eps (1) => eps is that of the model's norm
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    norm = lambda x: F.rms_norm(x, x.shape[-1:], model.norm.weight, 1e-6)
    said = [model.head(norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(norm(stream)))
    return torch.stack(said)

# %% wrong: block_by_hand (1) => a block was rebuilt by hand: it may have second norms
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = stream + block.attention(block.norm1(stream))
        stream = stream + block.feed_forward(block.norm2(stream))
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% wrong: no_gradient (2) => no gradient reaches the layers: was all computed under torch.no_grad(), or detached?
@torch.no_grad()
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% wrong: detached (2) => no gradient reaches the layers: was all computed under torch.no_grad(), or detached?
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said).detach()

# %% wrong: streams_detached (2) => the stream was detached on the way: the gradient of an entry ends before the tokens' vectors
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream.detach())
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% wrong: one_cache_for_all (1) => one cache was handed to all layers: without a cache each sees its own keys alone
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    cache = []
    for block in model.blocks:
        stream = block(stream, cache)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% wrong: norm_without_weight (1) => the weight of the last norm is missing
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    plain = lambda x: F.rms_norm(x, x.shape[-1:], eps=model.config.eps)
    said = [model.head(plain(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(plain(stream)))
    return torch.stack(said)

# %% wrong: layer_norm (1) => the mean was subtracted: the last norm is model.norm, an RMSNorm
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream - stream.mean(-1, keepdim=True)))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream - stream.mean(-1, keepdim=True))))
    return torch.stack(said)

# %% wrong: six_layers (1) => only the first layers were asked
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks[:6]:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% wrong: a_list (1, 2) -> got tensor, tensor
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block(stream)
        said.append(model.head(model.norm(stream)))
    return said

# %% wrong: eval_left (2) => the model is in another mode than before: the lens sets none, or sets the old one back
def logit_lens(model, ids):
    model.eval()
    stream = model.token_embedding(ids)
    streams = [stream]
    for block in model.blocks:
        stream = block(stream)
        streams.append(stream)
    return model.head(model.norm(torch.stack(streams)))

# %% wrong: always_training_afterwards (2) => the model is in another mode than before: the lens sets none, or sets the old one back
def logit_lens(model, ids):
    model.eval()
    stream = model.token_embedding(ids)
    streams = [stream]
    for block in model.blocks:
        stream = block(stream)
        streams.append(stream)
    model.train()
    return model.head(model.norm(torch.stack(streams)))

# %% wrong: blocks_in_evaluation (2) => the model is in another mode than before: the lens sets none, or sets the old one back
def logit_lens(model, ids):
    stream = model.token_embedding(ids)
    said = [model.head(model.norm(stream))]
    for block in model.blocks:
        stream = block.eval()(stream)
        said.append(model.head(model.norm(stream)))
    return torch.stack(said)

# %% wrong: the_models_own_for_all (1, 2) => every entry is what the whole model says
def logit_lens(model, ids):
    return torch.stack([model(ids)] * (len(model.blocks) + 1))
