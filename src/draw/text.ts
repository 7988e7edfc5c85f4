// Formatting of numbers and times.

/** Returns the largest of 1, 2 and 5 times a power of ten that is not above x. */
export function niceBelow(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
  const factor = [5, 2, 1].find((each) => each * power <= x * (1 + 1e-9)) ?? 1;
  return factor * power;
}

/** Formats a number with `digits` digits, without trailing zeros; with a power of ten only if very large or small. */
export function shortNumber(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return "";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
    return `${Number(mantissa)}e${Number(exponent)}`;
  }
  return String(Number(x.toPrecision(digits)));
}

/** Formats equally spaced numbers, all with the decimals that the spacing needs. */
export function tickTexts(splits: readonly number[], step: number): string[] {
  const largest = Math.max(...splits.map(Math.abs));
  const isPlain = largest === 0 || (largest < 1e5 && largest >= 1e-3);
  // Very large or small numbers share one power of ten.
  const exponent = isPlain ? 0 : Math.floor(Math.log10(largest) + 1e-9);
  const power = 10 ** exponent;
  const places = placesOf(step / power);
  return splits.map((x) => {
    if (Math.abs(x) < step / 1e6) return "0";
    const text = (x / power).toFixed(places);
    return exponent === 0 ? text : `${text}e${exponent}`;
  });
}

/** Returns the number of decimals needed to show a number exactly. */
function placesOf(x: number): number {
  for (let places = 0; places < 12; places++) {
    const scaled = x * 10 ** places;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return places;
  }
  return 12;
}

const RAISED: Readonly<Record<string, string>> = {
  "-": "⁻",
  "0": "⁰",
  "1": "¹",
  "2": "²",
  "3": "³",
  "4": "⁴",
  "5": "⁵",
  "6": "⁶",
  "7": "⁷",
  "8": "⁸",
  "9": "⁹",
};

/** Formats a power of ten; between 0.01 and 1000 as a plain number. */
export function powerText(x: number): string {
  const exponent = Math.round(Math.log10(x));
  if (exponent >= -2 && exponent <= 3) return String(Number(x.toPrecision(3)));
  return `10${[...String(exponent)].map((digit) => RAISED[digit]).join("")}`;
}

/** Formats a time with the decimals that its span needs. */
export function timeText(time: number, span: number): string {
  const places = Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(span || 1))));
  return time.toFixed(places).replace(/^-(0\.?0*)$/, "$1");
}
