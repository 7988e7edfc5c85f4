// The `model` API: bodies, joints and forces, validated as they are added.

import { answering, meant, refuseMore } from "../base/checking/index.js";
import {
  checkKeys,
  descriptionError,
  flag,
  label,
  ownOptions,
  show,
  type VectorLike,
  vector,
} from "../base/checking/values.js";
import { addBody, type BodyOptions } from "./body.js";
import type { ModelCall } from "./calls.js";
import { type AnyForceType, addForce } from "./forces/force-builder.js";
import { forces } from "./forces/index.js";
import { addUserForce, type UserForceOptions } from "./forces/user-force.js";
import type { Body, Controller, Force, Handle, Joint, States } from "./handles.js";
import { joints } from "./joints/index.js";
import { type AnyJointType, addJoint } from "./joints/joint-builder.js";
import { addMarker } from "./marker-placement.js";
import type { ModelData, Vector } from "./model-data.js";
import type { Parameter, Parametric } from "./parameter-types.js";
import { addController, type ControllerOptions, withNamedSets } from "./states/controller.js";
import { addStates, type StatesOptions } from "./states/states.js";
import { Store } from "./store.js";

/** Options of {@link model}. */
export interface ModelOptions {
  /** Name in messages and files. */
  readonly name?: string | undefined;
  /** Acceleration of gravity in the world, m/s^2. Default: (0, 0, -9.81). */
  readonly gravity?: VectorLike | undefined;
  /**
   * Compares user functions that are derivatives (`rate`, `acceleration`, `slope`) with finite differences at their
   * first call and once more later, and throws if they disagree. Default: true.
   */
  readonly check?: boolean | undefined;
}

/** Options of a type of joint or force. */
export type OptionsOf<Type> = Type extends
  | { rows(options: infer Options, ...rest: never): unknown }
  | { law(options: infer Options, ...rest: never): unknown }
  ? Options
  : never;

/** The methods of {@link Model} that add joints and drives. */
export type JointMethods = {
  readonly [Type in keyof typeof joints]: (
    options: Parametric<OptionsOf<(typeof joints)[Type]>>,
  ) => Joint<Type>;
};

/** The methods of {@link Model} that add forces. */
export type ForceMethods = {
  readonly [Type in keyof typeof forces]: (
    options: Parametric<OptionsOf<(typeof forces)[Type]>>,
  ) => Force<Type>;
};

/**
 * A mechanism being described. Every method validates its options. If they are wrong, it adds nothing and throws a
 * NodriftError that says what to change.
 */
export interface Model extends JointMethods, ForceMethods {
  /** Name in messages and files. */
  readonly name: string;
  /** Acceleration of gravity in the world. */
  readonly gravity: Vector;
  /** The fixed ground. Use it in joints and give it markers like a body. */
  readonly ground: Body;
  /**
   * Adds a rigid body.
   *
   * @example
   * const crank = m.body({ name: "crank", mass: 2, shape: rod({ length: 1, axis: [1, 0, 0] }) });
   */
  body(options: Parametric<BodyOptions>): Body;
  /**
   * Adds a named parameter, which can replace any number in options of bodies, markers, joints, forces and shapes, as
   * often as needed. Its value can be set by name at run time.
   *
   * @example
   * const k = m.parameter("k", 2e4);
   * m.spring({ between: [chassis, wheel], stiffness: k });
   * // later: simulation.set({ k: 3e4 });
   */
  parameter(name: string, value: number): Parameter;
  /**
   * Adds a user force: a function that adds to the force at the origin of each body's frame and to its torque, both
   * in the world.
   *
   * @example
   * m.userForce({
   *   bodies: [satellite],
   *   apply: ([{ position }], [{ force }]) => {
   *     const r = Math.hypot(...position);
   *     for (let i = 0; i < 3; i++) force[i]! -= (MU * position[i]!) / r ** 3;
   *   },
   * });
   */
  userForce(options: UserForceOptions): Force;
  /**
   * Adds unknowns y with y' = f(t, y, measurements), such as controllers, filters, hydraulics or heat. Every method
   * integrates them with the mechanism, to the same tolerance.
   *
   * @example
   * const pi = m.states({
   *   names: ["integral"],
   *   rates: (t, y, read) => [0.3 - read.angle(hinge)],
   * });
   * m.torsionSpring({
   *   joint: hinge,
   *   torque: (angle, rate, t, read) => 40 * (0.3 - angle) - 4 * rate + 25 * read.state(pi),
   * });
   */
  states(options: StatesOptions): States;
  /**
   * Adds a sampled controller: it reads the mechanism at multiples of a period and holds its outputs in between.
   * Steps end at the samples. Functions of motors, forces and states can read the outputs.
   *
   * @example
   * const pid = m.controller({
   *   every: 1e-3,
   *   outputs: ["torque"],
   *   memory: { sum: 0 },
   *   sample: (t, read, memory) => {
   *     const error = 0.3 - read.angle(hinge);
   *     memory[0] += 1e-3 * error;
   *     return [40 * error + 25 * memory[0] - 4 * read.angleRate(hinge)];
   *   },
   * });
   * m.motor({ joint: hinge, mode: "torque", target: (t, read) => read.output(pid) });
   */
  controller(options: ControllerOptions): Controller;
  /** Whether this model created the handle. */
  owns(handle: Handle | Parameter): boolean;
  /** All parameters so far. */
  parameters(): readonly Parameter[];
  /** The whole description as it is now, frozen. */
  data(): ModelData;
  /** All calls so far, in order; `writeModel` (nodrift/files) serialises them. */
  calls(): readonly ModelCall[];
}

/**
 * Creates an empty model of a mechanism.
 *
 * @example
 * const m = model({ name: "pendulum" });
 * const arm = m.body({ mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
 * m.revolute({ between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
 */
export function model(given: ModelOptions = {}, ...more: undefined[]): Model {
  const options = ownOptions("model", given, more);
  checkKeys("model", options, [], ["name", "gravity", "check"]);
  const { name = "model" } = options;
  if (typeof name !== "string")
    throw descriptionError("model", `name must be text, not ${show(name)}`);
  const gravity = Object.freeze(
    vector(label("model", name), "gravity", options.gravity ?? [0, 0, -9.81]),
  );
  const store = new Store(name, gravity, addMarker);
  store.check = flag(label("model", name), "check", options.check ?? true);
  const methods = {
    ...methodsOf<AnyJointType>(joints, addJoint, store),
    ...methodsOf<AnyForceType>(forces, addForce, store),
  };
  const own = {
    ...(methods as unknown as JointMethods & ForceMethods),
    name,
    ground: store.ground,
    gravity,
    body: adder("body", (options: BodyOptions) => addBody(store, options), store),
    userForce: adder(
      "userForce",
      (options: UserForceOptions) => addUserForce(store, options),
      store,
    ),
    states: adder("states", (options: StatesOptions) => addStates(store, options), store),
    controller: adder(
      "controller",
      (options: ControllerOptions) => addController(store, options),
      store,
      (options) => withNamedSets(store, options),
    ),
    parameter: (given: string, value: number, ...more: unknown[]) => {
      refuseMore("parameter", "DESCRIPTION", more, "it takes a name and a number");
      return store.addParameter(given, value);
    },
    parameters: () => Object.freeze([...store.parameters]),
    owns: (handle: Handle | Parameter) => {
      if (typeof handle === "object" && handle !== null) return store.owns(handle);
      throw descriptionError(
        "owns",
        `${show(handle)} is not a body, marker, joint or force of a model`,
      );
    },
    data: () => store.data(),
    calls: () => Object.freeze([...store.calls]),
  };
  const made: Model = Object.freeze(
    Object.assign(Object.create(answering("model", Object.keys(own), meant)), own),
  );
  MODELS.add(made);
  return made;
}

/** Models created by {@link model}. */
const MODELS = new WeakSet<object>();

/** Whether the value was created by {@link model}. */
export function isModel(given: unknown): given is Model {
  return typeof given === "object" && given !== null && MODELS.has(given);
}

/** Returns a method that adds a part and records the call. */
function adder<Options extends object, Made extends Handle>(
  type: string,
  add: (options: Options) => Made,
  store: Store,
  prepared: (options: Options) => Options = (options) => options,
): (options: Options) => Made {
  return (given, ...more: unknown[]) => {
    const options = prepared(ownOptions(type, given, more));
    return store.record(add(store.valuesIn(type, options)), options);
  };
}

/** Returns a method for each type of joint or force. */
function methodsOf<Type>(
  types: Readonly<Record<string, Type>>,
  add: (store: Store, name: string, type: Type, options: object) => Joint | Force,
  store: Store,
): Readonly<Record<string, (options: object) => Joint | Force>> {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      name,
      adder(name, (options: object) => add(store, name, type, options), store),
    ]),
  );
}
