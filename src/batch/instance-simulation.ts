import { Node } from "../../assembly/layout-tree.js";
import { NodriftError } from "../base/errors.js";
import type { Floats } from "../base/memory/arena.js";
import type { System } from "../interfaces/index.js";
import type { ModelSettings } from "../model/settings.js";
import type { BodySource } from "../run/bodies/simulation/mechanism.js";
import { BodySimulation, type CheckedBodyOptions } from "../run/bodies/simulation/simulation.js";
import type { SavedState, SteppedSystem } from "../run/stepping/stepped-system.js";
import { formulasOf, hasFunctions } from "../systems/bodies/plan/plan.js";
import type { BodySystem } from "../systems/bodies/system/system.js";
import { RelativeSystem } from "../systems/relative/system/system.js";

/** Values that were set, and what they make of the constants in memory. */
export interface InstanceConstants {
  readonly settings: ModelSettings;
  /** Contents of {@link constantsIn}, in this order. */
  readonly values: readonly Float64Array[];
}

/** What distinguishes an instance, besides the number of its steps. */
export interface Instance {
  readonly state: SavedState;
  constants: InstanceConstants;
  /** Time from which steps are counted. */
  origin: number;
}

/** Returns the memory that `set` rewrites: masses, gravity and constants of forces. */
function constantsIn({ system, arena }: SteppedSystem): Floats[] {
  const found: System = system;
  if (found instanceof RelativeSystem) {
    const { constants, nodes } = found.segments;
    const { masses, data } = found.bodyQuantities.segments;
    // Gravity is the acceleration of the first node, the ground.
    const ground = { ...nodes, slots: Node.LENGTH };
    return [constants, ground, masses, data].map((segment) => arena.floats(segment));
  }
  const { masses, data } = (found as BodySystem).segments;
  return [masses, data].map((segment) => arena.floats(segment));
}

/**
 * One simulation that becomes each instance of a batch in turn. So whatever is not done for many instances together is
 * done by the code of single simulations.
 */
export class InstanceSimulation extends BodySimulation {
  readonly #source: BodySource;
  readonly #own: SteppedSystem;
  readonly #live: readonly Floats[];
  /** Functions and formulas hold constants outside of the memory. */
  readonly #hasCode: boolean;
  readonly #origin: number;
  readonly #start: SavedState;
  readonly #constants = new Map<string, InstanceConstants>();
  readonly #length: number;
  #placed: InstanceConstants | undefined;
  /** Whether kernels move states without unwrapped angles, which are coordinates then. */
  hasLanes = false;

  constructor(source: BodySource, options: CheckedBodyOptions) {
    super(source, options);
    this.#source = source;
    this.#own = this.stepped;
    this.#live = constantsIn(this.stepped);
    this.#hasCode = hasFunctions(source.data) || formulasOf(source.data).length > 0;
    this.#origin = this.time;
    this.#length = this.step;
    this.#start = this.stepped.keep();
  }

  /** Number of steps since the origin of the instance. */
  get stepsTaken(): number {
    return this.counted;
  }

  /** The system that takes the steps, and its memory. */
  get inner(): SteppedSystem {
    return this.#own;
  }

  /** Returns to the start of the compiled model, with its values. */
  begin(): void {
    if (this.settings !== this.#source.settings) {
      this.stepped.restore(this.#start);
      this.applySettings(this.#source.settings, this.#source);
    }
    this.#placed = undefined;
    this.stepped.restore(this.#start);
    this.restartCount(this.#origin);
  }

  /** Becomes an instance after some steps; with `isRead` also in what only readings use. */
  place({ state, constants, origin }: Instance, steps: number, isRead = false): void {
    const { stepped } = this;
    if (this.hasLanes) {
      stepped.restore(state);
      stepped.system.continuation.finaliseState(origin + steps * this.step);
      stepped.saveTo(state);
    }
    if ((isRead || this.#hasCode) && this.settings !== constants.settings) {
      stepped.restore(state);
      this.applySettings(constants.settings);
      this.#placed = undefined;
    }
    if (this.#placed !== constants) {
      for (let i = 0; i < this.#live.length; i++) this.#live[i]!.set(constants.values[i]!);
      this.#placed = constants;
    }
    // Angles and outputs of controllers, which belong to the state, are among the constants.
    stepped.restore(state);
    this.restartCount(origin, steps);
  }

  /** Returns the constants and the time of an instance that was prepared. */
  prepared(where: string): Pick<Instance, "constants" | "origin"> {
    const why = this.#obstacle();
    if (why !== undefined) throw new NodriftError("DESCRIPTION", `${where}: ${why}`);
    const key = JSON.stringify(this.settings);
    let constants = this.#constants.get(key);
    if (constants === undefined) {
      const values = this.#live.map((segment) => segment.slice());
      constants = { settings: this.settings, values };
      this.#constants.set(key, constants);
    }
    return { constants, origin: this.time };
  }

  #obstacle(): string | undefined {
    if (this.stepped !== this.#own) {
      return (
        "this set moves joints or locks them, which changes the structure in memory; a batch sets masses, gravity and " +
        "forces: compile the other geometry and make a batch of it"
      );
    }
    if (this.stepped.loads) return "pushes and grips act on single simulations only";
    if (this.observer) return "single simulations only can be recorded";
    if (this.step !== this.#length) return "all instances have the step of the batch";
    return undefined;
  }
}
