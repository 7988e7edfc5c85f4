// Figures of the papers, recomputed: curves as plain numbers, for a page or another program.

import { interruptible, type PaperPart } from "../judging/reproduction.js";

/** An axis of a drawn figure. */
export interface FigureAxis {
  /** Label of the axis. */
  readonly label: string;
  /** Its unit. */
  readonly unit?: string;
  /** Whether the axis is logarithmic. */
  readonly log?: boolean;
}

/** A line of a drawn figure. */
export interface FigureCurve {
  /** Name of the curve. */
  readonly name: string;
  /** Values along the axis to the right. */
  readonly x: readonly number[];
  /** Values along the upward axis; NaN is a gap. */
  readonly y: readonly number[];
  /** True for values from the text of the paper instead of measured ones. */
  readonly isPrinted?: boolean;
  /** True if its points are marked. */
  readonly points?: boolean;
}

/** A figure of a paper, or one plot of it. */
export interface DrawnFigure {
  /** Number of the figure, and its contents. */
  readonly title: string;
  /** The axis to the right. */
  readonly x: FigureAxis;
  /** The axis upwards. */
  readonly y: FigureAxis;
  /** The lines. */
  readonly curves: readonly FigureCurve[];
}

/** Figures of a paper that are drawn together. */
export type Drawing = PaperPart<DrawnFigure>;

/** A drawing, with the generator that computes it. */
interface Drawn extends Omit<Drawing, "run"> {
  draw(): Iterable<DrawnFigure> | AsyncIterable<DrawnFigure>;
}

export function drawing({ draw, ...described }: Drawn): Drawing {
  return { ...described, run: () => interruptible(draw()) };
}

export const TIME: FigureAxis = { label: "t", unit: "s" };

/** Smallest value shown on a logarithmic axis, which cannot show zero. */
const MIN_LOG_VALUE = 1e-20;

/** Returns a magnitude that a logarithmic axis can show. */
export function shownLog(value: number): number {
  return Math.max(Math.abs(value), MIN_LOG_VALUE);
}

/** A value of the paper as a line across a plot. */
export function printedLine(
  name: string,
  value: number,
  [from, to]: readonly number[],
): FigureCurve {
  return { name: `printed: ${name}`, x: [from!, to!], y: [value, value], isPrinted: true };
}

/** Points of the paper: marks without a line through them. */
export function printedPoints(
  name: string,
  points: readonly (readonly [x: number, y: number])[],
): FigureCurve {
  const sorted = [...points].sort(([a], [b]) => a - b);
  return {
    name: `printed: ${name}`,
    x: sorted.flatMap(([x]) => [x, x]),
    y: sorted.flatMap(([, y]) => [y, Number.NaN]),
    isPrinted: true,
    points: true,
  };
}

/** Lines that grow by a point at a time, for several quantities. */
export class Recorder<Name extends string> {
  readonly #times: number[] = [];
  readonly #values: Readonly<Record<Name, number[]>>;
  readonly #names: readonly Name[];

  constructor(names: readonly Name[]) {
    this.#names = names;
    this.#values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
      Name,
      number[]
    >;
  }

  add(time: number, values: Readonly<Record<Name, number>>): void {
    this.#times.push(time);
    for (const name of this.#names) this.#values[name].push(values[name]);
  }

  curve(of: Name, name: string = of): FigureCurve {
    return { name, x: this.#times, y: this.#values[of] };
  }

  curves(): readonly FigureCurve[] {
    return this.#names.map((name) => this.curve(name));
  }
}
