// A matrix one can read, walk through and listen to: a grid of coloured numbers.
//
// One cell is in the tab order; arrow keys, Home, End, Page Up and Page Down walk. Each cell is spoken as a
// sentence. Pointing at a cell (mouse, finger or focus) marks its row and column and tells `onpoint`.

import { paint } from "./colour.js";
import { h, show, spoken, subscripts, uid, widthOf } from "./dom.js";

export class Matrix {
  #at = [0, 0];
  #cells = [];
  #shape = "";

  /**
   * name      for cues ("cell:weights/1/2") and tests
   * title     caption above the matrix; note: a line below it
   * ramp      "weights" (0 to 1, one hue), "signed" (two hues around 0) or "plain"
   * limits    [low, high] of the ramp, or null for the values' own
   * rowKind, columnKind, quantity   words of the spoken sentence
   * say       (i, j, value) -> sentence, instead of the usual one
   * text      (i, j, value) -> what stands in the cell, instead of the number
   * onpoint   ({ i, j } or null) -> nothing
   * shrink    many narrow columns lose their numbers rather than the reader's view of them
   * onrow     (i) -> nothing: makes row headings buttons
   * onedit    (i, j, value) -> nothing: makes the numbers editable (Enter, + and −)
   */
  constructor(options) {
    this.options = { digits: 2, ramp: "weights", limits: null, rowKind: "row", columnKind: "column", quantity: "value", ...options };
    const id = uid("matrix");
    this.caption = h("caption", { id });
    this.table = h(
      "table.matrix",
      {
        role: "grid",
        "aria-labelledby": id,
        "data-name": this.options.name,
        "aria-readonly": this.options.onedit ? null : "true",
        onkeydown: (event) => this.#key(event),
      },
      this.caption,
    );
    this.element = h("div.matrix-frame", {}, this.table);
    this.table.addEventListener("pointerover", (event) => this.#over(event.target));
    this.table.addEventListener("pointerleave", () => this.#over(null));
    this.table.addEventListener("focusin", (event) => this.#over(event.target));
    this.width = widthOf(this.element, () => this.columns && this.#turnNames());
    this.table.addEventListener("click", (event) => {
      const cell = event.target.closest("td[data-i]");
      if (cell) {
        this.point(Number(cell.dataset.i), Number(cell.dataset.j));
        cell.focus({ preventScroll: true });
      }
    });
  }

  get at() {
    return { i: this.#at[0], j: this.#at[1] };
  }

  /** Draw values (rows of numbers) under row and column names; further options replace earlier ones. */
  update({ values, rows, columns, ...options }) {
    Object.assign(this.options, options);
    this.values = values;
    this.rows = rows ?? values.map((_, i) => String(i + 1));
    this.columns = columns ?? (values[0] ?? []).map((_, j) => String(j + 1));
    if (this.title !== this.options.title) this.caption.replaceChildren(...subscripts((this.title = this.options.title ?? "")));
    const shape = JSON.stringify([this.rows, this.columns]);
    if (shape !== this.#shape) this.#build(shape);
    const finite = values.flat().filter(Number.isFinite);
    const [low, high] = this.options.limits ?? [Math.min(0, ...finite), Math.max(0, ...finite)];
    const size = this.options.ramp === "signed" ? Math.max(Math.abs(low), Math.abs(high)) : high;
    values.forEach((row, i) => row.forEach((value, j) => this.#draw(i, j, value, size)));
    return this;
  }

  /** Column names stand upright where they would not fit side by side; with `shrink`, numbers make way for colours alone where cells would not fit. */
  #turnNames() {
    const longest = Math.max(...this.columns.map((name) => String(name).length)),
      width = this.width();
    if (this.options.shrink) this.table.classList.toggle("tiny", width < 25 * this.columns.length + 90);
    if (this.table.classList.contains("tiny")) {
      this.table.classList.toggle("upright", longest * 6.4 > Math.min(24, (width - 64) / this.columns.length));
      return;
    }
    const rem = 16,
      room = Math.min(3.7 * rem, Math.max(2.3 * rem, (width - 5.6 * rem) / this.columns.length));
    this.table.classList.toggle("upright", longest * 6.8 > Math.max(room, this.columns.length > 9 ? 0 : 2.3 * rem));
  }

  #draw(i, j, value, size) {
    const { text, say, digits, rowKind, columnKind, quantity, ramp, tint } = this.options;
    const cell = this.#cells[i][j];
    const shown = text ? text(i, j, value) : show(value, digits);
    if (cell.textContent !== shown) cell.textContent = shown;
    const known = Number.isFinite(value);
    const { background, ink } = paint(ramp, known && size > 0 ? value / size : 0);
    const tinted = tint?.(i, j, value);
    cell.style.background = tinted?.background ?? (known ? background : "");
    cell.style.color = tinted?.ink ?? (known ? ink : "");
    cell.classList.toggle("blocked", value === -Infinity);
    cell.classList.toggle("broken", Number.isNaN(value));
    cell.setAttribute(
      "aria-label",
      say ? say(i, j, value) : `${rowKind} ${this.rows[i]}, ${columnKind} ${this.columns[j]}: ${quantity} ${spoken(value, digits)}`,
    );
  }

  #build(shape) {
    const hadFocus = this.table.contains(document.activeElement);
    this.#shape = shape;
    this.#at = [Math.min(this.#at[0], this.rows.length - 1), Math.min(this.#at[1], this.columns.length - 1)];
    const { onrow, corner = "", onedit } = this.options;
    this.heads = this.columns.map((name, j) => h("th", { scope: "col", "data-j": j }, h("span", {}, name)));
    this.sides = this.rows.map((name, i) =>
      h(
        "th",
        { scope: "row", "data-i": i },
        onrow ? h("button.row-name", { type: "button", tabindex: -1, onclick: () => onrow(i) }, name) : h("span", {}, subscripts(name)),
      ),
    );
    this.#cells = this.rows.map((_, i) =>
      this.columns.map((_, j) =>
        h("td", {
          role: "gridcell",
          "data-i": i,
          "data-j": j,
          tabindex: i === this.#at[0] && j === this.#at[1] ? 0 : -1,
          "aria-readonly": onedit ? "false" : null,
        }),
      ),
    );
    this.table.replaceChildren(
      this.caption,
      h("thead", {}, h("tr", {}, h("td.corner", { "aria-hidden": corner ? null : "true" }, corner), this.heads)),
      h(
        "tbody",
        {},
        this.rows.map((_, i) => h("tr", {}, this.sides[i], this.#cells[i])),
      ),
    );
    this.table.style.setProperty("--n", this.columns.length);
    this.table.classList.toggle("many", this.columns.length > 9);
    this.#turnNames();
    if (hadFocus) this.#cells[this.#at[0]][this.#at[1]].focus({ preventScroll: true });
  }

  /** Mark a cell as if the reader had pointed at it. */
  point(i, j) {
    if (!this.#cells[i]?.[j]) return;
    this.#cells[this.#at[0]]?.[this.#at[1]]?.setAttribute("tabindex", -1);
    this.#at = [i, j];
    this.#cells[i][j].setAttribute("tabindex", 0);
    this.#tell({ i, j });
  }
  #tell(place) {
    this.mark(place ? { rows: [place.i], columns: [place.j], cells: [[place.i, place.j]] } : {});
    this.options.onpoint?.(place);
  }

  /** Highlight rows, columns and cells, as a linked matrix asks for. */
  mark({ rows = [], columns = [], cells = [] } = {}) {
    this.sides.forEach((side, i) => side.classList.toggle("lit", rows.includes(i)));
    this.heads.forEach((head, j) => head.classList.toggle("lit", columns.includes(j)));
    this.#cells.forEach((row, i) =>
      row.forEach((cell, j) => {
        cell.classList.toggle("in-line", rows.includes(i) || columns.includes(j));
        cell.classList.toggle(
          "lit",
          cells.some(([a, b]) => a === i && b === j),
        );
      }),
    );
  }
  /** Classes for rows or cells that stay, such as the chosen query: set("chosen", (i, j) => …). */
  set(name, test) {
    this.#cells.forEach((row, i) => row.forEach((cell, j) => cell.classList.toggle(name, Boolean(test(i, j)))));
    this.sides.forEach((side, i) => side.classList.toggle(name, this.columns.length > 0 && this.columns.every((_, j) => test(i, j))));
  }

  #over(target) {
    const cell = target?.closest?.("td[data-i]");
    if (cell) {
      const place = { i: Number(cell.dataset.i), j: Number(cell.dataset.j) };
      if (document.activeElement === cell) this.point(place.i, place.j);
      else this.#tell(place);
    } else if (!target) {
      // the pointer left: back to the cell that was chosen
      if (this.table.contains(document.activeElement)) this.#tell(this.at);
      else this.#tell(null);
    }
  }

  #key(event) {
    const cell = event.target.closest("td[data-i]");
    if (!cell || event.altKey || event.metaKey) return;
    let [i, j] = this.#at;
    const lastRow = this.rows.length - 1,
      lastColumn = this.columns.length - 1;
    const { onedit, onrow, step = 0.05 } = this.options;
    if (onedit && "+=-_−".includes(event.key)) {
      const value = this.values[i][j] + ("+=".includes(event.key) ? step : -step);
      onedit(i, j, Number(value.toFixed(4)), false);
    } else if (event.key === "Enter" || event.key === " ") {
      if (onedit) onedit(i, j, this.values[i][j], true);
      else if (onrow) onrow(i);
      else return;
    } else {
      const moves = {
        ArrowUp: [i - 1, j],
        ArrowDown: [i + 1, j],
        ArrowLeft: [i, j - 1],
        ArrowRight: [i, j + 1],
        Home: [event.ctrlKey ? 0 : i, 0],
        End: [event.ctrlKey ? lastRow : i, lastColumn],
        PageUp: [i - 5, j],
        PageDown: [i + 5, j],
      };
      if (!moves[event.key]) return;
      [i, j] = moves[event.key];
      i = Math.min(lastRow, Math.max(0, i));
      j = Math.min(lastColumn, Math.max(0, j));
      this.point(i, j);
      this.#cells[i][j].focus();
    }
    event.preventDefault();
  }
}
