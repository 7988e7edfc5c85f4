import { BODY_POSITIONS, BODY_VELOCITIES, Want } from "../../../../assembly/layout-bodies.js";
import { forceMarkers } from "../../../describe/model/kinds.js";
import { GROUND } from "../../../describe/model/model-data.js";
import type { StiffMemory } from "../../../ground/memory/stiff-memory.js";
import type { EquationDerivatives, MatrixEntry, SparseEquations } from "../../../seam/index.js";
import { functionsOf } from "../functions/functions-without-derivatives.js";
import type { Plan } from "../plan/plan.js";
import type { BodyQuantities } from "./quantities.js";

/** Derivatives of T for each body: four Euler parameters by three axes. */
const TURNS = 12;

/**
 * Derivatives of a mechanism by formulas, with the kernels given: programs that need none do not load them.
 * If user functions have none, returns a text that says so.
 */
export function bodyDerivatives(
  system: BodyQuantities,
  sparse: SparseEquations,
  stiff: StiffMemory,
): EquationDerivatives | string {
  const { plan, workspace, segments, table, velocities } = system;
  const [first, ...others] = functionsOf(plan);
  if (first !== undefined) {
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    return `${first}${more} has no derivatives`;
  }
  const bodies = plan.model.bodies.length;
  const { slots } = segments.jacobian;
  const size = slots + TURNS * bodies;
  const rate = workspace.vector("derivatives of rows", 3 * size);
  const [bias, gyro] = [rate + 8 * size, rate + 16 * size];
  const stiffness = workspace.vector("stiffness", velocities * velocities);
  const damping = workspace.vector("damping", velocities * velocities);
  const blocks = blocksOf(plan);
  const list = workspace.reserve("blocks of stiffness", blocks.length);
  workspace.whenSealed((arena) => arena.integers(list).set(blocks.flat()));

  return {
    rows: sparse.jacobian.map((entry) => ({
      ...entry,
      address: entry.address - segments.jacobian.address + rate,
    })),
    rates: turnsOf(bodies, rate + 8 * slots),
    biasOffset: bias - rate,
    gyroscopicOffset: gyro - rate,
    stiffness,
    damping,
    blocks,
    evaluate(accelerations, multipliers) {
      const { kernels } = stiff;
      system.require(Want.PHI | Want.JACOBIAN | Want.RATES);
      system.deriveForces();
      kernels.clearBlocks(blocks.length, list.address, velocities, stiffness);
      kernels.clearBlocks(blocks.length, list.address, velocities, damping);
      kernels.bodyConstraintStiffness(table, multipliers, stiffness);
      kernels.bodyForceDerivatives(table, stiffness, damping);
      kernels.bodyRowDerivatives(table, accelerations, rate, bias, gyro);
      const turns = 8 * slots;
      kernels.bodyTurnDerivatives(table, accelerations, rate + turns, bias + turns, gyro + turns);
    },
  };
}

/** Entries of the derivatives of T, by positions and velocities. */
function turnsOf(bodies: number, address: number): MatrixEntry[] {
  return Array.from({ length: TURNS * bodies }, (_, k) => {
    const body = Math.floor(k / TURNS);
    const parameter = Math.floor((k % TURNS) / 3);
    return {
      row: BODY_POSITIONS * body + 3 + parameter,
      column: BODY_VELOCITIES * body + 3 + (k % 3),
      address: address + 8 * k,
      scale: 1,
    };
  });
}

/** Pairs of bodies that a joint or a force connects, and each body with itself: first rows and columns. */
function blocksOf({ model, blocks }: Plan): [number, number][] {
  const { bodies, forces, sensors, markers } = model;
  const touched = forces.map((force) =>
    forceMarkers(force, sensors)
      .map((marker) => markers[marker]!.body)
      .filter((body) => body !== GROUND),
  );
  const groups = [bodies.map((_, body) => [body]), blocks.map((block) => block.bodies), touched];
  const pairs = groups.flat().flatMap((group) => group.flatMap((i) => group.map((j) => [i, j])));
  const unique = new Map(pairs.map(([i = 0, j = 0]) => [i * bodies.length + j, [i, j] as const]));
  return [...unique.values()].map(([i, j]) => [BODY_VELOCITIES * i, BODY_VELOCITIES * j]);
}
