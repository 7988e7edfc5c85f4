// Why a model cannot start, and what to do about it.

import { GROUND } from "../../../describe/model/model-data.js";
import { NodriftError } from "../../../ground/errors.js";
import type { BodySystem } from "../system/system.js";
import { CLOSED } from "./start-positions.js";

const ADVICE = {
  positions: "Give poses closer to an assembled one",
  velocities: "Check whether drives prescribe a motion the joints forbid",
} as const;

/** Joints that stay open at the trial state, in positions or in velocities. */
export function openJoints(
  system: BodySystem,
  t: number,
  what: "positions" | "velocities",
): NodriftError {
  const { plan, arrays } = system.quantities;
  if (what === "positions") system.constraints.phi();
  else system.constraints.phiDot();
  const values = what === "positions" ? arrays.phi : arrays.phiDot;
  const open = plan.model.joints
    .map(({ name }, joint) => {
      const own = plan.blocks.filter((block) => block.joint === joint);
      const errors = own.flatMap((block) =>
        [...values.subarray(block.firstRow, block.firstRow + block.rows)].map(Math.abs),
      );
      const bodies = own.flatMap((block) => block.bodies);
      return { name, error: Math.max(0, ...errors), bodies: [...new Set(bodies)].sort().join() };
    })
    .sort((a, b) => b.error - a.error);
  const worst = open.filter(({ error }) => error > CLOSED).slice(0, 5);
  const named = worst.map(({ name, error }) => `"${name}" by ${error.toPrecision(3)}`);
  // The other side of a contradiction may be satisfied exactly: look among joints on the same bodies.
  const against = open
    .filter(({ error, bodies }) => error <= CLOSED && worst.some((one) => one.bodies === bodies))
    .slice(0, 5);
  if (against.length > 0) {
    named.push(`against ${against.map(({ name }) => `"${name}"`).join(", ")}`);
  }
  return new NodriftError(
    "ASSEMBLY",
    `${system.name}: assembly of the ${what} failed at t = ${t}: these joints stay open: ` +
      `${named.join(", ")}. They may contradict each other. ${ADVICE[what]}`,
  );
}

/** Velocities that were given, and joints that do not allow them. */
export function contradicted(
  system: BodySystem,
  t: number,
  contradiction: Float64Array,
  holds: boolean,
): NodriftError {
  const { joints, bodies } = contradictors(system, contradiction);
  const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");
  const open = joints.map((joint) => `"${joint.name}" (by ${joint.open.toPrecision(3)})`);
  // A single body contradicts the ground: holding it would not help.
  const held = bodies.length > 1 ? `"${bodies[0]}"` : "";
  const advice = holds
    ? "Hold fewer bodies"
    : "Give fewer velocities (the others are computed); or choose which to keep, the others as nearly as possible: " +
      `compile(m, { hold: [${held}] }); or use all unchanged: { start: "asGiven" }`;
  return new NodriftError(
    "ASSEMBLY",
    `${system.name}: the given velocities of ${list(bodies.slice(0, 5))} are inconsistent with the joints at t = ${t}: ` +
      `${open.join(", ")}. ${advice}`,
  );
}

/** Joints that a contradiction shows in, the worst first, and the bodies given at them. */
function contradictors(
  { quantities: { plan } }: BodySystem,
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
