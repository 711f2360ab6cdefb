# %% right: batch_of_experiments
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 100.0):
        x = torch.randn(seq, d) * size
        other = torch.randn(seq, d) * size
        t = torch.arange(seq + 1)[:, None]                                   # experiment t: tokens from t on are new
        new = torch.arange(seq)[None, :] >= t
        batch = torch.where(new[..., None], other, x)                        # (seq + 1, seq, d)
        output, weights = attention_fn(batch)
        for n in range(1, seq):
            for result in (output, weights):
                if (result[n, ..., :n, :] - result[seq, ..., :n, :]).abs().max() > 1e-5 * size:
                    return True
    return False

# %% right: one_token_at_a_time
def leaks_future(attention_fn, seq=8, d=4):
    torch.manual_seed(7)
    with torch.no_grad():
        for size in [1, 10, 100, 300]:
            x = size * torch.randn(2, seq, d)
            output, weights = attention_fn(x)
            for j in range(1, seq):
                y = x.clone()
                y[:, j] = -2 * x[:, j] + size * torch.randn(2, d)
                new_output, new_weights = attention_fn(y)
                same = torch.allclose(output[..., :j, :], new_output[..., :j, :], rtol=1e-3, atol=1e-5 * size)
                same = same and torch.allclose(weights[..., :j, :], new_weights[..., :j, :], atol=1e-5)
                if not same:
                    return True
    return False

# %% right: cut_short
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 100.0):
        x = size * torch.randn(2, seq, d)
        output, weights = attention_fn(x)
        for n in range(1, seq):
            short_output, short_weights = attention_fn(x[:, :n])
            if not torch.allclose(output[..., :n, :], short_output, rtol=1e-3, atol=1e-4 * size):
                return True
            if not torch.allclose(weights[..., :n, :n], short_weights, rtol=1e-3, atol=1e-5):
                return True
            if not torch.allclose(weights[..., :n, n:], torch.zeros(()), atol=1e-6):
                return True
    return False

# %% right: other_tails
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 100.0):
        x = size * torch.randn(1, seq, d)
        output, weights = attention_fn(x)
        for n in range(1, seq):
            tail = size * torch.randn(1, seq - n, d)
            out_2, w_2 = attention_fn(torch.cat([x[:, :n], tail], dim=1))
            if (output - out_2).abs()[..., :n, :].gt(1e-5 * size).any() or (weights - w_2).abs()[..., :n, :].gt(1e-5).any():
                return True
    return False

# %% right: float64_and_exact
def leaks_future(attention_fn, seq=8, d=4):
    g = torch.Generator().manual_seed(11)
    leak = torch.tensor(False)
    for size in (1e2, 1e0):
        x = torch.randn(1, seq, d, generator=g, dtype=torch.float64) * size
        y = torch.randn(1, seq, d, generator=g, dtype=torch.float64) * size
        first = attention_fn(x)
        for t in range(seq - 1):
            mixed = torch.cat((x[:, :t + 1], y[:, t + 1:]), 1)
            second = attention_fn(mixed)
            for a, b in zip(first, second):
                leak = leak | ((a - b)[..., :t + 1, :].abs() > 1e-9 * size).any()
    return leak

# %% right: loud_future
def leaks_future(attention_fn, seq=8, d=4):
    x = torch.randn(3, seq, d)
    found = []
    for t in range(seq - 1):
        for loud in (1.0, 100.0, -100.0):
            y = x.clone()
            y[:, t + 1:] = loud * torch.randn(3, seq - t - 1, d)
            for old, new in zip(attention_fn(x), attention_fn(y)):
                old, new = old.narrow(-2, 0, t + 1), new.narrow(-2, 0, t + 1)
                found.append(not torch.allclose(old, new, rtol=1e-4, atol=1e-6))
    return any(found)

# %% wrong: looks_at_the_picture (1, 2) -> the sum was taken over the future
def leaks_future(attention_fn, seq=8, d=4):
    _, weights = attention_fn(torch.randn(1, seq, d))
    future = torch.ones(seq, seq).triu(1).bool()
    return bool((weights[..., future].abs() > 1e-8).any())

# %% wrong: always_true (1, 2) -> a plain causal attention: no leak expected
def leaks_future(attention_fn, seq=8, d=4):
    return True

# %% wrong: always_false (1, 2) -> without any mask
def leaks_future(attention_fn, seq=8, d=4):
    return False

# %% wrong: answer_inverted (1, 2) -> a plain causal attention: no leak expected
def leaks_future(attention_fn, seq=8, d=4):
    x = torch.randn(1, seq, d)
    before = attention_fn(x)
    for size in (1, 100):
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, seq - t, d)
            for a, b in zip(before, attention_fn(y)):
                if not torch.allclose(a[..., :t, :], b[..., :t, :], atol=1e-5):
                    return False
    return True

# %% wrong: output_only (1, 2) -> weights from before the mask
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        before, _ = attention_fn(x)
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, seq - t, d)
            after, _ = attention_fn(y)
            if not torch.allclose(before[..., :t, :], after[..., :t, :], rtol=1e-4, atol=1e-5):
                return True
    return False

# %% wrong: weights_only (1, 2) -> causal weights, an output made without a mask
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        _, before = attention_fn(x)
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, seq - t, d)
            _, after = attention_fn(y)
            if not torch.allclose(before[..., :t, :], after[..., :t, :], rtol=1e-4, atol=1e-5):
                return True
    return False

# %% wrong: changes_the_last_token_only -> row 2 alone
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        y = x.clone()
        y[:, -1] = size * torch.randn(d)
        for a, b in zip(attention_fn(x), attention_fn(y)):
            if not torch.allclose(a[..., :-1, :], b[..., :-1, :], rtol=1e-4, atol=1e-5):
                return True
    return False

# %% wrong: one_cut_in_the_middle -> row 2 alone
def leaks_future(attention_fn, seq=8, d=4):
    t = seq // 2
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        y = x.clone()
        y[:, t:] = size * torch.randn(1, seq - t, d)
        for a, b in zip(attention_fn(x), attention_fn(y)):
            if not torch.allclose(a[..., :t, :], b[..., :t, :], rtol=1e-4, atol=1e-5):
                return True
    return False

# %% wrong: first_row_only -> row 2 alone
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        y = x.clone()
        y[:, 1:] = size * torch.randn(1, seq - 1, d)
        for a, b in zip(attention_fn(x), attention_fn(y)):
            if not torch.allclose(a[..., 0, :], b[..., 0, :], rtol=1e-4, atol=1e-5):
                return True
    return False

# %% wrong: first_head_only (1) -> honest output, one leaky head
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        out, w = attention_fn(x)
        w = w[:, 0] if w.dim() == 4 else w
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, seq - t, d)
            out_2, w_2 = attention_fn(y)
            w_2 = w_2[:, 0] if w_2.dim() == 4 else w_2
            for a, b in ((out, out_2), (w, w_2)):
                if not torch.allclose(a[:, :t], b[:, :t], rtol=1e-4, atol=1e-5):
                    return True
    return False

# %% wrong: slices_heads_instead_of_rows (1) -> two heads, also in the output: no leak expected
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        before = attention_fn(x)
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, seq - t, d)
            for a, b in zip(before, attention_fn(y)):
                if not torch.allclose(a[:, :t], b[:, :t], rtol=1e-4, atol=1e-5):
                    return True
    return False

# %% wrong: includes_the_changed_row (1, 2) -> a plain causal attention: no leak expected
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        before = attention_fn(x)
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, seq - t, d)
            for a, b in zip(before, attention_fn(y)):
                if not torch.allclose(a[..., :t + 1, :], b[..., :t + 1, :], rtol=1e-4, atol=1e-5):
                    return True
    return False

# %% wrong: one_row_too_few -> one step too generous
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        before = attention_fn(x)
        for t in range(2, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, seq - t, d)
            for a, b in zip(before, attention_fn(y)):
                if not torch.allclose(a[..., :t - 1, :], b[..., :t - 1, :], rtol=1e-4, atol=1e-5):
                    return True
    return False

# %% wrong: poisons_with_nan (1, 2) -> a plain causal attention: no leak expected
def leaks_future(attention_fn, seq=8, d=4):
    x = torch.randn(1, seq, d)
    for t in range(1, seq):
        y = x.clone()
        y[:, t:] = float("nan")
        for result in attention_fn(y):
            if result[..., :t, :].isnan().any():
                return True
    return False

# %% wrong: rows_must_sum_to_one (1) -> row 0 sees nothing
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        before = attention_fn(x)
        if not torch.allclose(before[1].sum(-1), torch.ones(()), atol=1e-4):
            return True
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, seq - t, d)
            for a, b in zip(before, attention_fn(y)):
                if not torch.allclose(a[..., :t, :], b[..., :t, :], rtol=1e-4, atol=1e-5):
                    return True
    return False

# %% wrong: wants_a_full_triangle (1) -> no leak expected
def leaks_future(attention_fn, seq=8, d=4):
    x = torch.randn(1, seq, d)
    before = attention_fn(x)
    triangle = torch.ones(seq, seq).tril().bool()
    if not ((before[1] > 0) == triangle).all():
        return True
    for size in (1, 100):
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, seq - t, d)
            for a, b in zip(before, attention_fn(y)):
                if not torch.allclose(a[..., :t, :], b[..., :t, :], rtol=1e-4, atol=1e-5):
                    return True
    return False

# %% wrong: compares_with_plain_causal_attention (1, 2) -> no leak expected
def leaks_future(attention_fn, seq=8, d=4):
    x = torch.randn(1, seq, d)
    scores = (x @ x.transpose(1, 2) / d ** 0.5).masked_fill(torch.ones(seq, seq).triu(1).bool(), -torch.inf)
    return not torch.allclose(attention_fn(x)[1], scores.softmax(-1), atol=1e-4)

# %% wrong: gradient_only (2) -> weights only lowered by 50
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 100.0):
        x = (size * torch.randn(1, seq, d)).requires_grad_()
        for result in attention_fn(x):
            if not result.requires_grad:
                continue
            for i in range(seq - 1):
                g, = torch.autograd.grad((result[..., i, :] * torch.rand(result.size(-1))).sum(), x, retain_graph=True, allow_unused=True)
                if g is not None and (g[:, i + 1:].abs() > 1e-6).any():
                    return True
    return False

# %% wrong: adds_a_constant (2) -> does not see a constant that is added
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        before = attention_fn(x)
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] += 3.0 * size
            for a, b in zip(before, attention_fn(y)):
                if not torch.allclose(a[..., :t, :], b[..., :t, :], rtol=1e-4, atol=1e-4):
                    return True
    return False

# %% wrong: usual_size_only (2) -> large embeddings outdo
def leaks_future(attention_fn, seq=8, d=4):
    x = torch.randn(1, seq, d)
    before = attention_fn(x)
    for t in range(1, seq):
        y = x.clone()
        y[:, t:] = torch.randn(1, seq - t, d)
        for a, b in zip(before, attention_fn(y)):
            if not torch.allclose(a[..., :t, :], b[..., :t, :], atol=1e-6):
                return True
    return False

# %% wrong: tolerance_too_wide -> leak
def leaks_future(attention_fn, seq=8, d=4):
    x = torch.randn(1, seq, d)
    before = attention_fn(x)
    for t in range(1, seq):
        y = x.clone()
        y[:, t:] += 0.01 * torch.randn(1, seq - t, d)
        for a, b in zip(before, attention_fn(y)):
            if not torch.allclose(a[..., :t, :], b[..., :t, :], atol=0.1):
                return True
    return False

# %% wrong: ignores_seq (2) -> does the test use seq
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, 8, d)
        before = attention_fn(x)
        for t in range(1, 8):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, 8 - t, d)
            for a, b in zip(before, attention_fn(y)):
                if not torch.allclose(a[..., :t, :], b[..., :t, :], rtol=1e-4, atol=1e-5):
                    return True
    return False

# %% wrong: ignores_d (2) -> for d = 6: it did not run
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, 4)
        before = attention_fn(x)
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, seq - t, 4)
            for a, b in zip(before, attention_fn(y)):
                if not torch.allclose(a[..., :t, :], b[..., :t, :], rtol=1e-4, atol=1e-5):
                    return True
    return False

# %% wrong: changes_x_itself -> without any mask
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        for t in range(1, seq):
            y = x
            y[:, t:] = size * torch.randn(1, seq - t, d)
            for a, b in zip(attention_fn(x), attention_fn(y)):
                if not torch.allclose(a[..., :t, :], b[..., :t, :], rtol=1e-4, atol=1e-5):
                    return True
    return False

# %% wrong: counts_leaks_of_the_last_experiment (1, 2) -> a leak expected
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        before = attention_fn(x)
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, seq - t, d)
            leak = False
            for a, b in zip(before, attention_fn(y)):
                leak = leak or not torch.allclose(a[..., :t, :], b[..., :t, :], rtol=1e-4, atol=1e-5)
    return leak

# %% wrong: permutes_the_future (1, 2) -> the sum was taken over the future
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        before = attention_fn(x)
        for t in range(1, seq):
            y = torch.cat([x[:, :t], x[:, t:].flip(1)], 1)
            for a, b in zip(before, attention_fn(y)):
                if not torch.allclose(a[..., :t, :], b[..., :t, :], rtol=1e-4, atol=1e-4):
                    return True
    return False

# %% wrong: mean_difference -> weights from before the mask
def leaks_future(attention_fn, seq=8, d=4):

    for size in (1, 100):
        x = size * torch.randn(2, seq, d)
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(2, seq - t, d)
            for a, b in zip(attention_fn(x), attention_fn(y)):
                if abs((a - b)[..., :t, :].mean()) > 1e-4:
                    return True
    return False

# %% wrong: changes_the_past (1, 2) -> a plain causal attention: no leak expected
def leaks_future(attention_fn, seq=8, d=4):

    for size in (1, 100):
        x = size * torch.randn(2, seq, d)
        for t in range(1, seq):
            y = x.clone()
            y[:, :t] = size * torch.randn(2, t, d)
            for a, b in zip(attention_fn(x), attention_fn(y)):
                if not torch.allclose(a[..., t:, :], b[..., t:, :], rtol=1e-3, atol=1e-4):
                    return True
    return False

# %% wrong: future_of_zeros_once -> row 2 alone
def leaks_future(attention_fn, seq=8, d=4):

    x = 100 * torch.randn(2, seq, d)
    out, w = attention_fn(x)
    for t in range(1, seq):
        y = x.clone()
        y[:, t:] = 0
        out2, w2 = attention_fn(y)
        if (out[..., :t, :] - out2[..., :t, :]).abs().max() > 1e-3:
            return True
        if (w[..., :t, :] - w2[..., :t, :]).abs().max() > 1e-3:
            return True
    return False

# %% wrong: tolerance_of_a_thousandth (2) -> five thousand times as small
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 10.0, 100.0):
        x = size * torch.randn(2, seq, d)
        before = attention_fn(x)
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(2, seq - t, d)
            for a, b in zip(before, attention_fn(y)):
                if (a - b)[..., :t, :].abs().max() > 1e-3:
                    return True
    return False

# %% wrong: weights_at_the_usual_size_only (2) -> weights only lowered by 50
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1, 100):
        x = size * torch.randn(1, seq, d)
        before = attention_fn(x)
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(1, seq - t, d)
            after = attention_fn(y)
            for a, b in list(zip(before, after))[:1 if size > 1 else 2]:
                if not torch.allclose(a[..., :t, :], b[..., :t, :], rtol=1e-4, atol=1e-6 * size):
                    return True
    return False

# %% right: compared_with_its_own_size
def leaks_future(attention_fn, seq=8, d=4):
    generator = torch.Generator().manual_seed(4)
    for size in (0.5, 5.0, 100.0):
        x, other = size * torch.randn(2, 3, seq, d, generator=generator, dtype=torch.float64)
        results = [attention_fn(torch.cat([x[:, :t], other[:, t:]], dim=1)) for t in range(1, seq + 1)]
        for t, changed in enumerate(results, start=1):
            for a, b in zip(changed, results[-1]):
                a, b = a[..., :t, :], b[..., :t, :]
                if (a - b).abs().max() > 1e-6 * b.abs().max():
                    return True
    return False

# %% wrong: no_tolerance_at_all (1) -> rounded otherwise
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 100.0):
        x = size * torch.randn(1, seq, d)
        output, weights = attention_fn(x)
        for n in range(1, seq):
            tail = size * torch.randn(1, seq - n, d)
            out_2, w_2 = attention_fn(torch.cat([x[:, :n], tail], dim=1))
            if (output - out_2).abs()[..., :n, :].any() or (weights - w_2).abs()[..., :n, :].any():
                return True
    return False

# %% wrong: weights_without_tolerance (1) -> rounded otherwise
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 100.0):
        x = size * torch.randn(1, seq, d)
        output, weights = attention_fn(x)
        for n in range(1, seq):
            tail = size * torch.randn(1, seq - n, d)
            out_2, w_2 = attention_fn(torch.cat([x[:, :n], tail], dim=1))
            if (output - out_2).abs()[..., :n, :].gt(1e-5 * size).any() or (weights - w_2)[..., :n, :].any():
                return True
    return False

# %% wrong: moves_up_only -> in both directions
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 100.0):
        x = size * torch.randn(1, seq, d)
        output, weights = attention_fn(x)
        for n in range(1, seq):
            tail = size * torch.randn(1, seq - n, d)
            out_2, w_2 = attention_fn(torch.cat([x[:, :n], tail], dim=1))
            if (output - out_2)[..., :n, :].gt(1e-5 * size).any() or (weights - w_2)[..., :n, :].gt(1e-5).any():
                return True
    return False

# %% wrong: weights_move_up_only -> in both directions
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 100.0):
        x = size * torch.randn(1, seq, d)
        output, weights = attention_fn(x)
        for n in range(1, seq):
            tail = size * torch.randn(1, seq - n, d)
            out_2, w_2 = attention_fn(torch.cat([x[:, :n], tail], dim=1))
            if (output - out_2).abs()[..., :n, :].gt(1e-5 * size).any() or (weights - w_2)[..., :n, :].gt(1e-5).any():
                return True
    return False

# %% wrong: largest_before_the_sign_is_dropped -> in both directions
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 100.0):
        x = torch.randn(seq, d) * size
        other = torch.randn(seq, d) * size
        new = torch.arange(seq)[None, :] >= torch.arange(seq + 1)[:, None]
        output, weights = attention_fn(torch.where(new[..., None], other, x))
        for n in range(1, seq):
            for result in (output, weights):
                if (result[n, ..., :n, :] - result[seq, ..., :n, :]).max().abs() > 1e-5 * size:
                    return True
    return False

# %% wrong: three_sentences_one_direction -> in both directions ?? with three sentences of three sizes a leak of the visible collection moves up in one of them
def leaks_future(attention_fn, seq=8, d=4):
    generator = torch.Generator().manual_seed(4)
    for size in (0.5, 5.0, 100.0):
        x, other = size * torch.randn(2, 3, seq, d, generator=generator, dtype=torch.float64)
        results = [attention_fn(torch.cat([x[:, :t], other[:, t:]], dim=1)) for t in range(1, seq + 1)]
        for t, changed in enumerate(results, start=1):
            for a, b in zip(changed, results[-1]):
                a, b = a[..., :t, :], b[..., :t, :]
                if (a - b).max() > 1e-6 * b.abs().max():
                    return True
    return False

# %% wrong: cut_short_without_the_shown_past (1) -> weights zeroed after softmax
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 100.0):
        x = size * torch.randn(2, seq, d)
        output, weights = attention_fn(x)
        for n in range(1, seq):
            short_output, _ = attention_fn(x[:, :n])
            if not torch.allclose(output[..., :n, :], short_output, rtol=1e-3, atol=1e-4 * size):
                return True
            if not torch.allclose(weights[..., :n, n:], torch.zeros(()), atol=1e-6):
                return True
    return False

# %% wrong: cut_short_without_the_shown_future (1) -> sigmoid
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 100.0):
        x = size * torch.randn(2, seq, d)
        output, weights = attention_fn(x)
        for n in range(1, seq):
            short_output, short_weights = attention_fn(x[:, :n])
            if not torch.allclose(output[..., :n, :], short_output, rtol=1e-3, atol=1e-4 * size):
                return True
            if not torch.allclose(weights[..., :n, :n], short_weights, rtol=1e-3, atol=1e-5):
                return True
    return False

# %% wrong: relative_tolerance_of_one (1) -> by its own size ?? every visible leak moves some number by more than its own size
def leaks_future(attention_fn, seq=8, d=4):
    x = torch.randn(3, seq, d)
    found = []
    for t in range(seq - 1):
        for loud in (1.0, 100.0, -100.0):
            y = x.clone()
            y[:, t + 1:] = loud * torch.randn(3, seq - t - 1, d)
            for old, new in zip(attention_fn(x), attention_fn(y)):
                old, new = old.narrow(-2, 0, t + 1), new.narrow(-2, 0, t + 1)
                found.append(not torch.allclose(old, new, rtol=1, atol=1e-6))
    return any(found)

# %% wrong: compared_with_the_largest_number_and_its_sign (1) -> all of it negative
def leaks_future(attention_fn, seq=8, d=4):
    for size in (1.0, 100.0):
        x = size * torch.randn(3, seq, d, dtype=torch.float64)
        for t in range(1, seq):
            y = torch.cat([x[:, :t], size * torch.randn(3, seq - t, d, dtype=torch.float64)], dim=1)
            for a, b in zip(attention_fn(x), attention_fn(y)):
                if (a - b)[..., :t, :].abs().max() > 1e-6 * b[..., :t, :].max():
                    return True
    return False

# %% wrong: eight_tokens_at_least (2) -> a single token
def leaks_future(attention_fn, seq=8, d=4):
    seq = max(seq, 8)
    generator = torch.Generator().manual_seed(0)
    for size in (1.0, 100.0):
        x = size * torch.randn(1, seq, d, generator=generator)
        before = attention_fn(x)
        for t in range(1, seq):
            other = x.clone()
            other[:, t:] = size * torch.randn(1, seq - t, d, generator=generator)
            for old, new in zip(before, attention_fn(other)):
                if not torch.allclose(old[..., :t, :], new[..., :t, :],
                                      rtol=1e-4, atol=1e-6 * size):
                    return True
    return False

# %% wrong: thirty_two_tokens_at_most (2) -> from token 64 on
def leaks_future(attention_fn, seq=8, d=4):
    seq = min(seq, 32)
    generator = torch.Generator().manual_seed(0)
    for size in (1.0, 100.0):
        x = size * torch.randn(1, seq, d, generator=generator)
        before = attention_fn(x)
        for t in range(1, seq):
            other = x.clone()
            other[:, t:] = size * torch.randn(1, seq - t, d, generator=generator)
            for old, new in zip(before, attention_fn(other)):
                if not torch.allclose(old[..., :t, :], new[..., :t, :],
                                      rtol=1e-4, atol=1e-6 * size):
                    return True
    return False

# %% wrong: output_of_three_axes_only (1) -> also in the output
def leaks_future(attention_fn, seq=8, d=4):
    generator = torch.Generator().manual_seed(0)
    for size in (1.0, 100.0):
        x = size * torch.randn(1, seq, d, generator=generator)
        before = attention_fn(x)
        for t in range(1, seq):
            other = x.clone()
            other[:, t:] = size * torch.randn(1, seq - t, d, generator=generator)
            for old, new in zip(before, attention_fn(other)):
                if new.shape[-1] == seq:
                    old, new = old[..., :t, :], new[..., :t, :]
                else:
                    old, new = old[:, :t], new[:, :t]
                if not torch.allclose(old, new, rtol=1e-4, atol=1e-6 * size):
                    return True
    return False

# %% wrong: scales_the_future (2) -> the direction of embeddings
@torch.no_grad()
def leaks_future(attention_fn, seq=8, d=4):
    gen = torch.Generator().manual_seed(0)
    for size in (1.0, 100.0):
        x = size * torch.randn(2, seq, d, generator=gen)
        first = attention_fn(x)
        for t in range(1, seq):
            for factor in (3.0, -1.0):
                y = x.clone()
                y[:, t:] *= factor
                for a, b in zip(first, attention_fn(y)):
                    a, b = a[..., :t, :], b[..., :t, :]
                    if (a - b).abs().max() > 1e-4 * a.abs().max() + 1e-30:
                        return True
    return False

# %% wrong: sixty_four_tokens_at_most (2) -> from token 64 on
@torch.no_grad()
def leaks_future(attention_fn, seq=8, d=4):
    gen = torch.Generator().manual_seed(0)
    seq = min(seq, 64)
    for size in (1.0, 100.0):
        x = size * torch.randn(2, seq, d, generator=gen)
        first = attention_fn(x)
        for t in range(1, seq):
            y = x.clone()
            y[:, t:] = size * torch.randn(2, seq - t, d, generator=gen)
            for a, b in zip(first, attention_fn(y)):
                a, b = a[..., :t, :], b[..., :t, :]
                if (a - b).abs().max() > 1e-4 * torch.maximum(a.abs().max(), b.abs().max()) + 1e-30:
                    return True
    return False

# %% wrong: allclose_by_default (1) -> rounded otherwise
def leaks_future(attention_fn, seq=8, d=4):
    g = torch.Generator().manual_seed(0)
    for size in (1.0, 100.0):
        for _ in range(3):
            x = size * torch.randn(3, seq, d, generator=g)
            for t in range(1, seq):
                y = x.clone()
                y[:, t:] = size * torch.randn(3, seq - t, d, generator=g)
                for a, b in zip(attention_fn(x), attention_fn(y)):
                    if not torch.allclose(a[..., :t, :], b[..., :t, :]):
                        return True
    return False
