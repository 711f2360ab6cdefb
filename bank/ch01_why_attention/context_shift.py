# %% right: cosine_similarity
def context_shift(sentence_a, sentence_b, i, j):
    after_a = self_attention_simple(sentence_a.unsqueeze(0))[0].squeeze(0)
    after_b = self_attention_simple(sentence_b.unsqueeze(0))[0].squeeze(0)
    before = torch.cosine_similarity(sentence_a[i], sentence_b[j], dim=-1)
    after = torch.cosine_similarity(after_a[i], after_b[j], dim=-1)
    return float(before), float(after)

# %% right: by_hand_0d_tensors
def context_shift(sentence_a, sentence_b, i, j):
    def cosine(u, v):
        return (u @ v) / (u.norm() * v.norm())

    def attended(s):
        return torch.softmax(s @ s.T, dim=-1) @ s

    return cosine(sentence_a[i], sentence_b[j]), cosine(attended(sentence_a)[i], attended(sentence_b)[j])

# %% right: one_query_each
def context_shift(sentence_a, sentence_b, i, j):
    a = torch.softmax(sentence_a @ sentence_a[i], dim=0) @ sentence_a
    b = torch.softmax(sentence_b @ sentence_b[j], dim=0) @ sentence_b
    before = torch.dot(F.normalize(sentence_a[i], dim=0), F.normalize(sentence_b[j], dim=0)).item()
    after = torch.dot(F.normalize(a, dim=0), F.normalize(b, dim=0)).item()
    return before, after

# %% right: pytorch_attention
def context_shift(sentence_a, sentence_b, i, j):
    vectors_a = [sentence_a, F.scaled_dot_product_attention(*[sentence_a[None]] * 3, scale=1.0)[0]]
    vectors_b = [sentence_b, F.scaled_dot_product_attention(*[sentence_b[None]] * 3, scale=1.0)[0]]
    return tuple(F.cosine_similarity(a[i:i + 1], b[j:j + 1]).item() for a, b in zip(vectors_a, vectors_b))

# %% right: full_tables
def context_shift(sentence_a, sentence_b, i, j):
    results = []
    for a, b in [(sentence_a, sentence_b), (self_attention_simple(sentence_a[None])[0][0], self_attention_simple(sentence_b[None])[0][0])]:
        table = F.normalize(a, dim=1) @ F.normalize(b, dim=1).T
        results.append(table[i, j].item())
    return results

# %% right: einsum
def context_shift(sentence_a, sentence_b, i, j):
    def see(s):
        w = torch.einsum("qd,kd->qk", s, s).softmax(-1)
        return torch.einsum("qk,kd->qd", w, s)

    def like(u, v):
        return (torch.einsum("d,d->", u, v) / torch.sqrt((u * u).sum() * (v * v).sum())).item()

    return like(sentence_a[i], sentence_b[j]), like(see(sentence_a)[i], see(sentence_b)[j])

# %% wrong: order_swapped (1) => the order is (before, after), not (after, before)
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item()
    after = F.cosine_similarity(a[0, i], b[0, j], dim=0).item()
    return after, before

# %% wrong: dot_product (1) => this is the dot product: divide it by the lengths of both vectors
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return (sentence_a[i] @ sentence_b[j]).item(), (a[0, i] @ b[0, j]).item()

# %% wrong: dot_product_after (2) => this is the dot product: divide it by the lengths of both vectors
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item(), (a[0, i] @ b[0, j]).item()

# %% wrong: distance (1) => this is a distance (1 - cosine): the similarity is wanted
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return 1 - F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item(), 1 - F.cosine_similarity(a[0, i], b[0, j], dim=0).item()

# %% wrong: places_swapped (1, 2) => i belongs to sentence a and j to sentence b, not the other way round
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return F.cosine_similarity(sentence_a[j], sentence_b[i], dim=0).item(), F.cosine_similarity(a[0, j], b[0, i], dim=0).item()

# %% wrong: places_swapped_after (1, 2) => i belongs to sentence a and j to sentence b, not the other way round
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item(), F.cosine_similarity(a[0, j], b[0, i], dim=0).item()

# %% wrong: absolute (1) => the sign got lost: vectors that point away from one another have a negative similarity
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return abs(F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item()), abs(F.cosine_similarity(a[0, i], b[0, j], dim=0).item())

# %% wrong: angle (1) => this is an angle: its cosine is wanted
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).acos().item(), F.cosine_similarity(a[0, i], b[0, j], dim=0).acos().item()

# %% wrong: no_attention (2) => this is the similarity before attention, once more
def context_shift(sentence_a, sentence_b, i, j):
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item()
    return before, before

# %% wrong: joint_attention (2) => the two sentences attended to one another: each attends to itself alone
def context_shift(sentence_a, sentence_b, i, j):
    both, _ = self_attention_simple(torch.cat([sentence_a, sentence_b])[None])
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item()
    after = F.cosine_similarity(both[0, i], both[0, len(sentence_a) + j], dim=0).item()
    return before, after

# %% wrong: only_a_attends (2) => only sentence a attended: both tokens must be seen in their context
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    return F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item(), F.cosine_similarity(a[0, i], sentence_b[j], dim=0).item()

# %% wrong: only_b_attends (2) => only sentence b attended: both tokens must be seen in their context
def context_shift(sentence_a, sentence_b, i, j):
    b, _ = self_attention_simple(sentence_b[None])
    return F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item(), F.cosine_similarity(sentence_a[i], b[0, j], dim=0).item()

# %% wrong: change_returned (2) => this is the change: return the similarity after attention itself
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item()
    return before, F.cosine_similarity(a[0, i], b[0, j], dim=0).item() - before

# %% wrong: one_number (1, 2) => one number came: a pair is expected, (before, after)
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return F.cosine_similarity(a[0, i], b[0, j], dim=0).item()

# %% wrong: vectors_of_length_one (1) => a number has an axis left over: two single numbers are expected
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return F.cosine_similarity(sentence_a[None, i], sentence_b[None, j]), F.cosine_similarity(a[:, i], b[:, j])

# %% wrong: means_of_the_contexts (2) => these are the means of the contexts: only tokens i and j are compared
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item(), F.cosine_similarity(a[0].mean(0), b[0].mean(0), dim=0).item()

# %% wrong: means_of_the_sentences (1) => these are the means of the sentences: only tokens i and j are compared
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return F.cosine_similarity(sentence_a.mean(0), sentence_b.mean(0), dim=0).item(), F.cosine_similarity(a[0, i], b[0, j], dim=0).item()

# %% wrong: scaled (2) => the scores were divided by √d_model: that comes in chapter 2
def context_shift(sentence_a, sentence_b, i, j):
    a, b = (F.scaled_dot_product_attention(s[None], s[None], s[None])[0] for s in (sentence_a, sentence_b))
    return F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item(), F.cosine_similarity(a[i], b[j], dim=0).item()

# %% wrong: softmax_over_queries (2) => softmax ran over the queries
def context_shift(sentence_a, sentence_b, i, j):
    a, b = ((s @ s.T).softmax(0) @ s for s in (sentence_a, sentence_b))
    return F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item(), F.cosine_similarity(a[i], b[j], dim=0).item()

# %% wrong: attention_twice (2) => attention ran twice over the same sentence
def context_shift(sentence_a, sentence_b, i, j):
    a, b = sentence_a[None], sentence_b[None]
    for _ in range(2):
        a, b = self_attention_simple(a)[0], self_attention_simple(b)[0]
    return F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item(), F.cosine_similarity(a[0, i], b[0, j], dim=0).item()

# %% wrong: equal_weights (2) => every token got the same weight: this is the plain mean of the sentence
def context_shift(sentence_a, sentence_b, i, j):
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item()
    return before, F.cosine_similarity(sentence_a.mean(0), sentence_b.mean(0), dim=0).item()

# %% wrong: contexts_for_both (1) => the order is (before, after), not (after, before)
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    after = F.cosine_similarity(a[0, i], b[0, j], dim=0).item()
    return after, after

# %% wrong: equal_lengths_only (1, 2) => sentences need not be equal in length: let each attend to itself alone
def context_shift(sentence_a, sentence_b, i, j):
    contexts, _ = self_attention_simple(torch.stack([sentence_a, sentence_b]))
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item()
    return before, F.cosine_similarity(contexts[0, i], contexts[1, j], dim=0).item()

# %% wrong: unstable (2) => scores of 10,000 give NaN: their exponentials overflow
def context_shift(sentence_a, sentence_b, i, j):
    contexts = []
    for s in (sentence_a, sentence_b):
        e = (s @ s.T).exp()
        contexts.append(e / e.sum(-1, keepdim=True) @ s)
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item()
    return before, F.cosine_similarity(contexts[0][i], contexts[1][j], dim=0).item()

# %% wrong: first_tokens (1, 2) => i belongs to sentence a and j to sentence b, not the other way round
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item(), F.cosine_similarity(a[0, j], b[0, i], dim=0).item()

# %% wrong: normalised_in_place (1) => a sentence was changed in place: make new tensors, leave the given ones alone
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    after = F.cosine_similarity(a[0, i], b[0, j], dim=0).item()
    sentence_a /= sentence_a.norm(dim=1, keepdim=True)
    sentence_b /= sentence_b.norm(dim=1, keepdim=True)
    return (sentence_a[i] @ sentence_b[j]).item(), after

# %% wrong: last_two_features (1, 2) => two features alone were used: there may be any number of them
def context_shift(sentence_a, sentence_b, i, j):
    def cosine(u, v):
        return ((u[0] * v[0] + u[1] * v[1]) / (u.norm() * v.norm())).item()
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return cosine(sentence_a[i], sentence_b[j]), cosine(a[0, i], b[0, j])

# %% wrong: float32_only (1, 2) => a table was made in float32, and sentences in float64 do not fit: keep the dtype of the input
def context_shift(sentence_a, sentence_b, i, j):
    def attended(s):
        weights = torch.zeros(len(s), len(s))
        for n in range(len(s)):
            weights[n] = torch.softmax(s @ s[n], 0)
        return weights @ s
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item()
    return before, F.cosine_similarity(attended(sentence_a)[i], attended(sentence_b)[j], dim=0).item()

# %% wrong: two_axes (1, 2) => self_attention_simple wants (batch, seq, d_model): give each an axis in front, and take it away again
def context_shift(sentence_a, sentence_b, i, j):
    context_a, _ = self_attention_simple(sentence_a)
    context_b, _ = self_attention_simple(sentence_b)
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0)
    after = F.cosine_similarity(context_a[0, i], context_b[0, j], dim=0)
    return before.item(), after.item()

# %% wrong: euclid (1) => this is the distance between the vectors: their cosine is wanted
def context_shift(sentence_a, sentence_b, i, j):
    a, b = sentence_a[i], sentence_b[j]
    ca = self_attention_simple(sentence_a[None])[0][0, i]
    cb = self_attention_simple(sentence_b[None])[0][0, j]
    return (a - b).norm(), (ca - cb).norm()

# %% wrong: weights_compared (2) => the weights were compared: compare the contexts
def context_shift(sentence_a, sentence_b, i, j):
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0)
    wa = self_attention_simple(sentence_a[None])[1][0, i]
    wb = self_attention_simple(sentence_b[None])[1][0, j]
    n = min(len(wa), len(wb))
    return before, F.cosine_similarity(wa[:n], wb[:n], dim=0)

# %% wrong: static_vector_added (2) => the static vector was added to the context: compare the contexts alone
def context_shift(sentence_a, sentence_b, i, j):
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0)
    ca = self_attention_simple(sentence_a[None])[0][0, i]
    cb = self_attention_simple(sentence_b[None])[0][0, j]
    return before, F.cosine_similarity(ca + sentence_a[i], cb + sentence_b[j], dim=0)

# %% wrong: tuple_not_unpacked (1, 2) => self_attention_simple returns two results, context and weights: take the first
def context_shift(sentence_a, sentence_b, i, j):
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0)
    ca = self_attention_simple(sentence_a[None])[i]
    cb = self_attention_simple(sentence_b[None])[j]
    return before, F.cosine_similarity(ca, cb, dim=0)

# %% wrong: batch_axis_not_taken_away (1, 2) => self_attention_simple returns a batch: take its axis away again
def context_shift(sentence_a, sentence_b, i, j):
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0)
    ca = self_attention_simple(sentence_a[None])[0]
    cb = self_attention_simple(sentence_b[None])[0]
    return before, F.cosine_similarity(ca[i], cb[j], dim=0)

# %% wrong: changes_compared (2) => the changes (context minus vector) were compared: compare the contexts
def context_shift(sentence_a, sentence_b, i, j):
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0)
    ca = self_attention_simple(sentence_a[None])[0][0, i] - sentence_a[i]
    cb = self_attention_simple(sentence_b[None])[0][0, j] - sentence_b[j]
    return before, F.cosine_similarity(ca, cb, dim=0)

# %% right: padded_with_zeros
def context_shift(sentence_a, sentence_b, i, j):
    x = nn.utils.rnn.pad_sequence([sentence_a, sentence_b], batch_first=True)
    c = self_attention_simple(x)[0]
    return tuple(F.cosine_similarity(t[0, i], t[1, j], dim=-1) for t in (x, c))

# %% wrong: product_with_a_table_on_the_cpu (2) -> two devices meet ?? a visible check has no second device
def context_shift(sentence_a, sentence_b, i, j):
    a, b = sentence_a, sentence_b
    a = a @ torch.eye(a.shape[1], dtype=a.dtype)
    ca, cb = self_attention_simple(a[None])[0][0], self_attention_simple(b[None])[0][0]
    return F.cosine_similarity(a[i], b[j], dim=0), F.cosine_similarity(ca[i], cb[j], dim=0)

# %% wrong: same_sentence_taken_for_same_word (1, 2) => twice the same sentence, but another word of it: the two words are not the same
def context_shift(sentence_a, sentence_b, i, j):
    if torch.equal(sentence_a, sentence_b):
        return 1.0, 1.0
    ca = self_attention_simple(sentence_a[None])[0][0, i]
    cb = self_attention_simple(sentence_b[None])[0][0, j]
    return (F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0).item(),
            F.cosine_similarity(ca, cb, dim=0).item())

# %% wrong: axis_added_in_place (1) => a sentence was changed in place: make new tensors, leave the given ones alone !! give each an axis in front
def context_shift(sentence_a, sentence_b, i, j):
    before = F.cosine_similarity(sentence_a[i], sentence_b[j], dim=0)
    a = self_attention_simple(sentence_a.unsqueeze_(0))[0][0]
    b = self_attention_simple(sentence_b.unsqueeze_(0))[0][0]
    return before, F.cosine_similarity(a[i], b[j], dim=0)

# %% wrong: i_for_both (1, 2) => i belongs to sentence a and j to sentence b: i was used for both
def context_shift(sentence_a, sentence_b, i, j):
    a, _ = self_attention_simple(sentence_a[None])
    b, _ = self_attention_simple(sentence_b[None])
    return F.cosine_similarity(sentence_a[i], sentence_b[i], dim=0).item(), F.cosine_similarity(a[0, i], b[0, i], dim=0).item()
