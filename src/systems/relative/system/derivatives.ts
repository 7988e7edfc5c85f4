import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { StiffMemory } from "../../../ground/memory/stiff-memory.js";
import type { EquationDerivatives, MatrixEntry } from "../../../seam/index.js";
import { withoutDerivatives, writeBlocks } from "../../bodies/system/derivatives.js";
import type { PlannedNode } from "../plan/tree-plan.js";
import { BodyMotion } from "./body-motion.js";
import { entriesAt, firstParameter, firstTurn, hasTurns } from "./matrix-entries.js";
import type { TreeMatrices } from "./path-matrices.js";

/** Derivatives of T for each node with Euler parameters: four of them by three axes. */
const TURNS = 12;

/** Derivatives of a tree by formulas, or a text that says why there are none. */
export function relativeDerivatives(
  tree: TreeMatrices,
  stiff: StiffMemory,
): EquationDerivatives | string {
  const { system, rowPlan, forcePlan, blocks } = tree;
  const { plan, workspace, bodies } = system;
  const missing = withoutDerivatives(plan.rest);
  if (missing !== undefined) return missing;
  const turning = plan.tree.nodes.filter(hasTurns);
  const { slots } = rowPlan;
  const size = slots + TURNS * turning.length;
  const rate = workspace.vector("derivatives of rows", 3 * size);
  const [bias, gyro] = [rate + 8 * size, rate + 16 * size];
  const ofBodies = workspace.vector(
    "derivatives of rows of bodies",
    3 * bodies.segments.jacobian.slots,
  );
  const stiffness = workspace.vector("stiffness of the tree", 2 * forcePlan.slots);
  const damping = stiffness + 8 * forcePlan.slots;
  const forces = entriesAt(forcePlan, stiffness);
  const list = workspace.reserve("entries of stiffness", Math.ceil((3 * forces.length) / 2));
  workspace.whenSealed((arena) => {
    const integers = arena.integers(list);
    forces.forEach(({ row, column, address }, i) => {
      integers[i] = row;
      integers[forces.length + i] = column;
      integers[2 * forces.length + i] = address;
    });
  });
  const motion = new BodyMotion(system);
  const addTo = (shift: number, stride: number, x: Address, out: Address) => {
    const count = forces.length;
    const [columns, addresses] = [list.address + 4 * count, list.address + 8 * count];
    stiff.kernels.entriesTimesRows(
      count,
      list.address,
      columns,
      addresses,
      shift,
      stride,
      1,
      x,
      out,
    );
  };
  return {
    rows: entriesAt(rowPlan, rate),
    rates: turnsOf(turning, rate + 8 * slots),
    biasOffset: bias - rate,
    gyroscopicOffset: gyro - rate,
    forces,
    dampingOffset: damping - stiffness,
    // Nodes in line are coupled from the beginning; elimination from the leaves adds nothing to that.
    couplings: () => Math.ceil(forcePlan.slots / BODY_VELOCITIES ** 2),
    addStiffness: (stride, x, out) => addTo(0, stride, x, out),
    addDamping: (stride, x, out) => addTo(damping - stiffness, stride, x, out),
    evaluate(accelerations, multipliers) {
      const { kernels } = stiff;
      tree.updateMass();
      motion.find(accelerations);
      kernels.treeColumns(tree.table);
      motion.addBias();
      writeBlocks(bodies, stiff, blocks, multipliers);
      motion.balance(multipliers);
      kernels.treeDerivatives(
        tree.table,
        motion.loads,
        motion.rest,
        blocks.stiffness,
        blocks.damping,
        BODY_VELOCITIES,
        forcePlan.slots,
        stiffness,
        damping,
      );
      if (system.rows > 0) {
        const step = 8 * bodies.segments.jacobian.slots;
        const [r, b, g] = [ofBodies, ofBodies + step, ofBodies + 2 * step];
        kernels.bodyRowDerivatives(bodies.table, motion.accelerations, r, b, g);
        blocks.formulas?.rows(motion.accelerations, r, b, g);
        kernels.treeRowDerivatives(tree.table, motion.accelerations, r, b, g, rate, bias, gyro);
      }
      const turns = 8 * slots;
      kernels.treeTurnDerivatives(
        system.table,
        accelerations,
        rate + turns,
        bias + turns,
        gyro + turns,
      );
    },
  };
}

/** Entries of the derivatives of T, by positions and velocities. */
function turnsOf(nodes: readonly PlannedNode[], address: Address): MatrixEntry[] {
  return nodes.flatMap((node, index) =>
    Array.from({ length: TURNS }, (_, k) => ({
      row: firstParameter(node) + Math.floor(k / 3),
      column: firstTurn(node) + (k % 3),
      address: address + 8 * (TURNS * index + k),
      scale: 1,
    })),
  );
}
