// Formatting of numbers for text.

/** Formats a number with few digits: "3.14", "1.2e-9", "0"; "-" for NaN. */
export function short(value: number, digits = 3): string {
  if (Number.isNaN(value)) return "-";
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(digits)));
  return value
    .toExponential(digits - 1)
    .replace(/\.?0+e/, "e")
    .replace("e+", "e");
}

/** Formats a count: "12 345". */
export function count(value: number): string {
  return String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, " ");
}

/** Formats a count with its noun: "1 step", "3 steps". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Formats a duration: "450 ms", "2.3 s", "1 min 20 s". */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "-";
  if (seconds < 1) return `${short(1000 * seconds, 2)} ms`;
  if (seconds < 60) return `${short(seconds, 2)} s`;
  const rounded = Math.round(seconds);
  if (rounded < 3600) return `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
  return `${Math.floor(rounded / 3600)} h ${Math.floor((rounded % 3600) / 60)} min`;
}

/** Formats the size of a file. */
export function bytes(size: number): string {
  return size < 1e6 ? `${Math.ceil(size / 1000)} kB` : `${short(size / 1e6)} MB`;
}
