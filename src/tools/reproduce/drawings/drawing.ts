// Figures of the papers, drawn again: curves as plain numbers, for a page or another program.

import { turnOfOthers } from "../judging/turns.js";

/** An axis of a drawn figure. */
export interface FigureAxis {
  /** What it shows. */
  readonly label: string;
  /** Its unit. */
  readonly unit?: string;
  /** By powers of ten. */
  readonly log?: boolean;
}

/** A line of a drawn figure. */
export interface FigureCurve {
  /** What it is. */
  readonly name: string;
  /** Along the axis to the right. */
  readonly x: readonly number[];
  /** Along the other one; NaN is a gap. */
  readonly y: readonly number[];
  /** From the text of the paper, instead of measured. */
  readonly isPrinted?: boolean;
  /** Its points are marked. */
  readonly points?: boolean;
}

/** A figure of a paper, or one plot of it. */
export interface DrawnFigure {
  /** Which figure it is, and what it shows. */
  readonly title: string;
  /** The axis to the right. */
  readonly x: FigureAxis;
  /** The axis upwards. */
  readonly y: FigureAxis;
  /** The lines. */
  readonly curves: readonly FigureCurve[];
}

/** Figures of a paper that are drawn together. */
export interface Drawing {
  /** In kebab-case: paper and figures. */
  readonly name: string;
  /** The paper they are from. */
  readonly paper: string;
  /** What they show. */
  readonly title: string;
  /** What one has to know to read them. */
  readonly notes: readonly string[];
  /** Seconds that they take on one core, roughly. Default: 1. */
  readonly seconds?: number;
  /** Computes figure after figure. Lets other tasks have a turn in between. */
  run(): AsyncGenerator<DrawnFigure>;
}

/** A drawing, with the generator that computes it. */
interface Drawn extends Omit<Drawing, "run"> {
  draw(): Iterable<DrawnFigure> | AsyncIterable<DrawnFigure>;
}

export function drawing({ draw, ...described }: Drawn): Drawing {
  return {
    ...described,
    async *run() {
      await turnOfOthers();
      for await (const figure of draw()) {
        yield figure;
        await turnOfOthers();
      }
    },
  };
}

export const TIME: FigureAxis = { label: "t", unit: "s" };

/** Logarithms have no place for zero: below this nothing is shown. */
const LEAST = 1e-20;

/** For a logarithmic axis. */
export function shownLog(value: number): number {
  return Math.max(Math.abs(value), LEAST);
}

/** A number of the paper across a plot. */
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
