// Loads of joints, and their part that the motion does not determine.

import { factor, fromFactor, leastSquares, relations } from "./householder.js";
import { DEPENDENT, type Motion } from "./motion.js";
import type { Row } from "./rows.js";
import { add, scale, subtract, three, times, transposed, type Vector } from "./vectors.js";

export interface Reaction {
  /** On body B: force, and torque about its centre of mass (of the ground: about the origin), in the world. */
  readonly force: Vector;
  readonly torque: Vector;
  /** Force and torque / L of loads that the motion does not determine: an orthonormal basis, six values each. */
  readonly shared: readonly Float64Array[];
}

type Wrench = readonly [Vector, Vector];

/** Of all joints on their second bodies, in a state on the constraints: M (a - free) = J^T lambda. */
export function reactionsOf(motion: Motion, y: Float64Array): Reaction[] {
  const state = y.slice();
  motion.choose(state);
  const load = inertialLoad(motion, state);
  const rows = motion.rows(state);
  const qr = factor(motion.allColumns(state), DEPENDENT);
  const multipliers = leastSquares(qr, load);
  const free = relations(qr);
  const moving = motion.moving(state);
  let first = 0;
  return motion.joints.map((joint) => {
    const own = rows.slice(first, first + joint.rows(moving).length);
    const wrench = (l: Float64Array) => wrenchOf(own, l.subarray(first));
    const [force, torque] = wrench(multipliers);
    const shared = orthonormal(free.map((relation) => scaledWrench(wrench(relation), motion.size)));
    first += own.length;
    return { force, torque, shared };
  });
}

/** M (a - free), forces and torques / L. */
function inertialLoad(motion: Motion, state: Float64Array): Float64Array {
  const a = motion.accelerations(state);
  const moving = motion.moving(state);
  const load = new Float64Array(a.length);
  motion.inertias.free(moving).forEach(({ linear, angular }, body) => {
    const { mass, inertia } = motion.mechanism.bodies[body];
    const r = moving[body].rotation;
    const force = scale(mass, subtract(three(a, 6 * body), linear));
    const turn = times(transposed(r), subtract(three(a, 6 * body + 3), angular));
    const torque = scale(1 / motion.size, times(r, times(inertia, turn)));
    load.set([...force, ...torque], 6 * body);
  });
  return load;
}

function wrenchOf(rows: readonly Row[], l: Float64Array): Wrench {
  return rows.reduce<Wrench>(
    ([force, torque], { b: [linear, angular] }, i) => [
      add(force, scale(l[i], linear)),
      add(torque, scale(l[i], angular)),
    ],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  );
}

export function scaledWrench([force, torque]: Wrench, size: number): Float64Array {
  return Float64Array.from([...force, ...scale(1 / size, torque)]);
}

/** Directions of a space, without those below rounding. */
function orthonormal(vectors: readonly Float64Array[]): Float64Array[] {
  const longest = Math.max(0, ...vectors.flatMap((vector) => [...vector].map(Math.abs)));
  if (!(longest > 1e-9)) return [];
  const qr = factor(vectors, 1e-9 / longest);
  return Array.from({ length: qr.rank }, (_, k) => {
    const y = new Float64Array(qr.n);
    y[k] = 1;
    return fromFactor(qr, y);
  });
}
