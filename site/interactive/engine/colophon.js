// The foot of a page: how its numbers are made, and how it is used with the keyboard.

import { h, typeset } from "./dom.js";

/** made: what the page's numbers come from, a line each. */
export function colophon(made) {
  return h(
    "footer.colophon",
    {},
    made.length
      ? h(
          "details",
          {},
          h("summary", {}, "How the numbers are made"),
          h(
            "ul",
            {},
            made.map((line) => {
              const item = h("li");
              item.innerHTML = typeset(line);
              return item;
            }),
          ),
        )
      : null,
    h(
      "details",
      {},
      h("summary", {}, "With the keyboard"),
      h(
        "ul",
        {},
        h("li", {}, h("kbd", {}, "Tab"), " goes from control to control; a matrix is one stop."),
        h(
          "li",
          {},
          "In a matrix the arrow keys walk from cell to cell, ",
          h("kbd", {}, "Home"),
          " and ",
          h("kbd", {}, "End"),
          " go to the ends of the row, with ",
          h("kbd", {}, "Ctrl"),
          " to the corners. Each cell is read out as a sentence.",
        ),
        h(
          "li",
          {},
          "Where numbers can be edited, ",
          h("kbd", {}, "+"),
          " and ",
          h("kbd", {}, "−"),
          " change the one you are on; ",
          h("kbd", {}, "Enter"),
          " goes to its slider and ",
          h("kbd", {}, "Esc"),
          " comes back.",
        ),
        h("li", {}, "On a curve the arrow keys move the reading line."),
      ),
    ),
    h("p", {}, "Everything on this page is computed in your browser, in double precision, by the formulas of the chapter. Nothing is sent anywhere."),
  );
}
