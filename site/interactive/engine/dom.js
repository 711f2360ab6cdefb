// Making elements, formatting numbers, speaking to a screen reader.

function fillIn(element, props, children) {
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") element.style.cssText = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** h("p.note", { id: "x" }, "text", otherElement) */
export function h(spec, props = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  return fillIn(element, props, children);
}
export const svg = (tag, props = {}, ...children) => fillIn(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);

/** "W_q" and "d_k" in a label, set as W with a small q below. */
export const subscripts = (text) =>
  String(text)
    .split(/([A-Za-z]_[a-z]+)/)
    .map((part) => (/^[A-Za-z]_[a-z]+$/.test(part) ? h("span", {}, h("i", {}, part[0]), h("sub", {}, part.slice(2))) : part));

/** Prose of a page (its author's own HTML, never a reader's text) as a block of elements. */
export function prose(html) {
  const element = h("div.prose");
  element.innerHTML = typeset(html);
  return element;
}

/** How wide an element was when it was last laid out, as a function; 0 until then. Asking the element itself would lay out the page each time.
 *  changed() is called whenever the size is another. */
export function widthOf(element, changed) {
  let width = 0;
  new ResizeObserver(() => {
    width = element.clientWidth;
    changed();
  }).observe(element);
  return () => width;
}

/** Calls f with the last arguments once nobody has asked for a moment: for what takes too long to follow a moving slider. */
export function whenStill(f) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(f, 80, ...given);
  };
}

let ids = 0;
export const uid = (prefix) => `${prefix}-${++ids}`;

/** A number as the page shows it: a true minus, no minus zero, no more digits than asked for. */
export function show(value, digits = 2) {
  if (typeof value !== "number") return value ?? "";
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}
/** The same, in words where a screen reader would stumble. */
export const spoken = (value, digits = 2) => show(value, digits).replace("−∞", "minus infinity").replace("−", "minus ");
/** Numbers of any size, short: 0.0042, 3.1·10⁻⁵, 12 345. */
export function compact(value, digits = 2) {
  if (value === 0 || !Number.isFinite(value)) return show(value, 0);
  const size = Math.abs(value);
  if (size >= 1)
    return size < 1e6
      ? show(value, Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : digits).replace(/\B(?=(\d{3})+(?!\d)(?<!\.\d*))/g, "\u202f")
      : power(value);
  return size >= 1e-3 ? String(Number(value.toPrecision(digits))).replace("-", "−") : power(value);
}
function power(value) {
  const [lead, exponent] = value.toExponential(1).split("e");
  const raised = exponent.replace("+", "").replace(/[-0-9]/g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
  return lead === "1.0" ? `10${raised}` : `${lead.replace("-", "−")}·10${raised}`;
}
/** Apostrophes as a typesetter puts them. */
export const typeset = (html) => html.replace(/(\w)'(\w)/g, "$1’$2").replace(/s' /g, "s’ ");

const quiet = h("div.unseen", { role: "status", "aria-live": "polite" });
let last = 0;
/** Say something to a screen reader without moving its focus. */
export function announce(text) {
  if (!quiet.isConnected) document.body.append(quiet);
  clearTimeout(last);
  last = setTimeout(() => {
    quiet.textContent = text;
  }, 120);
}
