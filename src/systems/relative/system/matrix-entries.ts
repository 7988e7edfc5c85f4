import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { NodeKind } from "../../../../assembly/layout-tree.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { StiffMemory } from "../../../ground/memory/stiff-memory.js";
import type { MatrixEntry, SparseEquations } from "../../../seam/index.js";
import { jacobianOf, nearbyTurn, turnEntries } from "../../bodies/system/matrix-entries.js";
import type { PlannedMatrix } from "../plan/derivative-plan.js";
import type { PlannedNode } from "../plan/tree-plan.js";
import type { TreeMatrices } from "./path-matrices.js";
import type { RelativeQuantities } from "./quantities.js";

/**
 * The matrices of a tree number by number; `length` is one that is typical of the mechanism. M and J are made when they
 * are first asked for: those of a deep tree are large.
 */
export function relativeEntries(
  system: RelativeQuantities,
  stiff: StiffMemory,
  matrices: () => TreeMatrices,
  length: number,
): SparseEquations {
  const { workspace, plan, trial, rows } = system;
  const one = workspace.constants("one", [1]);
  const lightness = lightnessOf(system);
  const weights = weightsOf(system, lightness, length);
  const rowSizes = rows === 0 ? {} : { rowSizes: rowSizesOf(system, matrices, lightness, length) };
  let mass: MatrixEntry[] | undefined;
  let jacobian: MatrixEntry[] | undefined = rows === 0 ? [] : undefined;
  return {
    get mass() {
      mass ??= entriesAt(matrices().massPlan, matrices().mass);
      return mass;
    },
    get jacobian() {
      jacobian ??= entriesAt(matrices().rowPlan, matrices().jacobian);
      return jacobian;
    },
    rates: plan.tree.nodes.flatMap((node) => ratesOf(node, trial.q, one)),
    eulerParameterStarts: plan.tree.nodes.filter(hasTurns).map(firstParameter),
    weights: () => weights,
    ...rowSizes,
    nearby: workspace.constants("displacement to a pose nearby", displacementOf(system, length)),
    updateMass() {
      if (mass !== undefined) matrices().updateMass();
    },
    updateJacobian() {
      if (rows > 0) matrices().updateJacobian();
    },
    rateBias: (out) => stiff.kernels.treePositionBias(system.table, out),
  };
}

/** Entries of a matrix that begins at an address. */
export function entriesAt({ entries }: PlannedMatrix, address: Address): MatrixEntry[] {
  return entries.map(({ row, column, slot }) => ({
    row,
    column,
    address: address + 8 * slot,
    scale: 1,
  }));
}

/** Whether a node has Euler parameters. */
export function hasTurns({ kind }: PlannedNode): boolean {
  return kind === NodeKind.BALL || kind === NodeKind.FREE;
}

/** Coordinates of a node that are their own velocities; Euler parameters follow them. */
function straight({ kind, positionNames }: PlannedNode): number {
  if (kind === NodeKind.FREE) return 3;
  return kind === NodeKind.BALL ? 0 : positionNames.length;
}

/** Index of the first Euler parameter of a node in q. */
export function firstParameter(node: PlannedNode): number {
  return node.position + straight(node);
}

/** Index of the first angular velocity of such a node in v. */
export function firstTurn(node: PlannedNode): number {
  return node.velocity + straight(node);
}

function ratesOf(node: PlannedNode, trial: Address, one: Address): MatrixEntry[] {
  const linear = Array.from({ length: straight(node) }, (_, i) => ({
    row: node.position + i,
    column: node.velocity + i,
    address: one,
    scale: 1,
  }));
  if (!hasTurns(node)) return linear;
  return [...linear, ...turnEntries(firstParameter(node), firstTurn(node), trial)];
}

function displacementOf({ plan }: RelativeQuantities, length: number): number[] {
  return plan.tree.nodes.flatMap(({ kind, velocity, velocityNames }) =>
    velocityNames.map((_, i) => {
      const isSlide = kind === NodeKind.SLIDE || (kind === NodeKind.FREE && i < 3);
      return (isSlide ? length : 1) * nearbyTurn(velocity + i);
    }),
  );
}

/** 1 / sqrt(mass that a node carries), of each node. */
function lightnessOf({ plan }: RelativeQuantities): number[] {
  const { nodes } = plan.tree;
  const masses = nodes.map(({ body }) => plan.rest.model.bodies[body]?.mass ?? 0);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { parent } = nodes[i]!;
    if (parent >= 0) masses[parent]! += masses[i]!;
  }
  return masses.map((mass) => 1 / Math.sqrt(mass));
}

/**
 * Weights as of bodies (bodies/system/matrix-entries.ts), by the mass that a node carries: an angle of 1 moves what is at
 * the other end by some 2 length, an Euler parameter by twice as much.
 */
function weightsOf(
  { plan }: RelativeQuantities,
  lightness: readonly number[],
  length: number,
): number[] {
  return plan.tree.nodes.flatMap((node, index) => {
    const scale = lightness[index]!;
    const turning = node.kind === NodeKind.HINGE || node.kind === NodeKind.SCREW;
    const own = Array.from({ length: straight(node) }, () =>
      turning ? scale / (2 * length) : scale,
    );
    return hasTurns(node) ? [...own, ...Array(4).fill(scale / (4 * length))] : own;
  });
}

/**
 * Sizes of rows by the velocities of bodies, which are unit vectors and arms: they vanish at no pose. Rows by joint
 * coordinates do. Where a parallelogram is flat, nothing its joints do moves the end along its bars; scaled to its largest
 * number, which is rounding there, that row passed for one that holds, and runs stood still with a partition by rounding.
 */
function rowSizesOf(
  { workspace, bodies, plan, rows }: RelativeQuantities,
  matrices: () => TreeMatrices,
  lightness: readonly number[],
  length: number,
): () => readonly number[] {
  let numbers = new Float64Array(0);
  workspace.whenSealed((arena) => {
    numbers = new Float64Array(arena.memory.buffer as ArrayBuffer);
  });
  let entries: readonly MatrixEntry[] = [];
  /** The largest weight that a displacement has in each row: that of the lightest node. */
  const largest = Array<number>(rows).fill(0);
  function lay(): void {
    entries = jacobianOf(bodies);
    const ofColumn = plan.tree.nodes.flatMap(({ velocityNames }, index) =>
      velocityNames.map(() => lightness[index]!),
    );
    for (const { row, column } of matrices().rowPlan.entries) {
      largest[row] = Math.max(largest[row]!, ofColumn[column]!);
    }
  }
  return () => {
    if (entries.length === 0) lay();
    const sizes = Array<number>(rows).fill(0);
    for (const { row, column, address, scale } of entries) {
      const arm = column % BODY_VELOCITIES < 3 ? 1 : 1 / (2 * length);
      const size = Math.abs(scale * numbers[address / 8]!) * arm * largest[row]!;
      if (!(size <= sizes[row]!)) sizes[row] = size;
    }
    return sizes;
  };
}
