import type { Difference } from "../../../describe/model/compare.js";
import type { Vector } from "../../../describe/model/model-data.js";
import type { Body } from "../../../describe/model/handles.js";
import { hint, show, type VectorLike, vector } from "../../../describe/model/option-checks.js";
import { type ModelSettings, NOTHING_SET, type SetNumbers } from "../../../describe/settings.js";
import { ZERO } from "../../../ground/algebra/vectors.js";
import {
  argument,
  needed,
  optionsOf,
  refuseMore,
  type Shape,
} from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import { udwadiaKalaba } from "../../../methods/formulations/udwadia-kalaba.js";
import { rk4 } from "../../../methods/integrators/index.js";
import type { MethodOption } from "../../../methods/names/index.js";
import { stagedProjection } from "../../../methods/stabilisations/staged-projection.js";
import type { CoordinateChoice, Method, StateData, System } from "../../../seam/index.js";
import type { FixedSteps } from "../../stepping/fixed-steps.js";
import type { ConstraintError, Energy } from "../../stepping/inspection.js";
import { fixedStepMethod, stepLength } from "../../stepping/options.js";
import type { Simulation } from "../../stepping/simulation.js";
import type { Snapshot } from "../../stepping/snapshot.js";
import type { StateCorrection } from "../../stepping/state-correction.js";
import type { StateOptions } from "../../stepping/state-options.js";
import type { JointCoordinateValues, JointSpace } from "../coordinates/joint-space.js";
import { checkJoints, type JointValues, jointValues } from "../coordinates/joint-values.js";
import type { ModelReport } from "../coordinates/model-report.js";
import { placeJoints } from "../coordinates/place-joints.js";
import {
  DEFAULT_FREQUENCY,
  GRAB_SHAPE,
  type GrabOptions,
  Grip,
  PUSH_SHAPE,
  type PushOptions,
} from "../hands/grip.js";
import { type Linearisation, type LineariseOptions, linearise } from "../linearise/linearise.js";
import type { ReadModel } from "../probe/probe.js";
import { driveForces } from "../reactions/drive-forces.js";
import type { ForceReading } from "../reactions/force-reading.js";
import type { JointReading } from "../reactions/joint-reading.js";
import type { BodyReading } from "../reading/body-reading.js";
import { Readout } from "../reading/readout.js";
import { inverseDynamics } from "./inverse-dynamics.js";
import { inState, isInPlace, type Mechanism, mechanismOf, rebuilt } from "./mechanism.js";

/** Options of {@link CompiledModel.simulate}. */
export interface BodySimulationOptions {
  /** A method or its name. Default: RK4, projected in every stage: integrates through singular poses, without drift. */
  readonly method?: MethodOption;
  /** Length of a step in seconds. */
  readonly step: number;
}

/** The same, checked. */
export interface CheckedBodyOptions extends BodySimulationOptions {
  readonly method?: Method;
}

export const BODY_SIMULATION_SHAPE: Shape<CheckedBodyOptions> = {
  step: needed(stepLength),
  method: fixedStepMethod,
};

/** Nothing is set, and nothing acts besides the model. */
const NO_HAND = { ...NOTHING_SET, hand: { pushes: [], grips: [] } };

/** What a simulation is made from: a compiled model. */
export interface BodySource extends ReadModel {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
  readonly report: ModelReport;
  /** What has been set of its numbers. */
  readonly settings: ModelSettings;
  /** The settings after one more call of `set`. */
  settingsAfter(where: string, given: readonly unknown[]): ModelSettings;
  /** A copy with these settings, and what differs in it. */
  withSettings(settings: object): { model: BodySource; difference: Difference };
  /** A copy that starts in a state, whose couplings hold what they hold there. */
  holding(state: Omit<StateData, "time">): BodySource;
  /** A system with memory of its own, in the coordinates that are integrated. */
  system(): System;
}

/**
 * The default method of {@link CompiledModel.simulate}: RK4, projected in every stage.
 *
 * @example
 * system.simulate({ step: 1e-3, method: { ...defaultMethod(), stabilisation: projection() } });
 */
export function defaultMethod(...more: undefined[]): Method {
  refuseMore("defaultMethod", "METHOD", more);
  return {
    formulation: udwadiaKalaba(),
    stabilisation: stagedProjection(),
    integrator: rk4(),
  };
}

/**
 * A simulation of a mechanism with access to bodies and joints by name. Made by {@link CompiledModel.simulate}.
 *
 * @example
 * const simulation = (await compile(m)).simulate({ step: 1e-3 });
 * simulation.runTo(2);
 * console.log(simulation.body("rod").position, simulation.joint("hinge").force());
 */
export class BodySimulation implements Simulation {
  readonly method: string;
  /** Names of the bodies. */
  readonly bodies: readonly string[];
  /** Names of the joints and drives. */
  readonly joints: readonly string[];
  readonly #method: Method;
  #mechanism: Mechanism;
  readonly #readout: Readout;

  constructor(source: BodySource, { method = defaultMethod(), step }: CheckedBodyOptions) {
    const { data } = source;
    this.#method = method;
    this.#mechanism = mechanismOf(source, method, step);
    this.method = this.#steps.method;
    this.bodies = data.bodies.map(({ name }) => name);
    this.joints = data.joints.map(({ name }) => name);
    this.#readout = new Readout(
      source,
      () => this.#mechanism.present,
      {},
      () => this.#mechanism.hand.acting,
    );
  }

  get #steps(): FixedSteps {
    return this.#mechanism.steps;
  }

  /** In which coordinates the method works, and why. */
  get coordinateChoice(): CoordinateChoice {
    return this.#mechanism.coordinateChoice;
  }

  /**
   * Changes numbers between two steps: values of parameters and gravity; or those of a body, marker, joint or force, by
   * its handle or its name. Each is checked as when the model was described; where one is refused nothing changes. After
   * a change of where joints sit, positions and velocities move to the nearest that fit, the memory is a new one, and
   * `q` and `v` are to be read anew.
   *
   * @example
   * simulation.set({ k: 3e4, gravity: [0, 0, -1.62] });
   * simulation.set(strut, { damping: 800 });
   * simulation.set("crank", { mass: 3 });
   */
  readonly set: SetNumbers<this> = (...given: readonly unknown[]) => {
    this.#steps.refuseInside("set");
    this.#use(this.#mechanism.source.settingsAfter("set", given));
    return this;
  };

  /**
   * Pushes a body: a force in the world at a point of it, a torque, or both, for some time.
   *
   * @example
   * simulation.push("rod", { force: [10, 0, 0], at: [0, 0, -0.5], for: 0.1 });
   */
  push(body: string | Body, given: PushOptions): void {
    this.#steps.refuseInside("push");
    const options = optionsOf("push", "STEP", given, PUSH_SHAPE);
    const index = this.#movable("push", body);
    const { force, torque, at, for: seconds = this.step } = options;
    if (force === undefined && torque === undefined) {
      throw new NodriftError("STEP", "push: give force or torque");
    }
    this.#mechanism.hand.pushes.push({
      body: index,
      force: [...(force ?? ZERO)],
      torque: [...(torque ?? ZERO)],
      arm: at === undefined ? [...ZERO] : this.#armOf(index, at),
      until: this.time + seconds,
    });
  }

  /**
   * Takes hold of a point of a body, given in the body's frame, to drag it: a critically damped pull, scaled with the mass
   * that is felt at the point, stable at any step. It pulls to where the point is now until it is told to move.
   *
   * @example
   * const grip = simulation.grab("rod", [0, 0, -0.5], { maximumForce: 100 });
   * grip.moveTo([1, 0, 0.3]);
   */
  grab(body: string | Body, point: VectorLike, given: GrabOptions = {}): Grip {
    this.#steps.refuseInside("grab");
    const { frequency = DEFAULT_FREQUENCY, maximumForce = Number.MAX_VALUE } = optionsOf(
      "grab",
      "STEP",
      given,
      GRAB_SHAPE,
    );
    const index = this.#movable("grab", body);
    const at = vector("grab", "point", point);
    const id = this.#mechanism.hand.grab({
      body: index,
      arm: this.#armOf(index, at),
      omega: 2 * Math.PI * frequency,
      limit: maximumForce,
      target: [...this.body(this.bodies[index]!).point(at)],
    });
    return new Grip(id, {
      find: (own) => this.#mechanism.hand.grips.find((grip) => grip.id === own),
      move: (own, target) => {
        const grip = this.#mechanism.hand.grips.find((each) => each.id === own);
        grip?.target.splice(0, 3, ...target);
      },
      release: (own) => this.#mechanism.hand.release(own),
    });
  }

  /** The number of a body that can be moved. */
  #movable(where: string, body: string | Body): number {
    const name = typeof body === "string" ? body : (body as Partial<Body> | null)?.name;
    const index = this.bodies.indexOf(name as string);
    if (index >= 0) return index;
    throw new NodriftError(
      "DESCRIPTION",
      `${where}: there is no body ${show(name ?? body)}${hint(String(name), this.bodies)}`,
    );
  }

  /** From the centre of mass to a point in the body's frame. */
  #armOf(body: number, point: VectorLike): number[] {
    const { centre } = this.#mechanism.source.data.bodies[body]!;
    return centre.map((c, i) => point[i]! - c);
  }

  /** What has been set since the model was described, as plain data. */
  get settings(): ModelSettings {
    return this.#mechanism.source.settings;
  }

  /** Goes on with the same mechanism with other numbers. */
  #use(settings: ModelSettings): void {
    const { source, system, steps } = this.#mechanism;
    const { model, difference } = source.withSettings(settings);
    if (isInPlace(this.#method, difference)) {
      steps.change("set", () => model.adjust(system));
      this.#mechanism = inState(model, this.#mechanism);
    } else {
      const sensors = () => {
        const { probe } = this.#readout;
        probe.load();
        return probe.system.quantities.sensorValues(this.time);
      };
      this.#mechanism = rebuilt(this.#mechanism, model, this.#method, difference, sensors);
    }
    this.#readout.adopt(this.#mechanism.source, difference);
  }

  /**
   * A body, by its name: where it is and how it moves, at the present time whenever it is read.
   *
   * @example
   * const tip = simulation.body("arm").point([0.5, 0, 0]);
   */
  body(name: string): BodyReading {
    return this.#readout.body(name);
  }

  /**
   * A joint or drive, by its name: its forces, and what it measures.
   *
   * @example
   * const [x, y, z] = simulation.joint("hinge").force({ on: "door", frame: "joint" });
   */
  joint(name: string): JointReading {
    return this.#readout.joint(name);
  }

  /**
   * A force, by its name: what it does to bodies, its length, power and energy.
   *
   * @example
   * const [x, y, z] = simulation.force("strut").force({ on: "wheel" });
   */
  force(name: string): ForceReading {
    return this.#readout.force(name);
  }

  /**
   * Joint coordinates and velocities along the tree, by name: the minimal state. Where
   * these are integrated ({@link coordinateChoice}) they are the numbers of the run, to the last bit.
   *
   * @example
   * simulation.coordinates().positions["elbow angle"];
   */
  coordinates(): JointCoordinateValues {
    return this.#readout.jointSpace.coordinates();
  }

  /**
   * Moves joints to coordinates given by name, as `joints` of {@link compile} does; the others stay as they are, but for what
   * closes loops. Time stays.
   *
   * @example
   * simulation.setCoordinates({ elbow: 0.3, slider: { displacement: 0.1, displacementRate: 1 } });
   */
  setCoordinates(joints: JointValues): void {
    const { model } = this.#readout;
    const values = argument("setCoordinates", "STEP", "joints", joints, jointValues);
    checkJoints("setCoordinates", model.data, values);
    const { q, v, turns } = placeJoints("setCoordinates", model, this.#readout.present(), values);
    this.setState(q, v, { turns, start: "asGiven" });
  }

  /** The mechanism in joint coordinates: mass matrix, inverse dynamics, Jacobians, for instance. */
  get jointSpace(): JointSpace {
    return this.#readout.jointSpace;
  }

  /** Momentum of all bodies together. */
  momentum(): Vector {
    return this.#readout.momentum();
  }

  /** Angular momentum of all bodies together, about the origin of the world or another point. */
  angularMomentum(about?: VectorLike): Vector {
    return this.#readout.angularMomentum(about);
  }

  /** Force or torque of each drive, by its name: it times the rate of the drive is its power. */
  driveForces(): Record<string, number> {
    return driveForces(this.#readout, this.time);
  }

  /**
   * What must act on the bodies, besides the forces of the model, for them to accelerate as given (linear in
   * the world, angular in the body's axes), or as they do: six numbers for each body, a force in the world
   * and a torque about the centre of mass in the body's axes.
   */
  inverseDynamics(accelerations?: ArrayLike<number>): Float64Array {
    return inverseDynamics(this.#readout, accelerations);
  }

  /**
   * Small motions about the present state, which rests or moves steadily: natural frequencies, damping,
   * stability. Refuses other states, unless they are to be frozen.
   *
   * @example
   * const [lowest] = simulation.linearise().frequencies;
   */
  linearise(options: LineariseOptions = {}): Linearisation {
    return linearise(this.#readout, options);
  }
  // What every simulation does, by the steps that this one holds. Comments are those of the interface.

  get q(): Float64Array<ArrayBuffer> {
    return this.#steps.q;
  }

  get v(): Float64Array<ArrayBuffer> {
    return this.#steps.v;
  }

  get time(): number {
    return this.#steps.time;
  }

  get step(): number {
    return this.#steps.step;
  }

  get correction(): StateCorrection {
    return this.#steps.correction;
  }

  get rigidBodies(): Simulation["rigidBodies"] {
    return this.#steps.rigidBodies;
  }

  get turns(): Float64Array {
    return this.#steps.turns;
  }

  setState(
    q: ArrayLike<number>,
    v: ArrayLike<number>,
    options?: StateOptions | StateOptions["start"],
  ): void {
    this.#steps.setState(q, v, options);
  }

  advance(count?: number): this {
    this.#steps.advance(count);
    return this;
  }

  runTo(until: number, each?: (simulation: this) => void): this {
    this.#steps.runAs(this, until, each);
    return this;
  }

  setStep(step: number): void {
    this.#steps.setStep(step);
  }

  save(): Snapshot {
    return this.#steps.save(JSON.stringify({ ...this.settings, hand: this.#mechanism.hand.data() }));
  }

  restore(snapshot: Snapshot): void {
    const { settings } = this.#steps.checkSnapshot(snapshot);
    const { hand, ...set } = settings === undefined ? NO_HAND : JSON.parse(settings);
    if (JSON.stringify(set) !== JSON.stringify(this.settings)) this.#use(set);
    this.#steps.restore(snapshot);
    this.#mechanism.hand.restore(hand);
  }

  accelerations(): Float64Array {
    return this.#steps.accelerations();
  }

  multipliers(): Float64Array {
    return this.#steps.multipliers();
  }

  stepMultipliers(): Float64Array {
    return this.#steps.stepMultipliers();
  }

  constraintForces(names?: readonly string[]): Float64Array {
    return this.#steps.constraintForces(names);
  }

  phi(): Float64Array {
    return this.#steps.phi();
  }

  phiDot(): Float64Array {
    return this.#steps.phiDot();
  }

  constraintError(): ConstraintError {
    return this.#steps.constraintError();
  }

  energy(): Energy {
    return this.#steps.energy();
  }

  rank(): number {
    return this.#steps.rank();
  }

  degreesOfFreedom(): number {
    return this.#steps.degreesOfFreedom();
  }
}
