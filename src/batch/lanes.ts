import { LaneNode, LaneTable, Node, NodeConstant, NodeKind } from "../../assembly/layout-tree.js";
import type { Floats, Segment } from "../base/memory/arena.js";
import { Workspace } from "../base/memory/workspace.js";
import type { LaneKernels } from "../base/wasm/generated-lanes.js";
import { initLanesSync } from "../base/wasm/lanes.js";
import type { ExplicitStages, Method, Ode, Stepper, System } from "../interfaces/index.js";
import { MAX_COORDINATE } from "../systems/bodies/system/solve-errors.js";
import type { TreePlan } from "../systems/relative/plan/tree-plan.js";
import { RelativeSystem } from "../systems/relative/system/system.js";

/** Whether the kernel computes everything that a step of this tree needs. */
function fits({ plan, rows, hasLoads, isAutonomous }: RelativeSystem): boolean {
  const { nodes } = plan.tree;
  const { sensors } = plan.rest.model;
  const own = new Set(nodes.map(({ sensor }) => sensor));
  return (
    rows === 0 &&
    !hasLoads &&
    isAutonomous &&
    nodes.every(
      ({ kind, position, velocity }) => kind === NodeKind.HINGE && position === velocity,
    ) &&
    // Other sensors of angles are counted from step to step.
    sensors.every((_, sensor) => own.has(sensor))
  );
}

/** Instances in a record: number k of the one in lane l is in slot 2 k + l. */
const LANES = 2;
/** Instances that are computed together, in two records. */
const TOGETHER = 4;

/** All instances of a tree of hinges in one memory, advanced four at a time. */
export class Lanes {
  /** States of all instances, one after the other. */
  readonly states: Floats;
  /** Steps that each instance has taken in the last call. */
  readonly taken: Int32Array;
  readonly #wanted: Int32Array;
  readonly #constants: Floats;
  readonly #count: number;
  readonly #stepper: Stepper;

  /** Returns undefined if the kernel does not support the mechanism or the method. */
  static of(system: System, method: Method, count: number): Lanes | undefined {
    if (!(system instanceof RelativeSystem && fits(system) && "integrator" in method)) {
      return undefined;
    }
    const lanes = new Lanes(system.plan.tree, method.integrator, count);
    return lanes.#stepper.steps ? lanes : undefined;
  }

  private constructor(
    tree: TreePlan,
    integrator: Extract<Method, { readonly integrator: unknown }>["integrator"],
    count: number,
  ) {
    const workspace = new Workspace(initLanesSync);
    const nodes = tree.nodes.length + 1;
    const dimension = tree.positions + tree.velocities;
    const reserve = (name: string, slots: number) => workspace.reserve(name, slots);
    const padded = TOGETHER * Math.ceil(count / TOGETHER);
    const table = reserve("table", Math.ceil((LaneTable.LENGTH + LaneNode.LENGTH * nodes) / 2));
    const records = reserve("nodes", TOGETHER * Node.LENGTH * nodes);
    const constants = reserve("constants", NodeConstant.LENGTH * nodes * padded);
    const trial = reserve("trial state", TOGETHER * dimension);
    const accepted = reserve("state", TOGETHER * dimension);
    const states = reserve("states", dimension * count);
    const wanted = reserve("wanted", padded / 2);
    const taken = reserve("taken", padded / 2);
    let kernels!: LaneKernels;
    const steps = (_t: number, h: number, _count: number, step: ExplicitStages) => {
      const { count: stages, tableau, slopes } = step;
      kernels.treeLanes(table.address, stages, h, MAX_COORDINATE, tableau, slopes);
      return 0;
    };
    const refuse = () => {
      throw new Error("lanes take whole steps");
    };
    // Its tableau comes into this memory.
    const ode: Ode = {
      dimension: TOGETHER * dimension,
      positions: TOGETHER * tree.positions,
      y: accepted.address,
      trial: trial.address,
      rate: refuse,
      tolerate() {},
      fused: { stages: refuse, takesSteps: true, steps },
    };
    this.#stepper = integrator.bind(ode, workspace);
    const arena = workspace.seal();
    kernels = arena.kernels as unknown as LaneKernels;
    const fields: readonly [LaneTable, Segment | number][] = [
      [LaneTable.NODE_COUNT, nodes],
      [LaneTable.NODES, records],
      [LaneTable.CONSTANTS, constants],
      [LaneTable.TRIAL, trial],
      [LaneTable.ACCEPTED, accepted],
      [LaneTable.INSTANCES, count],
      [LaneTable.STATES, states],
      [LaneTable.WANTED, wanted],
      [LaneTable.TAKEN, taken],
    ];
    const integers = arena.integers(table);
    for (const [field, value] of fields) {
      integers[field] = typeof value === "number" ? value : value.address;
    }
    for (const [i, { parent, turn, position }] of tree.nodes.entries()) {
      const entry = LaneTable.LENGTH + LaneNode.LENGTH * (i + 1);
      integers[entry + LaneNode.PARENT] = parent + 1;
      integers[entry + LaneNode.ALIGNED] = turn.every((x, k) => x === (k % 4 === 0 ? 1 : 0))
        ? 1
        : 0;
      integers[entry + LaneNode.COORDINATE] = position;
    }
    const ground = arena.floats(records);
    for (const record of [0, LANES * Node.LENGTH * nodes]) {
      for (const k of [0, 4, 8]) {
        const first = record + LANES * (Node.ROTATION + k);
        ground.fill(1, first, first + LANES);
      }
    }
    this.#count = count;
    this.#constants = arena.floats(constants);
    this.states = arena.floats(states);
    this.taken = arena.integers(taken);
    this.#wanted = arena.integers(wanted);
  }

  /** Takes the constants of an instance from its values: the constants of the nodes, and the record of the ground. */
  setConstants(instance: number, [nodes, ground]: readonly Float64Array[]): void {
    const slots = nodes!.length;
    const all = this.#constants;
    // The last one fills the lanes after it, which are computed as well.
    const end = instance + 1 < this.#count ? instance + 1 : all.length / slots;
    for (let i = instance; i < end; i++) {
      const first = slots * (i - (i % LANES)) + (i % LANES);
      for (let k = 0; k < slots; k++) all[first + LANES * k] = nodes![k]!;
      // The kernel reads gravity from the constants of the ground.
      for (let k = 0; k < 3; k++) all[first + LANES * k] = ground![Node.BIAS + 3 + k]!;
    }
  }

  /** Takes the steps of length h that instances want, as far as the kernel can: see {@link taken}. */
  take(h: number, wanted: Int32Array): void {
    this.#wanted.set(wanted);
    this.#stepper.steps!(0, h, 1);
  }
}
