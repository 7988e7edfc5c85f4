// Velocities at the start: given ones are unchanged, to the last bit, the others follow. They are solved for in a
// metric without masses, in which held bodies do not move.
//
// A remaining Phi' means that given velocities contradict each other, or a joint: unless no velocities at all satisfy
// the rows (the part of Phi' that minnorm with nothing held does not remove), which is a geometry that nearly fits.
// Before a start is refused it is solved once more, by dense least squares, unless that would take seconds.

import type { BodyData } from "../../../describe/model/model-data.js";
import { checkLimits } from "../../../ground/run-limits.js";
import { type Correction, iterate, Size, sizesOf } from "../../../seam/projection/iteration.js";
import { knowRanksHere } from "../system/loop-ranks.js";
import type { BodySystem } from "../system/system.js";
import {
  type Held,
  keepVelocities,
  velocityInterpretations,
  zeroHeldInverseMasses,
} from "./given-velocities.js";
import { DenseSteps } from "./start-dense.js";

/** Residuals over speed: of velocities that fit, and of a geometry that nearly fits. */
const FITS = 1e-9;
const NEARLY_FITS = 1e-4;
/** A residual in radians, or lengths of the model, per second that is rounding of drives. */
const ROUNDING = 1e-10;
const ROUNDS = 10;
/** Rows of a model that are solved once more before it is refused: about a second of work. */
const MOST_ROWS = 500;

/** Whose velocities are kept; others that were given are where the search begins. */
export type IsHeld = (body: BodyData) => boolean;

export interface FoundVelocities {
  /** The interpretation used: bodies with one velocity given may be at rest or follow the joints. */
  readonly bodies: readonly BodyData[];
  /** Largest |Phi'| that is left. */
  readonly residual: number;
  /** The part of Phi' that contradicts what is held, by rows: undefined where nothing does. */
  readonly contradiction: Float64Array | undefined;
  /** No velocities satisfy the rows: drives prescribe what joints do not allow. */
  readonly impossible: boolean;
}

export class VelocityAssembler {
  readonly #system: BodySystem;
  readonly #length: number;
  readonly #right: number;
  readonly #step: number;
  readonly #product: number;
  /** Scales of the residuals: 1 for angles, the length of the model for distances. */
  readonly #scales: Float64Array;
  readonly #dense: DenseSteps;
  #state = new Float64Array(0);
  #residual = new Float64Array(0);
  #rights = new Float64Array(0);
  #steps = new Float64Array(0);
  #free = new Float64Array(0);

  /** Reserves memory: before the system's is sealed. */
  constructor(system: BodySystem, length: number) {
    const { workspace, state } = system;
    const { velocities, positions } = system.coordinates;
    const { rows } = system.constraints;
    this.#system = system;
    this.#length = length;
    this.#scales = Float64Array.from(
      system.quantities.plan.blocks.flatMap(({ block: { rows: own, user } }) =>
        [...own, ...(user ? [user] : [])].flatMap(({ names, unit }) =>
          names.map(() => (unit === "force" ? length : 1)),
        ),
      ),
    );
    const right = workspace.reserve("rates to be taken away", rows);
    const step = workspace.reserve("change of velocities", velocities);
    this.#right = right.address;
    this.#step = step.address;
    const product = workspace.reserve("rates that can be taken away", rows);
    this.#product = product.address;
    this.#dense = new DenseSteps(system);
    system.dynamics.solver("auto");
    workspace.whenSealed((arena) => {
      this.#state = arena.floats({
        name: "state",
        address: state.q,
        slots: positions + velocities,
      });
      this.#residual = arena.floats(product);
      this.#rights = arena.floats(right);
      this.#steps = arena.floats(step);
    });
  }

  /** Finds the velocities of the accepted state; its poses are those of the start. */
  run(t: number, isHeld: IsHeld): FoundVelocities {
    const { masses } = this.#system.quantities.arrays;
    this.#free = masses.slice();
    const { plan } = this.#system.quantities;
    const { rows } = this.#system.constraints;
    const meant = velocityInterpretations(plan.model.bodies);
    try {
      // If all interpretations fail, report the last, which assumes least.
      const first = firstThatFits(meant, (reading) => this.#read(t, reading, isHeld, false));
      return fits(first) || rows > MOST_ROWS
        ? first
        : firstThatFits(meant, (reading) => this.#read(t, reading, isHeld, true));
    } finally {
      masses.set(this.#free);
    }
  }

  #read(t: number, bodies: readonly BodyData[], isHeld: IsHeld, isDense: boolean): FoundVelocities {
    const system = this.#system;
    const { positions } = system.coordinates;
    const [q, v] = [this.#state.subarray(0, positions), this.#state.subarray(positions)];
    v.fill(0);
    keepVelocities(bodies, q, v);
    system.load(t);
    system.constraints.phiDot();
    const asked = this.#largest(system.quantities.arrays.phiDot);
    zeroHeldInverseMasses(system.quantities.arrays.masses, this.#free, (body) =>
      heldOf(bodies[body], isHeld),
    );
    this.#close(t, isDense);
    system.constraints.phiDot();
    const residual = this.#largest(system.quantities.arrays.phiDot);
    const speed = Math.max(asked, this.#speed(v));
    if (residual <= FITS * speed + ROUNDING) {
      return { bodies, residual, contradiction: undefined, impossible: false };
    }
    const misfit = this.#split(isDense);
    // A geometry that nearly fits moves a little because of its misfit.
    const contradicts = this.#largest(this.#residual) > FITS * speed + ROUNDING + misfit;
    return {
      bodies,
      residual,
      contradiction: contradicts ? this.#residual.slice() : undefined,
      impossible: misfit > NEARLY_FITS * speed + ROUNDING,
    };
  }

  /** Largest angular velocity of a body, or velocity over the length of the model. */
  #speed(v: Float64Array): number {
    return v.reduce(
      (most, x, i) => Math.max(most, Math.abs(x) / (i % 6 < 3 ? this.#length : 1)),
      0,
    );
  }

  /** Largest of some residuals, in radians or lengths of the model per second. */
  #largest(rates: Float64Array): number {
    return rates.reduce((most, x, row) => Math.max(most, Math.abs(x) / this.#scales[row]!), 0);
  }

  /** v += minnorm(-Phi') until that no longer gets smaller. */
  #close(t: number, isDense: boolean): void {
    const system = this.#system;
    const { workspace, state, trial, constraints } = system;
    const { velocities } = system.coordinates;
    const { rows } = constraints;
    const { kernels } = workspace;
    if (kernels.largestMagnitude(rows, constraints.phiDot()) === 0) return;
    const isKnown = !isDense && knowRanksHere(system);
    const sizes = sizesOf();
    const correction: Correction = {
      sizes,
      measure: () => {
        sizes[Size.ERROR] = kernels.largestMagnitude(rows, constraints.phiDot());
      },
      correct: () => {
        checkLimits();
        const rate = constraints.phiDot();
        kernels.axpy(rows, -2, rate, rate, this.#right);
        this.#minnorm(isKnown);
        kernels.axpy(velocities, 1, this.#step, trial.v, trial.v);
        system.at(t);
      },
      keep: () => kernels.copyVector(velocities, trial.v, state.v),
    };
    // The first step may add more to rows that cannot be satisfied than it removes from the others.
    iterate(correction, ROUNDS, true);
    system.load(t);
  }

  /** Splits Phi': the part that changing all velocities could remove is kept, the rest is returned. */
  #split(isDense: boolean): number {
    const system = this.#system;
    const { workspace } = system;
    const { rows } = system.constraints;
    system.quantities.arrays.masses.set(this.#free);
    const isKnown = !isDense && knowRanksHere(system);
    workspace.kernels.copyVector(rows, system.constraints.phiDot(), this.#right);
    this.#minnorm(isKnown);
    system.constraints.jacobianTimes(this.#step, this.#product);
    const rest = system.quantities.arrays.phiDot.map((rate, row) => rate - this.#residual[row]!);
    return this.#largest(rest);
  }

  /** step = minnorm(right): by elimination where the ranks are known. */
  #minnorm(isKnown: boolean): void {
    if (isKnown) this.#system.dynamics.solver("auto").minnorm(1, this.#right, this.#step);
    else this.#steps.set(this.#dense.solve(this.#rights, this.#free));
  }
}

const fits = ({ contradiction, impossible }: FoundVelocities) => !contradiction && !impossible;

/** The result of the first interpretation that fits, or else of the last one. */
function firstThatFits(
  meant: readonly (readonly BodyData[])[],
  read: (reading: readonly BodyData[]) => FoundVelocities,
): FoundVelocities {
  let found: FoundVelocities | undefined;
  for (const reading of meant) {
    found = read(reading);
    if (fits(found)) break;
  }
  return found as FoundVelocities;
}

function heldOf(body: BodyData | undefined, isHeld: IsHeld): Held {
  if (!body || !isHeld(body)) return { linear: false, angular: false };
  return { linear: body.velocity !== undefined, angular: body.angularVelocity !== undefined };
}
