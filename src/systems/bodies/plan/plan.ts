import {
  AngleData,
  BODY_VELOCITIES,
  CoupleData,
  Prescribed,
  SensorKind,
} from "../../../../assembly/layout-bodies.js";
import { type SparsePlan, sparsePlan } from "../../../base/sparse/symbolic.js";
import type { MeasuredFormula } from "../../../model/formula-data.js";
import {
  actsOnSensor,
  couplesSensors,
  forceMarkers,
  forceReadsAxes,
  markerPairs,
  readsAxes,
} from "../../../model/kinds.js";
import { type BlockData, GROUND, type ModelData } from "../../../model/model-data.js";
import { controllerNumbers, NOT_APPLIED, withAuxiliaryBodies } from "./carriers.js";
import { findLoops, SpanningTree } from "./loops.js";
import {
  type PlannedBlock,
  type PlannedCoupling,
  type PlannedDrive,
  TableBuilder,
} from "./table-builder.js";
/** Everything about a model that does not change: values, names, tables. Shared by its systems. */
export interface Plan {
  readonly model: ModelData;
  /** Rotation matrices use the formula for unit Euler parameters, whether they are normalised or not. */
  readonly unnormalised: boolean;
  readonly blocks: readonly PlannedBlock[];
  readonly rows: number;
  readonly holonomicRows: number;
  readonly rowNames: readonly string[];
  readonly sparse: SparsePlan;
  /** Whether some rows may be redundant: they are eliminated after those of their loop. */
  readonly hasLoops: boolean;
  /** For each block that follows from others between the same bodies, those others (parallel-joints.ts). */
  readonly follows: readonly (readonly number[])[];
  /** Lists of the table. */
  readonly markerList: readonly number[];
  readonly entryList: readonly number[];
  readonly sensorList: readonly number[];
  readonly forceList: readonly number[];
  /** Initial constants and prescribed values. */
  readonly data: number[];
  readonly drives: readonly PlannedDrive[];
  /** Slots in DATA of couplings that keep their initial value, with their sensors and factors. */
  readonly couplings: readonly PlannedCoupling[];
  /** First slot in DATA of each force. */
  readonly forceSlots: readonly number[];
  /** First slot in DATA of each controller. */
  readonly controllerSlots: readonly number[];
  /** First slot of the output values for which force constants were last computed, for outputs that set parameters. */
  readonly drivenSlot: number;
}

/** Blocks that follow from others between the same bodies, each with those others. */
export type DependentBlocks = ReadonlyMap<BlockData, readonly BlockData[]>;

const NO_FOLLOWERS: DependentBlocks = new Map();

/** Unused slots after the Jacobian blocks; rows of the ground are written there. */
export const SPARE_JACOBIAN_SLOTS = 3 * BODY_VELOCITIES;

/** Assigns indices to rows and lays out the tables. */
export function planModel(
  described: ModelData,
  plain = false,
  followers: DependentBlocks = NO_FOLLOWERS,
): Plan {
  const model = withAuxiliaryBodies(described);
  const blocks = planBlocks(model);
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0);
  const loops = findLoops({ model, blocks });
  const constraints = blocks.map(({ rows, bodies }) => ({ rows, bodies }));
  const graph = { bodyCount: model.bodies.length, bodySize: BODY_VELOCITIES, constraints };
  const numbers = new Map(blocks.map(({ block }, index) => [block, index]));
  const follows = blocks.map(({ block }) =>
    (followers.get(block) ?? []).map((leader) => numbers.get(leader)!),
  );
  const sparse = sparsePlan(graph, loops?.after, follows);
  const lists = new TableBuilder(model, sparse);
  const sensorSlots = model.sensors.map(({ kind }) =>
    kind === SensorKind.ANGLE ? lists.store(new Array<number>(AngleData.LENGTH).fill(0)) : 0,
  );
  blocks.forEach((block, index) => {
    lists.addBlock(block, index);
  });
  const { turned, read, used } = usesOf(model);
  const forceSlots = model.forces.map(({ constants }) => lists.store(constants));
  const controllerSlots = model.controllers.map((each) => lists.store(controllerNumbers(each)));
  const drivenSlot = lists.store((model.driven?.outputs ?? []).map(() => NOT_APPLIED));
  return {
    model,
    unnormalised: plain,
    blocks,
    rows,
    holonomicRows: blocks.reduce(
      (sum, { block, rows: count }) => sum + (block.holonomic ? count : 0),
      0,
    ),
    rowNames: rowNamesIn(model, blocks),
    sparse,
    hasLoops: loops !== undefined,
    follows,
    markerList: markerListOf(model, turned, read),
    entryList: lists.entries,
    sensorList: sensorListOf(model, sensorSlots, used),
    forceList: forceListOf(model, forceSlots),
    data: lists.data,
    drives: lists.drives,
    couplings: lists.couplings,
    forceSlots,
    controllerSlots,
    drivenSlot,
  };
}

// Lists of the table, whose records are written in the order of their fields.

function markerListOf({ markers, bodies }: ModelData, turned: Uint8Array, read: Uint8Array) {
  const list: number[] = [];
  for (const [index, { body }] of markers.entries()) {
    list.push(body === GROUND ? bodies.length : body, turned[index]!, read[index]!);
  }
  return list;
}

function sensorListOf({ sensors }: ModelData, slots: readonly number[], used: Uint8Array) {
  const list: number[] = [];
  for (const [index, { kind, a, b }] of sensors.entries()) {
    list.push(kind, a, b, slots[index]!, used[index]!);
  }
  return list;
}

function forceListOf({ forces }: ModelData, slots: readonly number[]) {
  const list: number[] = [];
  for (const [index, { kind, a, b, flag }] of forces.entries()) {
    list.push(kind, a, b, flag, slots[index]!);
  }
  return list;
}

function rowNamesIn({ joints }: ModelData, blocks: readonly PlannedBlock[]): string[] {
  const names: string[] = [];
  for (const { joint, block } of blocks) {
    const prefix = `${joints[joint]?.name}: `;
    for (const name of rowNamesOf(block)) names.push(prefix + name);
  }
  return names;
}

/** Returns whether some rows are user rows, as functions or formulas. */
export function hasUserRows({ joints }: ModelData): boolean {
  return joints.some(({ blocks }) => blocks.some(({ user }) => user !== undefined));
}

/** Returns whether user functions read measured quantities, of any joint. */
export function readsQuantities({ states, controllers, forces, userForces }: ModelData): boolean {
  return (
    states.length > 0 ||
    controllers.length > 0 ||
    forces.some(({ reads }) => reads === true) ||
    userForces.some(({ reads }) => reads === true)
  );
}

/** All formulas of a model, including subexpressions that are evaluated at every state. */
export function formulasOf(model: ModelData): readonly MeasuredFormula[] {
  const { forces, userForces, joints, states } = model;
  return [
    ...states.flatMap(({ formulas = [] }) => formulas),
    ...forces.flatMap((force) => (force.formulas ?? []).map(({ formula }) => formula)),
    ...userForces.flatMap(({ formulas = [] }) => formulas),
    ...joints.flatMap(({ blocks }) => blocks.flatMap(({ user }) => user?.formulas ?? [])),
  ];
}

/** Returns whether a model has functions of the user, or parts that call them. */
export function hasFunctions(model: ModelData): boolean {
  const { controllers, forces, states, userForces } = model;
  return (
    forces.some(({ update }) => update !== undefined) ||
    [userForces, states, controllers].some(({ length }) => length > 0) ||
    hasUserRows(model)
  );
}

/** Returns the plan with other masses, gravity and force constants. */
export function withLoads(plan: Plan, described: ModelData): Plan {
  const model = withAuxiliaryBodies(described);
  const data = [...plan.data];
  for (const [index, { constants }] of model.forces.entries()) {
    const slot = plan.forceSlots[index]!;
    for (const [i, value] of constants.entries()) data[slot + i] = value;
  }
  return { ...plan, model, data };
}

/**
 * What is used, by index: markers whose axes are (`turned`), markers that a row, a force or a function reads (`read`;
 * along a tree those of its joints are not among them), and sensors that a row or a force uses (`used`).
 */
function usesOf(model: ModelData) {
  const { joints, forces, markers, sensors } = model;
  const [turned, read] = [new Uint8Array(markers.length), new Uint8Array(markers.length)];
  const used = new Uint8Array(sensors.length);
  const mark = (flags: Uint8Array, a: number, b: number) => {
    flags[a] = 1;
    flags[b] = 1;
  };
  for (const { blocks } of joints) {
    for (const { rows } of blocks) {
      for (const row of rows) {
        if (readsAxes(row)) mark(turned, row.a, row.b);
        if (couplesSensors(row)) mark(used, row.a, row.b);
        else mark(read, row.a, row.b);
      }
    }
  }
  for (const force of forces) {
    if (actsOnSensor(force)) used[force.a] = 1;
    for (const marker of forceMarkers(force, sensors)) {
      read[marker] = 1;
      if (forceReadsAxes(force)) turned[marker] = 1;
    }
  }
  if (readsQuantities(model)) used.fill(1);
  for (const [index, { kind, a, b }] of sensors.entries()) {
    if (kind !== SensorKind.LENGTH) mark(turned, a, b);
    if (used[index]) mark(read, a, b);
  }
  return { turned, read, used };
}

/** Names of the rows of a block. */
export function rowNamesOf({ rows, user }: BlockData): readonly string[] {
  return user ? user.names : rows.flatMap(({ names }) => names);
}

/** Holonomic blocks first, each with its bodies; those that close a loop of joints are marked. */
function planBlocks(model: ModelData): PlannedBlock[] {
  const tree = new SpanningTree(model);
  const planned: PlannedBlock[] = [];
  let firstRow = 0;
  for (const holonomic of [true, false]) {
    for (const [index, joint] of model.joints.entries()) {
      for (const block of joint.blocks) {
        if (block.holonomic !== holonomic) continue;
        const touched = [...new Set(bodiesOf(model, block))];
        const bodies = touched.filter((body) => body !== GROUND);
        const rows = rowNamesOf(block).length;
        const closing = !(holonomic && !block.user && tree.add(block, joint, touched));
        planned.push({ joint: index, block, bodies, firstRow, rows, closing });
        firstRow += rows;
      }
    }
  }
  return planned;
}

/** Bodies of a block, including the ground. */
export function bodiesOf({ markers, sensors }: ModelData, { rows, user }: BlockData): number[] {
  if (user) return [...user.bodies];
  const found: number[] = [];
  const take = (marker: number) => found.push(markers[marker]?.body ?? GROUND);
  for (const row of rows) {
    for (const [a, b] of markerPairs(row, sensors)) {
      take(a);
      take(b);
    }
  }
  return found;
}

// A coupling keeps its sum of angles and displacements at the value at the time when it begins to act.

/** Slot of the factors of a coupling's sensors, in order. */
const FACTORS = Prescribed.LENGTH + CoupleData.FACTOR_A;

/** A plan with its constants, or with the constants in the memory of a system. */
export type Constants = Omit<Plan, "data"> & { readonly data: number[] | Float64Array };

/** A system whose sensors can be read. */
interface Sensing {
  readonly plan: Plan;
  readonly arrays: { readonly data: Float64Array };
  sensorValues(t: number): Float64Array;
}

/** Sets the offset of each coupling from the sensor values at the accepted state. */
export function holdCouplings(system: Sensing, t: number): void {
  const { couplings, data } = system.plan;
  if (couplings.length === 0) return;
  const values = system.sensorValues(t);
  for (const { slot, sensors } of couplings) {
    system.arrays.data[slot + Prescribed.VALUE] = sensors.reduce(
      (sum, sensor, i) => sum + (data[slot + FACTORS + i] as number) * (values[sensor] as number),
      0,
    );
  }
}

/** Copies coupling offsets by name from another mechanism, except those with other factors. */
export function carryCouplings(from: Constants, to: Constants): void {
  for (const { slot, name, sensors } of to.couplings) {
    const held = from.couplings.find((each) => each.name === name);
    if (held === undefined) continue;
    const isSame = sensors.every(
      (_, i) => from.data[held.slot + FACTORS + i] === to.data[slot + FACTORS + i],
    );
    if (isSame) to.data[slot] = from.data[held.slot] as number;
  }
}
