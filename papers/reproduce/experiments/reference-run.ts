// Runs of systems of one degree of freedom, compared with their exact motion.

import { equations, type Method, rk4, simulate, udwadiaKalaba } from "../../../src/index.js";
import type { Mechanism } from "../../mechanisms/index.js";
import { distance } from "./numbers.js";
import { type Acceleration, referenceMotion } from "./reference-motion.js";

/** Time between comparisons, s. */
export const INTERVAL = 0.01;

/** The largest errors of a run. */
export interface Errors {
  /** Distance to the reference motion, at every comparison. */
  readonly motion: number;
  /** |Phi|, after every step. */
  readonly position: number;
  /** |Phi'|, after every step. */
  readonly velocity: number;
}

/** A system of one degree of freedom that can be compared with its minimal equation. */
export interface Comparison {
  /** The mechanism on constraints. */
  readonly mechanism: Mechanism;
  /** Second derivative of the angle of the minimal equation. */
  readonly acceleration: Acceleration;
  /** Angle and rate at the start. */
  readonly start: readonly [angle: number, rate: number];
  /** The compared quantities as a function of the positions. */
  readonly ofPositions: (q: Float64Array) => readonly number[];
  /** The compared quantities as a function of the angle. */
  readonly ofAngle: (angle: number) => readonly number[];
}

/** The angles of the exact motion, every 0.01 s. */
export function exactAngles({ acceleration, start }: Comparison, span: number): Float64Array {
  return referenceMotion(acceleration, ...start, INTERVAL, Math.round(span / INTERVAL));
}

/** Runs a mechanism as given and compares it with the exact motion. Constraint errors count from a time on. */
export function runAgainstReference(
  comparison: Comparison,
  exact: Float64Array,
  method: Method,
  step: number,
  from = 0,
): Errors {
  const { mechanism, ofPositions, ofAngle } = comparison;
  const { q, v } = mechanism;
  const simulation = simulate(mechanism.equations, { method, step, q, v, start: "asGiven" });
  const errors = { motion: 0, position: 0, velocity: 0 };
  for (let i = 1; i < exact.length; i++) {
    for (let k = Math.round(INTERVAL / step); k > 0; k--) {
      const { position, velocity } = simulation.advance().constraintError();
      if (simulation.time < from) continue;
      errors.position = Math.max(errors.position, position);
      errors.velocity = Math.max(errors.velocity, velocity);
    }
    const truth = ofAngle(exact[i] as number);
    errors.motion = Math.max(errors.motion, distance(ofPositions(simulation.q), truth));
  }
  return errors;
}

/** The minimal equation as a system of its own, free of constraint errors. */
export function minimalOf(comparison: Comparison): Comparison {
  const { acceleration, start, ofAngle } = comparison;
  const minimal = equations({
    coordinates: ["angle"],
    mass: [1],
    forces: (q, v, out) => {
      out[0] = acceleration(q[0] as number, v[0] as number);
    },
  });
  return {
    ...comparison,
    mechanism: { ...comparison.mechanism, equations: minimal, q: [start[0]], v: [start[1]] },
    ofPositions: (q) => ofAngle(q[0] as number),
  };
}

/** The largest error of the minimal equation by the same integrator, free of constraint errors. */
export function runMinimal(comparison: Comparison, exact: Float64Array, step: number): number {
  const method = { formulation: udwadiaKalaba(), integrator: rk4() };
  return runAgainstReference(minimalOf(comparison), exact, method, step).motion;
}
