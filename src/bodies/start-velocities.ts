// Velocities at the start: those that were given stay as they are, to the last bit, the others follow. Both
// are solved for in a metric that knows no masses, in which what is held does not move.
//
// What then is left of Phi' says that given velocities contradict each other, or a joint: unless no
// velocities at all would do (the part of Phi' that minnorm with nothing held does not take away), which
// is a geometry that nearly fits.

import { type BodyData, GROUND } from "../model/description.js";
import { checkpoint } from "../watch.js";
import { type Held, holdMasses, keepVelocities, readings } from "./given.js";
import { rankHere } from "./loop-ranks.js";
import type { BodySystem } from "./system.js";

/** Residuals over speed: of velocities that fit, and of a geometry that nearly fits. */
const FITS = 1e-9;
const NEARLY_FITS = 1e-4;
/** A residual in radians, or lengths of the model, per second that is rounding of drives. */
const ROUNDING = 1e-10;
const ROUNDS = 10;

/** Whose velocities are kept; others that were given are where the search begins. */
export type IsHeld = (body: BodyData) => boolean;

export interface FoundVelocities {
  /** What was read out of the velocities that were given: bodies with half of them may be still, or follow. */
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
  /** What residuals are compared with: 1 for angles, the length of the model for distances. */
  readonly #scales: Float64Array;
  #state = new Float64Array(0);
  #residual = new Float64Array(0);
  #free = new Float64Array(0);

  /** Reserves memory: before the system's is sealed. */
  constructor(system: BodySystem, length: number) {
    const { workspace, rows, velocities, positions, state } = system;
    this.#system = system;
    this.#length = length;
    this.#scales = Float64Array.from(
      system.plan.blocks.flatMap(({ block: { rows: own, user } }) =>
        [...own, ...(user ? [user] : [])].flatMap(({ names, unit }) =>
          names.map(() => (unit === "force" ? length : 1)),
        ),
      ),
    );
    this.#right = workspace.vector("rates to be taken away", rows);
    this.#step = workspace.vector("change of velocities", velocities);
    const product = workspace.reserve("rates that can be taken away", rows);
    this.#product = product.address;
    system.solver("auto");
    workspace.whenSealed((arena) => {
      this.#state = arena.floats({ name: "state", address: state, slots: positions + velocities });
      this.#residual = arena.floats(product);
    });
  }

  /** Finds the velocities of the accepted state; its poses are those of the start. */
  run(t: number, isHeld: IsHeld): FoundVelocities {
    const { masses } = this.#system.arrays;
    this.#free = masses.slice();
    const { bodies } = this.#system.plan.model;
    let found: FoundVelocities | undefined;
    for (const reading of readings(bodies)) {
      const next = this.#read(t, reading, isHeld);
      // Of readings that fail, the last one is the weakest: it tells best what is wrong.
      found = next;
      if (next.contradiction === undefined && !next.impossible) break;
    }
    masses.set(this.#free);
    return found as FoundVelocities;
  }

  #read(t: number, bodies: readonly BodyData[], isHeld: IsHeld): FoundVelocities {
    const system = this.#system;
    const { positions } = system;
    const [q, v] = [this.#state.subarray(0, positions), this.#state.subarray(positions)];
    v.fill(0);
    keepVelocities(bodies, q, v);
    this.#load(t);
    system.phiDot();
    const asked = this.#largest(system.arrays.phiDot);
    holdMasses(system.arrays.masses, this.#free, (body) => heldOf(bodies[body], isHeld));
    this.#close(t);
    system.phiDot();
    const residual = this.#largest(system.arrays.phiDot);
    const speed = Math.max(asked, this.#speed(v));
    if (residual <= FITS * speed + ROUNDING) {
      return { bodies, residual, contradiction: undefined, impossible: false };
    }
    const misfit = this.#split();
    // A geometry that nearly fits is moved a little by what it leaves open.
    const contradicts = this.#largest(this.#residual) > FITS * speed + ROUNDING + misfit;
    return {
      bodies,
      residual,
      contradiction: contradicts ? this.#residual.slice() : undefined,
      impossible: misfit > NEARLY_FITS * speed + ROUNDING,
    };
  }

  #load(t: number): void {
    const { workspace, state, trial, positions, velocities } = this.#system;
    workspace.kernels.copyVector(positions + velocities, state, trial);
    this.#system.at(t);
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
  #close(t: number): void {
    const system = this.#system;
    const { workspace, rows, state, trial, positions, velocities } = system;
    const { kernels } = workspace;
    const v = trial + 8 * positions;
    let error = kernels.largestMagnitude(rows, system.phiDot());
    if (error === 0) return;
    system.knowRanks(rankHere(system));
    for (let round = 0; round < ROUNDS && error > 0; round++) {
      checkpoint();
      kernels.axpy(rows, -2, system.phiDot(), system.phiDot(), this.#right);
      system.solver("auto").minnorm(1, this.#right, this.#step);
      kernels.axpy(velocities, 1, this.#step, v, v);
      system.at(t);
      const next = kernels.largestMagnitude(rows, system.phiDot());
      // The first step may leave more in rows that cannot be satisfied than it takes from the others.
      if (!(next < error) && !(round === 0 && next < 2 * error)) break;
      kernels.copyVector(velocities, v, state + 8 * positions);
      if (next > error / 2 && round > 0) break;
      error = next;
    }
    this.#load(t);
  }

  /** Splits Phi': what changing all velocities could take away is left behind, the rest is returned. */
  #split(): number {
    const system = this.#system;
    const { workspace, rows } = system;
    system.arrays.masses.set(this.#free);
    system.knowRanks(rankHere(system));
    workspace.kernels.copyVector(rows, system.phiDot(), this.#right);
    system.solver("auto").minnorm(1, this.#right, this.#step);
    system.jacobianTimes(this.#step, this.#product);
    const rest = system.arrays.phiDot.map((rate, row) => rate - this.#residual[row]!);
    return this.#largest(rest);
  }
}

function heldOf(body: BodyData | undefined, isHeld: IsHeld): Held {
  if (!body || !isHeld(body)) return { linear: false, angular: false };
  return { linear: body.velocity !== undefined, angular: body.angularVelocity !== undefined };
}

/** Joints that a contradiction shows in, the worst first, and the bodies given at them. */
export function contradictors(
  { plan }: BodySystem,
  contradiction: Float64Array,
): { joints: { name: string; open: number }[]; bodies: string[] } {
  const open = plan.model.joints.map(({ name }, joint) => {
    const own = plan.blocks.filter((block) => block.joint === joint);
    const rates = own.flatMap(({ firstRow, rows }) =>
      Array.from(contradiction.subarray(firstRow, firstRow + rows), Math.abs),
    );
    return { name, open: Math.max(0, ...rates), bodies: own.flatMap(({ bodies }) => bodies) };
  });
  open.sort((a, b) => b.open - a.open);
  const most = open[0]?.open ?? 0;
  const joints = open.filter((each) => each.open > 1e-3 * most).slice(0, 5);
  const near = new Set(joints.flatMap(({ bodies }) => bodies).filter((body) => body !== GROUND));
  const given = plan.model.bodies.filter((body) => body.velocity ?? body.angularVelocity);
  const among = given.filter((body) => near.has(plan.model.bodies.indexOf(body)));
  const bodies = (among.length > 0 ? among : given).map(({ name }) => name);
  return { joints, bodies };
}
