// Describes the assumption behind non-unique reactions.

import type { Plan } from "../../../systems/bodies/plan/plan.js";
import type { Reactions } from "./reactions.js";

/** Joints listed by name before the rest is only counted. */
const TOLD = 4;

/** Of some rows of a joint; undefined where they all follow from the motion. */
export function assumptionOf(
  reactions: Reactions,
  { plan, length }: { readonly plan: Plan; readonly length: number },
  own: readonly number[],
): string | undefined {
  const { groups } = reactions.multipliers();
  const mine = groups.filter(({ rows }) => own.some((row) => rows.has(row)));
  if (mine.length === 0) return undefined;
  const rows = mine.flatMap((group) => [...group.rows]).sort((a, b) => a - b);
  const { given, assumed } = reactions.compliances;
  const others = rows.filter((row) => !given.has(row));
  if (others.length === 0) return "shared by the compliances given";
  const size = `L = ${short(length)}`;
  const across = mine.some((group) => group.across)
    ? "; across the plane of motion the least forces, then the least torques"
    : "";
  if (others.length === rows.length) return `assumes equal compliance; ${size}${across}`;
  const known = namesOf(
    plan,
    rows.filter((row) => given.has(row)),
  );
  const values = `${short(assumed.force)} for forces, ${short(assumed.torque)} for torques`;
  return (
    `shared by the compliances given for ${known}, and assumed for ${namesOf(plan, others)}: ` +
    `${values}, the mean of those given; ${size}${across}`
  );
}

/** Rows by joints: lower (transverse 1, axial). */
function namesOf({ rowNames, blocks, model }: Plan, rows: readonly number[]): string {
  const byJoint = new Map<string, string[]>();
  for (const { joint, firstRow, rows: count } of blocks) {
    const { name } = model.joints[joint]!;
    const own = rows.filter((row) => row >= firstRow && row < firstRow + count);
    if (own.length === 0) continue;
    const names = own.map((row) => rowNames[row]!.slice(name.length + 2));
    byJoint.set(name, [...(byJoint.get(name) ?? []), ...names]);
  }
  const told = [...byJoint].slice(0, TOLD).map(([name, names]) => `${name} (${names.join(", ")})`);
  const more = byJoint.size - told.length;
  return more > 0 ? `${told.join(", ")} and ${more} more` : told.join(", ");
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
