import { MassKind } from "../../../../assembly/layout.js";
import { BODY_VELOCITIES, BodyMass, ForcePart, Want } from "../../../../assembly/layout-bodies.js";
import { POINTS } from "../../../base/algebra/differences.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address, Segment } from "../../../base/memory/arena.js";
import type { StiffMemory } from "../../../base/memory/stiff-memory.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import { RANK_TOLERANCE } from "../../../base/rank-tolerance.js";
import type { denseMemory } from "../../../base/wasm/dense.js";
import type {
  BodyAccess,
  ConstraintSolver,
  Constraints,
  DenseEquations,
  Energy,
  GeneralRank,
  Matrices,
  SolverKind,
  SparseEquations,
  System,
} from "../../../interfaces/index.js";
import { checkSolver, DenseSolver, type DenseSource } from "../../dense-solver.js";
import { QuantityDynamics } from "../../system-parts.js";
import { movingBodies, rotorCount } from "../plan/carriers.js";
import { isConservative } from "../plan/conservative.js";
import type { Plan } from "../plan/plan.js";
import { BodyContinuation } from "./continuation.js";
import { BodyCoordinates } from "./coordinates.js";
import { type BodyDerivatives, bodyDerivatives } from "./derivatives.js";
import { BodyLoops, generalRank, type MechanismFacts, RankKnowledge } from "./loop-ranks.js";
import { bodyEntries } from "./matrix-entries.js";
import { BodyQuantities } from "./quantities.js";
import { followsReaction, ReactionLoads, RowReactions } from "./reaction-loads.js";
import { stiffAdvice } from "./solve-errors.js";
import { SparseSolver } from "./sparse-solver.js";

/** Rotation or displacement of bodies in a step of finite differences of J along the motion, in radians or lengths. */
const DIFFERENCE_STEP = 2 ** -7;

/** The dense matrices of a mechanism, for the methods that need a basis of the null space. */
class DenseBodies implements DenseEquations, DenseSource {
  readonly workspace: Workspace;
  readonly velocities: number;
  readonly rows: number;
  readonly massKind = MassKind.FULL;
  readonly #system: BodyQuantities;
  readonly #mass: Segment;
  readonly #jacobian: Segment;
  readonly #kept: Address;
  readonly #step: Address;
  #blocks = new Float64Array(0);
  #matrix = new Float64Array(0);
  #written = -1;

  readonly #rank: GeneralRank | undefined;

  constructor(system: BodyQuantities, rank: GeneralRank | undefined) {
    this.#rank = rank;
    const { workspace, velocities, rows, positions } = system;
    this.#system = system;
    this.workspace = workspace;
    this.velocities = velocities;
    this.rows = rows;
    this.#mass = workspace.reserve("dense mass", velocities * velocities);
    this.#jacobian = workspace.reserve("dense jacobian", rows * velocities);
    this.#kept = workspace.vector("kept positions", positions);
    this.#step = workspace.vector("difference step", velocities);
    workspace.whenSealed((arena) => {
      this.#blocks = arena.floats(system.segments.jacobian);
      this.#matrix = arena.floats(this.#jacobian);
      this.#writeMass(arena.floats(this.#mass), arena.floats(system.segments.masses));
    });
  }

  get generation(): number {
    return this.#system.generation;
  }

  get factorisations(): number {
    return this.#system.factorisations;
  }

  set factorisations(count: number) {
    this.#system.factorisations = count;
  }

  generalRank(): GeneralRank | undefined {
    return this.#rank;
  }

  mass(): Address {
    return this.#mass.address;
  }

  jacobian(): Address {
    if (this.#written !== this.generation) {
      this.#system.require(Want.PHI | Want.JACOBIAN);
      this.#matrix.fill(0);
      this.#addBlocks(1, this.#matrix);
      this.#written = this.generation;
    }
    return this.#jacobian.address;
  }

  forces(): Address {
    return this.#system.forces();
  }

  gamma(): Address {
    return this.#system.gamma();
  }

  errorFor(status: number, advice: string): Error {
    return this.#system.errorFor(status, advice);
  }

  /** M is constant. */
  massRateTimesVelocity(out: Address): void {
    this.workspace.kernels.copyVector(this.velocities, this.#system.zero, out);
  }

  /** dJ/dt along the motion, by finite differences of sixth order. */
  jacobianRate(out: Address): void {
    const system = this.#system;
    const { kernels } = this.workspace;
    const { trial, positions, velocities, rows, time } = system;
    const { q, v } = trial;
    const speed = Math.max(1, kernels.largestMagnitude(velocities, v));
    const h = DIFFERENCE_STEP / speed;
    kernels.copyVector(positions, q, this.#kept);
    this.#matrix.fill(0);
    for (const [multiple, weight] of POINTS) {
      kernels.copyVector(positions, this.#kept, q);
      kernels.axpy(velocities, multiple * h - 1, v, v, this.#step);
      system.displace(q, this.#step);
      system.at(time + multiple * h);
      system.require(Want.PHI | Want.JACOBIAN);
      this.#addBlocks(weight / h, this.#matrix);
    }
    kernels.copyVector(positions, this.#kept, q);
    system.at(time);
    kernels.copyVector(rows * velocities, this.#jacobian.address, out);
    this.#written = -1;
  }

  /** Adds the blocks, each times a factor, to a row-major matrix. */
  #addBlocks(factor: number, matrix: Float64Array): void {
    const { blocks, sparse } = this.#system.plan;
    blocks.forEach(({ bodies, rows, firstRow }, index) => {
      bodies.forEach((body, place) => {
        const slot = sparse.jacobianSlotOf[index]?.[place] as number;
        for (let row = 0; row < rows; row++) {
          const to = (firstRow + row) * this.velocities + BODY_VELOCITIES * body;
          const from = slot + BODY_VELOCITIES * row;
          for (let k = 0; k < BODY_VELOCITIES; k++) {
            const value = factor * (this.#blocks[from + k] as number);
            matrix[to + k] = (matrix[to + k] as number) + value;
          }
        }
      });
    });
  }

  #writeMass(matrix: Float64Array, masses: Float64Array): void {
    const n = this.velocities;
    for (let body = 0; body < n / BODY_VELOCITIES; body++) {
      const mass = BodyMass.LENGTH * body;
      const first = BODY_VELOCITIES * body;
      for (let i = 0; i < 3; i++) {
        matrix[(first + i) * (n + 1)] = masses[mass + BodyMass.MASS] as number;
        for (let j = 0; j < 3; j++) {
          const value = masses[mass + BodyMass.INERTIA + 3 * j + i] as number;
          matrix[first + 3 + i + (first + 3 + j) * n] = value;
        }
      }
    }
  }
}

/** Matrices of a mechanism for the methods that use them. Memory is reserved on first use. */
class BodyMatrices implements Matrices {
  readonly costly = "";
  readonly #system: BodyQuantities;
  readonly #length: number;
  readonly #rank: GeneralRank | undefined;
  #dense: DenseBodies | undefined;
  #sparse: SparseEquations | undefined;

  constructor(system: BodyQuantities, length: number, rank: GeneralRank | undefined) {
    this.#rank = rank;
    this.#system = system;
    this.#length = length;
  }

  get dense(): DenseBodies {
    this.#dense ??= new DenseBodies(this.#system, this.#rank);
    return this.#dense;
  }

  sparse(): SparseEquations {
    this.#sparse ??= bodyEntries(this.#system, this.#length);
    return this.#sparse;
  }

  derivatives(stiff: StiffMemory): BodyDerivatives | string {
    return bodyDerivatives(this.#system, this.sparse(), stiff);
  }

  stages(): undefined {}
}

/** Energies of a mechanism. Its mass matrix is constant: kinetic energy has no gradient by q. */
class BodyEnergy implements Energy {
  readonly hasPotential = true;
  readonly #system: BodyQuantities;
  readonly #momenta: Address;

  constructor(system: BodyQuantities) {
    this.#system = system;
    this.#momenta = system.workspace.vector("momenta", system.velocities);
  }

  get isConservative(): boolean {
    return isConservative(this.#system.plan.model);
  }

  potential(): number {
    const system = this.#system;
    system.requireFrames();
    return system.kernels.bodyPotential(system.table);
  }

  kinetic(): number {
    const { trial, movingVelocities, workspace } = this.#system;
    this.#system.massTimes(trial.v, this.#momenta);
    return workspace.kernels.dot(movingVelocities, trial.v, this.#momenta) / 2;
  }

  power(): number {
    const system = this.#system;
    const { trial, movingVelocities, workspace } = system;
    return workspace.kernels.dot(movingVelocities, system.loads(ForcePart.OTHER), trial.v);
  }

  potentialGradient(out: Address): void {
    const system = this.#system;
    system.kernels.bodyGradient(system.table, system.loads(ForcePart.CONSERVATIVE), out);
  }

  kineticGradient(out: Address): void {
    const { workspace, positions, zero } = this.#system;
    workspace.kernels.copyVector(positions, zero, out);
  }
}

/** Forces, masses and the solvers of a mechanism. */
class BodyDynamics extends QuantityDynamics<BodyQuantities> {
  readonly #ranks: RankKnowledge;
  /** Creates the dense matrices, or returns the existing ones. */
  readonly #dense: () => DenseSource;

  constructor(system: BodyQuantities, ranks: RankKnowledge, dense: () => DenseSource) {
    super(system);
    this.#ranks = ranks;
    this.#dense = dense;
  }

  solver(
    kind: SolverKind,
    tolerance = RANK_TOLERANCE,
    dense?: typeof denseMemory,
  ): ConstraintSolver {
    if (kind !== "auto") checkSolver(kind, tolerance);
    if (kind === "auto" || kind === "cholesky") {
      return (
        this.known(kind) ?? this.keep(kind, new SparseSolver(this.quantities, this.#ranks, kind))
      );
    }
    const key = `${kind} ${tolerance}`;
    const known = this.known(key);
    if (known) return known;
    if (!dense) {
      throw new NodriftError(
        "METHOD",
        `the solver "${kind}" works on dense matrices: give it denseMemory, solver("${kind}", tolerance, denseMemory)`,
      );
    }
    const { workspace } = this.quantities;
    return this.keep(key, new DenseSolver(this.#dense(), kind, tolerance, dense(workspace)));
  }
}

/** The rows of joints, drives, couplings and the user's constraints. */
class BodyConstraints implements Constraints {
  readonly rows: number;
  readonly holonomicRows: number;
  readonly rowNames: readonly string[];
  readonly degreesOfFreedom: number | undefined;
  readonly areTimeless: boolean;
  readonly residualUnit = 1;
  readonly #system: BodyQuantities;

  constructor(system: BodyQuantities, degreesOfFreedom: number | undefined) {
    this.#system = system;
    this.rows = system.rows;
    this.holonomicRows = system.holonomicRows;
    this.rowNames = system.rowNames;
    // Methods integrate states, and the unused velocities of rotors, like other degrees of freedom.
    const { bodies } = system.plan.model;
    const own = BODY_VELOCITIES * movingBodies(bodies) + rotorCount(bodies);
    const states = system.velocities - own;
    this.degreesOfFreedom = degreesOfFreedom === undefined ? undefined : degreesOfFreedom + states;
    this.areTimeless = system.areRowsTimeless;
  }

  phi(): Address {
    return this.#system.phi();
  }

  phiDot(): Address {
    return this.#system.phiDot();
  }

  gamma(): Address {
    return this.#system.gamma();
  }

  jacobianTimes(x: Address, out: Address): void {
    const system = this.#system;
    system.require(Want.PHI | Want.JACOBIAN);
    system.kernels.bodyJacobianTimes(system.table, x, out);
  }

  jacobianTransposeTimes(lambda: Address, out: Address): void {
    const system = this.#system;
    system.require(Want.PHI | Want.JACOBIAN);
    system.kernels.bodyJacobianTransposeTimes(system.table, lambda, out);
  }
}

/** Rigid bodies with joints, in maximal coordinates: block sparse operators. */
export class BodySystem extends BodyQuantities implements System {
  readonly coordinates: BodyCoordinates;
  readonly constraints: BodyConstraints;
  readonly ranks: RankKnowledge;
  readonly dynamics: BodyDynamics;
  readonly energy: BodyEnergy;
  readonly loops: BodyLoops | undefined;
  readonly continuation: BodyContinuation;
  readonly matrices: BodyMatrices;
  readonly bodies: BodyAccess;

  constructor(
    plan: Plan,
    module: WebAssembly.Module,
    { length, degreesOfFreedom, ranks, nearlyFits = false }: MechanismFacts,
  ) {
    super(plan, module);
    const closesLoops = plan.blocks.some(({ closing }) => closing);
    this.coordinates = new BodyCoordinates(this, length);
    this.bodies = {
      count: plan.model.bodies.length,
      stiffAdvice: stiffAdvice(plan.model),
      frames: () => {
        this.requireFrames();
        return this.arrays.frames;
      },
      sensors: (withJacobians) => this.sensorRecords(withJacobians),
      forces: (onBodies, out) => this.#copy(onBodies, out),
      velocities: (v, out) => this.#copy(v, out),
      angularRate: () => this.angularRate(),
      setPushes: (pushes) => {
        this.pushes = pushes;
      },
    };
    this.constraints = new BodyConstraints(this, degreesOfFreedom);
    this.ranks = new RankKnowledge(this, closesLoops);
    if (ranks) this.workspace.whenSealed(() => this.ranks.learn(ranks));
    this.matrices = new BodyMatrices(this, length, ranks && generalRank(plan, ranks));
    this.dynamics = new BodyDynamics(this, this.ranks, () => this.matrices.dense);
    if (followsReaction(this)) {
      const reactions = new RowReactions(this, this.dynamics.solver("auto"));
      this.reactionLoads = new ReactionLoads(this, reactions);
    }
    this.energy = new BodyEnergy(this);
    this.loops = closesLoops ? new BodyLoops(this, nearlyFits) : undefined;
    this.continuation = new BodyContinuation(this, this.ranks, this.loops, length);
  }

  #copy(from: Address, to: Address): void {
    this.workspace.kernels.copyVector(this.velocities, from, to);
  }
}
