// The shell of a page: title, scenes, theme, messages, and the state that everything shares.

import { h, prose, subscripts, typeset } from "./dom.js";
import { Store } from "./store.js";
import { handover } from "./handover.js";
import { colophon, courseLink, courseName } from "./colophon.js";

const memory = {
  // a page in a sandboxed frame may have no storage
  get: () => {
    try {
      return localStorage.getItem("attention-theme");
    } catch {
      return null;
    }
  },
  set: (value) => {
    try {
      localStorage.setItem("attention-theme", value);
    } catch {
      /* then it is forgotten */
    }
  },
};
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Where the page comes from: the course, what it is, and the page's chapter. */
function whence(chapter, number) {
  const own = number ? courseLink(chapter, `Chapter ${number}`) : courseLink("interactive_pages", "All interactive pages");
  return h("span.whence", {}, courseLink("index", courseName()), h("span.what", {}, ", the course in which you program a GPT yourself"), " · ", own);
}

/**
 * page({ chapter, number, title, deck, fields, normalise, compute, scenes, made })
 *   compute(state)   every number of the page, named: what scenes draw and tests compare
 *   scenes           [{ id, title, text (HTML), owns: fields, build(context) -> { elements, render(model, state) } }]
 *   made             [HTML] lines for "How the numbers are made"
 * viewer: nothing but the tensor that is handed over, once there is one
 * context: { store, view(matrix) registers a matrix for cues }
 */
export function page({ chapter, number, title, deck, fields, normalise, compute, scenes, made = [], viewer = false }) {
  const store = new Store(fields, normalise);
  const views = {};
  const context = { store, view: (matrix) => (views[matrix.options.name] = matrix) };
  const framed = window.parent !== window; // then the text around says what this is: one scene at a time, picture first
  let model = compute(store.state);
  let theme = memory.get() ?? "auto";

  const themeButton = h("button.quiet", { type: "button", onclick: () => setTheme({ auto: "light", light: "dark", dark: "auto" }[theme]) });
  const yours = handover();
  const parts = scenes.map((scene, index) => {
    const built = scene.build(context);
    const heading = h("h2", { id: `${scene.id}-title`, tabindex: -1 }, subscripts(scene.title));
    const element = h("section.scene", { id: scene.id, "aria-labelledby": `${scene.id}-title` }, heading, prose(scene.text), built.elements);
    return { ...scene, ...built, element, heading, index };
  });
  const contents = h(
    "nav.contents",
    { "aria-label": "On this page" },
    h(
      "ol",
      {},
      parts.map((part) =>
        h(
          "li",
          {},
          h(
            "a",
            {
              href: `#scene=${part.id}`,
              onclick: (event) => {
                event.preventDefault();
                go(part, true);
              },
            },
            h("b", {}, String(part.index + 1)),
            h("span.tab", {}, subscripts(part.title)),
          ),
        ),
      ),
    ),
  );
  document.body.append(
    h(
      "div.sheet",
      {},
      h(
        "div.bar",
        {},
        whence(chapter, number),
        h("div.bar-buttons", {}, h("button.quiet", { type: "button", onclick: () => store.reset() }, "Start over"), themeButton),
      ),
      h(
        "main",
        {},
        h("header.title", {}, h("h1", {}, h("a", { href: location.pathname }, title)), h("p.deck", {}, typeset(deck))),
        parts.length > 1 ? contents : null,
        yours.element,
        parts.map((part) => part.element),
      ),
      colophon(made),
    ),
  );
  document.body.classList.toggle("framed", framed && parts.length > 0);
  function show(current) {
    for (const [place, part] of parts.entries()) {
      part.element.classList.toggle("current", part === current);
      const link = contents.querySelectorAll("a")[place];
      if (part === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }
  if (parts.length) show(parts[0]);
  parts[0]?.element.classList.add("opens");
  document.title = number ? `${number} · ${title} · ${courseName()}` : `${title} · ${courseName()}`;

  function render() {
    model = compute(store.state);
    for (const part of parts) part.render(model, store.state);
  }
  function setTheme(next, remember = true) {
    theme = next;
    if (remember) memory.set(next);
    const dark = next === "dark" || (next === "auto" && prefersDark.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    themeButton.textContent = { auto: "Theme: auto", light: "Theme: light", dark: "Theme: dark" }[next];
    render();
    yours.render();
  }
  function go(part, focus = false) {
    show(part);
    if (framed) scrollTo({ top: 0, behavior: "instant" });
    else part.element.scrollIntoView({ behavior: calm.matches ? "auto" : "smooth", block: "start" });
    if (focus) part.heading.focus({ preventScroll: true });
    tell({ attention: "scene", scene: part.id, top: part.element.offsetTop });
  }
  const sceneOf = (id) => parts.find((part) => part.id === id);
  const ownerOf = (key) => parts.find((part) => part.owns?.includes(key));

  /** "step:softmax query:1", "scene:bank", "cell:weights/1/2", "reset": what narration sends. Returns what was understood. */
  function cue(text) {
    const understood = [];
    for (const part of String(text).split(/\s+/).filter(Boolean)) {
      const at = part.indexOf(":"),
        key = at < 0 ? part : part.slice(0, at);
      let value = part.slice(at + 1);
      try {
        value = decodeURIComponent(value);
      } catch {
        /* as it stands */
      }
      if (key === "reset") store.reset();
      else if (key === "theme" && ["auto", "light", "dark"].includes(value)) setTheme(value, false);
      else if (key === "scene" && sceneOf(value)) go(sceneOf(value));
      else if (key === "cell" && point(value)) {
        /* done */
      } else if (key in fields && store.set({ [key]: value }).length) {
        const owner = ownerOf(key);
        if (owner) go(owner);
      } else continue;
      understood.push(part);
    }
    return understood;
  }
  function point(place) {
    const [name, i, j] = place.split("/"),
      view = views[name];
    if (!view?.values[Number(i)] || !(Number(j) < view.columns.length)) return false;
    view.point(Number(i), Number(j));
    view.table.scrollIntoView({ behavior: calm.matches ? "auto" : "smooth", block: "nearest" });
    return true;
  }
  const tell = (message) => {
    if (window.parent !== window) window.parent.postMessage({ chapter, ...message }, "*");
  };

  store.on(() => {
    render();
    const hash = store.hash;
    try {
      history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
    } catch {
      /* srcdoc has no address */
    }
    tell({ attention: "state", hash });
  });
  window.addEventListener("message", ({ data }) => {
    if (!data || typeof data !== "object") return;
    if (typeof data.cue === "string") tell({ attention: "cue", cue: data.cue, understood: cue(data.cue) });
    if (typeof data.theme === "string") cue(`theme:${data.theme}`);
    if (typeof data.state === "string") store.setFromHash(data.state);
    if (data.weights) {
      take(data);
      yours.element.scrollIntoView({ block: "start" });
    }
  });
  function take(data) {
    document.body.classList.toggle("viewing", viewer);
    yours.take(data);
  }
  function readAddress() {
    store.setFromHash(location.hash);
    const scene = sceneOf(/(?:^#|&)scene=([\w-]+)/.exec(location.hash)?.[1]);
    if (scene) go(scene);
  }
  window.addEventListener("hashchange", readAddress);
  window.addEventListener("keydown", (event) => {
    if (!framed || event.key !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault(); // the site around has the search
    tell({ attention: "search" });
  });
  prefersDark.addEventListener("change", () => setTheme(theme, false));

  setTheme(["auto", "light", "dark"].includes(theme) ? theme : "auto", false);
  if (location.hash.length > 1) readAddress();
  if (globalThis.ATTENTION_DATA) take(globalThis.ATTENTION_DATA);
  new ResizeObserver(() => tell({ attention: "height", height: document.documentElement.offsetHeight })).observe(document.body);
  const cues = [
    ...parts.map((part) => `scene:${part.id}`),
    ...Object.entries(fields).flatMap(([key, field]) =>
      field.options ? field.options.map((option) => `${key}:${option}`) : [`${key}:${encodeURIComponent(field.write(field.fallback))}`],
    ),
  ];
  window.attention = {
    chapter,
    cues,
    cue,
    fields,
    views,
    set: (changes) => store.set(changes),
    reset: () => store.reset(),
    get state() {
      return store.state;
    },
    get hash() {
      return store.hash;
    },
    get values() {
      return model;
    },
  };
  tell({ attention: "ready", cues });
}
