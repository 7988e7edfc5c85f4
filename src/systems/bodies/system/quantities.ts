import { Status } from "../../../../assembly/layout.js";
import {
  BODY_POSITIONS,
  BODY_VELOCITIES,
  BodyTable,
  ForcePart,
  Sensor,
  SensorKind,
  Turn,
  Want,
} from "../../../../assembly/layout-bodies.js";
import { actsOnSensor } from "../../../describe/model/kinds.js";
import type { Address } from "../../../ground/memory/arena.js";
import { Workspace } from "../../../ground/memory/workspace.js";
import type { BodyKernels } from "../../../ground/wasm/generated-bodies.js";
import { initSync } from "../../../ground/wasm/module.js";
import { failed } from "../../../ground/wasm/status.js";
import type { Pushes, StateAddress } from "../../../seam/index.js";
import { stateAt } from "../../state-address.js";
import { Controllers } from "../functions/controllers.js";
import { Drives } from "../functions/drives.js";
import { ForceUpdates } from "../functions/force-updates.js";
import { FormulaLaws } from "../functions/formula-laws.js";
import { MechanismReader } from "../functions/mechanism-reader.js";
import { StateRateLoads } from "../functions/state-rates.js";
import { UserFunctions } from "../functions/user-functions.js";
import { arraysOf, type BodyArrays } from "../memory/arrays.js";
import { type BodySegments, reserveBodies, writeLoads } from "../memory/memory.js";
import { energeticBodies } from "../plan/carriers.js";
import { positionNames, velocityNames } from "../plan/names.js";
import { hasUserRows, type Plan, readsQuantities } from "../plan/plan.js";
import { AnglePrediction } from "./angle-continuation.js";
import type { FactorSlot } from "./factor-slot.js";
import { DRIVES, FORCES, type FrameSource, ROWS, SETTLED, VELOCITIES } from "./known.js";
import { LAWS_ALONE, withLawAlone } from "./law-alone.js";
import { BLOWN_UP, bodySolveError } from "./solve-errors.js";

/** State and memory of a mechanism, and its quantities: each evaluated when first asked for. */
export class BodyQuantities {
  readonly workspace: Workspace;
  /** Its numbers, but not its structure, may change: see {@link adopt}. */
  plan: Plan;
  readonly name: string;
  readonly positions: number;
  readonly velocities: number;
  /** Velocities that have energy, of bodies and rotors: the others, behind them, are states. */
  readonly movingVelocities: number;
  readonly rows: number;
  readonly holonomicRows: number;
  readonly rowNames: readonly string[];
  readonly velocityNames: readonly string[];
  readonly positionNames: readonly string[];
  readonly segments: BodySegments;
  readonly state: StateAddress;
  readonly trial: StateAddress;
  readonly table: Address;
  /** As many zeros as there are positions. */
  readonly zero: Address;
  /** No row depends on time, but by q. */
  readonly areRowsTimeless: boolean;
  /** Some rows have a Jacobian that changes with velocities. */
  readonly areRowsNonlinear: boolean;
  /** The factor in memory, which all sparse solvers share. */
  readonly factor: FactorSlot = { owner: undefined, generation: -1, isKept: false };
  /** Kernels of mechanisms. Read them when they are called. */
  kernels!: BodyKernels;
  arrays!: BodyArrays;
  /** Of all angles, or of those that are no coordinates of a tree. */
  prediction: AnglePrediction;
  /** Friction by reactions, where there is some. */
  reactionLoads: { settle(): void } | undefined;
  /** Loads besides those of the model. */
  pushes: Pushes | undefined;
  time = 0;
  generation = 0;
  factorisations = 0;

  readonly #drives: Drives;
  readonly #updates: ForceUpdates;
  readonly #user: UserFunctions;
  /** Laws and rows that are formulas. */
  readonly formulas: FormulaLaws | undefined;
  readonly #states: StateRateLoads;
  readonly controllers = new Controllers();
  readonly #hasSensors: boolean;
  readonly #hasAngles: boolean;
  readonly #frames: FrameSource | undefined;
  #known = 0;
  /** Binds the user's functions to memory, and writes constants there. */
  #attach: () => void = () => {};
  #rewrite: () => void = () => {};
  #reader!: MechanismReader;
  #tableFields = new Int32Array(0);
  /** With those of the ground. */
  #allLoads = new Float64Array(0);

  constructor(plan: Plan, module: WebAssembly.Module, frames?: FrameSource) {
    const { model, rows, holonomicRows, rowNames } = plan;
    this.workspace = frames?.workspace ?? new Workspace(initSync);
    this.#frames = frames;
    this.plan = plan;
    this.name = model.name;
    this.positions = BODY_POSITIONS * model.bodies.length;
    this.velocities = BODY_VELOCITIES * model.bodies.length;
    this.movingVelocities = BODY_VELOCITIES * energeticBodies(model.bodies);
    this.rows = rows;
    this.holonomicRows = holonomicRows;
    this.rowNames = rowNames;
    this.velocityNames = velocityNames(model);
    this.positionNames = positionNames(model);
    this.segments = reserveBodies(plan, this.workspace);
    this.state = stateAt(this.segments.state.address, this.positions, this.velocities);
    this.trial = stateAt(this.segments.trial.address, this.positions, this.velocities);
    this.table = this.segments.table.address;
    this.zero = this.workspace.vector("zeros", this.positions);
    this.#drives = new Drives(model.name, plan.drives);
    this.#updates = new ForceUpdates();
    this.#user = new UserFunctions();
    this.formulas = FormulaLaws.of(plan, this.workspace, this.segments);
    this.#states = new StateRateLoads();
    this.areRowsTimeless = plan.drives.length === 0 && !hasUserRows(model);
    this.areRowsNonlinear = plan.blocks.some(({ block }) => block.user?.areNonlinear);
    this.#hasSensors = model.forces.some(actsOnSensor) || readsQuantities(model);
    this.#hasAngles = model.sensors.some(({ kind }) => kind === SensorKind.ANGLE);
    this.prediction = new AnglePrediction(this);
    this.workspace.whenSealed((arena) => {
      this.kernels = arena.instantiate<BodyKernels>(module);
      this.arrays = arraysOf(arena, this.segments, this.positions, this.velocities);
      arena.integers(this.segments.table)[BodyTable.FRAMES_GIVEN] = frames ? 1 : 0;
      this.#drives.attach(this.arrays.data);
      this.#attach = () => {
        this.#reader = new MechanismReader(this.plan, this.arrays);
        this.#updates.attach(this.plan, arena, this.segments, this.#reader);
        this.#user.attach(this.plan, arena, this.segments, this.arrays.v, this.#reader);
        this.#states.attach(this.plan);
        this.controllers.attach(this.plan, this.arrays.data);
      };
      this.#attach();
      this.#tableFields = arena.integers(this.segments.table);
      this.#allLoads = arena.floats(this.segments.forces);
      this.#rewrite = () => writeLoads(this.plan, this.segments, arena);
    });
  }

  /** Takes over the masses, gravity and forces of a plan that differs in nothing else. */
  adopt(plan: Plan): void {
    this.plan = plan;
    this.#rewrite();
    this.#attach();
    this.formulas?.adopt(plan);
    this.factor.owner = undefined;
    this.factor.isKept = false;
    this.at(this.time);
  }

  load(t: number): void {
    const { state, trial, positions, velocities } = this;
    this.workspace.kernels.copyVector(positions + velocities, state.q, trial.q);
    this.factor.isKept = false;
    this.at(t);
  }

  store(): void {
    const { workspace, positions, velocities, state, trial } = this;
    workspace.kernels.copyVector(positions + velocities, trial.q, state.q);
  }

  at(t: number): void {
    this.time = t;
    this.generation++;
    this.#known = 0;
    this.prediction.at(t);
    this.controllers.drive(t);
  }

  /** The largest angular velocity at the accepted state. */
  angularRate(): number {
    return this.kernels.bodyAngularRate(this.table, this.state.v);
  }

  /** Only velocities are new: drives, phi and the Jacobian stay, if it does not change with them. */
  atVelocity(): void {
    if (this.areRowsNonlinear) this.at(this.time);
    else this.#known &= Want.PHI | Want.JACOBIAN | DRIVES;
  }

  phi(): Address {
    this.require(Want.PHI);
    return this.segments.phi.address;
  }

  phiDot(): Address {
    this.require(ROWS);
    return this.segments.phiDot.address;
  }

  gamma(): Address {
    this.require(ROWS);
    return this.segments.gamma.address;
  }

  /** Evaluates what is not yet known. */
  require(want: number): void {
    const withRates = this.areRowsNonlinear && want & Want.JACOBIAN ? Want.RATES : 0;
    const missing = (want | withRates) & ~this.#known;
    if (missing === 0) return;
    // Frames were written for phi; those with velocities do for all.
    const framed = (missing & Want.RATES) === 0 ? Want.PHI | VELOCITIES : VELOCITIES;
    const isPosed = (this.#known & framed) !== 0;
    if ((this.#known & DRIVES) === 0) this.#drives.write(this.time);
    this.#known |= missing | DRIVES | (missing & Want.RATES ? VELOCITIES : 0);
    if (!isPosed) this.#frames?.writeFrames((missing & Want.RATES) !== 0);
    const frames = isPosed ? Want.FRAMES_KNOWN : 0;
    this.#check(this.kernels.bodyEvaluate(this.table, missing | frames));
    if (this.#user.hasRows || this.formulas?.hasRows) this.#evaluateRows(missing);
  }

  #evaluateRows(missing: number): void {
    try {
      const jacobian = (missing & Want.JACOBIAN) !== 0;
      const rates = (missing & Want.RATES) !== 0;
      this.#user.evaluateRows(this.time, jacobian, rates);
      this.formulas?.evaluateRows(this.time, jacobian, rates);
    } catch (error) {
      throw this.#blownUp() ?? error;
    }
  }

  /** Whether all of {@link require} is known at the trial state. */
  get areRowsKnown(): boolean {
    return (this.#known & ROWS) === ROWS;
  }

  /** Kernels have evaluated it there. */
  setRowsKnown(): void {
    this.#known = ROWS | DRIVES | VELOCITIES;
  }

  /** The error for a diverged motion; user functions are not to blame. */
  #blownUp(): Error | undefined {
    const { kernels } = this.workspace;
    const size = kernels.largestMagnitude(this.positions + this.velocities, this.trial.q);
    return size < BLOWN_UP ? undefined : this.errorFor(Status.NON_FINITE, "");
  }

  /** Frames with velocities; sensors too where forces use them. */
  requireFrames(): void {
    if (this.#hasSensors) this.require(ROWS);
    if (this.#known & VELOCITIES) return;
    this.#known |= VELOCITIES;
    this.#frames?.writeFrames(true);
    this.#check(this.kernels.bodyKinematics(this.table, Want.RATES));
  }

  /** Evaluates all sensors, also those that are only read. */
  requireSensors(want: number): void {
    this.#frames?.writeFrames((want & Want.RATES) !== 0);
    this.#check(this.kernels.bodyKinematics(this.table, want | Want.ALL_SENSORS));
    this.kernels.bodySensors(this.table, want | Want.ALL_SENSORS);
  }

  forces(): Address {
    if ((this.#known & FORCES) === 0) {
      this.loads(ForcePart.ALL);
      this.#known |= FORCES;
    }
    return this.segments.forces.address;
  }

  /**
   * Lets controllers, of which some are due, act at time t at the accepted state: `load` makes it the trial state, now and where
   * outputs have changed. True where they have.
   */
  arrive(t: number, load: () => void): boolean {
    load();
    this.forces();
    const changed = this.controllers.act(t, this.#reader);
    if (changed) load();
    return changed;
  }

  /** Moves the q at an address by a displacement. */
  displace(q: Address, displacement: Address, turn: Turn = Turn.EXPONENTIAL): void {
    this.#check(this.kernels.bodyDisplace(this.table, q, 1, displacement, turn));
  }

  massTimes(x: Address, out: Address): void {
    this.kernels.bodyMassTimes(this.table, x, out);
  }

  /** The forces, and in their constants the derivatives that user functions give. */
  deriveForces(): void {
    this.forces();
    this.#updates.derive(this.time);
  }

  /** Adds the loads of user forces, or of one of them. */
  #addUserForces(only?: number): void {
    const { length } = this.plan.model.userForces;
    for (let force = only ?? 0; force < (only === undefined ? length : only + 1); force++) {
      if (!this.formulas?.addForce(force, this.time)) this.#user.addForce(this.time, force);
    }
  }

  /** Constants of laws have been changed. */
  forgetForces(): void {
    this.#known &= ~FORCES;
  }

  /** Magnitudes of friction by reactions are those of the trial state. */
  #settle(): void {
    if (this.reactionLoads === undefined || this.#known & SETTLED) return;
    this.#known |= SETTLED;
    this.reactionLoads.settle();
  }

  /** Some parts of the forces, written where their sum usually is. */
  loads(parts: number): Address {
    this.#settle();
    const isPushed = this.pushes !== undefined;
    const { states } = this.plan.model;
    const hasForces = this.plan.forceList.length > 0 || this.#user.hasForces || states.length > 0;
    if (hasForces || isPushed) this.requireFrames();
    this.#known &= ~FORCES;
    try {
      this.#updates.run(this.time);
      this.formulas?.run(this.time);
      this.kernels.bodyForces(this.table, parts);
      if (this.#user.hasForces && parts & ForcePart.OTHER) this.#addUserForces();
      if (states.length > 0 && parts & ForcePart.OTHER) {
        this.#states.add(this.time, this.#reader, this.arrays.frames, this.arrays.loads);
      }
      if (parts & ForcePart.WITHOUT_GRAVITY) this.#states.hold(this.arrays.loads);
      if (parts & ForcePart.OTHER) this.pushes?.(this.arrays.frames, this.arrays.loads);
    } catch (error) {
      throw this.#blownUp() ?? error;
    }
    return this.segments.forces.address;
  }

  /**
   * Loads of one force alone, six numbers for each body and those of the ground behind them, and its potential: the kernels
   * are given a table with no other force in it.
   */
  loadsOf(
    list: "forces" | "userForces",
    index: number,
  ): { readonly loads: Float64Array; readonly potential: number } {
    this.#settle();
    this.requireFrames();
    this.#updates.run(this.time);
    this.formulas?.run(this.time);
    this.#known &= ~FORCES;
    const { table, kernels } = this;
    const law = list === "forces" ? index : undefined;
    return withLawAlone(this.#tableFields, law, (leaveBodiesOut) => {
      kernels.bodyForces(table, LAWS_ALONE);
      if (law === undefined) this.#addUserForces(index);
      const loads = this.#allLoads.slice();
      // Without bodies nothing has weight.
      leaveBodiesOut();
      return { loads, potential: law === undefined ? 0 : kernels.bodyPotential(table) };
    });
  }

  /** Normalises Euler parameters and continues angles. Throws for a diverged state: the one before it remains the last. */
  finaliseState(t: number): void {
    const { state, positions, velocities } = this;
    this.factor.isKept = false;
    const { largestMagnitude } = this.workspace.kernels;
    if (!(largestMagnitude(positions + velocities, state.q) < BLOWN_UP)) {
      this.load(t);
      throw this.errorFor(Status.NON_FINITE, "");
    }
    this.#check(this.kernels.bodyNormalise(this.table, state.q));
    if (!this.#hasAngles) return;
    this.load(t);
    this.requireSensors(Want.PHI);
    this.prediction.confirm(t);
    this.kernels.bodyContinue(this.table);
  }

  /** What the sensors say at the accepted state. */
  sensorValues(t: number): Float64Array {
    this.load(t);
    this.requireSensors(Want.PHI);
    return this.arrays.sensors.filter((_, slot) => slot % Sensor.LENGTH === Sensor.VALUE);
  }

  /** The error for a kernel's status: names the body or the joint. */
  errorFor(status: number, advice: string): Error {
    const { name, time, rowNames, plan, arrays } = this;
    return bodySolveError({ name, time, rowNames, model: plan.model, ...arrays }, status, advice);
  }

  #check(status: number): void {
    if (failed(status)) throw this.errorFor(status, "");
  }
}
