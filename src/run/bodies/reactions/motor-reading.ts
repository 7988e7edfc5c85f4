import { ForceKind, Sensor, Want } from "../../../../assembly/layout-bodies.js";
import { MotorData } from "../../../../assembly/layout-motor.js";
import { hint, show } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import type { ReadContext } from "./joint-reading.js";

/** Slots of the targets of torque, rate and position. */
const TARGETS = [MotorData.FEED, MotorData.TARGET_RATE, MotorData.TARGET] as const;

/** Sets values of a force. */
export type SetTarget = (motor: string, values: { readonly target: number }) => void;

/** Data from which a motor is read. */
export interface MotorContext extends ReadContext {
  /** Returns the values of a set of states. */
  state(states: string): Readonly<Record<string, number>>;
}

/**
 * A motor of a simulation or state. A live view: keep it and read it again after steps.
 *
 * @example
 * const { torque, power } = simulation.motor("elbow");
 */
export class MotorReading {
  /** Name in the model. */
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

  /** Torque or force at the joint after gear losses, with the sign of the joint's angle or displacement. */
  get torque(): number {
    return this.#constant(MotorData.FORCE);
  }

  /** Torque of the rotor. */
  get rotorTorque(): number {
    return this.#constant(MotorData.TORQUE);
  }

  /** Rate of the joint in rad/s or m/s. */
  get rate(): number {
    const { model, probe } = this.#context;
    const { a } = model.data.forces[this.#index]!;
    probe.load();
    const { system } = probe;
    system.requireSensors(Want.PHI | Want.RATES);
    return system.arrays.sensors[Sensor.LENGTH * a + Sensor.RATE]!;
  }

  /** Power delivered to the joint in W. */
  get power(): number {
    return this.torque * this.rate;
  }

  /** Power of the rotor, delivered to the joint and the gear, in W. */
  get rotorPower(): number {
    return this.rotorTorque * this.#constant(MotorData.RATIO) * this.rate;
  }

  /** Present target in its mode: torque including feedforward, rate or position. Simulations can set it. */
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

  /**
   * Energy delivered to the joint since the initial state, in J; undefined unless the motor counts it (`energy: true`).
   */
  get energy(): number | undefined {
    const { states } = this.#context.model.data;
    if (!states.some(({ name }) => name === this.name)) return undefined;
    return this.#context.state(this.name).energy;
  }

  #constant(slot: MotorData): number {
    const { model, probe } = this.#context;
    const at = model.plan.forceSlots[this.#index]! + slot;
    return probe.once(`motor ${at}`, () => {
      const { system } = probe;
      system.forces();
      return system.arrays.data[at]!;
    });
  }
}
