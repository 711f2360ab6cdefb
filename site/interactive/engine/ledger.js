// One query's account with every word: a name, a bar, an amount, and how it came about.

import { h } from "./dom.js";

/** onpoint (index or null). Arrow keys walk over the rows; each is spoken as its `say`. */
export function ledger({ caption, onpoint = () => {} }) {
  const body = h("tbody"),
    title = h("caption", {}, caption);
  const element = h("table.ledger", { role: "grid", "aria-readonly": "true" }, title, body);
  let rows = [],
    at = 0;
  const point = (index) => {
    rows.forEach((row, i) => {
      row.tr.setAttribute("tabindex", i === index ? 0 : -1);
    });
    at = index;
    onpoint(index);
  };
  element.addEventListener("keydown", (event) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to === undefined || !event.target.closest("tr[data-i]")) return;
    event.preventDefault();
    point(Math.min(rows.length - 1, Math.max(0, to)));
    rows[at].tr.focus();
  });
  element.addEventListener("focusin", (event) => {
    const row = event.target.closest("tr[data-i]");
    if (row) point(Number(row.dataset.i));
  });
  element.addEventListener("pointerover", (event) => {
    const row = event.target.closest("tr[data-i]");
    if (row) onpoint(Number(row.dataset.i));
  });
  element.addEventListener("pointerleave", () => onpoint(null));

  return {
    element,
    /** entries: { name, share (bar, 0…1), ghost (outline of another bar), amount (text), how (parts), say, chosen, total } */
    update(entries, text = caption) {
      title.textContent = text;
      while (rows.length > entries.length) rows.pop().tr.remove();
      entries.forEach((entry, i) => {
        if (!rows[i]) {
          const [name, bar, amount, how] = [
            h("th", { role: "rowheader", scope: "row" }),
            h("span.bar-fill"),
            h("td.amount", { role: "gridcell" }),
            h("td.how", { role: "gridcell" }),
          ];
          const track = h("td.bar-cell", { role: "gridcell", "aria-hidden": "true" }, h("span.bar-track", {}, bar));
          rows[i] = { tr: h("tr", { "data-i": i, tabindex: i === 0 ? 0 : -1 }, name, track, amount, how), name, bar, amount, how, track };
          body.append(rows[i].tr);
        }
        const row = rows[i];
        row.name.textContent = entry.name;
        row.bar.style.setProperty("--w", `${Math.max(0, Math.min(1, entry.share ?? 0)) * 100}%`);
        row.track.firstChild.classList.toggle("ghosted", entry.ghost !== undefined);
        row.track.firstChild.style.setProperty("--ghost", `${Math.max(0, Math.min(1, entry.ghost ?? 0)) * 100}%`);
        row.track.style.visibility = entry.share === undefined ? "hidden" : "";
        row.amount.textContent = entry.amount;
        row.how.replaceChildren(...entry.how.map((part) => (Array.isArray(part) ? h(`span.${part[1]}`, {}, part[0]) : part)));
        row.tr.setAttribute("aria-label", entry.say);
        row.tr.classList.toggle("total", Boolean(entry.total));
        row.tr.setAttribute("aria-selected", entry.chosen ? "true" : "false");
      });
    },
  };
}
