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
import { refuseSingular } from "./linearise.js";
import { NearbyStates } from "./nearby-states.js";

const MOST = 40;
/** Iterates over which growth is averaged. */
const WINDOW = 8;
/** Growth that differs by less among these has settled. */
const SETTLED = 1.05;
/** Of what it is compared with: an answer that far away needs no more digits. */
const FAR = 4;
/** Growth, of what it is compared with, that is rounding of differences. */
const NOTHING = 1e-9;

/** In 1/s; `near` is the rate that it will be compared with. */
export function fastestRate(context: ReadContext, near: number): number {
  refuseSingular(context);
  const neighbours = new NearbyStates(context);
  try {
    return iterate(context, neighbours, near);
  } finally {
    neighbours.leave();
  }
}

function iterate(context: ReadContext, neighbours: NearbyStates, near: number): number {
  const present = context.present();
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
