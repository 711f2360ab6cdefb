// "Copy this state": the address of an interactive page as the reader has set it, whole in its fragment.
// A page tells its state whenever it changes, and its scene; the link opens the page alone, in that state. A scene as it opens
// has an address of its own, with a picture for the place where the link is posted.

(() => {
  "use strict";
  async function copy(text) {
    if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
    const field = Object.assign(document.createElement("textarea"), { value: text }); // from a folder
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("not copied");
  }
  for (const frame of document.querySelectorAll(".stage iframe")) {
    const bar = frame.closest(".stage").querySelector(".stage-bar");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "stage-copy", textContent: "Copy this state" });
    const said = document.createElement("span");
    said.className = "unseen";
    said.setAttribute("role", "status");
    const link = bar.querySelector("a");
    let hash = "";
    let scene = "";
    let told = 0;
    const plain = frame.getAttribute("src").split("#")[0];
    const inside = () => plain + (hash || scene ? `#${[hash, scene && `scene=${scene}`].filter(Boolean).join("&")}` : "");
    const address = () => new URL(scene && !hash ? plain.replace(/interactive\/(\w+)\.html$/, `share/$1-${scene}.html`) : inside(), location.href).href;
    addEventListener("message", ({ source, data }) => {
      if (source !== frame.contentWindow || !["state", "scene"].includes(data?.attention)) return;
      if (data.attention === "scene") scene = String(data.scene ?? "").replace(/[^\w-]/g, "");
      else hash = String(data.hash ?? "").replace(/^#/, "");
      if (link) link.href = inside();
    });
    button.addEventListener("click", async () => {
      clearTimeout(told);
      try {
        await copy(address());
        button.textContent = said.textContent = "Link copied";
      } catch {
        button.textContent = "Not copied";
        said.textContent = `The link could not be copied. It is ${address()}`;
      }
      told = setTimeout(() => (button.textContent = "Copy this state"), 2500);
    });
    bar.append(button, said);
  }
})();
