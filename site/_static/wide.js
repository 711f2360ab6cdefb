// What is wider than the page can be scrolled with the keyboard, also when it stood in a closed fold. The copy buttons of all code
// are one stop: arrows go from one to the next that is not in a closed fold.

(() => {
  "use strict";
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  const wide = "article pre, article .pst-scrollable-table-container, article div.math";
  document.querySelectorAll(wide).forEach((one) => watch.observe(one));

  document.addEventListener("DOMContentLoaded", () => {
    const buttons = [...document.querySelectorAll("button.copybtn")]; // sphinx_copybutton has made them
    const stop = (chosen) => buttons.forEach((one) => (one.tabIndex = one === chosen ? 0 : -1));
    const open = (one) => !one.closest("details:not([open])");
    stop(buttons.find(open));
    for (const button of buttons) {
      button.addEventListener("focus", () => stop(button));
      button.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step) return;
        const shown = buttons.filter(open);
        const next = shown[shown.indexOf(button) + step];
        if (!next) return;
        event.preventDefault();
        next.focus();
      });
    }
  });
})();
