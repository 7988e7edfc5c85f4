import { Status } from "../../../../assembly/layout.js";
import { type ForcePart, Sensor, Turn, Want } from "../../../../assembly/layout-bodies.js";
import { TreePart } from "../../../../assembly/layout-tree.js";
import type { Address } from "../../../ground/memory/arena.js";
import { Workspace } from "../../../ground/memory/workspace.js";
import type { BodyKernels } from "../../../ground/wasm/generated-bodies.js";
import { initSync } from "../../../ground/wasm/module.js";
import { failed } from "../../../ground/wasm/status.js";
import type { ExplicitStages, Pushes, StateAddress } from "../../../seam/index.js";
import { hasUserRows } from "../../bodies/plan/plan.js";
import type { LoopParts } from "../../bodies/system/loops.js";
import { BodyQuantities } from "../../bodies/system/quantities.js";
import { BLOWN_UP } from "../../bodies/system/solve-errors.js";
import { stateAt } from "../../state-address.js";
import type { RelativePlan } from "../plan/relative-plan.js";
import { coordinateNames } from "../plan/tree-plan.js";
import { treeSolveError } from "./solve-errors.js";
import { reserveTree, type TreeSegments, writeNodes } from "./tree-memory.js";

/** What is known at the trial state, besides parts of the tree. */
const GAMMA = 8;
const FORCES = 16;
/** All parts of the tree. */
const TREE = TreePart.POSES | TreePart.RATES | TreePart.INERTIA;

/**
 * State and memory of a mechanism in relative coordinates, and its quantities: each evaluated when first asked for.
 * Frames, forces and rows are those of bodies (`bodies`), which get their poses from the tree.
 */
export class RelativeQuantities {
  readonly workspace = new Workspace(initSync);
  /** Its numbers, but not its structure, may change: see {@link adopt}. */
  plan: RelativePlan;
  /** Frames, force laws, sensors and the rows that remain, in velocities of bodies. */
  readonly bodies: BodyQuantities;
  readonly positions: number;
  readonly velocities: number;
  readonly rows: number;
  readonly segments: TreeSegments;
  readonly state: StateAddress;
  readonly trial: StateAddress;
  readonly table: Address;
  /** The rows whose rank is asked for. */
  readonly rankedRows: LoopParts["quantities"];
  /** Pivots of the rows in the last factorisation. */
  pivots = new Float64Array(0);
  /** Whether the model has something but gravity that acts on the bodies. */
  readonly hasLoads: boolean;
  readonly positionNames: readonly string[];
  readonly velocityNames: readonly string[];
  /** q and v of the trial state. */
  trialNumbers = new Float64Array(0);
  time = 0;
  generation = 0;
  factorisations = 0;
  /** Six numbers for each body. */
  readonly #bodyVector: Address;
  readonly #bodyBias: Address;
  readonly #gamma: Address;
  readonly #forces: Address;
  #known = 0;
  /**
   * Whether rates are evaluated together with inertias, in one pass: where the last pose was asked for both, as those of
   * loops are that need no correction. Where a pose is corrected that was for nothing, and the next goes by parts.
   */
  #foresees = false;
  #isForeseen = false;
  /** The user's rows: not called where that may be for nothing. */
  readonly #hasFunctions: boolean;
  /** Nothing but the state has a say in accelerations, and kernels evaluate all of them. */
  readonly isAutonomous: boolean;
  /** StepSettings, where all that happens between steps are kernels. */
  stepSettings: Address | undefined;
  #keepsStates = false;
  #isCounted = false;
  /** The last trial state, and a number that is in memory as well. */
  readonly #last: Address;
  #stamp = 0;
  #noted = new Float64Array(1);
  #rewrite: () => void = () => {};

  constructor(plan: RelativePlan, module: WebAssembly.Module) {
    const [{ tree, rest }, { workspace }] = [plan, this];
    this.plan = plan;
    this.positions = tree.positions;
    this.velocities = tree.velocities;
    this.rows = rest.rows;
    this.bodies = new BodyQuantities(rest, module, {
      workspace,
      writeFrames: (rates) => this.#writeFrames(rates),
    });
    this.segments = reserveTree(plan, workspace, this.bodies.segments);
    this.state = stateAt(this.segments.state.address, this.positions, this.velocities);
    this.trial = stateAt(this.segments.trial.address, this.positions, this.velocities);
    this.table = this.segments.table.address;
    const { userForces, states } = rest.model;
    this.hasLoads = rest.forceList.length > 0 || userForces.length > 0 || states.length > 0;
    this.#hasFunctions = hasUserRows(rest.model);
    this.isAutonomous = this.bodies.areRowsTimeless && !this.#hasFunctions && !this.hasLoads;
    this.#last = workspace.vector("state before", this.positions + this.velocities);
    const noted = workspace.reserve("number of the state before", 1);
    const slots = this.bodies.velocities;
    this.#bodyVector = workspace.vector("velocities of bodies", slots);
    this.#bodyBias = workspace.vector("bias of bodies", slots);
    this.#gamma = workspace.vector("gamma", this.rows);
    this.#forces = workspace.vector("generalised forces", this.velocities);
    ({ positions: this.positionNames, velocities: this.velocityNames } = coordinateNames(tree));
    const loopBlocks = { loopBlocks: new Float64Array(0) };
    this.rankedRows = {
      factor: this.bodies.factor,
      plan,
      arrays: loopBlocks,
      workspace,
      velocities: this.velocities,
      rows: this.rows,
    };
    workspace.whenSealed((arena) => {
      loopBlocks.loopBlocks = arena.floats(this.segments.loopBlocks);
      this.pivots = arena.floats(this.segments.pivots);
      this.#noted = arena.floats(noted);
      this.#rewrite = () => writeNodes(this.plan, this.segments, arena);
      const slots = this.positions + this.velocities;
      this.trialNumbers = arena.floats({ ...this.segments.trial, slots });
    });
  }

  /** Takes over the masses, gravity and forces of a plan that differs in nothing else. */
  adopt(plan: RelativePlan): void {
    this.plan = plan;
    this.bodies.adopt(plan.rest);
    this.#rewrite();
    // What is known of a state that comes again was found with other numbers.
    this.#stamp++;
    this.#known = 0;
    this.generation++;
  }

  /** Loads besides those of the model, from now on. */
  push(pushes: Pushes | undefined): void {
    this.bodies.pushes = pushes;
    this.#keepsStates = false;
    this.#stamp++;
  }

  get isPushed(): boolean {
    return this.bodies.pushes !== undefined;
  }

  get kernels(): BodyKernels {
    return this.bodies.kernels;
  }

  load(t: number): void {
    const { state, trial, positions, velocities } = this;
    this.bodies.factor.isKept = false;
    const keeps = this.#keepsStates;
    if (!keeps) this.workspace.kernels.copyVector(positions + velocities, state.q, trial.q);
    this.#at(t, keeps && this.kernels.treeLoad(this.table, state.q, this.#last) === 1);
  }

  store(): void {
    const { workspace, positions, velocities, state, trial } = this;
    workspace.kernels.copyVector(positions + velocities, trial.q, state.q);
  }

  at(t: number): void {
    this.#at(t, this.#keepsStates && this.kernels.treeNote(this.table, this.#last) === 1);
  }

  /** `isNoted`: the trial state is the one that was noted last. */
  #at(t: number, isNoted: boolean): void {
    this.#isCounted = false;
    if (this.#keepsStates && this.#isKept(isNoted)) {
      this.time = t;
      this.bodies.time = t;
      return;
    }
    // What was evaluated ahead and not asked for was for nothing: the pose was corrected.
    if (this.#isForeseen) this.#foresees = false;
    this.#isForeseen = false;
    this.time = t;
    this.generation++;
    this.#known = 0;
    this.bodies.at(t);
  }

  /**
   * Whether a state that comes again (the end of a step is the beginning of the next) keeps what is known of it. Not where
   * something besides the state may have changed; systems that depend on time never do.
   */
  set keepsStates(value: boolean) {
    if (!this.isAutonomous || this.rows === 0 || this.isPushed) return;
    if (!this.#keepsStates) this.#stamp++;
    this.#keepsStates = value;
  }

  /** Whether what is known is that of a state that was noted. The stamp in memory tells a memory put back. */
  #isKept(isNoted: boolean): boolean {
    const isSame = isNoted && this.#noted[0] === this.#stamp;
    if (!isSame) this.#noted[0] = ++this.#stamp;
    return isSame;
  }

  atVelocity(): void {
    if (this.#keepsStates) this.kernels.treeNote(this.table, this.#last);
    this.#known &= TreePart.POSES | TreePart.INERTIA;
    // Rows have another factor then.
    if (this.bodies.areRowsNonlinear) this.generation++;
    this.bodies.atVelocity();
  }

  /** Poses of the nodes. */
  requirePoses(): void {
    this.#require(TreePart.POSES);
  }

  /** Velocities of the nodes, and what accelerates them. */
  requireBias(): void {
    this.#require(TreePart.POSES | TreePart.RATES);
  }

  /** Articulated inertias of the nodes. */
  requireInertia(): void {
    this.#count();
    if (this.#known & TreePart.INERTIA) return;
    this.#isForeseen = this.#foresees && (this.#known & TreePart.POSES) === 0;
    const rates = this.#isForeseen ? TreePart.RATES : 0;
    this.#require(TreePart.POSES | TreePart.INERTIA | rates);
    this.check(this.kernels.treeFactor(this.table));
  }

  /** Accelerations where there are no rows; leaves articulated inertias. */
  accelerations(loads: Address, out: Address): void {
    const { kernels, table } = this;
    this.#count();
    if (this.#known & TreePart.INERTIA) {
      this.requireBias();
      this.check(kernels.treeSolve(table, 1, loads, 0, out));
    } else {
      const isStarted = (this.#known & TreePart.RATES) === 0 && loads === 0;
      this.#require(TreePart.POSES | TreePart.RATES | TreePart.INERTIA);
      this.check(kernels.treeAccelerations(table, isStarted ? 1 : 0, loads, out));
    }
  }

  /** Whether tree and rows have been evaluated at the trial state. */
  get isEvaluated(): boolean {
    return (this.#known & TREE) === TREE && this.bodies.areRowsKnown;
  }

  /** Kernels have evaluated so many states, and then tree and rows at the trial state: of that all, if `isKnown`. */
  setEvaluated(t: number, before: number, isKnown: boolean): void {
    this.factorisations += before;
    this.#isForeseen = false;
    if (!isKnown) this.#stamp++;
    this.at(t);
    if (!isKnown) return;
    this.#known = TREE;
    this.bodies.setRowsKnown();
  }

  /** Stages of an explicit step where there are neither rows nor force laws: see Ode.stages. */
  explicitStages(t: number, h: number, { first, count, tableau, slopes }: ExplicitStages): number {
    // Pushes are no kernels: stage by stage.
    if (this.isPushed) return first;
    const { kernels, table, state } = this;
    const status = kernels.treeStages(table, first, count, h, state.q, tableau, slopes);
    this.at(t + h);
    if (failed(status)) return first;
    this.factorisations += count - first;
    return count;
  }

  /**
   * Counts the factorisation of a state once, whether it is found anew or still known from before: runs that go on from a
   * snapshot know less, and must tell the same numbers.
   */
  #count(): void {
    if (!this.#isCounted) this.factorisations++;
    this.#isCounted = true;
  }

  /** Rates are asked for at this pose. */
  useRates(): void {
    this.#isForeseen = false;
    this.#foresees = !this.#hasFunctions;
  }

  /** Whether rates are evaluated with inertias, and rows with both. */
  get isForeseen(): boolean {
    return this.#isForeseen;
  }

  #require(parts: number): void {
    const missing = parts & ~this.#known;
    if (missing === 0) return;
    this.#known |= missing;
    this.check(this.kernels.treeOutwards(this.table, missing));
  }

  /** gamma of the coordinates: that of bodies, less what the bias of the bodies gives. */
  gamma(): Address {
    if (this.#known & GAMMA || this.rows === 0) return this.#gamma;
    this.#known |= GAMMA;
    this.bodies.gamma();
    this.requireBias();
    this.kernels.treeGamma(this.table, this.#gamma);
    return this.#gamma;
  }

  /** Forces on bodies without gravity and inertia; 0 where there are none. */
  loads(parts: ForcePart | number): Address {
    return this.hasLoads || this.isPushed ? this.bodies.loads(parts) : 0;
  }

  /** T^T (F - M bias), gravity and all forces of inertia included. */
  forces(): Address {
    if (this.#known & FORCES) return this.#forces;
    this.requireBias();
    this.bodies.requireFrames();
    const { kernels, table, bodies } = this;
    const { axpy } = this.workspace.kernels;
    kernels.treeBodyBias(table, this.#bodyBias);
    bodies.massTimes(this.#bodyBias, this.#bodyBias);
    axpy(bodies.velocities, -1, this.#bodyBias, bodies.forces(), this.#bodyBias);
    kernels.treeJointForces(table, this.#bodyBias, this.#forces);
    this.#known |= FORCES;
    return this.#forces;
  }

  /** Constants of laws have been changed. */
  forgetForces(): void {
    this.#known &= ~FORCES;
    this.bodies.forgetForces();
  }

  massTimes(x: Address, out: Address): void {
    this.bodies.massTimes(this.bodyVelocities(x), this.#bodyVector);
    this.kernels.treeJointForces(this.table, this.#bodyVector, out);
  }

  /** T x: velocities of the bodies. */
  bodyVelocities(x: Address): Address {
    this.requirePoses();
    this.kernels.treeBodyVelocities(this.table, x, this.#bodyVector);
    return this.#bodyVector;
  }

  /** out = T^T f for forces f on the bodies. */
  jointForces(f: Address, out: Address): void {
    this.requirePoses();
    this.kernels.treeJointForces(this.table, f, out);
  }

  /** A vector of six numbers for each body, for whoever needs one at the moment. */
  get bodyVector(): Address {
    return this.#bodyVector;
  }

  displace(q: Address, displacement: Address, turn: Turn = Turn.EXPONENTIAL): void {
    this.check(this.kernels.treeDisplace(this.table, q, displacement, turn));
  }

  normalise(q: Address): void {
    // Angles and displacements need nothing.
    if (this.positions === this.velocities) return;
    this.check(this.kernels.treeNormalise(this.table, q));
  }

  check(status: number): void {
    if (failed(status)) throw this.errorFor(status, "");
  }

  errorFor(status: number, advice: string): Error {
    // What failed is not known, whatever is noted.
    this.#stamp++;
    return treeSolveError(this, status, advice);
  }

  /** Throws for a diverged state, so that the one before it, with finite numbers, remains the last. */
  requireFinite(t: number): void {
    const size = this.positions + this.velocities;
    if (this.workspace.kernels.largestMagnitude(size, this.state.q) < BLOWN_UP) return;
    this.load(t);
    throw this.errorFor(Status.NON_FINITE, "");
  }

  /** What the sensors say at the accepted state. */
  sensorValues(t: number): Float64Array {
    this.load(t);
    this.bodies.requireSensors(Want.PHI);
    return this.bodies.arrays.sensors.filter((_, slot) => slot % Sensor.LENGTH === Sensor.VALUE);
  }

  #writeFrames(rates: boolean): void {
    if (rates) this.requireBias();
    else this.requirePoses();
    this.kernels.treeFrames(this.table, rates ? 1 : 0);
  }
}
