// Before printing: hints and answers, which stand folded in the text, go open to the end of the page; pictures load; the page is light. Afterwards all is as it was.

(() => {
  "use strict";
  const article = document.querySelector(".bd-article");
  if (!article) return;
  const LONGEST = 15_000; // ms that Ctrl+P waits for pictures
  let undo = [];

  // All pictures now. Printing does not wait for them, so they load as soon as the page is read, and Ctrl+P waits for them.
  function load() {
    for (const picture of article.querySelectorAll("img[loading=lazy]")) picture.loading = "eager";
  }
  const settled = (picture) => // loaded, or missing: then it is printed as missing. decode() would give up on one that has only begun
    picture.complete || new Promise((resolve) => ["load", "error"].forEach((end) => picture.addEventListener(end, resolve, { once: true })));
  const READING = ["scroll", "pointerdown", "keydown"];
  function begin() {
    for (const sign of READING) removeEventListener(sign, begin);
    if (!navigator.connection?.saveData) (window.requestIdleCallback ?? setTimeout)(load);
  }
  for (const sign of READING) addEventListener(sign, begin, { passive: true });
  addEventListener("keydown", async (event) => {
    if (event.key.toLowerCase() !== "p" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    load();
    const pictures = [...article.querySelectorAll("img")];
    if (pictures.every((picture) => picture.complete)) return; // the browser prints
    event.preventDefault();
    await Promise.race([Promise.all(pictures.map(settled)), new Promise((resolve) => setTimeout(resolve, LONGEST))]);
    print();
  });

  function gather() {
    if (undo.length) return;
    const root = document.documentElement,
      theme = root.dataset.theme;
    if (theme === "dark") {
      root.dataset.theme = "light";
      undo.push(() => (root.dataset.theme = theme));
    }
    load();
    for (const goals of article.querySelectorAll("details.before:not([open])")) {
      goals.open = true;
      undo.push(() => (goals.open = false));
    }
    const folded = [...article.querySelectorAll("details:is(.hint, .answer)")].filter((one) => !one.parentElement.closest("details:is(.hint, .answer)"));
    if (!folded.length) return;
    const end = document.createElement("section");
    end.className = "print-answers";
    end.innerHTML = "<h2>Hints and answers</h2>";
    let last = null;
    for (const one of folded) {
      const place = document.createComment("printed at the end"),
        open = one.open,
        heading = one.closest("section")?.querySelector("h3, h2");
      if (heading && heading !== last) {
        const title = document.createElement("h3");
        title.textContent = heading.firstChild.textContent;
        end.append(title);
        last = heading;
      }
      one.replaceWith(place);
      one.open = true;
      end.append(one);
      undo.push(() => {
        one.open = open;
        place.replaceWith(one);
      });
    }
    article.append(end);
    undo.push(() => end.remove());
  }
  addEventListener("beforeprint", gather);
  addEventListener("afterprint", () => {
    for (const step of undo.splice(0)) step();
  });
})();
