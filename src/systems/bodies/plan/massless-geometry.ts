// The geometry of a mechanism without its masses. Redundancy of rows, assembly of bodies and dependent velocities must
// not depend on masses. Every body gets the mass 1 and the inertia l^2 about its centre of mass in all directions,
// where l is the largest distance of its joints from there.
//
// Rejected: the true masses. A rod of 1e-6 kg between bars of 1 kg loses eight digits in the elimination of S = J M^-1
// J^T, and the rank with them. One length for all bodies: in a long ladder of small cells every rotation would be too
// heavy to be seen.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import {
  add,
  cross,
  norm,
  normalised,
  rotationOf,
  subtract,
  threeAt,
  times,
  ZERO,
} from "../../../base/algebra/vectors.js";
import { markerPairs } from "../../../model/kinds.js";
import type { BodyData, ModelData, Vector } from "../../../model/model-data.js";
import type { Plan } from "./plan.js";

/**
 * Returns the plan without forces, which neither assembly nor ranks depend on. Without them their formulas need not be
 * compiled for the memory of these systems.
 */
export function withoutForces(plan: Plan): Plan {
  const { model } = plan;
  const states = model.states.map((set) => ({ ...set, formulas: undefined }));
  const bare = { ...model, forces: [], userForces: [], states };
  return { ...plan, model: bare, forceList: [], forceSlots: [] };
}

/** Returns the plan with unit masses in place of those of the bodies, and without forces. */
export function geometric(whole: Plan, length: number): Plan {
  const plan = withoutForces(whole);
  // A body of which only the velocity of the origin is given rotates about its origin.
  const bodies = unitMasses(plan.model, length, (body) =>
    body.velocity && !body.angularVelocity ? ZERO : body.centre,
  );
  return { ...plan, model: { ...plan.model, bodies } };
}

/** Returns the bodies of a model with unit masses, at the given centres. */
export function unitMasses(
  model: ModelData,
  length: number,
  centreOf: (body: BodyData) => Vector = ({ centre }) => centre,
): BodyData[] {
  const centres = model.bodies.map(centreOf);
  const reaches = reachesOf(model, centres);
  return model.bodies.map((body, index) => {
    const reach = reaches[index]!;
    const square = (reach > 0 ? reach : length) ** 2;
    const inertia = [square, 0, 0, 0, square, 0, 0, 0, square];
    return { ...body, mass: 1, centre: centres[index]!, inertia };
  });
}

/** Largest distance of the points of each body at which rows act from its centre. */
function reachesOf(
  { markers, sensors, joints }: ModelData,
  centres: readonly Vector[],
): Float64Array {
  const reaches = new Float64Array(centres.length);
  const take = (marker: number) => {
    const found = markers[marker];
    const centre = found && centres[found.body];
    if (!centre) return;
    const distance = norm(subtract(found.point, centre));
    if (distance > reaches[found.body]!) reaches[found.body] = distance;
  };
  for (const { blocks } of joints) {
    for (const { rows } of blocks) {
      for (const row of rows) {
        for (const [a, b] of markerPairs(row, sensors)) {
          take(a);
          take(b);
        }
      }
    }
  }
  return reaches;
}

type Centred = Pick<BodyData, "centre">;

/**
 * Converts a state between reference points of the bodies: q and v belong to `from`, the result to `to`.
 * Bodies whose point stays keep their bits.
 */
export function referTo(
  from: readonly Centred[],
  to: readonly Centred[],
  q: ArrayLike<number>,
  v: ArrayLike<number>,
): { q: Float64Array; v: Float64Array } {
  const moved = { q: Float64Array.from(q), v: Float64Array.from(v) };
  for (const [body, { centre }] of from.entries()) {
    const between = subtract(to[body]!.centre, centre);
    if (between.every((x) => x === 0)) continue;
    const [at, rate] = [BODY_POSITIONS * body, BODY_VELOCITIES * body];
    const rotation = rotationOf(normalised([...moved.q.subarray(at + 3, at + 7)]));
    const arm = times(rotation, between);
    const omega = times(rotation, threeAt(moved.v, rate + 3));
    moved.q.set(add(threeAt(moved.q, at), arm), at);
    moved.v.set(add(threeAt(moved.v, rate), cross(omega, arm)), rate);
  }
  return moved;
}
