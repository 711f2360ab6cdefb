// Colour ramps for numbers, mixed in OKLab, with a text colour that always has enough contrast.

const RAMPS = {
  // [negative end, zero, positive end]; "weights" uses zero and positive alone
  light: { weights: ["#f4f8fc", "#7db4de", "#08488c"], signed: ["#a8530a", "#faf9f6", "#4b2e83"], plain: ["#ffffff", "#ffffff", "#ffffff"] },
  dark: { weights: ["#1c2530", "#2f6ea8", "#a5d4ff"], signed: ["#f0a050", "#23262b", "#b9a3f0"], plain: ["#1b1e22", "#1b1e22", "#1b1e22"] },
};

const channel = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const gamma = (c) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
const linearOf = (hex) => [1, 3, 5].map((at) => channel(parseInt(hex.slice(at, at + 2), 16) / 255));

function toLab([r, g, b]) {
  const [l, m, s] = [
    0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
    0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
  ].map(Math.cbrt);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
function fromLab([L, a, b]) {
  const [l, m, s] = [L + 0.3963377774 * a + 0.2158037573 * b, L - 0.1055613458 * a - 0.0638541728 * b, L - 0.0894841775 * a - 1.291485548 * b].map(
    (c) => c ** 3,
  );
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((c) => Math.min(1, Math.max(0, c)));
}
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const mix = (a, b, t) => toLab(linearOf(a)).map((c, i) => c + (toLab(linearOf(b))[i] - c) * t);

export const isDark = () => document.documentElement.dataset.theme === "dark";

const painted = new Map();
/** Background and ink for a value at t: 0…1 on the weights ramp, -1…1 on the signed one. */
export function paint(ramp, t) {
  const theme = isDark() ? "dark" : "light";
  const step = Math.round(Math.min(1, Math.max(-1, Number.isFinite(t) ? t : 0)) * 64) / 64;
  const key = `${theme} ${ramp} ${step}`;
  if (!painted.has(key)) painted.set(key, colours(RAMPS[theme][ramp], ramp, step));
  return painted.get(key);
}
function colours([low, middle, high], ramp, t) {
  const lab =
    ramp === "weights"
      ? t < 0.5
        ? mix(low, middle, Math.max(0, t) * 2)
        : mix(middle, high, t * 2 - 1)
      : t < 0
        ? mix(middle, low, -t)
        : mix(middle, high, t);
  const rgb = fromLab(lab),
    light = luminance(rgb);
  const background = `rgb(${rgb.map((c) => Math.round(gamma(c) * 255)).join(" ")})`;
  const onInk = (light + 0.05) / 0.05,
    onPaper = 1.05 / (light + 0.05); // WCAG contrast with black and with white
  return { background, ink: onInk > onPaper ? "#000" : "#fff" };
}

/** Okabe–Ito, as the chapters' figures; the dash is the second channel. */
export const SERIES = ["var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)"];
export const DASHES = ["", "7 4", "2 4", "10 3 2 3", "5 2", "1 3"];
