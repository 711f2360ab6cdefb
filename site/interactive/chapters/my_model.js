import { watchPage } from "../engine/watch.js";

watchPage({
  chapter: "my_model",
  data: "ch08_decoder",
  title: "A GPT one can watch",
  deck: "Type a text and watch a trained GPT read it: what every head looks at, what it would say after each layer, and what changes when a head is off.",
  start: "All data in a Python prog",
  made: [
    "The model is chapter 8's <code>GPT</code>: 448 pieces, width 64, 2 layers, 4 heads, windows of 64 pieces, trained for 3,000 steps on the Python manual that comes with the course; its numbers are rounded to eight bits with one scale for each row.",
    "An arc is drawn from a weight of 0.02 on, as thick as the weight. A line is the residual stream, as thick as its vector is long; a square is filled by the length of what the feed-forward network adds.",
    "A head that is off hands on zeros. “Add what it says” takes the likeliest piece.",
    "Characters that the vocabulary lacks are read as “?”. When a text runs over the model's window, its last pieces are read.",
  ],
});
