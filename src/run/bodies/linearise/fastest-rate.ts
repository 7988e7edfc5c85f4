// How fast the fastest small motion is: the largest |s| among the eigenvalues s of the motion, frozen at a state. All of them (linearise.ts) take
// time that grows with the cube of the number of bodies: half a minute for a hundred. This takes some dozens of evaluations.
//
// Power iteration on A^2, where A takes a displacement u and a velocity w to (w, a(u, w)), the change of the
// accelerations. A pair +-i f of an oscillation and the rate -r of a decay are then real, -f^2 and r^2, and the sizes of iterates grow by |s|^2. For a
// damped oscillation they grow by turns more and less; the geometric mean of some is |s|^2 again. Iterating A itself would not
// settle on an oscillation, where u and w take turns.

import { seededNumbers } from "../../../ground/algebra/seeded-numbers.js";
import type { ReadContext } from "../reactions/joint-reading.js";
import { carriedStates } from "./carried-states.js";
import { engageForces } from "./engaged-forces.js";
import { refuseSingular } from "./linearise.js";
import { type NearbyState, NearbyStates } from "./nearby-states.js";

const MOST = 40;
/** Iterates over which growth is averaged. */
const WINDOW = 8;
/** Growth that differs by less among these has settled. */
const SETTLED = 1.05;
/** Of what it is compared with: an answer that far away needs no more digits. */
const FAR = 4;
/** Growth, of what it is compared with, that is rounding of differences. */
const NOTHING = 1e-9;

/** When user functions and formulas are looked at besides, in seconds: forces that begin to act later are in them. */
const LATER = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6];
/** Rows of a state that was moved there may be open by so much, in lengths of the model. */
const CLOSED = 1e-6;

/** In 1/s; `near` is the rate that it will be compared with. */
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
 * The same for all that may act during a motion: forces that do not act yet are counted as if they did. What is in functions and formulas
 * of the user, nobody knows: they are evaluated at rest, and where the bodies get with their present accelerations. Ends
 * with the first rate that is more than `near`.
 */
export function fastestPossibleRate(context: ReadContext, near: number): number {
  let most = fastestRate(context, near);
  if (most > near) return most;
  const neighbours = new NearbyStates(context);
  const release = engageForces(context);
  try {
    most = Math.max(most, iterate(context, neighbours, near, context.present()));
    if (areUsersForces(context)) {
      for (const t of [0, ...LATER]) {
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

function areUsersForces({ model }: ReadContext): boolean {
  const { forces, userForces, states } = model.data;
  const areFunctions = forces.some(({ update, formulas }) => update ?? formulas);
  return areFunctions || userForces.length > 0 || states.length > 0;
}

/** At rest (t = 0), or t seconds later: 0 if nothing can be said. */
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
    if (!(open <= CLOSED * Math.max(1, context.model.length))) return 0;
    return iterate(context, neighbours, near, later);
  } catch {
    // The motion may never get there: a function that fails there is reported when it does.
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
  // What is carried has a value and a rate, and nothing that it would be displaced by.
  const displacing = (x: Float64Array) => x.map((value, i) => (carried.has(i) ? 0 : value));
  const accelerations = (displacement: Float64Array, velocity: Float64Array) =>
    neighbours.derivative(present, { displacement, velocity }, true, near, () =>
      neighbours.accelerations(),
    );
  const random = seededNumbers();
  let w = present.v.map(() => near * (random() - 0.5));
  let u = displacing(present.v.map(() => random() - 0.5));
  const growths: number[] = [];
  for (let k = 0; k < MOST; k++) {
    const a = accelerations(u, w);
    const jerk = accelerations(displacing(w), a);
    const [before, after] = [neighbours.sizeOf(w), neighbours.sizeOf(jerk)];
    if (!(after > NOTHING * near * near * before)) return 0;
    growths.push(after / before);
    const recent = growths.slice(-WINDOW);
    const [least, most] = [Math.min(...recent), Math.max(...recent)];
    const isFar = least > FAR * FAR * near * near || FAR * FAR * most < near * near;
    if (recent.length === WINDOW && (isFar || most < SETTLED * least)) break;
    w = jerk.map((x) => (near * x) / after);
    u = displacing(a).map((x) => (near * x) / after);
  }
  // The sixteenth root of eight squares: by roots alone, which are the same everywhere.
  const product = growths.slice(-WINDOW).reduce((all, x) => all * (x / (near * near)), 1);
  return near * Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(product))));
}
