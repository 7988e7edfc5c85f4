// Acceptance bounds as data, so that a bound can be shown, tested with other values, and seen to fail.

/** Reference of a comparison: the printed value, the result of an independent code, or the bound alone. */
export type Against = "printed" | "reference" | "bound";

/** One condition on a value. All conditions of an entry must hold. */
export interface Bound {
  /**
   * "relative": |value - c| is at most `by` |c|. "distance": it is at most `by`. "factor": the larger of value
   * and c is at most `by` times the other. "most" and "least": bounds of the value itself. "beyond": |value - c| is more than
   * `by` |c|, as claimed for printed values that are not reproducible.
   */
  readonly kind: "relative" | "distance" | "factor" | "most" | "least" | "beyond";
  /** Amount, ratio or limit, depending on `kind`. */
  readonly by: number;
  /** Source of c. */
  readonly against: Against;
  /** Unit of a distance. */
  readonly unit?: string;
}

/** Values that bounds compare. */
export interface Compared {
  readonly value: number;
  readonly printed?: number | undefined;
  readonly reference?: number | undefined;
}

/** Whether a bound holds. It does not hold if a value is NaN. */
export function holds({ kind, by, against }: Bound, numbers: Compared): boolean {
  const { value } = numbers;
  if (kind === "most") return value <= by;
  if (kind === "least") return value >= by;
  const c = targetOf(against, numbers);
  const away = Math.abs(value - c);
  if (kind === "distance") return away <= by;
  if (kind === "factor") return value / c <= by && c / value <= by;
  return kind === "relative" ? away <= by * Math.abs(c) : away > by * Math.abs(c);
}

/** Describes a bound: "within 5e-3 relative of the print", "at most 1e-14". */
export function bounded({ kind, by, against, unit = "" }: Bound): string {
  const number = decimal(by);
  if (kind === "most") return `at most ${number}`;
  if (kind === "least") return `at least ${number}`;
  const whose = against === "printed" ? "the print" : "the reference";
  if (kind === "beyond") return `more than ${number} relative from ${whose}`;
  if (kind === "factor") return `within a factor ${number} of ${whose}`;
  const what = kind === "relative" ? "relative" : unit;
  return `within ${[number, what].join(" ").trimEnd()} of ${whose}`;
}

function targetOf(against: Against, { printed, reference }: Compared): number {
  return (against === "printed" ? printed : reference) ?? Number.NaN;
}

/** Formats a number compactly: 0.02, 5e-3, 1e-10. */
export function decimal(value: number): string {
  const size = Math.abs(value);
  const short = Number(value.toPrecision(3));
  const shown = Math.abs(short - value) <= 1e-12 * size ? short : Number(value.toPrecision(6));
  return size === 0 || (size >= 0.01 && size < 1e6) ? String(shown) : shown.toExponential();
}
