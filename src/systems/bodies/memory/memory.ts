import {
  BODY_POSITIONS,
  BODY_VELOCITIES,
  BodyFrame,
  BodyMass,
  BodyTable,
  DERIVATIVE_SCRATCH,
  LoopBlock,
  loopScratchSlots,
  MarkerFrame,
  MarkerLocal,
  RowEntry,
  Sensor,
} from "../../../../assembly/layout-bodies.js";
import { ZERO } from "../../../base/algebra/vectors.js";
import type { Arena, Floats, Segment } from "../../../base/memory/arena.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type { Matrix, ModelData } from "../../../model/model-data.js";
import { type Plan, SPARE_JACOBIAN_SLOTS } from "../plan/plan.js";

/** Segments of a mechanism. */
export type BodySegments = Readonly<Record<keyof ReturnType<typeof lengths>, Segment>>;

function lengths({ model, sparse, rows, data, blocks }: Plan) {
  const { bodies, markers, sensors } = model;
  const velocities = BODY_VELOCITIES * bodies.length;
  const positions = BODY_POSITIONS * bodies.length;
  const largest = blocks.reduce((most, block) => Math.max(most, block.rows), 0);
  return {
    state: positions + velocities + 1,
    trial: positions + velocities + 1,
    table: 0,
    frames: BodyFrame.LENGTH * (bodies.length + 1),
    masses: BodyMass.LENGTH * bodies.length,
    locals: MarkerLocal.LENGTH * markers.length,
    markers: MarkerFrame.LENGTH * markers.length,
    sensors: Sensor.LENGTH * sensors.length,
    data: data.length,
    phi: rows,
    phiDot: rows,
    gamma: rows,
    jacobian: sparse.jacobianSlots + SPARE_JACOBIAN_SLOTS,
    forces: velocities + BODY_VELOCITIES,
    sparseTable: Math.ceil(sparse.table.length / 2),
    sparseFactor: sparse.blockSlots,
    sparsePivots: rows,
    sparseScratch: sparse.scratchSlots,
    whitened: BODY_VELOCITIES * largest,
    rowScratch: rows,
    velocityScratch: Math.max(2 * velocities, DERIVATIVE_SCRATCH),
    loopBlocks: LoopBlock.LENGTH * blocks.length,
    loopScratch: loopScratchSlots(largest),
  };
}

/** Reserves the memory of a mechanism; table and constants are written once it exists. */
export function reserveBodies(plan: Plan, workspace: Workspace): BodySegments {
  const lists = [plan.markerList, plan.entryList, plan.sensorList, plan.forceList];
  const integers = lists.reduce((sum, list) => sum + list.length, BodyTable.LENGTH as number);
  const entries = Object.entries({ ...lengths(plan), table: Math.ceil(integers / 2) });
  const segments = Object.fromEntries(
    entries.map(([name, slots]) => [name, workspace.reserve(name, slots)]),
  ) as BodySegments;
  workspace.whenSealed((arena) => {
    writeTable(plan, segments, arena.integers(segments.table));
    arena.integers(segments.sparseTable).set(plan.sparse.table);
    writeConstants(plan, segments, arena);
    const loops = arena.floats(segments.loopBlocks);
    plan.sparse.order.forEach((block, column) => {
      const follows = plan.follows[block]!.length > 0;
      loops[LoopBlock.LENGTH * column + LoopBlock.CIRCULAR_REASON] = follows ? 1 : 0;
    });
  });
  return segments;
}

/** Writes the table of the kernels, with its lists after the fields. */
function writeTable(plan: Plan, segments: BodySegments, table: Int32Array): void {
  const { model, rows, entryList } = plan;
  const { trial } = segments;
  const positions = 8 * BODY_POSITIONS * model.bodies.length;
  const fields: [BodyTable, number][] = [
    [BodyTable.BODY_COUNT, model.bodies.length],
    [BodyTable.MARKER_COUNT, model.markers.length],
    [BodyTable.ENTRY_COUNT, entryList.length / RowEntry.LENGTH],
    [BodyTable.SENSOR_COUNT, model.sensors.length],
    [BodyTable.FORCE_COUNT, model.forces.length],
    [BodyTable.ROW_COUNT, rows],
    [BodyTable.POSITIONS, trial.address],
    [BodyTable.VELOCITIES, trial.address + positions],
    [BodyTable.FRAMES, segments.frames.address],
    [BodyTable.MASSES, segments.masses.address],
    [BodyTable.LOCALS, segments.locals.address],
    [BodyTable.MARKERS, segments.markers.address],
    [BodyTable.SENSORS, segments.sensors.address],
    [BodyTable.DATA, segments.data.address],
    [BodyTable.PHI, segments.phi.address],
    [BodyTable.PHI_DOT, segments.phiDot.address],
    [BodyTable.GAMMA, segments.gamma.address],
    [BodyTable.JACOBIAN, segments.jacobian.address],
    [BodyTable.FORCES, segments.forces.address],
    [BodyTable.SPARSE_TABLE, segments.sparseTable.address],
    [BodyTable.SPARSE_FACTOR, segments.sparseFactor.address],
    [BodyTable.SPARSE_PIVOTS, segments.sparsePivots.address],
    [BodyTable.SPARSE_SCRATCH, segments.sparseScratch.address],
    [BodyTable.WHITENED, segments.whitened.address],
    [BodyTable.ROW_SCRATCH, segments.rowScratch.address],
    [BodyTable.VELOCITY_SCRATCH, segments.velocityScratch.address],
    [BodyTable.LOOP_BLOCKS, segments.loopBlocks.address],
    [BodyTable.LOOP_SCRATCH, segments.loopScratch.address],
    [BodyTable.PLAIN, plan.unnormalised ? 1 : 0],
  ];
  for (const [field, value] of fields) table[field] = value;
  let end = BodyTable.LENGTH as number;
  for (const [field, list] of [
    [BodyTable.MARKER_LIST, plan.markerList],
    [BodyTable.ENTRY_LIST, entryList],
    [BodyTable.SENSOR_LIST, plan.sensorList],
    [BodyTable.FORCE_LIST, plan.forceList],
  ] as const) {
    table[field] = end;
    table.set(list, end);
    end += list.length;
  }
}

/** Rewrites masses, gravity and the constants of forces, for a plan that is otherwise equal. */
export function writeLoads(
  { model, forceSlots }: Plan,
  segments: BodySegments,
  arena: Arena,
): void {
  writeMasses(model, arena.floats(segments.masses));
  const data = arena.floats(segments.data);
  for (const [index, { constants }] of model.forces.entries())
    data.set(constants, forceSlots[index]);
}

function writeMasses({ bodies, gravity }: ModelData, masses: Float64Array): void {
  let at = 0;
  for (const { mass, inertia, states } of bodies) {
    masses[at + BodyMass.MASS] = mass;
    masses[at + BodyMass.INVERSE_MASS] = 1 / mass;
    for (let i = 0; i < 9; i++) masses[at + BodyMass.INERTIA + i] = inertia[i]!;
    writeInverse(inertia, masses, at + BodyMass.INVERSE_INERTIA);
    const weight = states === undefined ? gravity : ZERO;
    for (let i = 0; i < 3; i++) masses[at + BodyMass.GRAVITY + i] = weight[i]!;
    at += BodyMass.LENGTH;
  }
}

function writeConstants(plan: Plan, segments: BodySegments, arena: Arena): void {
  const { model, data } = plan;
  arena.floats(segments.data).set(data);
  writeMasses(model, arena.floats(segments.masses));
  const ground = arena.floats(segments.frames).subarray(BodyFrame.LENGTH * model.bodies.length);
  for (const i of [0, 4, 8]) ground[BodyFrame.ROTATION + i] = 1;
  const locals = arena.floats(segments.locals);
  let at = 0;
  for (const { body, point, axes } of model.markers) {
    const centre = model.bodies[body]?.centre ?? ZERO;
    for (let i = 0; i < 3; i++) locals[at + i] = point[i]! - centre[i]!;
    for (let i = 0; i < 9; i++) locals[at + MarkerLocal.AXES + i] = axes[i]!;
    at += MarkerLocal.LENGTH;
  }
}

/** Writes the inverse of a symmetric 3 x 3 matrix: cofactors over the determinant. */
function writeInverse(m: Matrix, out: Float64Array, at: number): void {
  for (let j = 0; j < 3; j++) {
    for (let i = 0; i < 3; i++) out[at + 3 * j + i] = cofactor(m, j, i);
  }
  const determinant = m[0]! * out[at]! + m[3]! * out[at + 1]! + m[6]! * out[at + 2]!;
  for (let i = 0; i < 9; i++) out[at + i]! /= determinant;
}

function cofactor(m: Matrix, i: number, j: number): number {
  const [p, q] = [(i + 1) % 3, (i + 2) % 3];
  const [r, s] = [3 * ((j + 1) % 3), 3 * ((j + 2) % 3)];
  return m[r + p]! * m[s + q]! - m[s + p]! * m[r + q]!;
}

/** Arrays of a mechanism that TypeScript reads or writes. */
export interface BodyArrays {
  readonly q: Floats;
  readonly v: Floats;
  readonly loads: Floats;
  readonly phi: Floats;
  readonly phiDot: Floats;
  readonly gamma: Floats;
  readonly data: Floats;
  /** d_j / S_jj of the last factorisation. */
  readonly pivots: Floats;
  /** Data about the ranks of blocks. */
  readonly loopBlocks: Floats;
  readonly masses: Floats;
  /** Records of the frames of the bodies. */
  readonly frames: Floats;
  /** Records of the sensors. */
  readonly sensors: Floats;
}

export function arraysOf(
  arena: Arena,
  segments: BodySegments,
  positions: number,
  velocities: number,
): BodyArrays {
  const { trial, forces } = segments;
  const v = { ...trial, address: trial.address + 8 * positions, slots: velocities };
  return {
    q: arena.floats({ ...trial, slots: positions }),
    v: arena.floats(v),
    loads: arena.floats({ ...forces, slots: velocities }),
    phi: arena.floats(segments.phi),
    phiDot: arena.floats(segments.phiDot),
    gamma: arena.floats(segments.gamma),
    data: arena.floats(segments.data),
    pivots: arena.floats(segments.sparsePivots),
    loopBlocks: arena.floats(segments.loopBlocks),
    masses: arena.floats(segments.masses),
    frames: arena.floats(segments.frames),
    sensors: arena.floats(segments.sensors),
  };
}
