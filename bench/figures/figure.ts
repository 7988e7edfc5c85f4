/** One acceptance figure: a value, its target, and whether it is met. */
export interface Figure {
  readonly figure: string;
  readonly value: number;
  readonly target: string;
  readonly pass: boolean;
}

/** A group of figures, measured lazily. */
export type FigureGroup = () => AsyncGenerator<Figure>;

/** A value that must reach a target. */
export function atLeast(figure: string, value: number, target: number): Figure {
  return { figure, value: rounded(value), target: `>= ${target}`, pass: value >= target };
}

/** A value that must stay below a target. */
export function atMost(figure: string, value: number, target: number): Figure {
  return { figure, value: rounded(value), target: `<= ${target}`, pass: value <= target };
}

/** A value that is only reported. */
export function reported(figure: string, value: number): Figure {
  return { figure, value: rounded(value), target: "reported", pass: true };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** A value that must be near a reference. */
export function within(figure: string, value: number, reference: number, relative: number): Figure {
  return {
    figure,
    value: rounded(value),
    target: `${reference} +- ${100 * relative}%`,
    pass: Math.abs(value - reference) <= relative * Math.abs(reference),
  };
}

/** A value that must be near a number, by an absolute distance. */
export function near(figure: string, value: number, target: number, distance: number): Figure {
  return {
    figure,
    value: rounded(value),
    target: `${target} +- ${distance}`,
    pass: Math.abs(value - target) <= distance,
  };
}
