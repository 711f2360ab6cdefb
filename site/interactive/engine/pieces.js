// Byte-pair encoding: a text in the pieces of a vocabulary. Token n was made by the n-th merge, so the vocabulary tells the merges.

/** Words as GPT-2 cuts them: a space belongs to what follows it, and no merge crosses from one word into the next. */
export const CUT = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/** Merge the neighbours that `rankOf` ranks first, until no pair has a rank or `parts` of them are left. */
export function merge(word, rankOf, parts = 1) {
  const pieces = Array.from(word);
  while (pieces.length > parts) {
    const ranks = pieces.slice(1).map((piece, i) => rankOf(pieces[i], piece) ?? Infinity),
      best = Math.min(...ranks);
    if (best === Infinity) break;
    const at = ranks.indexOf(best);
    pieces.splice(at, 2, pieces[at] + pieces[at + 1]);
  }
  return pieces;
}

/** vocab: [piece, …] -> a function from text to ids; a character that the vocabulary lacks is read as "?". */
export function pieceReader(vocab) {
  const id = new Map(vocab.map((piece, i) => [piece, i])),
    merges = new Map(),
    known = new Map();
  for (const piece of vocab) {
    if (Array.from(piece).length < 2) continue;
    const [a, b] = merge(piece, (x, y) => (x + y === piece ? undefined : id.get(x + y)), 2);
    merges.set(`${a}\0${b}`, id.get(piece));
  }
  return (text) => {
    const clean = Array.from(text, (c) => (id.has(c) ? c : "?")).join("");
    return (clean.match(CUT) ?? []).flatMap((word) => {
      if (!known.has(word))
        known.set(
          word,
          merge(word, (a, b) => merges.get(`${a}\0${b}`)).map((piece) => id.get(piece)),
        );
      return known.get(word);
    });
  };
}
