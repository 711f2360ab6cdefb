// Before printing: hints and answers, which stand folded in the text, go open to the end of the page; pictures load; the page is light. Afterwards all is as it was.

(() => {
  "use strict";
  const article = document.querySelector(".bd-article");
  if (!article) return;
  let undo = [];

  function gather() {
    if (undo.length) return;
    const root = document.documentElement,
      theme = root.dataset.theme;
    if (theme === "dark") {
      root.dataset.theme = "light";
      undo.push(() => (root.dataset.theme = theme));
    }
    for (const picture of article.querySelectorAll("img[loading=lazy]")) picture.loading = "eager";
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
