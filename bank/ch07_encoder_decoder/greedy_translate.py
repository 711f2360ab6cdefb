# %% right: loop_with_break
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% right: tidies_up_at_the_end
def greedy_translate(model, source, bos, eos, max_len):
    memory, mask = model.encode(source), source.ne(model.pad).unsqueeze(1).unsqueeze(1)
    written = torch.full((source.size(0), 1), bos, device=source.device)
    for _ in range(max_len):
        best = torch.argmax(model.decode(written, memory, mask)[0][:, -1], dim=-1, keepdim=True)
        written = torch.cat([written, best], dim=-1)
    written = written[:, 1:]
    first = (written == eos).int().cumsum(dim=1) > 0
    written = written.masked_fill(first, eos)
    longest = int((~first).sum(dim=1).max()) + 1
    return written[:, :longest]

# %% right: memory_repeated_for_nothing_but_still_one_reading
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    with torch.no_grad():
        memory = model.encode(source).clone()
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% right: one_sentence_at_a_time
def greedy_translate(model, source, bos, eos, max_len):
    model.eval()
    rows = []
    for sentence in source:
        sentence = sentence[None]
        memory, mask = model.encode(sentence), (sentence != model.pad)[:, None, None]
        words = [bos]
        while len(words) <= max_len and (len(words) == 1 or words[-1] != eos):
            logits = model.decode(torch.tensor([words], device=source.device), memory, mask)[0]
            words.append(int(logits[0, -1].argmax()))
        rows.append(words[1:])
    longest = max(map(len, rows))
    return torch.tensor([row + [eos] * (longest - len(row)) for row in rows], device=source.device)

# %% right: table_made_before
def greedy_translate(model, source, bos, eos, max_len):
    with torch.inference_mode():
        memory = model.encode(source)
        ids = torch.full((source.size(0), max_len + 1), eos, dtype=torch.long, device=source.device)
        ids[:, 0] = bos
        going = torch.ones(source.size(0), dtype=torch.bool, device=source.device)
        t = 0
        while t < max_len and going.any():
            logits = model.decode(ids[:, :t + 1], memory, (source != model.pad)[:, None, None].expand(-1, 1, t + 1, -1))[0]
            t += 1
            ids[going, t] = logits[going, -1].argmax(-1)
            going = going & (ids[:, t] != eos)
    return ids[:, 1:t + 1].clone()

# %% wrong: bos_returned (1) => the result begins with bos: return the words without it
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids

# %% wrong: writes_on_after_eos (2) => after its first eos a row holds something else: nothing but eos may follow
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: filled_with_padding (2) => a row that has ended is filled with padding: nothing but eos may follow its first eos
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, model.pad, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: stops_when_the_first_has_ended (2) => it stops as soon as any row has ended: all rows must have ended, not the first or any one
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.any():
            break
    return ids[:, 1:]

# %% wrong: never_stops (2) => it went on although all rows had ended: the longest row and its eos are the last column
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
    return ids[:, 1:]

# %% wrong: no_mask (1) => the model read padding as words: hand decode a mask that hides it
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: mask_turned_round (1) => the mask is turned round: True stands for what may be seen, the words and not the padding
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source == model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: pad_zero_written_in (1) => with pad=6 the padding was read: its number stands in model.pad. Are marks written into the code?
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != 0)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: mask_of_two_axes (1, 2) => the mask must be broadcastable to (batch, heads, seq_target, seq_source): two axes are missing in the middle
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = source != model.pad
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: first_place_read (1) => the word is read off the first place: each new word is appended and read back, and the next one stands at the last place
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, 0].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: last_word_alone_read_back (1) => decode is given the last word alone: the words handed to it begin with bos, and all words so far follow
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids[:, -1:], memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: least_likely (1) => the unlikeliest word was taken: argmax, not argmin
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmin(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: max_len_counts_bos (2) => one word too few with a small max_len: bos does not count
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len - 1):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: one_word_too_many (2) => one word too many with a small max_len: max_len words are written, and bos does not count
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len + 1):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: first_eos_cut_off (2) => the longest row comes without its eos: each row keeps its first one
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:-1]

# %% wrong: only_the_first_row_counts (2) => it stops when the first row has ended: all rows must have ended, not the first or any one
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done[0]:
            break
    return ids[:, 1:]

# %% wrong: bos_one_written_in (1) => the words that decode is given begin with another number than bos: is 1 written into the code?
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), 1, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: eos_two_written_in (1) => with eos=5 a row does not end at 5: are marks written into the code?
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, 2, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == 2)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: batch_of_one_only (1) => all rows were given the words of the first row: take the likeliest word of each row
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:1, -1].argmax(-1).expand(batch)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: ended_seen_one_word_late (1, 2) => it goes on for one column after the last row has ended: after its first eos a row needs nothing but eos, and when all have one it stops
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        ids = torch.cat([ids, torch.where(done, eos, word)[:, None]], dim=1)
        done = (ids[:, -2] == eos) | done
        if done.all():
            break
    return ids[:, 1:]

# %% right: ended_read_off_the_last_word
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = word == eos
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: stops_only_when_all_end_together (2) => a row that has ended writes on, and it stops only when all rows end in the same column: after its first eos a row holds nothing but eos
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = word == eos
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: sampled (1, 2) -> expected, got
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = torch.multinomial((logits[:, -1].float() / 50).softmax(-1), 1)[:, 0]
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: written_on_the_cpu (1) -> new tensors go elsewhere
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: calls_the_whole_model (1) => the source is read again for every word: read it once with encode, before the loop, and keep the memory (calling the whole model reads it again)
@torch.no_grad()
def greedy_translate(model, source, bos, eos, max_len):
    ids = source.new_full((source.shape[0], 1), bos)
    while ids.shape[1] - 1 < max_len:
        word = model(source, ids)[:, -1, :].max(dim=-1).indices
        ended = (ids[:, 1:] == eos).any(dim=1)
        ids = torch.cat((ids, word.masked_fill(ended, eos).unsqueeze(1)), dim=1)
        if (ids[:, 1:] == eos).any(dim=1).all():
            break
    return ids[:, 1:]

# %% wrong: encodes_in_the_loop (1) => encode is called for every word: read the source once, before the loop, and keep the memory
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        memory = model.encode(source)
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: encodes_again_for_long_texts (1) => encode is called again for a long translation: read the source once, however many words are written
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        if ids.size(1) > 6:
            memory = model.encode(source)
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: axis_forgotten (1, 2) => the next word is one id for each row, (batch,), and cannot be appended to (batch, so far): it needs an axis
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% wrong: wrong_argmax (1, 2) => argmax goes over the rows of the batch: the next word is one id for each row, over the vocabulary
def greedy_translate(model, source, bos, eos, max_len):
    batch = len(source)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((batch, 1), bos, dtype=torch.long, device=source.device)
    done = torch.zeros(batch, dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(0)
        word = torch.where(done, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == eos)
        if done.all():
            break
    return ids[:, 1:]

# %% right: only_living_rows_decoded
@torch.no_grad()
def greedy_translate(model, source, bos, eos, max_len):
    memory = model.encode(source)
    visible = source.ne(model.pad).unsqueeze(1).unsqueeze(2)
    ids = source.new_full((len(source), 1 + max_len), eos)
    ids[:, 0] = bos
    alive = list(range(len(source)))
    length = 0
    for step in range(max_len):
        if not alive:
            break
        logits = model.decode(ids[alive, :step + 1], memory[alive], visible[alive])[0]
        ids[alive, step + 1] = logits[:, -1].argmax(-1)
        alive = [row for row in alive if ids[row, step + 1] != eos]
        length = step + 1
    return ids[:, 1:length + 1]

# %% wrong: ended_rows_read_the_model (2) => after its first eos a row holds what the model says, up to its second eos: nothing but eos may follow the first
def greedy_translate(model, source, bos, eos, max_len):
    """Translate a batch, each time with the likeliest next word.

    source: (batch, seq_source) ids   bos, eos: ids of the marks
    max_len: most words to write
    Returns ids (batch, at most max_len), without bos; after its first eos a row holds
    nothing but eos.
    """
    memory, mask = model.encode(source), (source != model.pad)[:, None, None]
    written = torch.full((source.size(0), 1), bos, device=source.device)    # (batch, 1)
    ended = torch.zeros(source.size(0), dtype=torch.bool, device=source.device)
    while written.size(1) <= max_len and not ended.all():
        logits, _ = model.decode(written, memory, mask)
        word = logits[:, -1].argmax(dim=-1)          # (batch,)
        written = torch.cat([written, word[:, None]], dim=1)
        ended = ended | (word == eos)
    seen = (written[:, 1:] == eos).cumsum(1) > 1
    return written[:, 1:].masked_fill(seen, eos)

# %% wrong: top_two (1) => the second likeliest word was taken: the likeliest is read off the last place
def greedy_translate(model, source, bos, eos, max_len):
    """Translate a batch, each time with the likeliest next word.

    source: (batch, seq_source) ids   bos, eos: ids of the marks
    max_len: most words to write
    Returns ids (batch, at most max_len), without bos; after its first eos a row holds
    nothing but eos.
    """
    memory, mask = model.encode(source), (source != model.pad)[:, None, None]
    written = torch.full((source.size(0), 1), bos, device=source.device)    # (batch, 1)
    ended = torch.zeros(source.size(0), dtype=torch.bool, device=source.device)
    while written.size(1) <= max_len and not ended.all():
        logits, _ = model.decode(written, memory, mask)
        word = logits[:, -1].topk(2).indices[:, 1].masked_fill(ended, eos)           # (batch,)
        written = torch.cat([written, word[:, None]], dim=1)
        ended = ended | (word == eos)
    return written[:, 1:]

# %% wrong: pad_mask_of_first_row (1) => the padding of the first row is hidden in all rows: each row has a mask of its own
def greedy_translate(model, source, bos, eos, max_len):
    """Translate a batch, each time with the likeliest next word.

    source: (batch, seq_source) ids   bos, eos: ids of the marks
    max_len: most words to write
    Returns ids (batch, at most max_len), without bos; after its first eos a row holds
    nothing but eos.
    """
    memory, mask = model.encode(source), (source != model.pad)[:1, None, None].expand(len(source), -1, -1, -1)
    written = torch.full((source.size(0), 1), bos, device=source.device)    # (batch, 1)
    ended = torch.zeros(source.size(0), dtype=torch.bool, device=source.device)
    while written.size(1) <= max_len and not ended.all():
        logits, _ = model.decode(written, memory, mask)
        word = logits[:, -1].argmax(dim=-1).masked_fill(ended, eos)           # (batch,)
        written = torch.cat([written, word[:, None]], dim=1)
        ended = ended | (word == eos)
    return written[:, 1:]

# %% right: moved_after_making
def greedy_translate(model, source, bos, eos, max_len):
    memory = model.encode(source)
    mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((len(source), 1), bos).to(source.device)
    ended = torch.zeros(len(source), dtype=torch.bool).to(source.device)
    for _ in range(max_len):
        if ended.all():
            break
        logits, _ = model.decode(ids, memory, mask)
        word = logits[:, -1].argmax(dim=-1)
        word = torch.where(ended, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        ended = ended | (word == eos)
    return ids[:, 1:]

# %% right: bos_from_a_list
def greedy_translate(model, source, bos, eos, max_len):
    memory = model.encode(source)
    mask = (source != model.pad)[:, None, None, :]
    ids = torch.tensor([[bos]] * len(source)).to(source)
    ended = source[:, 0] != source[:, 0]
    for _ in range(max_len):
        if ended.all():
            break
        logits, _ = model.decode(ids, memory, mask)
        word = logits[:, -1].argmax(dim=-1)
        word = torch.where(ended, eos, word)
        ids = torch.cat([ids, word[:, None]], dim=1)
        ended = ended | (word == eos)
    return ids[:, 1:]

# %% wrong: thirteen_words_at_most (1) => a translation of 16 words was cut off: max_len alone limits how many are written
def greedy_translate(model, source, bos, eos, max_len):
    memory, mask = model.encode(source), (source != model.pad)[:, None, None]
    written = torch.full((source.size(0), 1), bos, device=source.device)
    ended = torch.zeros(source.size(0), dtype=torch.bool, device=source.device)
    while written.size(1) <= min(max_len, 13) and not ended.all():
        logits, _ = model.decode(written, memory, mask)
        word = logits[:, -1].argmax(dim=-1).masked_fill(ended, eos)
        written = torch.cat([written, word[:, None]], dim=1)
        ended = ended | (word == eos)
    return written[:, 1:]

# %% wrong: puts_the_model_into_training_mode (1) => the model was put into training mode: it comes in evaluation mode, and stays so
def greedy_translate(model, source, bos, eos, max_len):
    model.train()
    rows = []
    for sentence in source:
        sentence = sentence[None]
        memory, mask = model.encode(sentence), (sentence != model.pad)[:, None, None]
        words = [bos]
        while len(words) <= max_len and (len(words) == 1 or words[-1] != eos):
            logits = model.decode(torch.tensor([words], device=source.device), memory, mask)[0]
            words.append(int(logits[0, -1].argmax()))
        rows.append(words[1:])
    longest = max(map(len, rows))
    return torch.tensor([row + [eos] * (longest - len(row)) for row in rows], device=source.device)

# %% wrong: bos_taken_for_eos (1) => with one number for bos and eos a row ends before it has begun: only a word that the model wrote can end it
def greedy_translate(model, source, bos, eos, max_len):
    model.eval()
    rows = []
    for sentence in source:
        sentence = sentence[None]
        memory, mask = model.encode(sentence), (sentence != model.pad)[:, None, None]
        words = [bos]
        while len(words) <= max_len and words[-1] != eos:
            logits = model.decode(torch.tensor([words], device=source.device), memory, mask)[0]
            words.append(int(logits[0, -1].argmax()))
        rows.append(words[1:])
    longest = max(map(len, rows))
    return torch.tensor([row + [eos] * (longest - len(row)) for row in rows], device=source.device)

# %% right: only_unfinished_rows_are_decoded
def greedy_translate(model, source, bos, eos, max_len):
    memory, mask = model.encode(source), source.ne(model.pad)[:, None, None]
    out = source.new_full((len(source), max_len + 1), eos)
    out[:, 0] = bos
    alive = torch.arange(len(source), device=source.device)
    for t in range(1, max_len + 1):
        if not len(alive):
            return out[:, 1:t]
        best = model.decode(out[alive, :t], memory[alive], mask[alive])[0][:, -1].argmax(-1)
        out[alive, t] = best
        alive = alive[best != eos]
    return out[:, 1:]

# %% wrong: no_mask_for_one_sentence (1) => one sentence alone: is its padding hidden? A mask is needed for a batch of one, too
def greedy_translate(model, source, bos, eos, max_len):
    memory = model.encode(source)
    mask = (source != model.pad)[:, None, None]
    written = torch.full((len(source), 1), bos, dtype=torch.long, device=source.device)
    mask = None if len(source) == 1 else mask
    ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(written, memory, mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(ended, torch.full_like(word, eos), word)
        written = torch.cat([written, word[:, None]], dim=1)
        ended = ended | (word == eos)
        if ended.all():
            break
    return written[:, 1:]

# %% wrong: padding_cut_before_encode (1) => one sentence alone does not run: the memory and its mask have one column for each source token, padding, too
def greedy_translate(model, source, bos, eos, max_len):
    memory = model.encode(source[:, :(source != model.pad).sum(1).max()])
    mask = (source != model.pad)[:, None, None]
    written = torch.full((len(source), 1), bos, dtype=torch.long, device=source.device)
    ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(written, memory, mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(ended, torch.full_like(word, eos), word)
        written = torch.cat([written, word[:, None]], dim=1)
        ended = ended | (word == eos)
        if ended.all():
            break
    return written[:, 1:]

# %% wrong: never_writes_bos (1) => the likeliest word is the number of bos, a word like any other: is bos never written?
def greedy_translate(model, source, bos, eos, max_len):
    memory = model.encode(source)
    mask = (source != model.pad)[:, None, None]
    words = torch.full((len(source), 1), bos, device=source.device)
    ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits = model.decode(words, memory, mask)[0][:, -1].clone()
        if bos != eos:
            logits[:, bos] = -torch.inf
        best = logits.argmax(-1).masked_fill(ended, eos)
        words = torch.cat([words, best[:, None]], dim=1)
        ended = ended | (best == eos)
        if ended.all():
            break
    return words[:, 1:]

# %% wrong: asks_a_parameter_for_the_device (1) -> new tensors go elsewhere
def greedy_translate(model, source, bos, eos, max_len):
    device = next(model.parameters()).device
    memory, mask = model.encode(source), (source != model.pad)[:, None, None]
    words = torch.full((len(source), 1), bos, device=device)
    done = torch.zeros(len(source), dtype=torch.bool, device=device)
    for _ in range(max_len):
        logits, _ = model.decode(words, memory, memory_mask=mask)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, eos, word)
        words = torch.cat([words, word[:, None]], 1)
        done = done | (word == eos)
        if done.all():
            break
    return words[:, 1:]

# %% wrong: never_writes_padding (1) => the likeliest word is the padding's number, in what is written a word like any other: is the padding's number never written?
def greedy_translate(model, source, bos, eos, max_len):
    device = source.device
    memory, mask = model.encode(source), (source != model.pad)[:, None, None]
    words = torch.full((len(source), 1), bos, device=device)
    done = torch.zeros(len(source), dtype=torch.bool, device=device)
    for _ in range(max_len):
        logits, _ = model.decode(words, memory, memory_mask=mask)
        last = logits[:, -1].clone()
        last[:, model.pad] = -torch.inf
        word = last.argmax(-1)
        word = torch.where(done, eos, word)
        words = torch.cat([words, word[:, None]], 1)
        done = done | (word == eos)
        if done.all():
            break
    return words[:, 1:]

# %% wrong: device_of_the_notebook (1) -> on the device that is given
@torch.no_grad()
def greedy_translate(model, source, bos, eos, max_len):
    mask = (source != model.pad)[:, None, None, :]
    memory = model.encode(source)
    written = torch.full((source.size(0), 1), bos, dtype=torch.long, device=device)
    ended = torch.zeros(source.size(0), dtype=torch.bool, device=device)
    for _ in range(max_len):
        logits, _ = model.decode(written, memory, mask)
        word = logits[:, -1].argmax(dim=-1)
        word = word.masked_fill(ended, eos)
        written = torch.cat([written, word[:, None]], dim=1)
        ended = ended | (word == eos)
        if ended.all():
            break
    return written[:, 1:]

# %% wrong: memory_kept_on_the_model (1, 2) -> asked for something that it may not
@torch.no_grad()
def greedy_translate(model, source, bos, eos, max_len):
    mask = (source != model.pad)[:, None, None, :]
    if getattr(model, "memory", None) is None or model.memory.size(0) != source.size(0):
        model.memory = model.encode(source)              # read only once
    memory = model.memory
    written = torch.full((source.size(0), 1), bos, dtype=torch.long, device=source.device)
    ended = torch.zeros(source.size(0), dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(written, memory, mask)
        word = logits[:, -1].argmax(dim=-1)
        word = word.masked_fill(ended, eos)
        written = torch.cat([written, word[:, None]], dim=1)
        ended = ended | (word == eos)
        if ended.all():
            break
    return written[:, 1:]


# %% wrong: number_of_the_cpu_filled_in (1) -> new tensors go elsewhere
def greedy_translate(model, source, bos, eos, max_len):
    end = torch.tensor(eos)
    memory = model.encode(source)
    memory_mask = (source != model.pad)[:, None, None, :]
    ids = torch.full((len(source), 1), bos, device=source.device)
    done = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    for _ in range(max_len):
        logits, _ = model.decode(ids, memory, memory_mask)
        word = logits[:, -1].argmax(-1).masked_fill(done, end)
        ids = torch.cat([ids, word[:, None]], dim=1)
        done = done | (word == end)
        if done.all():
            break
    return ids[:, 1:]
