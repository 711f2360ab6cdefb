// The frame of the interactive page: it stays in view beside the text, and is told what to show. Without this file the plain frame remains.

(() => {
  "use strict";
  const make = (tag, attributes = {}, text = "") => {
    const element = Object.assign(document.createElement(tag), attributes);
    if (text) element.textContent = text;
    return element;
  };
  const roomy = matchMedia("(min-width: 75rem)");
  const playground = document.querySelector(".playground");
  const stage = playground?.querySelector(".stage");
  const frame = playground?.querySelector("iframe");
  let ready = false;
  let waiting = [];
  // whether most of the place of the frame is on the screen
  const seen = () => {
    const { top, bottom, height } = playground.getBoundingClientRect();
    return Math.min(bottom, innerHeight) - Math.max(top, 0) > 0.6 * height;
  };

  const theme = () => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");
  function send(message) {
    if (ready) frame.contentWindow.postMessage(message, "*");
    else waiting.push(message);
  }
  function dock(on) {
    stage.classList.toggle("docked", on);
    document.body.classList.toggle("beside-stage", on);
    stage.querySelector(".stage-back").hidden = !on;
    stage.querySelector(".stage-taller").hidden = on;
  }
  // A page that scrolls to a scene would scroll this page too, and the reader away from the player. Not while its frame is fixed.
  function pin() {
    const { top, left, width, height } = stage.getBoundingClientRect();
    Object.assign(stage.style, { position: "fixed", top: `${top}px`, left: `${left}px`, width: `${width}px`, height: `${height}px` });
    const free = () => stage.removeAttribute("style");
    setTimeout(free, 1200);
    addEventListener("wheel", free, { once: true, passive: true });
    addEventListener("touchmove", free, { once: true, passive: true });
  }
  function cue(text, anchor) {
    if (!frame || !text) return;
    if (!seen() && !roomy.matches) return;
    if (seen()) pin();
    else {
      const before = anchor?.getBoundingClientRect().top ?? 0;
      dock(true);
      if (anchor) scrollBy({ top: anchor.getBoundingClientRect().top - before, behavior: "instant" });
    }
    send({ cue: text });
  }
  if (frame) {
    const bar = stage.querySelector(".stage-bar");
    const taller = make("button", { type: "button", className: "stage-taller" }, "Taller");
    taller.setAttribute("aria-pressed", "false");
    taller.addEventListener("click", () => taller.setAttribute("aria-pressed", String(playground.classList.toggle("tall"))));
    const back = make("button", { type: "button", className: "stage-back", hidden: true }, "Put it back");
    back.addEventListener("click", () => dock(false));
    bar.append(taller, back);
    addEventListener("message", ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      if (data?.attention === "height") playground.style.setProperty("--needed", `${Math.ceil(data.height) + stage.querySelector(".stage-bar").offsetHeight + 4}px`);
      if (data?.attention === "ready") greet();
    });
    const greet = () => {
      ready = true;
      send({ theme: theme() });
      for (const message of waiting.splice(0)) send(message);
    };
    // the frame may have said that it is ready before this script listened
    const wake = () => {
      if (!ready) greet();
    };
    frame.addEventListener("load", wake);
    new MutationObserver(() => send({ theme: theme() })).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    new IntersectionObserver(() => seen() && dock(false), { threshold: [0.6, 0.65, 0.7] }).observe(playground);
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") dock(false);
    });
    if (location.protocol !== "file:") wake();
    else setTimeout(wake, 1500);
  }

  const state = () => ({ ready, seen: Boolean(playground) && seen(), docked: stage?.classList.contains("docked") ?? false });
  window.course = { make, roomy, playground, frame, send, cue, state };
})();
