// "Report a mistake" and "Edit this page" lead to the line of the source whose section is read, or in which words are marked.
// Without this file they lead to the file.

(() => {
  "use strict";
  const READ = 0.4; // how far down the screen the line lies that is read
  for (const nav of document.querySelectorAll("nav.mend")) {
    const lines = JSON.parse(nav.dataset.lines);
    const sections = [...document.querySelectorAll("article section[id]")].filter(({ id }) => id in lines);
    const aim = () => {
      const marked = getSelection();
      const words = marked.isCollapsed ? "" : marked.toString().trim().slice(0, 300);
      const inside = words && marked.anchorNode.parentElement.closest("article") ? marked.anchorNode.parentElement.closest("article section[id]") : null;
      const section = sections.findLast((one) => (inside ? one.contains(inside) : one.getBoundingClientRect().top < innerHeight * READ)) ?? sections[0];
      const line = section ? `#L${lines[section.id]}` : "";
      const edit = nav.querySelector(".edit");
      edit.href = edit.href.split("#")[0] + line;
      const mistake = nav.querySelector(".mistake");
      const asked = new URL(mistake.href);
      const heading = section?.querySelector("h1, h2, h3, h4")?.firstChild?.textContent.trim() ?? document.title;
      asked.searchParams.set("title", heading);
      const source = asked.searchParams.get("body").split("#")[0].split("\n")[0] + line;
      asked.searchParams.set("body", [source, ...(words ? ["", `> ${words.replace(/\s+/g, " ")}`] : [])].join("\n"));
      mistake.href = asked;
    };
    for (const event of ["pointerdown", "focusin", "pointerover"]) nav.addEventListener(event, aim);
  }
})();
