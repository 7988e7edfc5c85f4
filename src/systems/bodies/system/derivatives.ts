import { BODY_POSITIONS, BODY_VELOCITIES, Want } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../base/memory/arena.js";
import type { StiffMemory } from "../../../base/memory/stiff-memory.js";
import { eliminate } from "../../../base/sparse/symbolic.js";
import type {
  EquationDerivatives,
  MatrixEntry,
  SparseEquations,
} from "../../../interfaces/index.js";
import {
  columnsOf,
  curvesInRotationsOnly,
  forceMarkers,
  isTorqueOfRotations,
} from "../../../model/kinds.js";
import { bodiesRead, readsRotationsOnly } from "../../../model/measured/measured-formula.js";
import { GROUND } from "../../../model/model-data.js";
import type { FormulaDerivatives } from "../functions/formula-laws.js";
import { auxiliaryBodyOf, firstState } from "../plan/carriers.js";
import type { Plan } from "../plan/plan.js";
import type { BodyQuantities } from "./quantities.js";

/**
 * Names of user functions without derivatives (force laws, forces and constraints). If there are any, the whole
 * Jacobian is computed by finite differences.
 */
export function functionsOf({ model }: Plan): string[] {
  const { forces, userForces, joints, states } = model;
  return [
    ...states.filter(({ formulas }) => !formulas),
    ...forces.filter(({ update, derive, reaction }) => (update && !derive) || reaction),
    ...userForces.filter(({ apply }) => apply),
    ...joints.filter(({ blocks }) => blocks.some(({ user }) => user?.value)),
  ].map(({ name }) => name);
}

/** Derivatives of T for each body: four Euler parameters by three axes. */
const RATE_DERIVATIVES = 12;
/** Number of values in a block of a pair of bodies. */
const BLOCK_SIZE = BODY_VELOCITIES * BODY_VELOCITIES;

/** A 6 x 6 block of a matrix of all velocities of bodies. */
export interface DerivativeBlock {
  /** Its first row and column. */
  readonly row: number;
  readonly column: number;
  /** Index of the first nonzero row and column of the block: 3 if only rotations matter. */
  readonly from: 0 | 3;
}

/** Derivatives of a mechanism in blocks of pairs of bodies. */
export interface BodyDerivatives extends EquationDerivatives {
  /** d(Q + J^T lambda - M a)/dx: consecutive 6 x 6 blocks, column-major. */
  readonly stiffness: Address;
  /** dQ/dv, in the same blocks. */
  readonly damping: Address;
  /** The pattern of these blocks for kernels (`BlockPattern`). */
  readonly pattern: Address;
  /** The blocks, in order. */
  readonly blocks: readonly DerivativeBlock[];
}

/**
 * Analytic derivatives of a mechanism, with the given kernels: programs that need none do not load them. Returns a
 * text with the reason if user functions have no derivatives.
 */
export function bodyDerivatives(
  system: BodyQuantities,
  sparse: SparseEquations,
  stiff: StiffMemory,
): BodyDerivatives | string {
  const { plan, workspace, segments, table } = system;
  const missing = withoutDerivatives(plan);
  if (missing !== undefined) return missing;
  const bodies = plan.model.bodies.length;
  const { slots } = segments.jacobian;
  const size = slots + RATE_DERIVATIVES * bodies;
  const rate = workspace.vector("derivatives of rows", 3 * size);
  const [bias, gyro] = [rate + 8 * size, rate + 16 * size];
  const turning = turningRows(plan);
  const matrices = reserveBlocks(system);
  const { stiffness, damping, pattern, blocks } = matrices;

  return {
    rows: sparse.jacobian
      .filter(({ row, column }) => !turning.has(row) || column % BODY_VELOCITIES >= 3)
      .map((entry) => ({
        ...entry,
        address: entry.address - segments.jacobian.address + rate,
      })),
    rates: unwrappedAnglesOf(bodies, rate + 8 * slots),
    biasOffset: bias - rate,
    gyroscopicOffset: gyro - rate,
    ...matrices,
    forces: entriesOf(blocks, stiffness),
    dampingOffset: damping - stiffness,
    couplings: () => couplings(blocks, bodies),
    addStiffness(stride, x, out) {
      stiff.kernels.blocksTimesRows(pattern, stiffness, stride, x, out);
    },
    addDamping(stride, x, out) {
      stiff.kernels.blocksTimesRows(pattern, damping, stride, x, out);
    },
    evaluate(accelerations, multipliers) {
      const { kernels } = stiff;
      system.require(Want.PHI | Want.JACOBIAN | Want.RATES);
      writeBlocks(system, stiff, matrices, multipliers);
      kernels.bodyRowDerivatives(table, accelerations, rate, bias, gyro);
      matrices.formulas?.rows(accelerations, rate, bias, gyro);
      const turns = 8 * slots;
      kernels.bodyTurnDerivatives(table, accelerations, rate + turns, bias + turns, gyro + turns);
    },
  };
}

/** Returns a text that names the user functions without derivatives; undefined if there are none. */
export function withoutDerivatives(plan: Plan): string | undefined {
  const [first, ...others] = functionsOf(plan);
  if (first === undefined) return undefined;
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return `${first}${more} has no derivatives`;
}

/** Derivatives of the forces on bodies, including those of rows. */
export type BlockMatrices = Pick<
  BodyDerivatives,
  "stiffness" | "damping" | "pattern" | "blocks"
> & { readonly formulas: FormulaDerivatives | undefined };

/** Reserves memory for these derivatives. */
export function reserveBlocks({ plan, workspace, formulas }: BodyQuantities): BlockMatrices {
  const blocks = blocksOf(plan);
  const pattern = patternOf(blocks, plan.model.bodies.length);
  const list = workspace.reserve("pattern of stiffness", Math.ceil(pattern.length / 2));
  const stiffness = workspace.vector("stiffness", 2 * BLOCK_SIZE * blocks.length);
  const damping = stiffness + 8 * BLOCK_SIZE * blocks.length;
  workspace.whenSealed((arena) => arena.integers(list).set(pattern));
  const places = new Map(
    blocks.map(({ row, column }, i) => [`${row},${column}`, 8 * BLOCK_SIZE * i]),
  );
  const added = formulas?.derivatives((row, column) => {
    const offset = places.get(`${BODY_VELOCITIES * row},${BODY_VELOCITIES * column}`)!;
    return [stiffness + offset, damping + offset];
  });
  return { stiffness, damping, pattern: list.address, blocks, formulas: added };
}

/** Evaluates the derivatives for multipliers of the rows. Rows and their Jacobian are up to date. */
export function writeBlocks(
  system: BodyQuantities,
  { kernels }: StiffMemory,
  { stiffness, damping, pattern, blocks, formulas }: BlockMatrices,
  multipliers: Address,
): void {
  system.deriveForces();
  formulas?.derive();
  kernels.clearRows(2 * blocks.length, BLOCK_SIZE, stiffness);
  kernels.bodyConstraintStiffness(system.table, pattern, multipliers, stiffness);
  kernels.bodyForceDerivatives(system.table, pattern, stiffness, damping);
  formulas?.add(multipliers);
}

/** Structural nonzeros of these blocks. */
function entriesOf(blocks: readonly DerivativeBlock[], address: Address): MatrixEntry[] {
  return blocks.flatMap(({ row, column, from }, index) =>
    Array.from({ length: BLOCK_SIZE }, (_, k) => ({
      row: row + (k % BODY_VELOCITIES),
      column: column + Math.floor(k / BODY_VELOCITIES),
      address: address + 8 * (BLOCK_SIZE * index + k),
      scale: 1,
    })).filter((entry) => entry.row >= row + from && entry.column >= column + from),
  );
}

/** Entries of the derivatives of T: rows are positions, columns are velocities. */
function unwrappedAnglesOf(bodies: number, address: number): MatrixEntry[] {
  return Array.from({ length: RATE_DERIVATIVES * bodies }, (_, k) => {
    const body = Math.floor(k / RATE_DERIVATIVES);
    const parameter = Math.floor((k % RATE_DERIVATIVES) / 3);
    return {
      row: BODY_POSITIONS * body + 3 + parameter,
      column: BODY_VELOCITIES * body + 3 + (k % 3),
      address: address + 8 * k,
      scale: 1,
    };
  });
}

/** Rows whose derivatives by translations, and by velocities along the axes, are zero. */
function turningRows({ model, blocks }: Plan): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { block, firstRow } of blocks) {
    if (block.user) continue;
    let next = firstRow;
    for (const row of block.rows) {
      const end = next + columnsOf(row, model.sensors).length;
      for (; next < end; next++) if (curvesInRotationsOnly(row, model.sensors)) found.add(next);
    }
  }
  return found;
}

/** Pairs of bodies that a joint or a force connects, and each body with itself, in ascending order. */
export function blocksOf({ model, blocks }: Plan): DerivativeBlock[] {
  const { bodies, forces, sensors, markers } = model;
  // Gyroscopic terms depend on and act on rotations only.
  const own = bodies.map((_, body) => ({ group: [body], from: 3 as const }));
  const joined = blocks.map(({ bodies: group, block: { rows, user } }) => ({
    group,
    from: !user && rows.every((row) => curvesInRotationsOnly(row, sensors)) ? 3 : 0,
  }));
  const touched = forces.map((force) => {
    const own = forceMarkers(force, sensors)
      .map((marker) => markers[marker]!.body)
      .filter((body) => body !== GROUND);
    const formulas = (force.formulas ?? []).map(({ formula }) => formula);
    const isTurn = isTorqueOfRotations(force, sensors) && formulas.every(readsRotationsOnly);
    return {
      group: [...own, ...formulas.flatMap((formula) => bodiesRead(formula, markers))],
      from: isTurn ? 3 : 0,
    };
  });
  const applied = model.userForces.map(({ bodies: group, formulas = [] }) => ({
    group: [...group, ...formulas.flatMap((formula) => bodiesRead(formula, markers))],
    from: 0,
  }));
  const carried = model.states.flatMap(({ formulas = [] }, set) =>
    formulas.map((formula, index) => ({
      group: [
        auxiliaryBodyOf(model, firstState(model, set) + index)[0],
        ...bodiesRead(formula, markers),
      ],
      from: 0,
    })),
  );
  const found = bodies.map(() => new Map<number, number>());
  for (const { group, from } of [...own, ...joined, ...touched, ...applied, ...carried]) {
    for (const i of group) {
      for (const j of group) found[i]!.set(j, Math.min(from, found[i]!.get(j) ?? from));
    }
  }
  return found.flatMap((columns, row) =>
    [...columns]
      .sort(([first], [second]) => first - second)
      .map(([column, from]) => ({
        row: BODY_VELOCITIES * row,
        column: BODY_VELOCITIES * column,
        from: from === 3 ? 3 : 0,
      })),
  );
}

/** Number of pairs of bodies that are coupled when all are eliminated one by one. */
function couplings(blocks: readonly DerivativeBlock[], bodies: number): number {
  const linked = Array.from({ length: bodies }, () => new Set<number>());
  for (const { row, column } of blocks) {
    if (row !== column) linked[row / BODY_VELOCITIES]!.add(column / BODY_VELOCITIES);
  }
  const { below } = eliminate(
    linked,
    linked.map(() => 1),
  );
  return below.reduce((sum, list) => sum + list.length, 0);
}

/** Pattern of these blocks for kernels: `BlockPattern`. */
function patternOf(blocks: readonly DerivativeBlock[], bodies: number): number[] {
  const starts = new Array<number>(bodies + 1).fill(0);
  for (const { row } of blocks) starts[row / BODY_VELOCITIES + 1]!++;
  for (let body = 0; body < bodies; body++) starts[body + 1]! += starts[body]!;
  return [bodies, ...starts, ...blocks.map(({ column }) => column / BODY_VELOCITIES)];
}
