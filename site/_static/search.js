// The search: sections of the course, tolerant of a typo, from a script that holds their texts (works from a folder too).
// Its index is made when the field is used for the first time; without this file the form leads to search.html, which says so.

(() => {
  "use strict";
  // d_k is one word, causal_mask two; √ is read as "root", as chapters write it; the number of a section is one word
  const cut = (text) =>
    [...text.replace(/√/g, " root ").matchAll(/\d+\.\d+|[\p{L}\p{N}_]+/gu)].flatMap(([word]) => {
      const parts = word.split("_").filter(Boolean);
      return parts.every((part) => part.length > 1) ? parts : [parts.join("")];
    });
  // what says nothing about a section
  const EMPTY = new Set("a an and are as at be but by can do does for from i in into is it its of on or that the this to was what which with you how why".split(" "));
  // names of today, and words for a set-up, as the chapters say them
  const ALSO = { gqa: "grouped query", mqa: "multi query", mla: "latent attention", moe: "experts", kv: "key value", bpe: "byte pair encoding", install: "set up", installation: "set up", setup: "set up", colab: "notebook", llm: "GPT", seq2seq: "encoder decoder", multiple: "many", divide: "root" };
  const root = document.documentElement.dataset.content_root ?? "./";
  const HINT = "Chapters, glossary and interactive pages are searched. All of it is in English.";
  const MOST = 20; // results shown
  const WIDTH = 190; // letters of a snippet
  // a section that explains a term (most of all the one that was typed) stands before exercises, ends of chapters, pages and mistakes that mention it
  const weight = ({ url, explains }, query) => (explains ? (explains.toLowerCase().split(", ").includes(query) ? 5 : 1.5) : /#exercise-|#summary|#further-reading|_deeper\.html|^interactive\/|^gallery/.test(url) ? 0.4 : 1);
  let index;

  const load = (path) =>
    new Promise((done, failed) => {
      const script = document.createElement("script");
      Object.assign(script, { src: `${root}_static/${path}`, onload: done, onerror: failed });
      document.head.append(script);
    });

  function ready() {
    index ??= Promise.all([load("search/minisearch.js"), load("search/sections.js")]).then(() => {
      const rows = window.courseSections;
      const made = new MiniSearch({
        fields: ["explains", "title", "text", "page", "below"],
        storeFields: ["url", "title", "page", "text", "explains"],
        tokenize: cut,
        processTerm: (term) => (EMPTY.has(term.toLowerCase()) ? null : term.toLowerCase()),
        searchOptions: { boost: { explains: 9, title: 4, page: 2, below: 0.3 }, prefix: (term) => term.length > 2, fuzzy: (term) => (term.length > 3 ? 0.25 : 0) },
      });
      // a section is found by what stands in its parts, too
      const below = (at) => {
        if (rows[at][4] !== 2) return "";
        const end = rows.findIndex(([, , , , level], next) => next > at && level <= 2);
        return rows.slice(at + 1, end < 0 ? rows.length : end).map(([, , title, text]) => `${title} ${text}`).join(" ");
      };
      made.addAll(rows.map(([url, page, title, text, , explains = ""], id) => ({ id, url, page, title, text, explains, below: below(id) })));
      return made;
    });
    return index;
  }

  function found(made, query) {
    const queries = cut(query.toLowerCase()).map((word) => (ALSO[word] ? { combineWith: "OR", queries: [word, { combineWith: "AND", queries: [ALSO[word]] }] } : word));
    const boostDocument = (id, term, stored) => weight(stored, query.toLowerCase());
    const all = made.search({ combineWith: "AND", queries }, { boostDocument });
    return all.length ? all : made.search({ combineWith: "OR", queries }, { boostDocument });
  }

  // the part of a text that holds most of the words found, with these marked
  function snippet(text, terms) {
    const words = terms.filter((term) => term.length > 1).map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const element = document.createElement("span");
    element.className = "snippet";
    if (!words.length) return element;
    const pattern = new RegExp(`(?<![\\p{L}\\d])(?:${words.sort((a, b) => b.length - a.length).join("|")})(?![\\p{L}\\d])`, "giu");
    const places = [...text.matchAll(pattern)].map((match) => match.index);
    let best = 0, most = 0;
    for (const place of places) {
      const inside = new Set(places.filter((one) => one >= place && one < place + WIDTH - 30).map((one) => text.slice(one).match(/^[\p{L}\d]+/u)?.[0].toLowerCase())).size;
      if (inside > most) [best, most] = [place, inside];
    }
    let from = Math.max(0, best - 50);
    if (from) from = text.indexOf(" ", from) + 1;
    let to = Math.min(text.length, from + WIDTH);
    if (to < text.length) to = text.lastIndexOf(" ", to);
    const part = text.slice(from, to);
    let last = 0;
    if (from) element.append("… ");
    for (const match of part.matchAll(pattern)) {
      const mark = document.createElement("mark");
      mark.textContent = match[0];
      element.append(part.slice(last, match.index), mark);
      last = match.index + match[0].length;
    }
    element.append(part.slice(last), to < text.length ? " …" : "");
    return element;
  }

  function row(result) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = root + result.url;
    for (const [name, text] of [["where", result.title === result.page ? "" : result.page], ["title", result.title]]) {
      if (!text) continue;
      const span = document.createElement("span");
      span.className = name;
      span.textContent = text;
      link.append(span);
    }
    link.append(snippet(result.text, result.terms));
    item.append(link);
    return item;
  }

  function attach(form) {
    const field = form.querySelector("input[name=q]");
    const results = document.createElement("div");
    results.className = "course-results";
    const said = document.createElement("p");
    said.setAttribute("role", "status");
    said.textContent = HINT;
    const list = document.createElement("ol");
    results.append(said, list);
    form.after(results);
    let latest = 0;
    async function show() {
      const query = field.value.trim();
      const turn = ++latest;
      if (!query) {
        said.textContent = HINT;
        list.replaceChildren();
        return;
      }
      let made;
      try {
        made = await ready();
      } catch {
        said.textContent = "The search could not load its texts. Reload the page, or unpack the whole zip.";
        return;
      }
      if (turn !== latest) return;
      const all = found(made, query);
      said.textContent = all.length ? `${all.length} place${all.length === 1 ? "" : "s"}${all.length > MOST ? `, the best ${MOST} are shown` : ""}` : `Nothing found for “${query}”. ${HINT} Try a single word.`;
      list.replaceChildren(...all.slice(0, MOST).map(row));
      list.dataset.found = query;
    }
    let wait;
    field.addEventListener("input", () => {
      clearTimeout(wait);
      wait = setTimeout(show, 120);
    });
    field.addEventListener("focus", () => ready().catch(() => {}), { once: true });
    // arrows go from the field through the results and back
    form.parentElement.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const stops = [field, ...list.querySelectorAll("a")];
      const at = stops.indexOf(document.activeElement);
      const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
      if (at < 0 || !next) return;
      event.preventDefault();
      next.focus();
    });
    return { field, show };
  }

  // Ctrl+K inside the frame of an interactive page
  addEventListener("message", ({ source, data }) => {
    if (data?.attention !== "search" || ![...document.querySelectorAll("iframe")].some((one) => one.contentWindow === source)) return;
    const dialog = document.getElementById("pst-search-dialog");
    if (dialog && !dialog.open) dialog.showModal();
    dialog?.querySelector("input[name=q]").focus();
  });
  for (const form of document.querySelectorAll("form.bd-search")) {
    const one = attach(form);
    if (!form.closest(".course-search-page")) continue;
    one.field.value = new URLSearchParams(location.search).get("q") ?? "";
    one.field.focus();
    one.show();
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      history.replaceState(null, "", `?q=${encodeURIComponent(one.field.value)}`);
      one.show();
    });
  }
})();
