import { watchPage } from "../engine/watch.js";

watchPage({
  chapter: "who",
  data: "ch09_training",
  title: "Who?",
  deck: "A small GPT has learned to guess the next word, and nothing else. Watch it find out who was thirsty, and switch off the head that it needs for that since it was pruned.",
  start: ". the hen slept on the rug because it was thirsty . who ? the",
  made: [
    "The model is chapter 9's, after the pruning rule of section 9.9: 52 words, width 64, 2 layers, 4 heads; its numbers are rounded to eight bits with one scale for each row.",
    "An arc is drawn from a weight of 0.02 on, as thick as the weight. A line is the residual stream, as thick as its vector is long; a square is filled by the length of what the feed-forward network adds.",
    "A head that is off hands on zeros. “Add what it says” takes the likeliest piece.",
    "Words that are not in its little language are left out: cat dog bird frog goat hen fox cow, mat rug bed box chair stone sack log, hungry tired sleepy thirsty, soft warm flat dry, sat lay slept stood, the on because it was . who ?",
  ],
});
