// Byte-pair encoding over bytes, as GPT-2 and SmolLM2 have it: a vocabulary names each byte by a visible character.

import { range } from "./tensor.js";
import { CUT, merge } from "./pieces.js";

/** The character of each byte: those that can be seen stand for themselves, the others follow from Ā on. */
function byteNames() {
  const seen = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  return range(256).map((byte) => String.fromCharCode(seen(byte) ? byte : next++));
}

/** tokens, merges ("a b", first ones first) of a file; digits: each is a piece of its own -> { ids(text), text(ids) } */
export function bytePairs({ tokens, merges, digits }) {
  const names = byteNames(),
    byteOf = new Map(names.map((name, byte) => [name, byte])),
    idOf = new Map(tokens.map((token, id) => [token, id])),
    rank = new Map(merges.map((pair, n) => [pair, n]));
  const word = (text) => {
    const named = Array.from(new TextEncoder().encode(text), (byte) => names[byte]).join("");
    return merge(named, (a, b) => rank.get(`${a} ${b}`)).map((piece) => idOf.get(piece));
  };
  return {
    ids: (text) =>
      text
        .split(digits ? /(\p{N})/u : /(?!)/)
        .flatMap((part) => part.match(CUT) ?? [])
        .flatMap(word)
        .filter((id) => id !== undefined),
    text: (ids) => new TextDecoder().decode(Uint8Array.from(ids.flatMap((id) => Array.from(tokens[id], (c) => byteOf.get(c) ?? 63)))),
  };
}
