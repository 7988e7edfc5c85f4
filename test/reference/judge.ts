// Compares results of the package for a mechanism with the reference.

import { type CompiledModel, compile } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import type { Mechanism } from "./mechanism.js";
import { modelOf, stateDistance, stateOf } from "./nodrift-model.js";
import { reactionsOf, scaledWrench } from "./reactions.js";
import type { ReferenceSolution } from "./solution.js";
import { add, cross, subtract, three, times, type Vector } from "./vectors.js";

/** End of a run, and its distance from the reference. */
export interface Verdict {
  /** Status of the solution; "refused" if it did not compile. */
  readonly status: string;
  /** Error at the end, in units of 1 + |value|; infinite if it was not reached. */
  readonly error: number;
  /** Reason reported by the package if it was not. */
  readonly reason: string;
}

/** The compiled mechanism, or the reason for the failure. */
export async function compiledOf(mechanism: Mechanism): Promise<CompiledModel | Verdict> {
  return compile(modelOf(mechanism)).catch((error) => ({
    status: "refused",
    error: Number.POSITIVE_INFINITY,
    reason: String(error),
  }));
}

/** Ten times the steps of any of these motions. A run that needs more has failed, and would take hours. */
export const MAXIMUM_STEPS = 20_000;

/** `solve` with its default method. */
export function judgeSolve(
  compiled: CompiledModel | Verdict,
  { end: known }: Pick<ReferenceSolution, "end">,
  until: number,
  tolerance: number,
): Verdict {
  if ("status" in compiled) return compiled;
  const { status, reason, end } = solve(compiled, {
    span: [0, until],
    tolerance,
    output: "ends",
    maximumSteps: MAXIMUM_STEPS,
  });
  const error =
    status === "finished" ? stateDistance(end, stateOf(known)) : Number.POSITIVE_INFINITY;
  return { status, error, reason };
}

/** Accelerations and reactions at the initial state, read from a simulation with a given step. */
export interface StartReading {
  readonly accelerations: readonly (readonly [Vector, Vector])[];
  /** Load on the second body (for the ground, on the first with opposite sign), about the point of the joint. */
  readonly wrenches: readonly (readonly [Vector, Vector])[];
  /** Accelerations of the formulation after such a step: linear, and angular in the body's axes. */
  readonly stepped: Float64Array;
}

export function readStart(compiled: CompiledModel, step: number): StartReading {
  const simulation = compiled.simulate({ step });
  const stepped = () => {
    try {
      simulation.advance();
    } catch {
      // The step is too long for this motion. Its settings for this step size are kept.
    }
    simulation.setState(compiled.q, compiled.v, "asGiven");
    return simulation.accelerations();
  };
  return {
    accelerations: simulation.bodies.map((name) => {
      const { centreAcceleration, angularAcceleration } = simulation.body(name);
      return [centreAcceleration, angularAcceleration] as const;
    }),
    wrenches: simulation.joints.map((name) => {
      const joint = simulation.joint(name);
      return [joint.force(), joint.torque()] as const;
    }),
    stepped: stepped(),
  };
}

/** All values of a reading. */
export function numbersOf({ accelerations, wrenches, stepped }: StartReading): number[] {
  return [...[...accelerations, ...wrenches].flat(2), ...stepped];
}

export interface StartErrors {
  /** Error of accelerations relative to the largest of all bodies (angular ones times the size). */
  readonly acceleration: number;
  /** Error of the accelerations after a step, in the same units. */
  readonly stepped: number;
  /**
   * Error of the part of reactions determined by the motion, relative to the largest load of a joint (torques over
   * the size).
   */
  readonly reaction: number;
}

export function judgeStart(
  reading: StartReading,
  { motion, start }: Pick<ReferenceSolution, "motion" | "start">,
): StartErrors {
  const { size, mechanism } = motion;
  const state = start.slice();
  motion.choose(state);
  const a = motion.accelerations(state);
  const known = mechanism.bodies.map((_, i) => [...a.subarray(6 * i, 6 * i + 6)]);
  const scaled = (x: number, i: number) => (i < 3 ? x : size * x);
  const largest = Math.max(...known.flatMap((six) => six.map(scaled)).map(Math.abs));
  const wrong = reading.accelerations.map((pair, body) =>
    length6(pair.flat().map((x, i) => scaled(x - known[body][i], i))),
  );
  const moving = motion.moving(state);
  const turned = mechanism.bodies.map((_, body) => [
    ...three(reading.stepped, 6 * body),
    ...times(moving[body].rotation, three(reading.stepped, 6 * body + 3)),
  ]);
  const wrongStepped = turned.map((six, body) =>
    length6(six.map((x, i) => scaled(x - known[body][i], i))),
  );
  return {
    acceleration: worst(wrong) / largest,
    stepped: worst(wrongStepped) / largest,
    reaction: reactionError(reading, motion, state),
  };
}

function reactionError(
  { wrenches }: StartReading,
  motion: ReferenceSolution["motion"],
  state: Float64Array,
): number {
  const { size, mechanism } = motion;
  const moving = motion.moving(state);
  const reactions = reactionsOf(motion, state);
  const known = reactions.map(({ force, torque }) => scaledWrench([force, torque], size));
  const wrong = wrenches.map(([force, torque], i) => {
    const { b, at, atB = at } = mechanism.joints[i];
    // Torques of the reference are about centres of mass, and about the origin for the ground.
    const centre: Vector = b < 0 ? [0, 0, 0] : moving[b].position;
    const about = add(torque, cross(subtract(atB, centre), force));
    const found = scaledWrench([force, about], size);
    return length6(
      unique(
        found.map((x, j) => x - known[i][j]),
        reactions[i].shared,
      ),
    );
  });
  const largest = Math.max(...reactions.map(({ shared }, i) => length6(unique(known[i], shared))));
  return largest > 0 ? worst(wrong) / largest : worst(wrong);
}

/** Removes the components along some directions. */
function unique(x: Float64Array, shared: readonly Float64Array[]): Float64Array {
  const left = x.slice();
  for (const direction of shared) {
    const part = direction.reduce((sum, d, i) => sum + d * left[i], 0);
    for (let i = 0; i < left.length; i++) left[i] -= part * direction[i];
  }
  return left;
}

const length6 = (x: ArrayLike<number>): number =>
  Math.sqrt(Array.from(x).reduce((sum, value) => sum + value * value, 0));

/** The largest value; NaN counts as infinite. */
export function worst(values: readonly number[]): number {
  return values.reduce(
    (most, x) => (Number.isNaN(x) ? Number.POSITIVE_INFINITY : Math.max(most, x)),
    0,
  );
}
