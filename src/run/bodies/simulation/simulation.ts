import type { Body, Controller, Force, Joint, States } from "../../../describe/model/handles.js";
import type { ModelData, Vector } from "../../../describe/model/model-data.js";
import type { VectorLike } from "../../../describe/model/option-checks.js";
import type { ModelSettings, NamedNumber, SetNumbers } from "../../../describe/settings.js";
import type { CoordinateChoice } from "../../../seam/index.js";
import type { FixedSteps } from "../../stepping/fixed-steps.js";
import type { ConstraintError, Energy } from "../../stepping/inspection.js";
import type { Simulation } from "../../stepping/simulation.js";
import type { Snapshot } from "../../stepping/snapshot.js";
import type { JointCoordinateValues, JointSpace } from "../coordinates/joint-space.js";
import type { JointValues } from "../coordinates/joint-values.js";
import type { GrabOptions, Grip, PushOptions } from "../hands/grip.js";
import { fastestPossibleRate, fastestRate } from "../linearise/fastest-rate.js";
import { type Linearisation, type LineariseOptions, linearise } from "../linearise/linearise.js";
import { driveForces } from "../reactions/drive-forces.js";
import type { ForceReadingOf } from "../reactions/force-reading.js";
import type { JointReadingOf } from "../reactions/joint-reading.js";
import type { MotorReading } from "../reactions/motor-reading.js";
import type { BodyReading } from "../reading/body-reading.js";
import type { Readout } from "../reading/readout.js";
import type { BodySource } from "./body-source.js";
import { inverseDynamics } from "./inverse-dynamics.js";
import { LiveMechanism } from "./live.js";
import type { NamedState } from "./named-state.js";
import type { RecordedRun, Recording, RecordOptions } from "./recording.js";
import { type CheckedBodyOptions, defaultMethod } from "./simulation-options.js";
import type { Impact } from "./stop-crossing.js";

/**
 * A simulation of a mechanism, with bodies and joints by name. Made by {@link CompiledModel.simulate}.
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
  readonly #live: LiveMechanism;

  constructor(source: BodySource, { method = defaultMethod(), step }: CheckedBodyOptions) {
    const { data } = source;
    this.#live = new LiveMechanism(source, method, step);
    this.method = this.#steps.method;
    this.bodies = data.bodies.map(({ name }) => name);
    this.joints = data.joints.map(({ name }) => name);
  }

  get #steps(): FixedSteps {
    return this.#live.steps;
  }

  /** Steps of what is read: with rows where something rests at a stop. */
  get #shown(): FixedSteps {
    return this.#live.shown.steps;
  }

  get #readout(): Readout {
    return this.#live.readout;
  }

  /** In which coordinates the method works, and why. */
  get coordinateChoice(): CoordinateChoice {
    return this.#live.mechanism.coordinateChoice;
  }

  /**
   * Changes numbers between two steps: parameters and gravity; or those of a body, marker, joint or force, by its handle or
   * its name. What is refused changes nothing. Where joints move, the state moves to the nearest that fits: read `q` anew.
   *
   * @example
   * simulation.set({ k: 3e4, gravity: [0, 0, -1.62] });
   * simulation.set(strut, { damping: 800 });
   * simulation.set("crank", { mass: 3 });
   */
  readonly set: SetNumbers<this> = (...given: readonly unknown[]) => {
    this.#live.set(given);
    return this;
  };

  /** The model as plain data, with all that has been set. */
  get data(): ModelData {
    return this.#live.mechanism.source.data;
  }

  /** Parameters of the model with their present values: what sliders are made from. */
  get parameters(): readonly NamedNumber[] {
    return this.#live.mechanism.source.parameters;
  }

  /** What has been set, as plain data. */
  get settings(): ModelSettings {
    return this.#live.settings;
  }

  /**
   * Pushes a body: a force in the world at a point of it, a torque, or both, for some time.
   *
   * @example
   * simulation.push("rod", { force: [10, 0, 0], at: [0, 0, -0.5], for: 0.1 });
   */
  push(body: string | Body, options: PushOptions): void {
    this.#live.push(body, options);
  }

  /**
   * Takes hold of a point of a body, given in the body's frame, to drag it: a critically damped pull, scaled with the mass
   * that is felt at the point, stable at any step. It pulls to where the point is now until it is told to move.
   *
   * @example
   * const grip = simulation.grab("rod", [0, 0, -0.5], { maximumForce: 100 });
   * grip.moveTo([1, 0, 0.3]);
   */
  grab(body: string | Body, point: VectorLike, options: GrabOptions = {}): Grip {
    return this.#live.grab(body, point, options);
  }

  /**
   * Records from now on what is done to the simulation, with snapshots: it can be rewound, and replayed with the same
   * bits.
   *
   * @example
   * const recording = simulation.record();
   * simulation.advance(1000);
   * recording.rewind(simulation.time - 1);
   */
  record(options: RecordOptions = {}): Recording {
    return this.#live.record(options);
  }

  /**
   * Does again what was recorded, with the same bits, in a simulation of the same model and method.
   *
   * @example
   * other.replay(recording.stop());
   */
  replay(run: RecordedRun): this {
    this.#live.replay(run);
    return this;
  }

  /**
   * Locks a joint where it is, as a latch does. If it moves, an impulse stops it: impulses are returned by the names of rows. What
   * holds it from then on is `joint("lock of hinge").driveForce`.
   *
   * @example
   * const impulse = simulation.lock("hinge")["lock of hinge: angle"];
   */
  lock(joint: string | Joint): Record<string, number> {
    return this.#live.hold("lock", joint);
  }

  /** Frees a joint that was locked: `simulation.unlock("hinge")`. */
  unlock(joint: string | Joint): void {
    this.#live.hold("unlock", joint);
  }

  /**
   * Rigid stops that were met in the last step, with their impulses. What rests at one is carried by
   * `joint("rest at anvil: upper").driveForce`.
   *
   * @example
   * simulation.runTo(2, ({ impacts }) => impacts.forEach(({ name, time, impulse }) => console.log(name, time, impulse)));
   */
  get impacts(): readonly Impact[] {
    return this.#live.impacts;
  }

  /** The state by the names of bodies and joints, as plain data: for simulations of the same model, or of a changed one. */
  namedState(): NamedState {
    return this.#live.namedState();
  }

  /**
   * Takes over a state by names. Bodies and joints that it does not name stay as they are; what does not fit the joints is
   * moved to the nearest that does.
   *
   * @example
   * other.setNamedState(simulation.namedState());
   */
  setNamedState(state: NamedState): void {
    this.#live.setNamedState(state);
  }

  /** A body, by its handle or its name: where it is and how it moves, at the present time whenever it is read. */
  body(body: string | Body): BodyReading {
    return this.#readout.body(body);
  }

  /**
   * A joint or drive, by its handle or its name: its forces, and what it measures.
   *
   * @example
   * const [x, y, z] = simulation.joint("hinge").force({ on: "door", frame: "joint" });
   */
  joint<Type extends string>(joint: string | Joint<Type>): JointReadingOf<Type> {
    return this.#readout.joint(joint);
  }

  /** A force, by its handle or its name: `simulation.force("strut").force({ on: "wheel" })`, its length, power and energy. */
  force<Type extends string>(force: string | Force<Type>): ForceReadingOf<Type> {
    return this.#readout.force(force);
  }

  /** The unknowns that `states` of the model added, by their names: `simulation.state("pi").integral`. */
  state(states: string | States): Readonly<Record<string, number>> {
    return this.#readout.state(states);
  }

  /** A motor, by its handle or its name: torque, power, energy; `simulation.motor("elbow").target = 0.3`. */
  motor(motor: string | Force<"motor">): MotorReading {
    return this.#readout.motor(motor, (name, values) => this.set(name, values));
  }

  /** The outputs of a controller, by their names, as they are held. */
  output(controller: string | Controller): Readonly<Record<string, number>> {
    return this.#readout.output(controller);
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
   * Moves joints to coordinates given by name; the others stay as they are, but for what closes loops. Time stays.
   *
   * @example
   * simulation.setCoordinates({ elbow: 0.3, slider: { displacement: 0.1, displacementRate: 1 } });
   */
  setCoordinates(joints: JointValues): void {
    this.#live.setCoordinates(joints);
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

  /** @internal How fast small motions are, 1/s, or may become; `near` is what it will be compared with. */
  fastestRate(near: number, mayAct = false): number {
    return (mayAct ? fastestPossibleRate : fastestRate)(this.#readout, near);
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

  get correction(): Simulation["correction"] {
    return this.#steps.correction;
  }

  get division(): Simulation["division"] {
    return this.#steps.division;
  }

  get rigidBodies(): Simulation["rigidBodies"] {
    return this.#steps.rigidBodies;
  }

  get turns(): Float64Array {
    return this.#steps.turns;
  }

  setState(...given: Parameters<Simulation["setState"]>): void {
    this.#live.setState(...given);
  }

  advance(count?: number): this {
    this.#live.advance(count);
    return this;
  }

  runTo(until: number, each?: (simulation: this) => void): this {
    this.#live.runTo(this, until, each);
    return this;
  }

  setStep(step: number): void {
    this.#live.setStep(step);
  }

  save(): Snapshot {
    return this.#live.save();
  }

  restore(snapshot: Snapshot): void {
    this.#live.restore(snapshot);
  }

  accelerations(): Float64Array {
    return this.#shown.accelerations();
  }

  multipliers(): Float64Array {
    return this.#shown.multipliers();
  }

  get partition(): Simulation["partition"] {
    return this.#steps.partition;
  }

  stepMultipliers(): Float64Array {
    return this.#shown.stepMultipliers();
  }

  constraintForces(names?: readonly string[]): Float64Array {
    return this.#shown.constraintForces(names);
  }

  phi(): Float64Array {
    return this.#shown.phi();
  }

  phiDot(): Float64Array {
    return this.#shown.phiDot();
  }

  constraintError(): ConstraintError {
    return this.#shown.constraintError();
  }

  energy(): Energy {
    return this.#shown.energy();
  }

  rank(): number {
    return this.#shown.rank();
  }

  degreesOfFreedom(): number {
    return this.#shown.degreesOfFreedom();
  }
}
