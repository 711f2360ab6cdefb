// Sentences, and the static embedding of a word.

export const RUNNING_SENTENCE = "Your journey starts with one step";
export const RUNNING_EMBEDDINGS = {
  your: [0.43, 0.15, 0.89],
  journey: [0.55, 0.87, 0.66],
  starts: [0.57, 0.85, 0.64],
  with: [0.22, 0.58, 0.33],
  one: [0.77, 0.25, 0.1],
  step: [0.05, 0.8, 0.55],
};
export const MAX_WORDS = 8;

export const wordsOf = (text) => text.trim().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
export const keyOf = (word) => word.toLowerCase();

/** The embedding of a word: from the curriculum, or (1 + sin((d + 1) · Σ k·cₖ)) / 2 of its letters' code points cₖ, rounded to 0.01. */
export function staticEmbedding(word, dimensions = 3) {
  const key = keyOf(word);
  if (dimensions === 3 && Object.hasOwn(RUNNING_EMBEDDINGS, key)) return RUNNING_EMBEDDINGS[key];
  const code = Array.from(key).reduce((total, letter, k) => total + (k + 1) * letter.codePointAt(0), 0);
  return Array.from({ length: dimensions }, (_, d) => Math.round(50 * (1 + Math.sin((d + 1) * code))) / 100);
}

/** (seq, 3): each word's vector; what the reader edited counts first. The same word has the same vector everywhere. */
export const embed = (words, edits = {}) => words.map((word) => [...(edits[keyOf(word)] ?? staticEmbedding(word))]);
