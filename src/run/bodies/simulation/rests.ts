// Mechanisms in which something rests at stops: the same bodies, with a row for each limit that holds. They are made when they
// are first needed, and kept: what comes to rest again takes no time. Each is only a stepper, which takes its state from the free
// mechanism and gives it back; its memory is as it was made before every part of a step, so that snapshots need none of it. Joint
// coordinates are handed over as they are where both have the same tree: to find them from the bodies again makes hundreds of objects.

import type { HeldCoordinates } from "../../../describe/held.js";
import type { Method } from "../../../seam/index.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";
import { holding } from "../../held/held-joints.js";
import { type Limit, limitName, restName } from "../../held/limits.js";
import type { InitialMemory } from "../../stepping/initial-memory.js";
import { driveFactor } from "../reactions/drive-forces.js";
import { Readout, type SharedProbe } from "../reading/readout.js";
import { type Mechanism, mechanismOf } from "./mechanism.js";

/** A mechanism that rests at some limits. */
export interface Rest {
  readonly limits: readonly Limit[];
  readonly mechanism: Mechanism;
  readonly memory: InitialMemory;
  readonly readout: Readout;
  /** How states are handed over that fit the joints. */
  readonly handOver: "asGiven" | "sameNumbers";
  /** The block of each limit, and by how much each stop pushes what rests there: see {@link pushesOf}. */
  readonly blocks: Plan["blocks"];
  readonly pushes: Float64Array;
  /** Whether no other rows share the load of these: at the pose in which something came to rest first, so that all runs agree. */
  readonly isUnique: boolean;
  /** Memory of its readings, for others that read it. */
  readonly shared: SharedProbe;
}

/** A set of limits, and the state in which something came to rest there first. Plain data. */
export interface CaughtRest {
  readonly limits: readonly string[];
  readonly held: HeldCoordinates;
}

export class Rests {
  readonly #free: Mechanism;
  readonly #method: Method;
  readonly #made = new Map<string, Rest>();
  #caught: CaughtRest[] = [];

  constructor(free: Mechanism, method: Method) {
    this.#free = free;
    this.#method = method;
  }

  /** What simulations must know to make the same mechanisms. */
  get caught(): readonly CaughtRest[] {
    return this.#caught;
  }

  set caught(given: readonly CaughtRest[]) {
    for (const { limits, held } of this.#caught) {
      const other = given.find((each) => keyOf(each.limits) === keyOf(limits));
      const isSame = JSON.stringify(other?.held) === JSON.stringify(held);
      if (!isSame) this.#made.delete(keyOf(limits));
    }
    this.#caught = [...given];
  }

  /** The mechanism that rests at some limits, in the state of the free one. */
  at(limits: readonly Limit[], t: number, start: "assemble" | "asGiven"): Rest {
    const names = limits.map(limitName);
    const rest = this.#made.get(keyOf(names)) ?? this.#make(limits, names);
    this.take(rest, t, start);
    return rest;
  }

  /** The state of the free mechanism. */
  take(rest: Rest, t: number, start: "assemble" | "asGiven" = "asGiven"): void {
    const { steps } = rest.mechanism;
    steps.transfer.renew(rest.memory);
    const how = start === "asGiven" ? rest.handOver : start;
    steps.transfer.continueFrom(this.#free.steps.transfer, t, how);
    steps.standAt(t);
  }

  /** The free mechanism goes on from where this one is. */
  giveBack({ mechanism, handOver }: Rest, t: number): void {
    this.#free.steps.transfer.continueFrom(mechanism.steps.transfer, t, handOver);
  }

  #make(limits: readonly Limit[], names: readonly string[]): Rest {
    const { source, steps } = this.#free;
    const known = this.#caught.find((each) => keyOf(each.limits) === keyOf(names));
    const locks = source.settings.held?.rows ?? [];
    const rows = limits.map((limit) => {
      const { sensor, value } = limit;
      return { name: restName(limit), sensor, value };
    });
    const now = () => holding(source.settings, [...locks, ...rows], steps.transfer);
    const settings = known ? { ...source.settings, held: known.held } : now();
    if (known === undefined) this.#caught.push({ limits: names, held: settings.held! });
    const { model } = source.withSettings(settings);
    const mechanism = mechanismOf(model, this.#method, steps.step);
    mechanism.hand.follow(this.#free.hand);
    const shared: SharedProbe = {};
    const readout = new Readout(
      model,
      () => mechanism.present,
      shared,
      () => mechanism.hand.acting,
    );
    const memory = mechanism.steps.transfer.initialMemory();
    const blocks = limits.map((limit) => {
      const joint = model.data.joints.findIndex(({ name }) => name === restName(limit));
      return model.plan.blocks.find((block) => block.joint === joint)!;
    });
    const handOver = haveSameTree(this.#free, mechanism) ? "sameNumbers" : "asGiven";
    const pushes = new Float64Array(limits.length);
    const vectors = readout.reactions.nullVectors();
    const isUnique = !blocks.some(({ firstRow }) =>
      vectors.some(({ rows }) => rows.includes(firstRow)),
    );
    const made = { limits, mechanism, memory, readout, shared };
    const rest: Rest = { ...made, handOver, blocks, pushes, isUnique };
    this.#made.set(keyOf(names), rest);
    return rest;
  }
}

/** By how much each stop pushes what rests there: it cannot pull. In memory that is used again. */
export function pushesOf(rest: Rest): Float64Array {
  const { limits, readout, mechanism, blocks, pushes, isUnique } = rest;
  const { reactions } = readout;
  const values = isUnique ? reactions.ownMultipliers() : reactions.multipliers().values;
  for (let i = 0; i < blocks.length; i++) {
    const { block, firstRow } = blocks[i]!;
    const factor = driveFactor(block.rows[0]!, mechanism.steps.stepBegin);
    pushes[i] = -limits[i]!.side * (values[firstRow]! * factor);
  }
  return pushes;
}

/** The least push; NaN where one is. */
export function leastOf(pushes: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < pushes.length; i++) least = Math.min(least, pushes[i]!);
  return least;
}

/** Whether joint coordinates of two mechanisms mean the same: along trees with the same nodes, and both integrate them. */
function haveSameTree(one: Mechanism, other: Mechanism): boolean {
  const nodesOf = ({ source }: Mechanism) => JSON.stringify(source.tree.plan.tree.nodes);
  const alongTree = [one, other].every(({ coordinateChoice: { kind } }) => kind === "relative");
  return alongTree && nodesOf(one) === nodesOf(other);
}

function keyOf(limits: readonly string[]): string {
  return JSON.stringify([...limits].sort());
}
