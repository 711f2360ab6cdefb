// A button that plays.

import { h } from "./dom.js";

/** A button that raises a number beat by beat (milliseconds) up to last(), or begins again at 0; any other change of the page stops it. */
export function player(store, key, last, beat) {
  let timer = 0,
    mine = false;
  const button = h("button.step-button.primary", { type: "button", onclick: () => (timer ? stop() : play()) }, "▶ Play");
  const step = (value) => {
    mine = true;
    store.set({ [key]: value });
    mine = false;
  };
  function stop() {
    clearInterval(timer);
    timer = 0;
    button.textContent = "▶ Play";
  }
  function play() {
    step(store.state[key] >= last() ? 0 : store.state[key] + 1);
    button.textContent = "❚❚ Pause";
    timer = setInterval(() => {
      if (store.state[key] >= last()) stop();
      else step(store.state[key] + 1);
    }, beat);
  }
  store.on(() => {
    if (!mine && timer) stop();
  });
  return button;
}
