// Moves a mechanism to given joint coordinates. Tree coordinates are set directly; body poses follow outwards from the
// ground. Remaining rows (cut joints, couplings, drives) are closed by the other coordinates alone, by Newton's
// iteration: dq = -J^+ Phi over the columns that are not given, and similarly dv = -J^+ Phi' once.
//
// The norm of joint coordinates keeps the other joints in place as far as possible: an elbow that is given a rate does
// not move the shoulder. Rejected: the assembly of maximal coordinates with rows for the given values. It spreads
// changes over all bodies, in the metric of their masses.

import { BODY_POSITIONS } from "../../../../assembly/layout-bodies.js";
import { leastSquares } from "../../../base/algebra/gram-schmidt.js";
import { NodriftError } from "../../../base/errors.js";
import { checkLimits } from "../../../base/run-limits.js";
import { planRelative } from "../../../systems/relative/plan/relative-plan.js";
import type { CurrentState } from "../probe/current-state.js";
import type { PlannedTree } from "../probe/planned-tree.js";
import type { ReadModel } from "../probe/probe.js";
import { type GivenCoordinate, givenCoordinates, type JointValues } from "./joint-values.js";
import { TreeProbe, type TreeState } from "./tree-probe.js";

/** Iterations, longest step in radians or lengths of the model, and largest number of halvings of a step. */
const NEWTON = { iterations: 100, longest: 0.5, halvings: 12 } as const;
/** Row errors treated as zero, in lengths of the mechanism; and those above which the rows cannot be closed. */
const CLOSED_TOLERANCE = 1e-14;
const OPEN_TOLERANCE = 1e-9;

/** A state of the bodies with its unwrapped angles, and the same state along the tree. */
export interface PlacedState extends TreeState {
  readonly unwrappedAngles: Float64Array;
  readonly along: TreeState;
  readonly tree: PlacingTree;
}

/** The tree along which joints are moved. */
export type PlacingTree = Pick<PlannedTree, "plan" | "ranks">;

/**
 * Returns the state with the given joint coordinates, and otherwise those of the present one. `probeOf` provides
 * working memory: allocating it takes a hundred times longer than placing the joints of a tree.
 */
export function placeJoints(
  where: string,
  model: ReadModel,
  present: CurrentState,
  values: JointValues,
  probeOf = (tree: PlacingTree) => new TreeProbe(model.relativeSystem(tree)),
): PlacedState {
  const tree = treeFor(where, model, present, values);
  const given = givenCoordinates(where, model.data, tree.plan.tree, values);
  const probe = probeOf(tree);
  const { q, v, time, data, unwrappedAngles } = present;
  // Integrated coordinates belong to the model's own tree.
  const from =
    tree === model.tree ? present : { q, v, time, data, unwrappedAngles, integrated: undefined };
  return probe.at(from, where, () => {
    const placer = new JointPlacer(where, probe, model.length, time);
    placer.positions(given.filter(({ isRate }) => !isRate));
    placer.velocities(given.filter(({ isRate }) => isRate));
    return { ...placer.result(q), tree };
  });
}

/** Returns the tree of the model if it has the named joints, else one that has them. */
function treeFor(
  where: string,
  { tree, plan, data }: ReadModel,
  present: CurrentState,
  values: JointValues,
): PlacingTree {
  const named = data.joints.flatMap(({ name }, joint) =>
    Object.hasOwn(values, name) ? [joint] : [],
  );
  const missing = named.filter((joint) => !tree.plan.tree.treeJoints.includes(joint));
  if (missing.length === 0) return tree;
  try {
    const keep = named.map((joint) => data.joints[joint]!.name);
    return { plan: planRelative(plan, present.q, { keep }), ranks: undefined };
  } catch (error) {
    if (!(error instanceof NodriftError) || error.code !== "DESCRIPTION") throw error;
    const [first] = missing.map((joint) => data.joints[joint]!);
    throw new NodriftError(
      "DESCRIPTION",
      `${where}: joints: "${first!.name}" (${first!.type}) cannot be given: it has no coordinates, or the joints named ` +
        "close a loop, where the last one follows from the others",
      { cause: error },
    );
  }
}

/** Moves the accepted state of a probe. */
class JointPlacer {
  readonly #where: string;
  readonly #probe: TreeProbe;
  readonly #length: number;
  readonly #time: number;

  constructor(where: string, probe: TreeProbe, length: number, time: number) {
    this.#where = where;
    this.#probe = probe;
    this.#length = length;
    this.#time = time;
  }

  positions(given: readonly GivenCoordinate[]): void {
    const { state } = this.#probe;
    for (const { index, values } of given) state.set(values, index);
    if (!this.#hasRows) return;
    const held = heldBy(given);
    let error = this.#phi();
    for (let i = 0; i < NEWTON.iterations && sizeOf(error) > CLOSED_TOLERANCE * this.#length; i++) {
      checkLimits();
      const next = this.#search(this.#correction(error, held, true), error);
      if (!(sizeOf(next) < sizeOf(error))) break;
      error = next;
    }
    this.#requireClosed(error, this.#length, "are open by");
  }

  velocities(given: readonly GivenCoordinate[]): void {
    const { state, system } = this.#probe;
    const first = system.coordinates.positions;
    for (const { index, values } of given) state.set(values, first + index);
    if (!this.#hasRows) return;
    const held = heldBy(given);
    // The second pass removes the rounding errors of the first.
    for (let pass = 0; pass < 2; pass++) {
      const step = this.#correction(this.#phiDot(), held, false);
      for (const [i, x] of step.entries()) state[first + i]! += x;
    }
    const fastest = state.subarray(first).reduce((most, x) => Math.max(most, Math.abs(x)), 1);
    this.#requireClosed(this.#phiDot(), this.#length * fastest, "open at");
  }

  /** Returns the state of the bodies; Euler parameters keep their signs. */
  result(before: Float64Array): Omit<PlacedState, "tree"> {
    const { system, state } = this.#probe;
    system.continuation.finaliseState(this.#time);
    const { q, v } = this.#probe.publicState();
    for (let at = 3; at < q.length; at += BODY_POSITIONS) {
      let product = 0;
      for (let i = at; i < at + 4; i++) product += q[i]! * before[i]!;
      for (let i = at; product < 0 && i < at + 4; i++) q[i] = -q[i]!;
    }
    const unwrappedAngles = new Float64Array(system.continuation.unwrappedAngles.count);
    system.continuation.unwrappedAngles.read(unwrappedAngles);
    const { positions } = system.coordinates;
    return {
      q,
      v,
      unwrappedAngles,
      along: { q: state.slice(0, positions), v: state.slice(positions) },
    };
  }

  get #hasRows(): boolean {
    return this.#probe.system.constraints.rows > 0;
  }

  #phi(): Float64Array {
    const { system } = this.#probe;
    system.load(this.#time);
    return this.#rowsAt(system.constraints.phi());
  }

  #phiDot(): Float64Array {
    const { system } = this.#probe;
    system.load(this.#time);
    return this.#rowsAt(system.constraints.phiDot());
  }

  #rowsAt(address: number): Float64Array {
    const { arena, rows } = this.#probe;
    return arena.floats({ ...rows, address }).slice();
  }

  /** Returns the minimum-norm change of the coordinates not held that removes an error. */
  #correction(error: Float64Array, held: ReadonlySet<number>, ofPositions: boolean): Float64Array {
    const jacobian = this.#jacobian(ofPositions);
    const free = [...jacobian.keys()].filter((column) => !held.has(column));
    const step = new Float64Array(jacobian.length);
    if (free.length === 0) return step;
    const found = leastSquares(
      free.map((column) => jacobian[column]!),
      error.map((x) => -x),
    );
    for (const [i, column] of free.entries()) step[column] = found[i]!;
    return step;
  }

  /** Returns J, column-major. Rows on velocities alone do not constrain positions. */
  #jacobian(ofPositions: boolean): Float64Array[] {
    const { system, arena, rows, forces } = this.#probe;
    const size = system.constraints.rows;
    const columns = Array.from(
      { length: system.coordinates.velocities },
      () => new Float64Array(size),
    );
    const [unit, row] = [arena.floats(rows), arena.floats(forces)];
    for (const { block, firstRow, rows: count } of system.plan.rest.blocks) {
      if (ofPositions && !block.holonomic) continue;
      for (let i = firstRow; i < firstRow + count; i++) {
        unit.fill(0);
        unit[i] = 1;
        system.constraints.jacobianTransposeTimes(rows.address, forces.address);
        for (const [j, x] of row.entries()) columns[j]![i] = x;
      }
    }
    return columns;
  }

  /** Moves the accepted positions by a step, or by a fraction of it that reduces the error; returns the error there. */
  #search(step: Float64Array, error: Float64Array): Float64Array {
    const { system, arena, state, vector } = this.#probe;
    const before = state.slice();
    const longest = step.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    let factor = Math.min(1, (NEWTON.longest * Math.max(1, this.#length)) / longest);
    for (let halving = 0; ; halving++) {
      state.set(before);
      arena.floats(vector).set(step.map((x) => factor * x));
      system.coordinates.displace(system.state.q, vector.address);
      const next = this.#phi();
      if (sizeOf(next) < sizeOf(error)) return next;
      if (halving === NEWTON.halvings) {
        state.set(before);
        return this.#phi();
      }
      factor /= 2;
    }
  }

  #requireClosed(error: Float64Array, size: number, how: string): void {
    const worst = error.reduce(
      (most, x, i) => (Math.abs(x) > Math.abs(error[most]!) ? i : most),
      0,
    );
    const left = Math.abs(error[worst]!);
    if (left <= OPEN_TOLERANCE * size) return;
    const name = this.#probe.system.constraints.rowNames[worst];
    throw new NodriftError(
      "ASSEMBLY",
      `${this.#where}: the joint coordinates given do not fit together at t = ${this.#time}: rows like "${name}" ` +
        `${how} ${left.toPrecision(3)}. Leave out joints that follow from others, or give values nearer to a pose ` +
        "that closes",
    );
  }
}

/** Returns the velocities that must not change; all three for a spherical joint. */
function heldBy(given: readonly GivenCoordinate[]): ReadonlySet<number> {
  return new Set(
    given.flatMap(({ velocity, values }) =>
      values.length === 1 ? [velocity] : [velocity, velocity + 1, velocity + 2],
    ),
  );
}

function sizeOf(error: Float64Array): number {
  return error.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
}
