// Rate of the fastest small motion: the largest |s| among the eigenvalues s of the motion, frozen at a state. Computing
// all of them (linearise.ts) takes time that grows with the cube of the number of bodies: half a minute for a hundred.
// This takes some dozens of evaluations.
//
// Power iteration on A^2, where A takes a displacement u and a velocity w to (w, a(u, w)), the change of the
// accelerations. A pair +-i f of an oscillation and the rate -r of a decay are then real, -f^2 and r^2, and the sizes
// of iterates grow by |s|^2. For a damped oscillation the growth alternates; its geometric mean over several iterates
// is |s|^2 again. Iterating A itself would not settle on an oscillation, because u and w alternate.

import {
  ForceKind,
  FrictionData,
  Sensor,
  SensorKind,
  StopData,
  TyreData,
  Want,
} from "../../../../assembly/layout-bodies.js";
import { MotorData } from "../../../../assembly/layout-motor.js";
import { power } from "../../../base/algebra/portable-power.js";
import { seededNumbers } from "../../../base/algebra/seeded-numbers.js";
import { column, dot, norm, subtract } from "../../../base/algebra/vectors.js";
import type { ForceData } from "../../../model/model-data.js";
import { poseOfBody, poseOfMarker } from "../probe/pose-reading.js";
import type { ReadContext } from "../reactions/joint-reading.js";
import { carriedStates } from "./carried-states.js";
import { refuseSingular } from "./linearise.js";
import { type NearbyState, NearbyStates } from "./nearby-states.js";

// Forces that act only intermittently are counted as if they acted: a tyre in the air, an open stop, sliding friction,
// a motor at its limit. A method is chosen before the motion, and has to be stable in every phase of it.

/**
 * Depth of a closed stop in the linearised state, in radians or lengths of the model: more than the finite-difference
 * step.
 */
const STOP_DEPTH = 2 ** -6;

/** Writes the constants of acting forces into the memory of the reader. Returns a function that undoes it. */
function engageForces(context: ReadContext): () => void {
  const { model, probe } = context;
  const { forces } = model.data;
  probe.load();
  probe.system.dynamics.forces();
  probe.system.requireSensors(Want.PHI | Want.RATES);
  const { data } = probe.system.arrays;
  const before = data.slice();
  const energy = impactEnergy(context);
  for (const [i, force] of forces.entries()) {
    const slot = model.plan.forceSlots[i]!;
    engage(context, force, data.subarray(slot, slot + force.constants.length), energy);
  }
  return () => data.set(before);
}

function engage(
  { model, probe, present }: ReadContext,
  { kind, a, b }: ForceData,
  law: Float64Array,
  energy: number,
): void {
  switch (kind) {
    case ForceKind.TYRE: {
      if (law[TyreData.CANNOT_PULL] === 0) return;
      const [road, wheel] = [a, b].map((marker) => poseOfMarker(model.data, present(), marker));
      const height = dot(column(road!.axes, 2), subtract(wheel!.point, road!.point));
      // Pressed by zero: a tyre pulled by metres would have a lateral stiffness.
      law[TyreData.RADIUS] = height - law[TyreData.HEIGHT]!;
      law[TyreData.CANNOT_PULL] = 0;
      return;
    }
    case ForceKind.STOP: {
      const stiffness = law[StopData.STIFFNESS]!;
      if (stiffness === 0) return;
      // Depth at which k x^n has absorbed the energy, and the slopes of the law there, both applied by a linear stop.
      const n = law[StopData.EXPONENT]!;
      const depth = power(((n + 1) * energy) / stiffness, 1 / (n + 1));
      const isAngle = model.data.sensors[a]!.kind === SensorKind.ANGLE;
      const pressed = STOP_DEPTH * (isAngle ? 1 : model.length);
      law[StopData.STIFFNESS] = n * stiffness * power(depth, n - 1);
      law[StopData.EXPONENT] = 1;
      law[StopData.DAMPING]! *= depth / (n * pressed);
      const { sensors } = probe.system.arrays;
      law[StopData.UPPER] = sensors[Sensor.LENGTH * a + Sensor.VALUE]! - pressed;
      return;
    }
    case ForceKind.FRICTION: {
      // Slope in the sticking range: see assembly/forces/friction.ts.
      const [coulomb, still] = [law[FrictionData.COULOMB]!, law[FrictionData.STATIC]!];
      const slope = 4 * coulomb + (16 / 9) * (still - coulomb);
      law[FrictionData.VISCOUS]! += (law[FrictionData.LOAD]! * slope) / law[FrictionData.SPEED]!;
      return;
    }
    case ForceKind.MOTOR:
      law.fill(Number.MAX_VALUE, MotorData.MOST_TORQUE, MotorData.MOST_POWER + 1);
  }
}

/**
 * Returns the kinetic energy of all bodies, at the present speeds and after a fall by a length of the model. The
 * stiffness of Hertz's law depends only on its fifth root.
 */
function impactEnergy({ model, present }: ReadContext): number {
  const { bodies, gravity } = model.data;
  const fall = 2 * norm(gravity) * model.length;
  const energy = bodies.reduce((sum, { mass }, i) => {
    const { velocity, omega } = poseOfBody(model.data, present(), i);
    const speed = norm(velocity) + model.length * norm(omega);
    return sum + (mass * (speed * speed + fall)) / 2;
  }, 0);
  return energy > 0 ? energy : 1;
}

const MAX_ITERATIONS = 40;
/** Iterates over which growth is averaged. */
const GROWTH_WINDOW = 8;
/** Largest ratio of growths within the window that counts as settled. */
const SETTLED_RATIO = 1.05;
/** Ratio to the compared rate beyond which the result needs no more digits. */
const DECISIVE_RATIO = 4;
/** Growth treated as zero, relative to the compared rate: rounding of the finite differences. */
const GROWTH_TOLERANCE = 1e-9;

/**
 * Further times at which user functions and formulas are evaluated, in seconds, to include forces that begin to act
 * later.
 */
const LATER_TIMES_S = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6];
/** Largest constraint error of a state at these times, in lengths of the model. */
const CLOSURE_TOLERANCE = 1e-6;

/** Returns the fastest rate in 1/s; `near` is the rate with which the result will be compared. */
export function fastestRate(context: ReadContext, near: number): number {
  refuseSingular(context);
  const neighbours = new NearbyStates(context);
  try {
    return iterate(context, neighbours, near, context.present());
  } finally {
    neighbours.leave();
  }
}

/**
 * Returns the fastest rate of all forces that may act during a motion; forces that do not act yet are counted as if
 * they did. User functions and formulas cannot be inspected: they are evaluated at rest, and at states reached with the
 * present accelerations. Stops at the first rate above `near`.
 */
export function fastestPossibleRate(context: ReadContext, near: number): number {
  let most = fastestRate(context, near);
  if (most > near) return most;
  const neighbours = new NearbyStates(context);
  const release = engageForces(context);
  try {
    most = Math.max(most, iterate(context, neighbours, near, context.present()));
    if (hasUserForces(context)) {
      for (const t of [0, ...LATER_TIMES_S]) {
        if (most > near) break;
        most = Math.max(most, rateLater(context, neighbours, near, t));
      }
    }
  } finally {
    release();
    neighbours.leave();
  }
  return most;
}

function hasUserForces({ model }: ReadContext): boolean {
  const { forces, userForces, states } = model.data;
  const hasFunctions = forces.some(({ update, formulas }) => update ?? formulas);
  return hasFunctions || userForces.length > 0 || states.length > 0;
}

/** Returns the rate at rest (t = 0), or t seconds later; 0 if it cannot be determined. */
function rateLater(
  context: ReadContext,
  neighbours: NearbyStates,
  near: number,
  t: number,
): number {
  const present = context.present();
  const still = present.v.map(() => 0);
  if (t === 0) return iterate(context, neighbours, near, { ...present, v: still });
  try {
    neighbours.place(present, { displacement: still, velocity: still }, 0, false);
    const a = neighbours.accelerations();
    const displacement = present.v.map((v, i) => t * (v + (t / 2) * a[i]!));
    const velocity = a.map((x) => t * x);
    const later = neighbours.place(present, { displacement, velocity, time: t }, 1, true);
    const open = neighbours.rows().phi.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    if (!(open <= CLOSURE_TOLERANCE * Math.max(1, context.model.length))) return 0;
    return iterate(context, neighbours, near, later);
  } catch {
    // The motion may never reach this state; if it does, the failing function is reported then.
    return 0;
  }
}

function iterate(
  context: ReadContext,
  neighbours: NearbyStates,
  near: number,
  present: NearbyState,
): number {
  const carried = new Set(carriedStates(context.model.plan).all);
  // Carried states have a value and a rate, but no displacement.
  const withoutCarried = (x: Float64Array) => x.map((value, i) => (carried.has(i) ? 0 : value));
  const accelerations = (displacement: Float64Array, velocity: Float64Array) =>
    neighbours.derivative(present, { displacement, velocity }, true, near, () =>
      neighbours.accelerations(),
    );
  const random = seededNumbers();
  let w = present.v.map(() => near * (random() - 0.5));
  let u = withoutCarried(present.v.map(() => random() - 0.5));
  const growths: number[] = [];
  for (let k = 0; k < MAX_ITERATIONS; k++) {
    const a = accelerations(u, w);
    const jerk = accelerations(withoutCarried(w), a);
    const [before, after] = [neighbours.sizeOf(w), neighbours.sizeOf(jerk)];
    if (!(after > GROWTH_TOLERANCE * near * near * before)) return 0;
    growths.push(after / before);
    const recent = growths.slice(-GROWTH_WINDOW);
    const [least, most] = [Math.min(...recent), Math.max(...recent)];
    const isFar =
      least > DECISIVE_RATIO * DECISIVE_RATIO * near * near ||
      DECISIVE_RATIO * DECISIVE_RATIO * most < near * near;
    if (recent.length === GROWTH_WINDOW && (isFar || most < SETTLED_RATIO * least)) break;
    w = jerk.map((x) => (near * x) / after);
    u = withoutCarried(a).map((x) => (near * x) / after);
  }
  // The sixteenth root of eight squares, by square roots only, which are identical on every platform.
  const product = growths.slice(-GROWTH_WINDOW).reduce((all, x) => all * (x / (near * near)), 1);
  return near * Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(product))));
}
