// Eigenvalues of a model at its initial state, and the method they suggest.

import { hypotenuse } from "../../base/algebra/portable-trigonometry.js";
import { NodriftError } from "../../base/errors.js";
import { type CompiledModel, type Linearisation, linearise } from "../../bodies.js";
import type { SolveSettings } from "../../files/index.js";
import { short } from "../../report/numbers.js";

/** Largest number of bodies for which eigenvalues are computed: finite differences take one evaluation per degree of freedom. */
const MAX_EIGENVALUE_BODIES = 60;
/** Bound on |h s| for the stability of explicit methods of high order. */
const STABILITY_RADIUS = 6;
/** Ratio of the steps allowed by accuracy to those allowed by stability from which a motion counts as stiff. */
const STIFFNESS_RATIO = 30;
/** Largest damping ratio of oscillations that are visible and must be resolved. */
const MAX_VISIBLE_DAMPING = 0.7;
/** Smallest tolerance that sdirk4 reaches with less work than radau5. */
const COARSE_TOLERANCE = 1e-3;

export interface Spectrum {
  /** Eigenvalues in descending order of magnitude. */
  readonly eigenvalues: readonly { readonly re: number; readonly im: number }[];
  /** Natural frequencies in hertz, ascending. */
  readonly frequencies: readonly number[];
  /** Kind of the initial state. Eigenvalues of a frozen state show how stiff the model is, not whether it is stable. */
  readonly about: "rest" | "steady motion" | "frozen state";
  readonly stiff: boolean;
  /** Suggested method, with the reason. */
  readonly suggestion: string;
  /** Why no eigenvalues were computed. */
  readonly problem?: string;
}

export function spectrumOf(system: CompiledModel, solve: SolveSettings | undefined): Spectrum {
  const { bodies } = system.data;
  if (bodies.length > MAX_EIGENVALUE_BODIES) {
    return notFound(`not computed: the model has more than ${MAX_EIGENVALUE_BODIES} bodies`);
  }
  try {
    const found = linearised(system);
    const eigenvalues = [...found.eigenvalues].sort((a, b) => size(b) - size(a));
    const stiff = isStiff(eigenvalues, solve);
    return {
      eigenvalues,
      frequencies: found.frequencies,
      about: found.equilibrium ? "rest" : found.steady ? "steady motion" : "frozen state",
      stiff,
      suggestion: suggestionFor(eigenvalues, stiff, solve),
    };
  } catch (error) {
    return notFound((error as Error).message);
  }
}

/** Linearises about the initial state, frozen in time if it is not steady. */
function linearised(system: CompiledModel): Linearisation {
  const simulation = system.simulate({ step: 1e-3 });
  try {
    return linearise(simulation);
  } catch (error) {
    if (error instanceof NodriftError && error.code === "STEADY") {
      return linearise(simulation, { frozen: true });
    }
    throw error;
  }
}

/** A spectrum without eigenvalues, with the reason. */
export function notFound(problem: string): Spectrum {
  const about = "frozen state" as const;
  const none = { eigenvalues: [], frequencies: [], about, stiff: false };
  return { ...none, problem, suggestion: AUTOMATIC_METHOD };
}

const AUTOMATIC_METHOD = "automatic: starts explicit, switches to implicit if the motion is stiff";

/** Fraction of the largest eigenvalue below which a pair is a double zero that rounding has split. */
const ZERO_FREQUENCY_TOLERANCE = 1e-5;

/** Frequencies above the rounding error, with their unit. A state frozen during a motion has none. */
export function frequencyTexts(
  { eigenvalues, frequencies }: Pick<Spectrum, "eigenvalues" | "frequencies">,
  timeUnit: string,
): readonly string[] {
  const largest = eigenvalues.reduce((most, one) => Math.max(most, size(one)), 0);
  const unit = timeUnit === "s" ? "Hz" : `1/${timeUnit}`;
  return frequencies
    .filter((value) => 2 * Math.PI * value > ZERO_FREQUENCY_TOLERANCE * largest)
    .map((value) => `${short(value, 4)} ${unit}`);
}

type SpectrumEntry = Spectrum["eigenvalues"][number];

const size = ({ re, im }: SpectrumEntry) => hypotenuse(re, im);

/**
 * Whether stability limits explicit steps much more than accuracy does. Compares the fastest decay with the fastest
 * oscillation that is lightly damped, or with a tenth of the span.
 */
function isStiff(eigenvalues: readonly SpectrumEntry[], solve: SolveSettings | undefined): boolean {
  const decay = eigenvalues.reduce(
    (most, one) => (one.re < 0 ? Math.max(most, size(one)) : most),
    0,
  );
  const seen = eigenvalues
    .filter((one) => one.im !== 0 && Math.abs(one.re) < MAX_VISIBLE_DAMPING * size(one))
    .reduce((most, one) => Math.max(most, size(one)), 0);
  const span = solve ? Math.abs(solve.span[1] - solve.span[0]) : 1;
  const slow = Math.max(seen, 10 / span);
  return decay / STABILITY_RADIUS > STIFFNESS_RATIO * slow;
}

function suggestionFor(
  eigenvalues: readonly SpectrumEntry[],
  stiff: boolean,
  solve: SolveSettings | undefined,
): string {
  if (!stiff) return "explicit; automatic choice: dop853 with projection";
  const { tolerance = 1e-6 } = solve ?? {};
  const asked = typeof tolerance === "number" ? tolerance : (tolerance.relative ?? 1e-6);
  const name = asked >= COARSE_TOLERANCE ? "sdirk4" : "radau5";
  const limit = short(STABILITY_RADIUS / size(eigenvalues[0]!), 2);
  return (
    `${name}: the motion is stiff. Explicit methods would need steps below ${limit}; ` +
    "without a method nodrift detects this automatically"
  );
}
