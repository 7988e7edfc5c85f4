// The redundancy of the constraints: the number of independent rows, the dependencies between rows, and whether the
// initial pose is singular. Found once, in separate memory.

import { BODY_VELOCITIES, BodyMass } from "../../../../assembly/layout-bodies.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address, Arena } from "../../../base/memory/arena.js";
import { checkLimits } from "../../../base/run-limits.js";
import { failed } from "../../../base/wasm/status.js";
import { couplesSensors } from "../../../model/kinds.js";
import type { Drive, RowData } from "../../../model/model-data.js";
import { movingBodies, rotorCount } from "../plan/carriers.js";
import { Components } from "../plan/loops.js";
import { geometric, referTo, withoutForces } from "../plan/massless-geometry.js";
import { type Plan, rowNamesOf } from "../plan/plan.js";
import { countRows, type LoopRanks, largestPivots, zerosOf } from "../system/loop-ranks.js";
import type { BodySystem } from "../system/system.js";
import { type Examined, NearbyPoses } from "./nearby-poses.js";

// Prescribed motions that contradict each other. If a combination x of rows vanishes, x^T Phi must stay zero for every
// motion: x . gamma = 0, so that J a = gamma has a solution. If it contains only couplings and drives, which are sums
// of sensors minus a function of time, x^T Phi is a function of time alone, and can be checked in advance.

/** Error of second derivatives computed by finite differences. */
const DRIVE_TOLERANCE = 1e-5;
/** Times after the start at which drives are checked in advance, in seconds. */
const CHECK_TIMES_S = [0.01, 0.03, 0.1, 0.21, 0.5, 0.83, 1.3, 2.1, 3.7, 5.9, 10.3, 17.1];

interface DrivenRow {
  readonly joint: string;
  readonly row: RowData;
}

/** Throws if drives contradict each other at the start, or at the later times checked. */
function checkDrives(
  model: Examined,
  start: readonly NullVector[],
  generic: readonly NullVector[],
): void {
  const { plan, time } = model;
  if (plan.drives.length === 0) return;
  const driven = drivenRows(plan);
  const withDrives = (vectors: readonly NullVector[]) =>
    vectors.filter(({ rows }) => rows.some((row) => isDrive(driven.get(row)?.row)));
  checkAccelerations(model, withDrives(start), driven);
  for (const vector of withDrives(generic)) {
    const rows = vector.rows.map((row) => driven.get(row)?.row);
    if (!rows.every((row) => row !== undefined && couplesSensors(row))) continue;
    const first = total(vector, driven, time);
    for (const ahead of CHECK_TIMES_S) {
      const then = total(vector, driven, time + ahead);
      if (Math.abs(then.sum - first.sum) > DRIVE_TOLERANCE * (then.size + first.size)) {
        throw contradiction(plan, vector, driven, time + ahead);
      }
    }
  }
}

/** Rows that have a prescribed value, with their joints. */
function drivenRows({ blocks, model }: Plan): Map<number, DrivenRow> {
  const driven = new Map<number, DrivenRow>();
  for (const { block, firstRow, joint } of blocks) {
    let row = firstRow;
    for (const data of block.rows) {
      if (data.names.length === 1) driven.set(row, { joint: model.joints[joint]!.name, row: data });
      row += data.names.length;
    }
  }
  return driven;
}

function isDrive(row: RowData | undefined): boolean {
  return typeof row?.prescribed === "object";
}

/** x . f(t), and the magnitude of its terms. Undefined values are ignored. */
function total(
  { rows, values }: NullVector,
  driven: ReadonlyMap<number, DrivenRow>,
  t: number,
): { sum: number; size: number } {
  let [sum, size] = [0, 0];
  rows.forEach((row, i) => {
    const prescribed = driven.get(row)?.row.prescribed;
    if (typeof prescribed !== "object") return;
    const term = values[i]! * driveAt(prescribed, t);
    sum += term;
    size += Math.abs(term);
  });
  return { sum, size };
}

function driveAt({ value }: Drive, t: number): number {
  try {
    return value(t);
  } catch {
    return Number.NaN;
  }
}

/** x . gamma = 0 at the start. */
function checkAccelerations(
  { plan, q, v, time, make }: Examined,
  vectors: readonly NullVector[],
  driven: ReadonlyMap<number, DrivenRow>,
): void {
  if (vectors.length === 0) return;
  const system = make(plan);
  system.workspace.seal();
  system.arrays.q.set(q);
  system.arrays.v.set(v);
  system.at(time);
  system.constraints.gamma();
  const { gamma } = system.arrays;
  for (const vector of vectors) {
    let [sum, size] = [0, 0];
    vector.rows.forEach((row, i) => {
      sum += vector.values[i]! * gamma[row]!;
      size += Math.abs(vector.values[i]! * gamma[row]!);
    });
    const values = total(vector, driven, time).size;
    if (Math.abs(sum) > DRIVE_TOLERANCE * (size + values)) {
      throw contradiction(plan, vector, driven, time);
    }
  }
}

function contradiction(
  { model }: Plan,
  { rows }: NullVector,
  driven: ReadonlyMap<number, DrivenRow>,
  t: number,
): NodriftError {
  const own = rows.filter((row) => isDrive(driven.get(row)?.row));
  const names = [...new Set(own.map((row) => `"${driven.get(row)!.joint}"`))];
  const others = rows.flatMap((row) => {
    const name = driven.get(row) && `"${driven.get(row)!.joint}"`;
    return name && !names.includes(name) ? [name] : [];
  });
  const against =
    names.length > 1
      ? `the drives ${names.join(" and ")} contradict each other`
      : `the drive ${names[0]} contradicts ${[...new Set(others)].join(", ")}`;
  return new NodriftError(
    "ASSEMBLY",
    `${model.name}: ${against} at t = ${t}: the same motion is prescribed twice with ` +
      "different values. Remove one drive, or make the functions agree",
  );
}

/** Number of poses near the start at which the rank is evaluated. */
const TESTED_POSES = 8;

/** A joint with redundant constraint rows. */
export interface Redundancy {
  /** Name of the joint. */
  readonly joint: string;
  /** Its redundant rows. */
  readonly rows: readonly string[];
  /** The other joints of the loop, which imply these rows. */
  readonly repeats: readonly string[];
  /** `"hinge 2": axial, tilt 1 repeat "hinge 1"`. */
  readonly text: string;
}

/** Result of the examination, before notes are derived from it. */
export interface Examination {
  readonly rows: number;
  /** Generic rank. */
  readonly rank: number;
  readonly degreesOfFreedom: number;
  readonly redundant: readonly Redundancy[];
  /** True if the initial pose is singular: fewer rows are independent there than nearby. */
  readonly singular: boolean;
  /** Number of independent rows at the initial pose. */
  readonly startRank: number;
  /** Joints with rows that depend on others at the initial pose, but not nearby. */
  readonly singularJoints: readonly string[];
  /** Rows whose reactions are not unique. */
  readonly shared: ReadonlySet<number>;
  /** Ranks for the solver; undefined for trees. */
  readonly ranks: LoopRanks | undefined;
  /** Nearly redundant rows. */
  readonly misfits: readonly Misfit[];
  /** Remaining joint errors at poses near the initial one, because of the misfits. */
  readonly open: number;
  /** The smallest pivot of the independent rows, by geometry: 0 if the rank would be lower. */
  readonly leastPivot: number;
  /** The joint with that pivot. */
  readonly weakest: string;
  /** The examined poses, the initial one first: empty for trees. */
  readonly poses: readonly PublicPose[];
}

/** Public positions and velocities. */
export interface PublicPose {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/** Nearly redundant rows of a joint, such as axes parallel only to single precision. */
interface Misfit {
  readonly joint: string;
  readonly others: readonly string[];
  /** Distance from redundancy: an angle in radians, or a length over that of the bodies. */
  readonly size: number;
}

/** Smaller misfits of redundant rows are rounding errors. */
const MISFIT_TOLERANCE = 1e-13;

/** Memory for the examination of rows, in a system without masses: reserved before that is sealed. */
export class Examiner {
  readonly space: NullSpace;
  readonly nearby: NearbyPoses;

  constructor(
    readonly system: BodySystem,
    length: number,
  ) {
    this.space = new NullSpace(system);
    this.nearby = new NearbyPoses(system, length);
  }
}

/** Examines the rows of a model, in the memory in which its initial state was found if that is given. */
export function examine(model: Examined, given?: Examiner): Examination {
  const { plan } = model;
  const { rows } = plan;
  const { bodies } = plan.model;
  const velocities = BODY_VELOCITIES * movingBodies(bodies) + rotorCount(bodies);
  if (!plan.hasLoops) {
    return {
      rows,
      rank: rows,
      startRank: rows,
      degreesOfFreedom: velocities - rows,
      redundant: [],
      singular: false,
      singularJoints: [],
      shared: new Set<number>(),
      ranks: undefined,
      misfits: [],
      open: 0,
      leastPivot: 1,
      weakest: "",
      poses: [],
    };
  }
  const examiner = given ?? examinerOf(model);
  const { space } = examiner;
  const { startRank, start, best, openBest, poses, open, leastPivot, weakest } = search(
    model,
    examiner,
  );
  const rank = rows - best.length;
  const singular = startRank < rank;
  checkDrives(model, singular ? [] : start, best);
  const shared = rowsOf(best);
  const own = [...rowsOf(start)].filter((row) => !shared.has(row));
  return {
    rows,
    rank,
    startRank,
    degreesOfFreedom: velocities - rank,
    redundant: redundanciesOf(plan, space, best),
    singular,
    singularJoints: singular ? jointsOf(plan, space, own) : [],
    shared,
    ranks: ranksOf(model, examiner, best, poses),
    misfits: misfitsOf(plan, space, best, start, openBest),
    open,
    leastPivot,
    weakest: jointsOf(plan, space, [weakest])[0] ?? "",
    poses,
  };
}

function examinerOf({ plan, length, make }: Examined): Examiner {
  const made = new Examiner(make(geometric(plan, length)), length);
  made.system.workspace.seal();
  return made;
}

/**
 * Null vectors at the nearby pose with the highest rank and then the best pivots, and at the initial pose if they are
 * needed there: if it is singular, or drives may contradict each other. Also all examined poses, their remaining
 * constraint error and the least pivot of the best.
 */
function search({ plan, q, v, time, length }: Examined, { system, space, nearby }: Examiner) {
  const { bodies } = system.plan.model;
  system.arrays.data.set(plan.data);
  system.ranks.forget();
  const first = referTo(plan.model.bodies, bodies, q, v);
  const load = (pose: ArrayLike<number>) => {
    nearby.set(pose, first.v);
    system.continuation.finaliseState(time);
    system.load(time);
    return space.dependentRows();
  };
  /**
   * Undefined next to a singular pose, whose pivot is so small that subsequent values are rounding: such a pose is
   * ignored.
   */
  const countAt = (pose: ArrayLike<number>) => {
    try {
      return load(pose).length;
    } catch (error) {
      if (error instanceof NodriftError && error.code === "MASS") return undefined;
      throw error;
    }
  };
  const atStart = load(first.q).length;
  let best = { dependent: atStart, ...space.leastPivot(), pose: first.q, open: 0 };
  const poses = [first.q];
  for (let i = 0; i < TESTED_POSES; i++) {
    load(first.q);
    if (!nearby.move(time)) continue;
    const pose = nearby.get().q;
    const dependent = countAt(pose);
    if (dependent === undefined) continue;
    const { pivot, row } = space.leastPivot();
    const better =
      dependent < best.dependent || (dependent === best.dependent && pivot > best.pivot);
    if (better) best = { dependent, pivot, row, pose, open: nearby.left / length };
    poses.push(pose);
  }
  const vectors = space.vectors(load(best.pose));
  const atBest = best.pose === first.q;
  const isOpen = vectors.some(({ misfit }) => misfit > MISFIT_TOLERANCE && misfit <= best.open);
  const asked = best.dependent < atStart || plan.drives.length > 0 || isOpen;
  return {
    startRank: plan.rows - atStart,
    start: !asked ? [] : atBest ? vectors : space.vectors(load(first.q)),
    best: vectors,
    openBest: best.open,
    poses: poses.map((pose) => referTo(bodies, plan.model.bodies, pose, first.v)),
    open: nearby.open,
    leastPivot: best.pivot,
    weakest: best.row,
  };
}

/**
 * Dependent rows of each block that closes a loop, and the largest last pivot that its independent rows have
 * at some pose, with the masses of the model.
 */
function ranksOf(
  { plan, time, make }: Examined,
  examiner: Examiner,
  best: readonly NullVector[],
  poses: readonly PublicPose[],
): LoopRanks {
  const rows = best.map(({ row }) => row);
  const holds = countRows(plan, rows, () => true);
  const dependent = countRows(
    plan,
    rows,
    (block) => plan.blocks[block]!.closing || holds[block]! > 0,
  );
  const system = withMasses(plan, examiner.system, make);
  const reference = largestPivots(system, dependent, poses, ({ q, v }) => {
    system.arrays.q.set(q);
    system.arrays.v.set(v);
    system.at(time);
  });
  return { dependent, reference };
}

/** Returns the system with the masses of the plan, or another one if its bodies have other centres. */
function withMasses(whole: Plan, system: BodySystem, make: Examined["make"]): BodySystem {
  const plan = withoutForces(whole);
  const { bodies } = system.plan.model;
  if (plan.model.bodies.every(({ centre }, i) => centre === bodies[i]!.centre)) {
    system.adopt(plan);
    return system;
  }
  const made = make(plan);
  made.dynamics.solver("auto");
  made.workspace.seal();
  return made;
}

/**
 * Rows of the best pose that fit only nearly. If that pose is open by more than a misfit, the misfit may be the tilt
 * of axes that the open joints allow: planks in a row between two grounded ends have no other pose, and Newton's
 * iteration converges to theirs slowly, stopping open by 1e-6. The initial pose, which is closed, decides then.
 * Rejected: measuring all misfits at the initial pose. Rows that depend on others only there would count, and nearly
 * singular initial poses would be taken for rounded axes.
 */
function misfitsOf(
  plan: Plan,
  space: NullSpace,
  vectors: readonly NullVector[],
  start: readonly NullVector[],
  open: number,
): Misfit[] {
  const found = new Map<string, Misfit>();
  const closed = new Map(start.map((vector) => [vector.row, vector.misfit]));
  for (const { row, rows, misfit: seen } of vectors) {
    const misfit = seen > open ? seen : Math.min(seen, closed.get(row) ?? 0);
    if (!(misfit > MISFIT_TOLERANCE)) continue;
    const [joint = ""] = jointsOf(plan, space, [row]);
    if (misfit <= (found.get(joint)?.size ?? 0)) continue;
    const others = jointsOf(plan, space, rows).filter((name) => name !== joint);
    found.set(joint, { joint, others, size: misfit });
  }
  return [...found.values()].sort((a, b) => b.size - a.size);
}

function rowsOf(vectors: readonly NullVector[]): Set<number> {
  return new Set(vectors.flatMap(({ rows }) => rows));
}

/** Names of the joints of some rows, in the order of the model. */
function jointsOf(
  { blocks, model }: Plan,
  { blockOf }: NullSpace,
  rows: readonly number[],
): string[] {
  const joints = new Set(rows.map((row) => blocks[blockOf[row]!]!.joint));
  return [...joints].sort((a, b) => a - b).map((joint) => model.joints[joint]!.name);
}

function redundanciesOf(
  plan: Plan,
  space: NullSpace,
  vectors: readonly NullVector[],
): Redundancy[] {
  const { blocks, model } = plan;
  const { blockOf } = space;
  // The vectors are in the order of their rows, so those of a joint are in the order of its blocks.
  const byJoint = new Map<number, NullVector[]>();
  for (const vector of vectors) {
    const { joint } = blocks[blockOf[vector.row]!]!;
    const own = byJoint.get(joint);
    if (own) own.push(vector);
    else byJoint.set(joint, [vector]);
  }
  return [...byJoint.keys()]
    .sort((a, b) => a - b)
    .map((joint) => {
      const { name } = model.joints[joint]!;
      const found = byJoint.get(joint)!;
      const rows = found.map(({ row }) => {
        const { block, firstRow } = blocks[blockOf[row]!]!;
        return rowNamesOf(block)[row - firstRow]!;
      });
      const all = jointsOf(plan, space, [...new Set(found.flatMap((each) => each.rows))]);
      const repeats = all.filter((other) => other !== name);
      return { joint: name, rows, repeats, text: textOf(name, rows, repeats) };
    });
}

function textOf(joint: string, rows: readonly string[], repeats: readonly string[]): string {
  const others = repeats.map((name) => `"${name}"`).join(", ");
  const verb = rows.length === 1 ? "repeats" : "repeat";
  return `"${joint}": ${rows.join(", ")} ${verb} ${others || "its other rows"}`;
}

// Combinations of rows that vanish: x with J^T x = 0.
//
// S = J M^-1 J^T is factored without pivoting; the pivot d_j is the square of the distance of row j from the
// rows before it, so d_j <= 1e-9 S_jj means that row j is redundant. With the independent rows I,
//
//   x_j = 1,   S_II x_I = -S_Ij,   zero in the other dependent rows,
//
// is that combination. The residual J M^-1 J^T x is formed from J and solved for again, so that rounding
// errors of the factor are removed.
//
// One solve finds the combinations of many rows if these share no body: their sum splits into components that touch
// different bodies, and a component with one dependent row is the combination of that row. Components with several
// dependent rows are solved for in two halves.

/** A vanishing combination of rows: the rows in it and their factors. */
export interface NullVector {
  /** The dependent row of the combination. */
  readonly row: number;
  readonly rows: readonly number[];
  readonly values: readonly number[];
  /** Remainder of the combination over the size of its rows: more than rounding if they are only nearly redundant. */
  readonly misfit: number;
}

/** Rows of a combination on connected bodies, with their factors, and the dependent rows among them. */
interface ConnectedRows {
  readonly own: number[];
  readonly rows: number[];
  readonly values: number[];
}

/** Factors, in units of 1 / sqrt(S_ii), below which they are rounding errors. */
const ZERO_FACTOR_TOLERANCE = 1e-8;
const REFINEMENTS = 2;

/** Finds the null vectors of J^T at the trial state of a system. */
export class NullSpace {
  readonly #system: BodySystem;
  readonly #x: Address;
  readonly #residual: Address;
  readonly #force: Address;
  readonly #weighed: Address;
  /** Block of each row. */
  readonly blockOf: Int32Array;
  #values = new Float64Array(0);
  #forces = new Float64Array(0);
  #weighedForces = new Float64Array(0);
  #jacobian = new Float64Array(0);
  #masses = new Float64Array(0);

  /** Reserves memory. Call before the system is sealed. */
  constructor(system: BodySystem) {
    const { workspace } = system;
    const { plan, segments } = system;
    const { velocities } = system.coordinates;
    const { rows } = system.constraints;
    this.#system = system;
    const x = workspace.reserve("combination of rows", rows);
    this.#x = x.address;
    this.#residual = workspace.vector("residual of a combination", rows);
    const force = workspace.reserve("force of a combination", velocities);
    const weighed = workspace.reserve("force of a combination over masses", velocities);
    this.#force = force.address;
    this.#weighed = weighed.address;
    this.blockOf = new Int32Array(rows);
    plan.blocks.forEach(({ firstRow, rows: count }, block) => {
      this.blockOf.fill(block, firstRow, firstRow + count);
    });
    system.dynamics.solver("auto");
    workspace.whenSealed((arena: Arena) => {
      this.#values = arena.floats(x);
      this.#forces = arena.floats(force);
      this.#weighedForces = arena.floats(weighed);
      this.#jacobian = arena.floats(segments.jacobian);
      this.#masses = arena.floats(segments.masses);
    });
  }

  /** Factors at the trial state. Returns the rows that depend on those before them, in the order of the plan. */
  dependentRows(): number[] {
    this.#system.dynamics.solver("auto").rank();
    return zerosOf(this.#system.arrays.pivots);
  }

  /** The smallest pivot of an independent row, and the row: the distance to a lower rank. */
  leastPivot(): { pivot: number; row: number } {
    let least = { pivot: 1, row: 0 };
    this.#system.arrays.pivots.forEach((pivot, row) => {
      if (pivot > 0 && pivot < least.pivot) least = { pivot, row };
    });
    return least;
  }

  /** One null vector for each of the rows just found dependent. */
  vectors(dependent: readonly number[]): NullVector[] {
    const found: NullVector[] = [];
    const scales = this.#scales();
    for (const rows of this.#groups(dependent)) this.#find(rows, scales, found);
    return found.sort((one, other) => one.row - other.row);
  }

  /** x -= S^-1 J M^-1 (J^T x - f), f = 0 if not given: in the independent rows, by the last factor. */
  correct(x: Address, f?: Address): void {
    const system = this.#system;
    const { workspace } = system;
    const { table, segments } = system;
    const { velocities } = system.coordinates;
    const { rows } = system.constraints;
    const { kernels } = workspace;
    checkLimits();
    system.constraints.jacobianTransposeTimes(x, this.#force);
    if (f !== undefined) kernels.axpy(velocities, -1, f, this.#force, this.#force);
    system.kernels.bodyMassSolve(table, this.#force, this.#force);
    system.constraints.jacobianTimes(this.#force, this.#residual);
    const status = system.kernels.sparseSolve(
      segments.sparseTable.address,
      segments.sparseFactor.address,
      this.#residual,
      segments.sparseScratch.address,
      this.#residual,
    );
    if (failed(status)) throw system.errorFor(status, "");
    kernels.axpy(rows, -1, this.#residual, x, x);
  }

  /** The first dependent row of each block, the second ones, and so on. */
  #groups(dependent: readonly number[]): number[][] {
    const groups: number[][] = [];
    let [block, place] = [-1, 0];
    for (const row of dependent) {
      place = this.blockOf[row] === block ? place + 1 : 0;
      block = this.blockOf[row]!;
      groups[place] ??= [];
      groups[place]!.push(row);
    }
    return groups;
  }

  #find(rows: readonly number[], scales: Float64Array, found: NullVector[]): void {
    const parts = this.#parts(this.#solve(rows, scales), scales, rows);
    const single = parts.filter(({ own }) => own.length === 1);
    const several = parts.filter(({ own }) => own.length > 1);
    const sizes = this.#misfits(single, scales);
    single.forEach(({ own, rows: support, values }, i) => {
      found.push({ row: own[0]!, rows: support, values, misfit: sizes[i]! });
    });
    for (const { own } of several) {
      for (const half of [0, 1]) {
        const some = own.filter((_, i) => i % 2 === half);
        this.#find(some, scales, found);
      }
    }
  }

  /** |J^T x| in the metric of M^-1, over the largest of its terms, of parts that share no body. */
  #misfits(parts: readonly ConnectedRows[], scales: Float64Array): number[] {
    const system = this.#system;
    const { blocks } = system.plan;
    this.#values.fill(0);
    for (const { rows, values } of parts) {
      for (const [i, row] of rows.entries()) this.#values[row] = values[i]!;
    }
    system.constraints.jacobianTransposeTimes(this.#x, this.#force);
    system.kernels.bodyMassSolve(system.table, this.#force, this.#weighed);
    return parts.map(({ rows, values }) => {
      let [largest, square] = [0, 0];
      const bodies = new Set<number>();
      for (const [i, row] of rows.entries()) {
        largest = Math.max(largest, Math.abs(values[i]!) * scales[row]!);
        for (const body of blocks[this.blockOf[row]!]!.bodies) bodies.add(body);
      }
      for (const body of bodies) {
        for (let i = BODY_VELOCITIES * body; i < BODY_VELOCITIES * (body + 1); i++) {
          square += this.#forces[i]! * this.#weighedForces[i]!;
        }
      }
      return Math.sqrt(Math.max(0, square)) / largest;
    });
  }

  /** The sum of the null vectors of some rows, each row with the factor 1 / sqrt(S_jj). */
  #solve(rows: readonly number[], scales: Float64Array): Float64Array {
    this.#values.fill(0);
    for (const row of rows) this.#values[row] = 1 / scales[row]!;
    for (let round = 0; round <= REFINEMENTS; round++) this.correct(this.#x);
    return this.#values;
  }

  /** Rows of a combination, grouped by components that share no body. */
  #parts(x: Float64Array, scales: Float64Array, own: readonly number[]): ConnectedRows[] {
    const { blocks, model } = this.#system.plan;
    const joined = new Components(model.bodies.length);
    const rows: number[] = [];
    for (let row = 0; row < x.length; row++) {
      if (!(Math.abs(x[row]!) * scales[row]! > ZERO_FACTOR_TOLERANCE)) continue;
      rows.push(row);
      const { bodies } = blocks[this.blockOf[row]!]!;
      for (let i = 1; i < bodies.length; i++) joined.join(bodies[0], bodies[i]);
    }
    const parts = new Map<number, ConnectedRows>();
    const partOf = new Map<number, ConnectedRows>();
    for (const row of rows) {
      const root = joined.rootOf(blocks[this.blockOf[row]!]!.bodies[0]!);
      const part = parts.get(root) ?? { own: [], rows: [], values: [] };
      parts.set(root, part);
      partOf.set(row, part);
      part.rows.push(row);
      part.values.push(x[row]!);
    }
    for (const row of own) partOf.get(row)?.own.push(row);
    return [...parts.values()];
  }

  /** sqrt(S_jj) by rows: S_jj = sum of J_j M^-1 J_j^T over the bodies of the row. */
  #scales(): Float64Array {
    const { plan } = this.#system;
    const { rows } = this.#system.constraints;
    const squares = new Float64Array(rows);
    plan.blocks.forEach(({ bodies, firstRow, rows: count }, index) => {
      bodies.forEach((body, place) => {
        const first = plan.sparse.jacobianSlotOf[index]![place]!;
        for (let row = 0; row < count; row++) {
          const slot = first + BODY_VELOCITIES * row;
          squares[firstRow + row] = squares[firstRow + row]! + this.#square(body, slot);
        }
      });
    });
    // A zero row: any factor will do.
    return squares.map((square) => (square > 0 ? Math.sqrt(square) : 1));
  }

  /** Product of a row's six elements with the inverse mass of its body and with themselves. */
  #square(body: number, slot: number): number {
    const six = this.#jacobian.subarray(slot, slot + BODY_VELOCITIES);
    const mass = this.#masses.subarray(BodyMass.LENGTH * body, BodyMass.LENGTH * (body + 1));
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      sum += mass[BodyMass.INVERSE_MASS]! * six[i]! ** 2;
      for (let j = 0; j < 3; j++) {
        sum += mass[BodyMass.INVERSE_INERTIA + 3 * j + i]! * six[3 + i]! * six[3 + j]!;
      }
    }
    return sum;
  }
}
