// Measurements of a mechanism at the trial state for user functions, by name or handle, from the memory of the
// kernels.

import { BodyFrame, ForceKind, Sensor } from "../../../../assembly/layout-bodies.js";
import { MotorData } from "../../../../assembly/layout-motor.js";
import { hint, show } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import { FormulaError } from "../../../formulas/expressions/error.js";
import { type Handle, partName } from "../../../model/handles.js";
import { type Measurement, readingOf } from "../../../model/measured/read-subject.js";
import { Subjects } from "../../../model/measured/subjects.js";
import type { BodyData, ModelData } from "../../../model/model-data.js";
import type { HandleOrName, QuantityReader } from "../../../model/quantity-reader.js";
import type { BodyArrays } from "../memory/memory.js";
import { auxiliaryBodyOf, CONTROLLER_OUTPUTS, firstState, movingBodies } from "../plan/carriers.js";
import type { Plan } from "../plan/plan.js";

/** A body that is read: its frame in memory, and vectors for results. */
interface ReadBody {
  readonly frame: Float64Array;
  readonly centre: ArrayLike<number>;
  readonly rotation: Float64Array;
  readonly angularVelocity: Float64Array;
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly arm: Float64Array;
  /** Copies for users: writing to them must not move the body. */
  readonly given: { readonly rotation: Float64Array; readonly angularVelocity: Float64Array };
}

const ORIGIN: ArrayLike<number> = [0, 0, 0];

/** Kinds of objects that have quantities. */
const KINDS = ["body", "marker", "joint", "force", "states", "controller"] as const;

export class MechanismReader implements QuantityReader {
  readonly #name: string;
  readonly #model: ModelData;
  #subjects: Subjects | undefined;
  /** Cache by name and by the text in quotes. */
  readonly #quantities = new Map<string, Map<string, Measurement>>();
  readonly #sensors: Float64Array;
  readonly #frames: Float64Array;
  readonly #data: Float64Array;
  readonly #bodies: ReadonlyMap<string, ReadBody>;
  /** First slots of the sensors of joints. */
  readonly #joints: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** Slots of the force of motors and of the rate along them. */
  readonly #motors: ReadonlyMap<string, { readonly force: number; readonly rate: number }>;
  /** Slots of the outputs of controllers. */
  readonly #outputs: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Slots of states in the frames, by sets and names. */
  readonly #states: ReadonlyMap<string, ReadonlyMap<string, number>>;

  constructor({ model, forceSlots, controllerSlots }: Plan, { frames, sensors, data }: BodyArrays) {
    this.#name = model.name;
    this.#model = model;
    this.#data = data;
    this.#motors = new Map(
      model.forces.flatMap(({ name, kind, a }, i) =>
        kind === ForceKind.MOTOR
          ? [
              [
                name,
                {
                  force: forceSlots[i]! + MotorData.FORCE,
                  rate: Sensor.LENGTH * a + Sensor.RATE,
                },
              ],
            ]
          : [],
      ),
    );
    this.#sensors = sensors;
    this.#frames = frames;
    const moving = model.bodies.slice(0, movingBodies(model.bodies));
    this.#bodies = new Map(moving.map((body, index) => [body.name, readBody(body, index, frames)]));
    this.#joints = new Map(
      model.joints.map(({ name, sensors: own }) => [
        name,
        Object.fromEntries(Object.entries(own).map(([what, i]) => [what, Sensor.LENGTH * i])),
      ]),
    );
    this.#outputs = new Map(
      model.controllers.map(({ name, outputs }, i) => [
        name,
        new Map(outputs.map((own, k) => [own, controllerSlots[i]! + CONTROLLER_OUTPUTS + k])),
      ]),
    );
    this.#states = new Map(
      model.states.map(({ name, names }, set) => [
        name,
        new Map(names.map((own, i) => [own, stateSlot(model, firstState(model, set) + i)])),
      ]),
    );
  }

  angle(joint: HandleOrName<"joint">): number {
    return this.#measured(joint, "angle", Sensor.VALUE);
  }

  angleRate(joint: HandleOrName<"joint">): number {
    return this.#measured(joint, "angle", Sensor.RATE);
  }

  displacement(joint: HandleOrName<"joint">): number {
    return this.#measured(joint, "displacement", Sensor.VALUE);
  }

  displacementRate(joint: HandleOrName<"joint">): number {
    return this.#measured(joint, "displacement", Sensor.RATE);
  }

  length(joint: HandleOrName<"joint">): number {
    return this.#measured(joint, "length", Sensor.VALUE);
  }

  lengthRate(joint: HandleOrName<"joint">): number {
    return this.#measured(joint, "length", Sensor.RATE);
  }

  position(body: HandleOrName<"body">, point: ArrayLike<number> = ORIGIN): Float64Array {
    const own = this.#found(this.#bodies, "body", body);
    const { frame, position } = own;
    turn(own, point);
    for (let i = 0; i < 3; i++) position[i] = frame[BodyFrame.POINT + i]! + own.arm[i]!;
    return position;
  }

  velocity(body: HandleOrName<"body">, point: ArrayLike<number> = ORIGIN): Float64Array {
    const own = this.#found(this.#bodies, "body", body);
    const { frame, velocity, arm, angularVelocity: w } = own;
    turn(own, point);
    for (let i = 0; i < 3; i++) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      velocity[i] = frame[BodyFrame.VELOCITY + i]! + w[j]! * arm[k]! - w[k]! * arm[j]!;
    }
    return velocity;
  }

  rotation(body: HandleOrName<"body">): Float64Array {
    const { rotation, given } = this.#found(this.#bodies, "body", body);
    given.rotation.set(rotation);
    return given.rotation;
  }

  angularVelocity(body: HandleOrName<"body">): Float64Array {
    const { angularVelocity, given } = this.#found(this.#bodies, "body", body);
    given.angularVelocity.set(angularVelocity);
    return given.angularVelocity;
  }

  motorTorque(motor: HandleOrName<"force">): number {
    return this.#data[this.#found(this.#motors, "force", motor, "motor").force]!;
  }

  motorPower(motor: HandleOrName<"force">): number {
    const { force, rate } = this.#found(this.#motors, "force", motor, "motor");
    return this.#data[force]! * this.#sensors[rate]!;
  }

  output(controller: HandleOrName<"controller">, name?: string): number {
    const slots = this.#found(this.#outputs, "controller", controller);
    return this.#data[this.#one(slots, controller, "outputs", name)]!;
  }

  state(states: HandleOrName<"states">, name?: string): number {
    const slots = this.#found(this.#states, "states", states);
    return this.#frames[this.#one(slots, states, "states", name)]!;
  }

  quantity(name: string, of: string | Handle): number {
    const part =
      typeof of === "string" ? of : partName(`${this.#name}: ${name}`, this.#model, of, ...KINDS);
    const known = this.#quantities.get(name)?.get(part) ?? this.#resolved(name, part);
    return known(this);
  }

  /** Resolved once: formulas are identified by their name only. */
  #resolved(name: string, of: string): Measurement {
    const text = `${name}('${of}')`;
    let found: Measurement | string;
    try {
      this.#subjects ??= new Subjects(this.#model);
      found = readingOf(
        this.#subjects.resolve({ name, subject: of, offset: 0 }, text),
        this.#model,
      );
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      throw this.#error(error.message);
    }
    if (typeof found === "string") throw this.#error(`${text}: ${found}`);
    const own = this.#quantities.get(name) ?? new Map<string, Measurement>();
    this.#quantities.set(name, own.set(of, found));
    return found;
  }

  /** Returns the slot of one of several; the name may be omitted if there is only one. */
  #one(
    slots: ReadonlyMap<string, number>,
    of: HandleOrName<Handle["kind"]>,
    what: string,
    name: string | undefined,
  ): number {
    if (name === undefined && slots.size === 1) {
      for (const slot of slots.values()) return slot;
    }
    const slot = slots.get(name as string);
    if (slot !== undefined) return slot;
    const known = [...slots.keys()];
    throw this.#error(
      name === undefined
        ? `"${nameOf(of)}" has several ${what}: say which, ${known.join(" or ")}`
        : `"${nameOf(of)}" has no ${show(name)} among its ${what}${hint(name, known)}`,
    );
  }

  #measured(joint: HandleOrName<"joint">, what: string, field: Sensor): number {
    const slots = this.#found(this.#joints, "joint", joint);
    const slot = slots[what];
    if (slot !== undefined) return this.#sensors[slot + field]!;
    const offers = Object.keys(slots);
    const has = offers.length === 0 ? "it measures nothing" : `it has ${offers.join(" and ")}`;
    throw this.#error(`joint "${nameOf(joint)}" has no ${what}: ${has}`);
  }

  #found<T>(
    map: ReadonlyMap<string, T>,
    kind: Handle["kind"],
    given: HandleOrName<Handle["kind"]>,
    what: string = kind,
  ): T {
    const name = typeof given === "string" ? given : partName(this.#name, this.#model, given, kind);
    const found = map.get(name);
    if (found !== undefined) return found;
    throw this.#error(`there is no ${what} ${show(name)} to read${hint(name, [...map.keys()])}`);
  }

  #error(what: string): NodriftError {
    return new NodriftError("EVALUATION", `${this.#name}: ${what}`);
  }
}

function nameOf(given: HandleOrName<Handle["kind"]>): string {
  return typeof given === "string" ? given : given.name;
}

function stateSlot(model: ModelData, state: number): number {
  const [body, axis] = auxiliaryBodyOf(model, state);
  return BodyFrame.LENGTH * body + BodyFrame.VELOCITY + axis;
}

function readBody({ centre }: BodyData, index: number, frames: Float64Array): ReadBody {
  const frame = frames.subarray(BodyFrame.LENGTH * index, BodyFrame.LENGTH * (index + 1));
  return {
    frame,
    centre,
    rotation: frame.subarray(BodyFrame.ROTATION, BodyFrame.ROTATION + 9),
    angularVelocity: frame.subarray(BodyFrame.OMEGA, BodyFrame.OMEGA + 3),
    position: new Float64Array(3),
    velocity: new Float64Array(3),
    arm: new Float64Array(3),
    given: { rotation: new Float64Array(9), angularVelocity: new Float64Array(3) },
  };
}

/** Writes the arm from the centre of mass to a point of the body, in the world. */
function turn({ rotation, centre, arm }: ReadBody, point: ArrayLike<number>): void {
  const [x, y, z] = [point[0]! - centre[0]!, point[1]! - centre[1]!, point[2]! - centre[2]!];
  for (let i = 0; i < 3; i++) {
    arm[i] = rotation[i]! * x + rotation[3 + i]! * y + rotation[6 + i]! * z;
  }
}
