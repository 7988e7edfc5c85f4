// Eigenvalues of a model at its start, and what they say about methods.

import type { CompiledModel, Linearisation } from "../../../bodies.js";
import { hypotenuse } from "../../../ground/algebra/portable-trigonometry.js";
import { NodriftError } from "../../../ground/errors.js";
import type { SolveSettings } from "../../files/index.js";
import { short } from "../terminal/numbers.js";

/** Most bodies for which eigenvalues are computed: they are computed by finite differences, of all freedoms. */
const LARGEST = 60;
/** |h s| up to which explicit methods of high order are stable. */
const STABLE = 6;
/** Steps of stability this many times shorter than those of accuracy make a motion stiff. */
const STIFF = 30;
/** Frequencies of motions that are damped less than this are seen, and must be followed. */
const DAMPED = 0.7;
/** Tolerances from here on are met with less work by sdirk4. */
const COARSE = 1e-3;

export interface Spectrum {
  /** Largest first. */
  readonly eigenvalues: readonly { readonly re: number; readonly im: number }[];
  /** Natural frequencies in hertz, ascending. */
  readonly frequencies: readonly number[];
  /** What the start is: eigenvalues of a frozen state say how stiff the model is, not whether it is stable. */
  readonly about: "rest" | "steady motion" | "frozen state";
  readonly stiff: boolean;
  /** Which method fits, and why. */
  readonly suggestion: string;
  /** Why there are no eigenvalues. */
  readonly problem?: string;
}

export function spectrumOf(system: CompiledModel, solve: SolveSettings | undefined): Spectrum {
  const { bodies } = system.data;
  if (bodies.length > LARGEST) {
    return notFound(`not looked for: there are more than ${LARGEST} bodies`);
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

/** Small motions about the start; of the start frozen, where it is not steady. */
function linearised(system: CompiledModel): Linearisation {
  const simulation = system.simulate({ step: 1e-3 });
  try {
    return simulation.linearise();
  } catch (error) {
    if (error instanceof NodriftError && error.code === "STEADY") {
      return simulation.linearise({ frozen: true });
    }
    throw error;
  }
}

/** No eigenvalues, and why. */
export function notFound(problem: string): Spectrum {
  const about = "frozen state" as const;
  const none = { eigenvalues: [], frequencies: [], about, stiff: false };
  return { ...none, problem, suggestion: BY_ITSELF };
}

const BY_ITSELF = "automatic: starts explicit, switches to implicit if the motion is stiff";

/** Below this part of the largest eigenvalue a pair is a double zero, which rounding has split. */
const ROUNDING = 1e-5;

/** Frequencies that are none of rounding, with their unit; of a state that is frozen on its way there are none. */
export function frequencyTexts(
  { eigenvalues, frequencies }: Pick<Spectrum, "eigenvalues" | "frequencies">,
  timeUnit: string,
): readonly string[] {
  const largest = eigenvalues.reduce((most, one) => Math.max(most, size(one)), 0);
  const unit = timeUnit === "s" ? "Hz" : `1/${timeUnit}`;
  return frequencies
    .filter((value) => 2 * Math.PI * value > ROUNDING * largest)
    .map((value) => `${short(value, 4)} ${unit}`);
}

type Eigenvalue = Spectrum["eigenvalues"][number];

const size = ({ re, im }: Eigenvalue) => hypotenuse(re, im);

/**
 * A motion is stiff where stability limits explicit steps to much less than accuracy does: the fastest decay
 * against the fastest motion that does not die out at once, or against a tenth of the span.
 */
function isStiff(eigenvalues: readonly Eigenvalue[], solve: SolveSettings | undefined): boolean {
  const decay = eigenvalues.reduce(
    (most, one) => (one.re < 0 ? Math.max(most, size(one)) : most),
    0,
  );
  const seen = eigenvalues
    .filter((one) => one.im !== 0 && Math.abs(one.re) < DAMPED * size(one))
    .reduce((most, one) => Math.max(most, size(one)), 0);
  const span = solve ? Math.abs(solve.span[1] - solve.span[0]) : 1;
  const slow = Math.max(seen, 10 / span);
  return decay / STABLE > STIFF * slow;
}

function suggestionFor(
  eigenvalues: readonly Eigenvalue[],
  stiff: boolean,
  solve: SolveSettings | undefined,
): string {
  if (!stiff) return "explicit; automatic choice: dop853 with projection";
  const { tolerance = 1e-6 } = solve ?? {};
  const asked = typeof tolerance === "number" ? tolerance : (tolerance.relative ?? 1e-6);
  const name = asked >= COARSE ? "sdirk4" : "radau5";
  const limit = short(STABLE / size(eigenvalues[0]!), 2);
  return (
    `${name}: the motion is stiff. Explicit methods would need steps below ${limit}; ` +
    "without a method nodrift finds that out by itself"
  );
}
