import { ForceKind, Sensor, Want } from "../../../../assembly/layout-bodies.js";
import { MotorData } from "../../../../assembly/layout-motor.js";
import { hint, show } from "../../../describe/model/option-checks.js";
import { NodriftError } from "../../../ground/errors.js";
import type { ReadContext } from "./joint-reading.js";

/** Where the targets of torque, rate and position are. */
const TARGETS = [MotorData.FEED, MotorData.TARGET_RATE, MotorData.TARGET] as const;

/** Sets numbers of a force. */
export type SetTarget = (motor: string, values: { readonly target: number }) => void;

/** What a motor is read from. */
export interface MotorContext extends ReadContext {
  /** The unknowns of a set of states. */
  state(states: string): Readonly<Record<string, number>>;
}

/**
 * A motor of a simulation or state. A live view: keep it and read it again after steps.
 *
 * @example
 * const { torque, power } = simulation.motor("elbow");
 */
export class MotorReading {
  /** Its name in the model. */
  readonly name: string;
  readonly #context: MotorContext;
  readonly #index: number;
  readonly #set: SetTarget | undefined;

  constructor(context: MotorContext, name: string, set?: SetTarget) {
    this.#set = set;
    const { forces, name: model } = context.model.data;
    this.#index = forces.findIndex((each) => each.name === name && each.kind === ForceKind.MOTOR);
    if (this.#index < 0) {
      const known = forces.filter(({ kind }) => kind === ForceKind.MOTOR).map((each) => each.name);
      throw new NodriftError(
        "DESCRIPTION",
        `${model}: there is no motor ${show(name)}${hint(name, known)}`,
      );
    }
    this.name = name;
    this.#context = context;
  }

  /** Torque or force at the joint, losses of the gear taken off: with the sign of the joint's angle or displacement. */
  get torque(): number {
    return this.#constant(MotorData.FORCE);
  }

  /** Torque of the rotor. */
  get rotorTorque(): number {
    return this.#constant(MotorData.TORQUE);
  }

  /** Rate of the joint, rad/s or m/s. */
  get rate(): number {
    const { model, probe } = this.#context;
    const { a } = model.data.forces[this.#index]!;
    probe.load();
    const { quantities } = probe.system;
    quantities.requireSensors(Want.PHI | Want.RATES);
    return quantities.arrays.sensors[Sensor.LENGTH * a + Sensor.RATE]!;
  }

  /** Power it gives to the joint, W. */
  get power(): number {
    return this.torque * this.rate;
  }

  /** Power the rotor takes: what it gives to the joint and the gear, W. */
  get rotorPower(): number {
    return this.rotorTorque * this.#constant(MotorData.RATIO) * this.rate;
  }

  /** What it aims at now, in its mode: torque, with what is fed forward, rate or position. Simulations can set it. */
  get target(): number {
    const { flag } = this.#context.model.data.forces[this.#index]!;
    return this.#constant(TARGETS[flag]!);
  }

  set target(value: number) {
    if (this.#set === undefined) {
      throw new NodriftError("STEP", `motor "${this.name}": target can be set in simulations only`);
    }
    this.#set(this.name, { target: value });
  }

  /** Energy it has given to the joint since the start, J; undefined where the motor does not count it (`energy: true`). */
  get energy(): number | undefined {
    const { states } = this.#context.model.data;
    if (!states.some(({ name }) => name === this.name)) return undefined;
    return this.#context.state(this.name).energy;
  }

  #constant(slot: MotorData): number {
    const { model, probe } = this.#context;
    const at = model.plan.forceSlots[this.#index]! + slot;
    return probe.once(`motor ${at}`, () => {
      const { quantities } = probe.system;
      quantities.forces();
      return quantities.arrays.data[at]!;
    });
  }
}
