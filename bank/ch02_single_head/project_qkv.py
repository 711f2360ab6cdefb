# %% right: matmul
def project_qkv(x, W_q, W_k, W_v):
    return torch.matmul(x, W_q), torch.matmul(x, W_k), torch.matmul(x, W_v)

# %% right: einsum
def project_qkv(x, W_q, W_k, W_v):
    return tuple(torch.einsum("bsd,dk->bsk", x, W) for W in (W_q, W_k, W_v))

# %% right: linear_transposed
def project_qkv(x, W_q, W_k, W_v):
    q = F.linear(x, W_q.T)
    k = F.linear(x, W_k.T)
    v = F.linear(x, W_v.T)
    return [q, k, v]

# %% right: one_fused_product
def project_qkv(x, W_q, W_k, W_v):
    return (x @ torch.cat([W_q, W_k, W_v], dim=1)).chunk(3, dim=-1)

# %% wrong: loops -> a loop over tokens
def project_qkv(x, W_q, W_k, W_v):
    def project(W):
        return torch.stack([torch.stack([token @ W for token in sentence]) for sentence in x])
    return project(W_q), project(W_k), project(W_v)

# %% right: stacked
def project_qkv(x, W_q, W_k, W_v):
    W = torch.stack([W_q, W_k, W_v])                     # (3, d_model, d_k)
    return x.unsqueeze(0) @ W.unsqueeze(1)               # (3, batch, seq, d_k)

# %% right: flat_then_back
def project_qkv(x, W_q, W_k, W_v):
    batch, seq, d_model = x.shape
    rows = x.reshape(batch * seq, d_model)
    return tuple(rows.mm(W).view(batch, seq, -1) for W in (W_q, W_k, W_v))

# %% wrong: weights_transposed => the weights are (d_model, d_k) already: nothing is to be transposed
def project_qkv(x, W_q, W_k, W_v):
    return x @ W_q.T, x @ W_k.T, x @ W_v.T

# %% wrong: same_matrix_for_key => k was made with W_q: each of q, k, v has its own matrix
def project_qkv(x, W_q, W_k, W_v):
    return x @ W_q, x @ W_q, x @ W_v

# %% wrong: keys_and_values_swapped => k was made with W_v, and v with W_k: they are returned in the order q, k, v
def project_qkv(x, W_q, W_k, W_v):
    return x @ W_q, x @ W_v, x @ W_k

# %% wrong: queries_only => three tensors expected, q, k and v; two came
def project_qkv(x, W_q, W_k, W_v):
    return x @ W_q, x @ W_k

# %% wrong: first_sentence_only => the first sentence alone was projected: each result should be (batch, seq, d_k)
def project_qkv(x, W_q, W_k, W_v):
    x = x[0]
    return x @ W_q, x @ W_k, x @ W_v

# %% wrong: breaks_with_batch => mm takes tables alone, and here a batch stands in front
def project_qkv(x, W_q, W_k, W_v):
    return x.mm(W_q), x.mm(W_k), x.mm(W_v)

# %% wrong: x_transposed => the matrix stands in front of x: x times the matrix is asked for
def project_qkv(x, W_q, W_k, W_v):
    return W_q.T @ x, W_k.T @ x, W_v.T @ x

# %% wrong: features_first => tokens and features changed places: each result should be (batch, seq, d_k)
def project_qkv(x, W_q, W_k, W_v):
    xt = x.transpose(1, 2)
    return W_q.T @ xt, W_k.T @ xt, W_v.T @ xt

# %% wrong: reshaped_back => tokens and features changed places and were reshaped back: their numbers got mixed
def project_qkv(x, W_q, W_k, W_v):
    xt = x.transpose(1, 2)
    return tuple((W.T @ xt).reshape(x.shape[0], x.shape[1], -1) for W in (W_q, W_k, W_v))

# %% wrong: random_layers -> should be
def project_qkv(x, W_q, W_k, W_v):
    d_model, d_k = W_q.shape
    return nn.Linear(d_model, d_k)(x), nn.Linear(d_model, d_k)(x), nn.Linear(d_model, d_k)(x)

# %% wrong: bias_left_in => a bias was added: the result is x times the matrix, and nothing else
def project_qkv(x, W_q, W_k, W_v):
    torch.manual_seed(0)
    layers = [nn.Linear(*W_q.shape).to(x) for _ in range(3)]
    for layer, W in zip(layers, (W_q, W_k, W_v)):
        layer.weight.data = W.T.contiguous()
    return tuple(layer(x) for layer in layers)

# %% wrong: scaled_already => q was divided by a power of d_k: the scale belongs to the scores
def project_qkv(x, W_q, W_k, W_v):
    d_k = W_q.shape[1]
    return x @ W_q / d_k ** 0.5, x @ W_k, x @ W_v

# %% wrong: softmaxed_already => q went through a softmax: that comes later, and on scores
def project_qkv(x, W_q, W_k, W_v):
    return (x @ W_q).softmax(-1), (x @ W_k).softmax(-1), x @ W_v

# %% wrong: value_not_projected => v is x itself: it should be (batch, seq, d_k), made with W_v
def project_qkv(x, W_q, W_k, W_v):
    return x @ W_q, x @ W_k, x

# %% wrong: first_sentence_copied => every sentence got the result of the first one
def project_qkv(x, W_q, W_k, W_v):
    return tuple((x[0] @ W).expand(len(x), -1, -1) for W in (W_q, W_k, W_v))

# %% wrong: hard_coded_shape => sizes were fixed in the function: it must work for other sizes
def project_qkv(x, W_q, W_k, W_v):
    return tuple((x.reshape(6, 4) @ W).reshape(2, 3, 2) for W in (W_q, W_k, W_v))

# %% wrong: gradient_cut => the gradient is cut off between the inputs and the results: nothing could be learned
def project_qkv(x, W_q, W_k, W_v):
    with torch.no_grad():
        return x @ W_q, x @ W_k, x @ W_v

# %% wrong: weights_copied_without_gradient => no gradient reaches W_q: the matrices were copied without it
def project_qkv(x, W_q, W_k, W_v):
    results = []
    for W in (W_q, W_k, W_v):
        layer = nn.Linear(*W.shape, bias=False).to(x)
        layer.weight.data = W.detach().T.clone()
        results.append(layer(x))
    return tuple(results)

# %% wrong: float32_only => all was made float32: the dtype of the input was lost
def project_qkv(x, W_q, W_k, W_v):
    x = x.float()
    return x @ W_q.float(), x @ W_k.float(), x @ W_v.float()

# %% wrong: cpu_buffer -> device that is given ?? only the device meta stands for a second one where a student works, and copying from it into a buffer gives another error
def project_qkv(x, W_q, W_k, W_v):
    q, k, v = (torch.zeros(*x.shape[:2], W_q.shape[1], dtype=x.dtype) for _ in range(3))
    for b in range(x.shape[0]):
        q[b], k[b], v[b] = x[b] @ W_q, x[b] @ W_k, x[b] @ W_v
    return q, k, v

# %% wrong: transposes_square_weights => a square matrix was turned round: W is (d_model, d_k) for every size
def project_qkv(x, W_q, W_k, W_v):
    return tuple(x @ (W if W.shape[0] != W.shape[1] else W.T) for W in (W_q, W_k, W_v))

# %% wrong: kept_old_order => q was made with W_v, and v with W_q: they are returned in the order q, k, v
def project_qkv(x, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    return v, k, q

# %% wrong: global_names => the matrices of the text above were used, not those that are passed
def project_qkv(x, W_q, W_k, W_v):
    return x @ globals()["W_q"], x @ globals()["W_k"], x @ globals()["W_v"]

# %% wrong: one_tensor => a single tensor came: three are expected, q, k and v, in a tuple
def project_qkv(x, W_q, W_k, W_v):
    return torch.cat([x @ W_q, x @ W_k, x @ W_v], dim=-1)

# %% wrong: dictionary => a single dict came: three tensors are expected, q, k and v, in a tuple
def project_qkv(x, W_q, W_k, W_v):
    return {"q": x @ W_q, "k": x @ W_k, "v": x @ W_v}

# %% right: broadcast_and_sum
def project_qkv(x, W_q, W_k, W_v):
    return tuple((x.unsqueeze(-1) * W).sum(-2) for W in (W_q, W_k, W_v))

# %% wrong: view_of_the_batch => view() asks for numbers that are contiguous in memory, and after a transpose they are not
def project_qkv(x, W_q, W_k, W_v):
    b, s, d = x.shape
    f = x.view(b * s, d)
    return tuple((f @ W).view(b, s, -1) for W in (W_q, W_k, W_v))

# %% wrong: x_learns_from_queries_alone => the gradient of x is wrong: it comes through q alone, and x was detached for k and v
def project_qkv(x, W_q, W_k, W_v):
    return x @ W_q, x.detach() @ W_k, x.detach() @ W_v

# %% wrong: float32_inside => it was computed in float32, a lower precision
def project_qkv(x, W_q, W_k, W_v):
    return tuple((x.float() @ W.float()).to(x.dtype) for W in (W_q, W_k, W_v))

# %% wrong: limited_to_a_thousand => large numbers were limited
def project_qkv(x, W_q, W_k, W_v):
    return tuple((x @ W).clamp(-1000, 1000) for W in (W_q, W_k, W_v))

# %% wrong: doubled_in_place_and_back => x is changed in place, if only for a while: the caller's tensors stay as they are
def project_qkv(x, W_q, W_k, W_v):
    x.mul_(2)
    out = x @ W_q / 2, x @ W_k / 2, x @ W_v / 2
    x.div_(2)
    return out

# %% wrong: squeezed => an axis of length 1 was dropped: it must work for other sizes
def project_qkv(x, W_q, W_k, W_v):
    return tuple((x @ W).squeeze() for W in (W_q, W_k, W_v))

# %% wrong: long_sentences_cut -> (batch, seq, d_model, d_k) = (2, 521 ?? the visible sentences are short enough to follow by hand
def project_qkv(x, W_q, W_k, W_v):
    x = x[:, :128]
    return x @ W_q, x @ W_k, x @ W_v

# %% wrong: loop_over_tokens -> a loop over tokens
def project_qkv(x, W_q, W_k, W_v):
    results = []
    for W in (W_q, W_k, W_v):
        results.append(torch.stack([x[:, t] @ W for t in range(x.shape[1])], dim=1))
    return tuple(results)

# %% wrong: asks_for_gradients -> was requires_grad_() called
def project_qkv(x, W_q, W_k, W_v):
    for t in (x, W_q, W_k, W_v):
        t.requires_grad_()
    return x @ W_q, x @ W_k, x @ W_v

# %% wrong: split_by_d_model => the product of all three was cut into pieces of another width than d_k !! transposed
def project_qkv(x, W_q, W_k, W_v):
    joint = x @ torch.cat([W_q, W_k, W_v], dim=1)
    q, k, v = joint.split(x.shape[-1], dim=-1)
    return q, k, v

# %% right: one_product_unbound
def project_qkv(x, W_q, W_k, W_v):
    W = torch.stack([W_q, W_k, W_v])                       # (3, d_model, d_k)
    return torch.einsum("bsd,wdk->wbsk", x, W).unbind(0)

# %% wrong: gradient_only_where_x_asks => no gradient reaches the matrices where x asks for none: it reaches each matrix, whatever x asks for
def project_qkv(x, W_q, W_k, W_v):
    with torch.set_grad_enabled(x.requires_grad):
        return x @ W_q, x @ W_k, x @ W_v
