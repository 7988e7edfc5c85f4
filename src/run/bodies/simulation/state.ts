import type { State, StateData } from "../../../interfaces/index.js";
import type { Body, Controller, Force, Joint, States } from "../../../model/handles.js";
import type { Vector } from "../../../model/model-data.js";
import type { VectorLike } from "../../../model/option-checks.js";
import type { ConstraintError, Energy } from "../../stepping/simulation.js";
import { type JointCoordinateValues, jointCoordinates } from "../coordinates/tree-probe.js";
import { currentState } from "../probe/current-state.js";
import type { ReadModel } from "../probe/probe.js";
import { driveForces } from "../reactions/drive-forces.js";
import type { ForceReadingOf } from "../reactions/force-reading.js";
import type { JointReadingOf } from "../reactions/joint-reading.js";
import type { MotorReading } from "../reactions/motor-reading.js";
import type { BodyReading } from "../reading/body-reading.js";
import { Readout, type SharedProbe } from "../reading/readout.js";

/**
 * A state of a mechanism with access by name. Quantities are computed when read.
 *
 * @example
 * const state = solution.at(2.5);
 * console.log(state.body("rod").position, state.joint("hinge").force());
 */
export class BodyState implements State {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly #data: StateData;
  readonly #readout: Readout;

  constructor(model: ReadModel, data: StateData, shared: SharedProbe) {
    this.q = data.q;
    this.v = data.v;
    this.#data = data;
    const present = currentState(model.plan, data);
    this.#readout = new Readout(model, () => present, shared);
  }

  /** @internal The reader of this state. */
  get readout(): Readout {
    return this.#readout;
  }

  /** Time in seconds. */
  get time(): number {
    return this.#data.time;
  }

  /** Unwrapped joint angles and the offsets held by couplings: a copy, for `setState` of simulations. */
  get unwrappedAngles(): Float64Array {
    return this.#data.unwrappedAngles.slice();
  }

  /** A body, by its handle or its name. */
  body(body: string | Body): BodyReading {
    return this.#readout.body(body);
  }

  /** A joint or drive, by its handle or its name: its forces and measurements. */
  joint<Type extends string>(joint: string | Joint<Type>): JointReadingOf<Type> {
    return this.#readout.joint(joint);
  }

  /**
   * A force, by its handle or its name: its loads on bodies, length, power and energy.
   *
   * @example
   * const [x, y, z] = simulation.force("strut").force({ on: "wheel" });
   */
  force<Type extends string>(force: string | Force<Type>): ForceReadingOf<Type> {
    return this.#readout.force(force);
  }

  /**
   * States added by `states` of the model, by name.
   *
   * @example
   * const { integral } = simulation.state("pi");
   */
  state(states: string | States): Readonly<Record<string, number>> {
    return this.#readout.state(states);
  }

  /**
   * A motor, by its handle or its name: torque, power, energy, target.
   *
   * @example
   * const { torque, power } = simulation.motor("elbow");
   */
  motor(motor: string | Force<"motor">): MotorReading {
    return this.#readout.motor(motor);
  }

  /**
   * Held outputs of a controller, by name.
   *
   * @example
   * const { torque } = simulation.output("pid");
   */
  output(controller: string | Controller): Readonly<Record<string, number>> {
    return this.#readout.output(controller);
  }

  /**
   * Returns the joint coordinates and velocities along the tree, by name: the minimal state.
   *
   * @example
   * solution.at(2.5).coordinates().positions["elbow angle"];
   */
  coordinates(): JointCoordinateValues {
    return jointCoordinates(this.#readout);
  }

  /** Returns the kinetic energy, the potential energy of gravity and springs, and their sum. */
  energy(): Energy {
    return this.#readout.energy();
  }

  /** Returns the largest constraint violations |Phi| and |dPhi/dt|. */
  constraintError(): ConstraintError {
    return this.#readout.constraintError();
  }

  /** Returns the momentum of all bodies together. */
  momentum(): Vector {
    return this.#readout.momentum();
  }

  /** Returns the angular momentum of all bodies together, about the origin of the world or another point. */
  angularMomentum(about?: VectorLike): Vector {
    return this.#readout.angularMomentum(about);
  }

  /** Returns the force or torque of each drive, by name. */
  driveForces(): Record<string, number> {
    return driveForces(this.#readout, this.time);
  }
}
