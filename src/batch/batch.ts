// Many instances of one compiled model: the same mechanism with other values and other starts.
//
// An instance is what distinguishes it from the others: a state, constants, and a count of steps. Trees of hinges go
// four at a time through one kernel (lanes.ts). Everything else is done by one simulation that becomes each instance in
// turn (instance-simulation.ts), so bits are those of single simulations. Rejected: a simulation for each instance,
// whose memories and kernels displace each other from the caches, and which takes a millisecond to make.

import {
  argument,
  callback,
  finite,
  hint,
  isList,
  locationOf,
  needed,
  optionsOf,
  ReentryGuard,
  type Rule,
  rule,
  type Shape,
  show,
  whole,
} from "../base/checking/index.js";
import { NodriftError } from "../base/errors.js";
import type { Method } from "../interfaces/index.js";
import type { MethodOption } from "../methods/names/method-rule.js";
import { CompiledModel } from "../run/bodies/compiled-model.js";
import {
  type BodySimulation,
  type CheckedBodyOptions,
  defaultMethod,
} from "../run/bodies/simulation/simulation.js";
import { limitsOf } from "../run/contact/contact.js";
import { stabilisationsOf } from "../run/stepping/compatibility.js";
import { fixedStepMethod, stepLength } from "../run/stepping/options.js";
import { type Instance, InstanceSimulation } from "./instance-simulation.js";
import { Lanes } from "./lanes.js";

/** Prepares an instance: sets values and moves joints, as one does with a single simulation. */
export type Preparation = (simulation: BodySimulation, instance: number) => void;

/** Options of {@link batch}. */
export interface BatchOptions {
  /** Length of a step in seconds. */
  readonly step: number;
  /** Default: that of `simulate`. An explicit one-step method with `udwadiaKalaba`. */
  readonly method?: MethodOption;
  /** Prepares each instance, from the start of the compiled model. */
  readonly prepare?: Preparation;
}

interface CheckedBatchOptions extends CheckedBodyOptions {
  readonly prepare?: Preparation;
}

const SHAPE: Shape<CheckedBatchOptions> = {
  step: needed(stepLength),
  method: fixedStepMethod,
  prepare: callback<Preparation>("a function that prepares a simulation"),
};

const COMPILED = rule<CompiledModel>(
  "a compiled model: what compile(...) resolves to",
  (value) => value instanceof CompiledModel,
);
const COUNT = whole(1);
const STEPS = whole(0);

/** An instance whose step failed. It stays in the state before that step until it is reset. */
export interface BatchFailure {
  readonly instance: number;
  /** Time of its last state. */
  readonly time: number;
  readonly error: NodriftError;
}

/** Stabilisations that keep nothing from step to step. */
const FORGETFUL = ["none", "projection", "stagedProjection", "stagedProjection(velocities)"];

/** Throws unless an instance is its state, constants and count of steps. */
function requireSupported({ data }: CompiledModel, method: Method): void {
  const { name } = "coupled" in method ? method.coupled : method.formulation;
  const other = stabilisationsOf(method).find((each) => !FORGETFUL.includes(each.name));
  const isExplicit =
    "integrator" in method && !method.integrator.isMultistep && !method.integrator.isImplicit;
  if (name !== "udwadiaKalaba" || other !== undefined || !isExplicit) {
    const odd =
      other?.name ??
      (name === "udwadiaKalaba" && "integrator" in method ? method.integrator.name : name);
    throw new NodriftError(
      "METHOD",
      `batch: ${odd} keeps more than a state from step to step; give an explicit one-step method, such as ` +
        "{ ...defaultMethod(), integrator: ssprk3() }",
    );
  }
  const stop = limitsOf(data).find(({ isRigid }) => isRigid);
  const rubbing = data.forces.find(({ reaction }) => reaction !== undefined);
  const part = stop ? `the rigid stop "${stop.stop}"` : rubbing && `the friction "${rubbing.name}"`;
  if (part === undefined) return;
  throw new NodriftError(
    "DESCRIPTION",
    `batch: ${data.name}: ${part} keeps more than a state from step to step, which a batch does not support yet: ` +
      "use simulate",
  );
}

/**
 * Makes `count` instances of a compiled model that are advanced together, for Monte Carlo studies, optimisation and
 * learning. Instance i has the same bits as the simulation that `compiled.simulate` makes with the same options and
 * `prepare` prepares.
 *
 * @example
 * const swings = batch(await compile(pendulum), 1000, {
 *   step: 1e-3,
 *   prepare: (simulation, i) => simulation.set("bob", { mass: 1 + i / 1000 }).setCoordinates({ hinge: 0.5 }),
 * });
 * const angles = swings.advance(2000).positions("hinge angle");
 */
export function batch(
  compiled: CompiledModel,
  count: number,
  options: BatchOptions,
  ...more: undefined[]
): Batch {
  argument("batch", "DESCRIPTION", "the model", compiled, COMPILED);
  argument("batch", "STEP", "the number of instances", count, COUNT);
  const read = optionsOf("batch", "STEP", options, SHAPE, more);
  const { method = defaultMethod(), prepare = () => {} } = read;
  requireSupported(compiled, method);
  return new Batch(compiled, count, { step: read.step, method }, prepare);
}

function copyInstance({ state, ...rest }: Instance, to: Instance): void {
  to.state.numbers.set(state.numbers);
  to.state.unwrappedAngles.set(state.unwrappedAngles);
  Object.assign(to, rest);
}

/** Which instances to advance: an entry for each; those that are 0 or false rest. */
export type InstanceMask = ArrayLike<number | boolean>;

/** Instances of one compiled model. Made by {@link batch}. */
export class Batch {
  /** Number of instances. */
  readonly count: number;
  /** Length of a step in seconds. */
  readonly step: number;
  /** Name of the method. */
  readonly method: string;
  /** Names of the coordinates of the method, in the order of {@link states}. */
  readonly coordinates: {
    readonly positions: readonly string[];
    readonly velocities: readonly string[];
  };
  /**
   * States of all instances, one after the other: a live view. Each has the positions, then the velocities, of
   * {@link coordinates}. To change a state, use `change` or `reset`.
   */
  readonly states: Float64Array;
  readonly #make: () => InstanceSimulation;
  #simulation: InstanceSimulation;
  readonly #instances: readonly Instance[];
  readonly #starts: readonly Instance[];
  readonly #failures: (BatchFailure | undefined)[];
  #lanes: Lanes | undefined;
  /** Steps of each instance since its origin. */
  readonly #steps: Float64Array;
  readonly #wanted: Int32Array;
  readonly #guard = new ReentryGuard("the batch");

  /** @internal */
  constructor(
    compiled: CompiledModel,
    count: number,
    options: CheckedBodyOptions & { readonly method: Method },
    prepare: Preparation,
  ) {
    this.#make = () => {
      const made = new InstanceSimulation(compiled, options);
      made.hasLanes = this.#lanes !== undefined;
      return made;
    };
    this.#simulation = this.#make();
    const { inner } = this.#simulation;
    const { positionNames, velocityNames } = inner.system.coordinates;
    this.count = count;
    this.step = options.step;
    this.method = this.#simulation.method;
    this.coordinates = Object.freeze({
      positions: Object.freeze([...(positionNames ?? velocityNames)]),
      velocities: Object.freeze([...velocityNames]),
    });
    this.#lanes = Lanes.of(inner.system, options.method, count);
    this.#simulation.hasLanes = this.#lanes !== undefined;
    const size = this.#size;
    this.states = this.#lanes?.states ?? new Float64Array(size * count);
    this.#steps = new Float64Array(count);
    this.#wanted = new Int32Array(count);
    this.#failures = new Array<undefined>(count).fill(undefined);
    const start = this.#simulation.prepared("batch");
    const angles = inner.unwrappedAngles.length;
    const instances = (states: Float64Array): Instance[] => {
      const all = new Float64Array(angles * count);
      return Array.from({ length: count }, (_, i) => {
        const numbers = states.subarray(size * i, size * (i + 1));
        const unwrappedAngles = all.subarray(angles * i, angles * (i + 1));
        return { ...start, state: { numbers, unwrappedAngles } };
      });
    };
    this.#instances = instances(this.states);
    this.#starts = instances(new Float64Array(size * count));
    for (let i = 0; i < count; i++) this.#prepare("batch", i, prepare);
  }

  /** Times of all instances, in seconds: a copy. */
  get times(): Float64Array {
    return Float64Array.from(this.#instances, (_, i) => this.#timeOf(i));
  }

  /** Instances whose step failed; the others go on. */
  get failures(): readonly BatchFailure[] {
    return this.#failures.filter((failure) => failure !== undefined);
  }

  /**
   * Takes steps with all instances that have not failed, or with those of a mask.
   *
   * @example
   * swings.advance(100, swings.positions("hinge angle").map((angle) => (angle < 1 ? 1 : 0)));
   */
  advance(steps = 1, only?: InstanceMask): this {
    argument("advance", "STEP", "the number of steps", steps, STEPS);
    this.#guard.refuse("advance");
    this.#select("advance", only, () => steps);
    this.#take();
    return this;
  }

  /** Advances instances to a time, in full steps plus one shorter last step if needed. */
  advanceTo(time: number, only?: InstanceMask): this {
    finite.read(time, locationOf("", "STEP", "advanceTo: the time"));
    this.#guard.refuse("advanceTo");
    this.#select("advanceTo", only, (i) => {
      const now = this.#timeOf(i);
      if (time < now) {
        throw new NodriftError(
          "STEP",
          `advanceTo(${time}) lies before the present time ${now} of instance ${i}: leave it out with a mask`,
        );
      }
      return Math.floor((time - now) / this.step + 1e-9);
    });
    const selected = this.#wanted.map((wanted) => (wanted < 0 ? 0 : 1));
    this.#take();
    for (let i = 0; i < this.count; i++) {
      const rest = time - this.#timeOf(i);
      if (selected[i] === 0 || this.#failures[i] || !(rest > 1e-9 * this.step)) continue;
      this.#alone(i, (simulation) => simulation.runTo(time));
      if (this.#failures[i] === undefined) {
        this.#instances[i]!.origin = time;
        this.#steps[i] = 0;
      }
    }
    return this;
  }

  /**
   * Returns one position of all instances, by its name in {@link coordinates}; in `out` if that is given.
   *
   * @example
   * const angles = swings.positions("hinge angle");
   */
  positions(name: string, out?: Float64Array): Float64Array {
    return this.#column("positions", name, 0, out);
  }

  /** Returns one velocity of all instances, by its name in {@link coordinates}; in `out` if that is given. */
  velocities(name: string, out?: Float64Array): Float64Array {
    return this.#column("velocities", name, this.coordinates.positions.length, out);
  }

  /**
   * Reads a number or a list of numbers of every instance, as from a single simulation: one after the other in `out`.
   * If instances have different values, every reading of one sets them again, which takes as long as `set`.
   *
   * @example
   * const positions = swings.read((simulation) => simulation.body("bob").position);   // x, y, z of each
   */
  read(
    reader: (simulation: BodySimulation, instance: number) => number | ArrayLike<number>,
    out?: Float64Array,
  ): Float64Array {
    argument("read", "STEP", "the reader", reader, callback());
    return this.#guarded("read", () => {
      let found: Float64Array | undefined = out;
      let length = 0;
      for (let i = 0; i < this.count; i++) {
        this.#simulation.place(this.#instances[i]!, this.#steps[i]!, true);
        const given = reader(this.#simulation, i);
        const values = Array.from(isList(given) ? given : [given]);
        const odd = values.findIndex((value) => typeof value !== "number");
        if (odd >= 0) {
          throw new NodriftError(
            "STEP",
            `read: instance ${i} gave ${show(values[odd])}; return a number or a list of numbers`,
          );
        }
        if (i === 0) {
          length = values.length;
          found ??= new Float64Array(length * this.count);
          this.#requireRoom("read", found, length * this.count);
        }
        if (values.length !== length) {
          throw new NodriftError(
            "STEP",
            `read: instance ${i} gave ${values.length} numbers, the first one gave ${length}`,
          );
        }
        found!.set(values, length * i);
      }
      return found!;
    });
  }

  /**
   * Returns an instance to its start, also after a failure. With `prepare`, that start is prepared anew from the one of
   * the compiled model.
   *
   * @example
   * for (const { instance } of swings.failures) swings.reset(instance);
   */
  reset(instance: number, prepare?: Preparation): this {
    this.#requireInstance("reset", instance);
    if (prepare !== undefined) argument("reset", "STEP", "prepare", prepare, callback());
    this.#guard.refuse("reset");
    if (prepare) this.#prepare("reset", instance, prepare);
    else {
      const start = this.#starts[instance]!;
      copyInstance(start, this.#instances[instance]!);
      this.#steps[instance] = 0;
      this.#failures[instance] = undefined;
      this.#lanes?.setConstants(instance, start.constants.values);
    }
    return this;
  }

  /**
   * Changes an instance between two steps, as one changes a single simulation.
   *
   * @example
   * swings.change(3, (simulation) => simulation.set({ gravity: [0, 0, -1.62] }));
   */
  change(instance: number, change: Preparation): this {
    this.#requireInstance("change", instance);
    argument("change", "STEP", "the change", change, callback());
    this.#guard.refuse("change");
    this.#simulation.place(this.#instances[instance]!, this.#steps[instance]!, true);
    this.#apply("change", instance, change);
    return this;
  }

  /** Numbers of a state. */
  get #size(): number {
    return this.coordinates.positions.length + this.coordinates.velocities.length;
  }

  #column(
    where: "positions" | "velocities",
    name: string,
    first: number,
    out: Float64Array = new Float64Array(this.count),
  ): Float64Array {
    const names = this.coordinates[where];
    const index = names.indexOf(name);
    if (index < 0) {
      throw new NodriftError(
        "DESCRIPTION",
        `${where}: no coordinate is named ${show(name)}${hint(String(name), names)}`,
      );
    }
    this.#requireRoom(where, out, this.count);
    const size = this.#size;
    for (let i = 0; i < this.count; i++) out[i] = this.states[size * i + first + index]!;
    return out;
  }

  #timeOf(instance: number): number {
    return this.#instances[instance]!.origin + this.#steps[instance]! * this.step;
  }

  #requireInstance(where: string, instance: number): void {
    argument(where, "STEP", "the instance", instance, whole(0, this.count - 1) as Rule<number>);
  }

  #requireRoom(where: string, out: unknown, length: number): void {
    if (out instanceof Float64Array && out.length === length) return;
    throw new NodriftError(
      "STEP",
      `${where}: out is ${show(out)}; give a Float64Array of length ${length}`,
    );
  }

  #guarded<Result>(where: string, act: () => Result): Result {
    this.#guard.enter(where);
    try {
      return act();
    } finally {
      this.#guard.leave();
    }
  }

  /** Prepares an instance from the start of the compiled model; it will be reset to the result. */
  #prepare(where: string, instance: number, prepare: Preparation): void {
    this.#simulation.begin();
    this.#apply(where, instance, prepare);
    copyInstance(this.#instances[instance]!, this.#starts[instance]!);
  }

  /** Lets a function change the simulation, which is the instance; if it throws, the instance stays as it was. */
  #apply(where: string, instance: number, change: Preparation): void {
    const simulation = this.#simulation;
    try {
      this.#guarded(where, () => change(simulation, instance));
      const own = this.#instances[instance]!;
      const { constants, origin } = simulation.prepared(`${where}: instance ${instance}`);
      simulation.inner.saveTo(own.state);
      Object.assign(own, { constants, origin });
      this.#steps[instance] = 0;
      this.#failures[instance] = undefined;
      this.#lanes?.setConstants(instance, constants.values);
    } catch (error) {
      // What it has done by then is not known.
      this.#simulation = this.#make();
      throw error;
    }
  }

  /** Writes the number of steps that each instance is to take; -1 for those that rest. */
  #select(
    where: string,
    only: InstanceMask | undefined,
    stepsOf: (instance: number) => number,
  ): void {
    if (only !== undefined && !(isList(only) && only.length === this.count)) {
      throw new NodriftError(
        "STEP",
        `${where}: the mask is ${show(only)}; give a list of ${this.count} entries`,
      );
    }
    for (let i = 0; i < this.count; i++) {
      const rests = this.#failures[i] !== undefined || (only !== undefined && !only[i]);
      this.#wanted[i] = rests ? -1 : stepsOf(i);
    }
  }

  /** Takes the wanted steps. */
  #take(): void {
    const wanted = this.#wanted;
    this.#lanes?.take(this.step, wanted);
    for (let i = 0; i < this.count; i++) {
      if (wanted[i]! < 0) continue;
      const taken = this.#lanes?.taken[i] ?? 0;
      this.#steps[i]! += taken;
      const left = wanted[i]! - taken;
      if (left > 0) this.#alone(i, (simulation) => simulation.advance(left));
    }
  }

  /** Advances one instance as a single simulation. */
  #alone(index: number, advance: (simulation: InstanceSimulation) => void): void {
    const instance = this.#instances[index]!;
    const simulation = this.#simulation;
    simulation.place(instance, this.#steps[index]!);
    try {
      advance(simulation);
    } catch (error) {
      if (!(error instanceof NodriftError)) throw error;
      this.#failures[index] = { instance: index, time: simulation.time, error };
    } finally {
      simulation.inner.saveTo(instance.state);
      this.#steps[index] = simulation.stepsTaken;
    }
  }
}
