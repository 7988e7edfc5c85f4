import { Rank, SensorEntry, SensorKind, Want } from "../../../../assembly/layout-bodies.js";
import { NodeKind, StepSetting } from "../../../../assembly/layout-tree.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { Continuation, Loops, Turns } from "../../../seam/index.js";
import { type Constants, holdCouplings } from "../../bodies/plan/coupling-offsets.js";
import {
  AnglePrediction,
  angleCount,
  SLOW_TURN,
  turnOfStep,
  turnsOf,
} from "../../bodies/system/angle-continuation.js";
import { COMPLIANCE, carryOn, complianceOf } from "../../bodies/system/continuation.js";
import { LEAST_COMPLIANCE, type RankKnowledge } from "../../bodies/system/rank-knowledge.js";
import { BLOWN_UP } from "../../bodies/system/solve-errors.js";
import type { PlannedNode } from "../plan/tree-plan.js";
import type { Publication } from "./public-state.js";
import type { RelativeQuantities } from "./quantities.js";

/**
 * A tenth of the compliance of maximal coordinates. Only rows that close loops feel it here, and each is measured against
 * the largest of its joint, so less of it is enough. On four-bars that come in line from six starts it takes the error of
 * positions from 6e-7 m to 3e-8 m at worst, on forty four-bars in a row from 2.6e-7 to 5e-8; a hundredth is no better.
 */
const PER_TURN = 1 / 250;

/** Places among the velocities of a tree of those of a node that turn bodies. */
function angularVelocities({ kind, velocity }: PlannedNode): number[] {
  switch (kind) {
    case NodeKind.HINGE:
    case NodeKind.SCREW:
      return [velocity];
    case NodeKind.BALL:
      return [velocity, velocity + 1, velocity + 2];
    case NodeKind.FREE:
      return [velocity + 3, velocity + 4, velocity + 5];
    default:
      return [];
  }
}

/** Turns of angles, what couplings hold, and the compliance of each step. */
export class RelativeContinuation implements Continuation {
  readonly turns: Turns;
  readonly #system: RelativeQuantities;
  readonly #ranks: RankKnowledge;
  readonly #loops: Loops | undefined;
  readonly #published: Publication;
  /** Angles of the tree count their turns themselves. */
  readonly #own: { readonly positions: Int32Array; readonly slots: Int32Array };
  /** Others are counted from step to step; by how much bodies may turn in one. */
  readonly #counts: boolean;
  readonly #counted: { readonly address: Address; readonly count: number };
  readonly #turn: number;
  /** Velocities of the tree that are angular. */
  readonly #turning: Int32Array;
  #state = new Float64Array(0);
  readonly #settingsAddress: Address;
  #settings = new Float64Array(0);

  constructor(
    system: RelativeQuantities,
    ranks: RankKnowledge,
    loops: Loops | undefined,
    published: Publication,
    length: number,
  ) {
    const { rest, tree } = system.plan;
    this.#system = system;
    this.#ranks = ranks;
    this.#loops = loops;
    this.#published = published;
    const isAngle = (sensor: number) => rest.model.sensors[sensor]?.kind === SensorKind.ANGLE;
    const own = tree.nodes.filter(({ sensor }) => isAngle(sensor));
    this.#own = {
      positions: Int32Array.from(own, ({ position }) => position),
      slots: Int32Array.from(
        own,
        ({ sensor }) => rest.sensorList[SensorEntry.LENGTH * sensor + SensorEntry.DATA]!,
      ),
    };
    const owned = new Set(tree.nodes.map(({ sensor }) => sensor));
    const counted = [...rest.model.sensors.keys()].filter((i) => isAngle(i) && !owned.has(i));
    const list = system.workspace.reserve("counted angles", Math.ceil(counted.length / 2));
    this.#counted = { address: list.address, count: counted.length };
    this.#counts = counted.length > 0;
    this.#turning = Int32Array.from(tree.nodes.flatMap(angularVelocities));
    this.#turn = this.#counts ? turnOfStep(rest) : Number.POSITIVE_INFINITY;
    system.bodies.prediction = new AnglePrediction(
      {
        plan: rest,
        get arrays() {
          return system.bodies.arrays;
        },
        load: (t) => system.load(t),
        requireSensors: (want) => system.bodies.requireSensors(want),
        angularRate: () => this.#angularRate(),
        angularBound: () => this.#angularBound(),
      },
      (sensor) => !owned.has(sensor),
    );
    this.turns = this.#turnsOf();
    const settings = system.workspace.reserve("settings of steps", StepSetting.LENGTH);
    this.#settingsAddress = settings.address;
    // Sensors that rows read are to be continued in each step, and Euler parameters to be normalised.
    const isUsed = (sensor: number) =>
      rest.sensorList[SensorEntry.LENGTH * sensor + SensorEntry.USED] !== 0;
    const isPlain =
      tree.positions === tree.velocities && ![...rest.model.sensors.keys()].some(isUsed);
    if (isPlain) system.stepSettings = settings.address;
    system.workspace.whenSealed((arena) => {
      this.#state = arena.floats(system.segments.state);
      arena.integers(list).set(counted);
      this.#settings = arena.floats(settings);
      this.#settings[StepSetting.REACH] = length;
      this.#settings[StepSetting.PER_TURN] = PER_TURN;
      this.#settings[StepSetting.LEAST] = LEAST_COMPLIANCE;
      this.#settings[StepSetting.MOST] = COMPLIANCE.most;
      this.#settings[StepSetting.COUNTED] = counted.length;
      this.#settings[StepSetting.COUNTED_LIST] = list.address;
      this.#settings[StepSetting.BLOWN_UP] = BLOWN_UP;
      this.#settings[StepSetting.SLOW_TURN] = SLOW_TURN;
    });
  }

  /** The end of a step is the beginning of the next: what is known of it is kept. */
  beginStep(t: number, h: number): void {
    const system = this.#system;
    const { kernels, bodies } = system;
    bodies.factor.isKept = false;
    // Sensors depend on time while they are predicted.
    const isPredicted = this.#counts && bodies.prediction.begin(t, h);
    system.keepsStates = h !== 0 && !isPredicted;
    const follows = this.#ranks.known === Rank.KNOWN && !this.#loops?.controlsError;
    this.#settings[StepSetting.FOLLOWS] = follows ? 1 : 0;
    if (!follows) return;
    if (h === 0) {
      // The state is about to be set.
      this.#ranks.compliance = complianceOf(0);
      return;
    }
    system.load(t);
    bodies.requireFrames();
    this.#ranks.compliance = kernels.treeCompliance(system.table, h, this.#settingsAddress);
  }

  stepLimit(): number {
    if (!this.#counts) return Number.POSITIVE_INFINITY;
    return this.#turn / this.#angularRate();
  }

  finaliseState(t: number): void {
    const system = this.#system;
    system.bodies.factor.isKept = false;
    system.requireFinite(t);
    system.normalise(system.state.q);
    this.#keepAngles();
    if (!this.#counts) return;
    system.load(t);
    // Frames, which rows need as well.
    system.bodies.require(Want.PHI);
    system.bodies.prediction.confirm(t);
    const { address, count } = this.#counted;
    system.kernels.bodyContinueSome(system.bodies.table, count, address);
  }

  get hasBreaks(): boolean {
    return this.#system.plan.rest.model.controllers.length > 0;
  }

  arrive(t: number): boolean {
    const system = this.#system;
    // Before the function below is made: nothing is, in steps without samples.
    if (!system.bodies.controllers.isDue(t)) return false;
    return system.bodies.arrive(t, () => {
      system.keepsStates = false;
      system.load(t);
    });
  }

  nextBreak(t: number): number {
    return this.#system.bodies.controllers.nextBreak(t);
  }

  continueFrom(previous: Continuation, t: number): void {
    this.#system.keepsStates = false;
    const { plan, bodies } = this.#system;
    carryOn(previous, this.constants, () =>
      holdCouplings(
        {
          plan: plan.rest,
          arrays: bodies.arrays,
          sensorValues: () => this.#system.sensorValues(t),
        },
        t,
      ),
    );
  }

  get constants(): Constants {
    const { plan, bodies } = this.#system;
    return { ...plan.rest, data: bodies.arrays.data };
  }

  /**
   * The same numbers as in maximal coordinates: threads of screws, which are no rows here, hold what they held at the
   * start.
   */
  #turnsOf(): Turns {
    const { rest, whole } = this.#system.plan;
    const data = () => this.#system.bodies.arrays.data;
    const own = turnsOf(rest, data);
    const all = turnsOf(whole, () => Float64Array.from(whole.data));
    const numbers = new Float64Array(all.count);
    all.read(numbers);
    const angles = angleCount(rest);
    const others = own.names.slice(angles);
    const places = all.names.map((name, i) => {
      if (i < angles) return i;
      const place = others.indexOf(name);
      return place < 0 ? -1 : angles + place;
    });
    const few = new Float64Array(own.count);
    return {
      count: all.count,
      names: all.names,
      // What was written stays until the state is final: given turns come before the state they belong to.
      read: (out) => {
        own.read(few);
        for (let i = 0; i < out.length; i++) {
          const place = places[i]!;
          out[i] = place < 0 ? numbers[i]! : few[place]!;
        }
      },
      write: (from) => {
        this.#system.keepsStates = false;
        for (let i = 0; i < from.length; i++) if (places[i]! >= 0) few[places[i]!] = from[i]!;
        own.write(few);
      },
    };
  }

  /** Sensors of tree joints count from the coordinate itself. */
  #keepAngles(): void {
    const { data } = this.#system.bodies.arrays;
    const { positions, slots } = this.#own;
    const state = this.#state;
    for (let i = 0; i < slots.length; i++) data[slots[i]!] = state[positions[i]!]!;
  }

  /** No body turns faster than all joints of the tree together: as a rule that is slow enough, and bodies need not be asked. */
  #angularBound(): number {
    const { positions } = this.#system;
    let sum = 0;
    for (let i = 0; i < this.#turning.length; i++) {
      sum += Math.abs(this.#state[positions + this.#turning[i]!]!);
    }
    return sum;
  }

  /** The largest angular velocity of a body at the accepted state. */
  #angularRate(): number {
    const { kernels, bodies, state } = this.#system;
    return kernels.bodyAngularRate(bodies.table, this.#published.bodies(state.q));
  }
}
