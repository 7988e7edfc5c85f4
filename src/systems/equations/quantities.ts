import { MassKind } from "../../../assembly/layout.js";
import type { Address, Arena, Segment } from "../../ground/memory/arena.js";
import { Workspace } from "../../ground/memory/workspace.js";
import { initSync } from "../../ground/wasm/module.js";
import type { GeneralRank, StateAddress } from "../../seam/index.js";
import { GeneralRankFinder } from "../general-rank.js";
import { stateAt } from "../state-address.js";
import { ConstraintEvaluator } from "./constraint-evaluator.js";
import { checkFunctions } from "./function-check.js";
import type { Equations } from "./made.js";
import { MotionDerivatives } from "./motion-derivatives.js";
import { equationSolveError } from "./solve-errors.js";
import { UserFunctions } from "./user-functions.js";
import { type EquationViews, type Parts, partsOf } from "./views.js";

/** Forces besides Q that depend on multipliers. */
export interface AddedForces {
  /** Where Q is written. */
  readonly applied: Float64Array;
  /** Writes Q and these forces, for the Q in {@link applied}. */
  add(forces: Address): void;
  /** Their power at the trial state. */
  power(): number;
}

/**
 * Before which steps functions are compared: when a state is given, which may violate the constraints and be at rest, when
 * it satisfies them, and later, when it moves.
 */
const COMPARED: readonly number[] = [0, 1, 2, 4, 8, 16];
const LAST_COMPARED = Math.max(...COMPARED);

/** What is known at the trial state: one bit each. */
const KNOWN = { mass: 1, forces: 2, phi: 4, jacobian: 8, phiDot: 16, gamma: 32 } as const;

/**
 * State and memory of a system given by functions, and the quantities of its equations: each is
 * evaluated when it is first asked for at a state.
 */
export class EquationQuantities {
  readonly workspace = new Workspace(initSync);
  readonly equations: Equations;
  readonly positions: number;
  readonly velocities: number;
  readonly rows: number;
  readonly holonomicRows: number;
  readonly coordinateNames: readonly string[];
  readonly rowNames: readonly string[];
  readonly state: StateAddress;
  readonly trial: StateAddress;
  readonly massKind: MassKind;
  time = 0;
  generation = 0;
  factorisations = 0;

  readonly functions: UserFunctions;
  readonly evaluator: ConstraintEvaluator;
  readonly derivatives: MotionDerivatives;
  /** Set by those who have a solver, where constraints are not ideal. */
  nonIdeal: AddedForces | undefined;
  readonly segments: Record<keyof EquationViews, Segment>;
  readonly #scratch: Segment;
  #views: EquationViews | undefined;
  #parts!: Parts;
  /** The accepted state. */
  accepted!: { readonly q: Float64Array; readonly v: Float64Array };
  #known = 0;
  /** Steps that have begun, up to the last comparison. */
  #begun = 0;
  /** What comparisons of functions left in doubt. */
  readonly doubts: string[] = [];

  readonly #ranks: GeneralRankFinder;

  constructor(equations: Equations) {
    this.equations = equations;
    const n = equations.coordinateNames.length;
    const holonomic = equations.holonomicNames.length;
    const rows = holonomic + equations.nonholonomicNames.length;
    this.positions = n;
    this.velocities = n;
    this.rows = rows;
    this.holonomicRows = holonomic;
    this.coordinateNames = equations.coordinateNames;
    this.rowNames = [...equations.holonomicNames, ...equations.nonholonomicNames];
    this.massKind = equations.mass.diagonal ? MassKind.DIAGONAL : MassKind.FULL;

    const { workspace } = this;
    const at = (q: Address) => stateAt(q, n, n);
    this.state = at(workspace.vector("state and work", 2 * n + 1));
    const trial = workspace.reserve("trial state and work", 2 * n + 1);
    this.trial = at(trial.address);
    this.segments = {
      q: { ...trial, slots: n },
      v: { ...trial, address: this.trial.v, slots: n },
      mass: workspace.reserve("mass", equations.mass.diagonal ? n : n * n),
      forces: workspace.reserve("forces", n),
      phi: workspace.reserve("phi", rows),
      jacobian: workspace.reserve("jacobian", rows * n),
      phiDot: workspace.reserve("phi dot", rows),
      gamma: workspace.reserve("gamma", rows),
    };
    this.#scratch = workspace.reserve("motion derivatives", Math.max(rows * n, n));
    this.functions = new UserFunctions(equations);
    this.evaluator = new ConstraintEvaluator(equations, this.functions, workspace);
    this.derivatives = new MotionDerivatives(equations, this.functions, this.evaluator, workspace);
    this.#ranks = new GeneralRankFinder(this);
    workspace.whenSealed((arena) => this.#makeViews(arena));
  }

  generalRank(): GeneralRank | undefined {
    return this.#ranks.find();
  }

  load(t: number): void {
    const { workspace, positions, velocities, state, trial } = this;
    workspace.kernels.copyVector(positions + velocities, state.q, trial.q);
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
    this.functions.changed();
  }

  /** Steps of differences are fitted to the accepted state, and stay through a step: derivatives are smooth there. */
  beginStep(t: number): void {
    const { q, v } = this.accepted;
    this.evaluator.fit(q, v, t);
    this.derivatives.fit(q, v, t);
    this.functions.changed();
    this.#check(t);
  }

  /** Kept up until it succeeds, as runs try steps again that have failed. */
  #check(t: number): void {
    if (this.#begun > LAST_COMPARED || this.equations.description.check === false) return;
    if (COMPARED.includes(this.#begun)) {
      this.doubts.push(...checkFunctions(this.equations, this.functions, this.accepted, t));
    }
    this.#begun++;
  }

  /** True when a quantity has been evaluated at the trial state. */
  isKnown(part: keyof typeof KNOWN): boolean {
    return (this.#known & KNOWN[part]) !== 0;
  }

  get name(): string {
    return this.equations.name;
  }

  /** The arrays, once the workspace is sealed. */
  get views(): EquationViews {
    return this.#views as EquationViews;
  }

  /** Address of the mass matrix: its diagonal, or all of it. */
  mass(): Address {
    if ((this.#known & KNOWN.mass) === 0) {
      this.#known |= KNOWN.mass;
      this.functions.mass(this.views.q, this.views.v, this.views.mass, this.time);
    }
    return this.segments.mass.address;
  }

  /** Q, and the forces of constraints that are not ideal. */
  forces(): Address {
    if ((this.#known & KNOWN.forces) === 0) {
      this.#known |= KNOWN.forces;
      // What a function does not write stays as it is, so each has an array of its own.
      const out = this.nonIdeal?.applied ?? this.views.forces;
      this.functions.forces(this.views.q, this.views.v, out, this.time);
      this.nonIdeal?.add(this.segments.forces.address);
    }
    return this.segments.forces.address;
  }

  phi(): Address {
    if ((this.#known & KNOWN.phi) === 0) {
      this.#known |= KNOWN.phi;
      this.functions.phi(this.views.q, this.views.v, this.#parts.phi, this.time);
    }
    return this.segments.phi.address;
  }

  jacobian(): Address {
    if ((this.#known & KNOWN.jacobian) === 0) {
      this.#known |= KNOWN.jacobian;
      const { q, v } = this.views;
      if (this.holonomicRows > 0) {
        this.evaluator.jacobian(q, v, this.#parts.jacobian, this.time);
      }
      if (this.rows > this.holonomicRows) {
        this.evaluator.nonholonomicJacobian(q, v, this.#parts.nonholonomicJacobian, this.time);
      }
    }
    return this.segments.jacobian.address;
  }

  phiDot(): Address {
    if ((this.#known & KNOWN.phiDot) === 0) {
      const jacobian = this.jacobian();
      this.#known |= KNOWN.phiDot;
      const { q, v } = this.views;
      if (this.holonomicRows > 0) this.#holonomicRate(jacobian);
      if (this.rows > this.holonomicRows) {
        this.functions.nonholonomic(q, v, this.#parts.nonholonomicValue, this.time);
      }
    }
    return this.segments.phiDot.address;
  }

  /** J v + dPhi/dt. */
  #holonomicRate(jacobian: Address): void {
    const { kernels } = this.workspace;
    const n = this.velocities;
    const rows = this.holonomicRows;
    const v = this.segments.v.address;
    const out = this.segments.phiDot.address;
    if (this.functions.scleronomic) {
      kernels.matrixTransposeVector(n, rows, jacobian, n, v, out);
    } else {
      this.evaluator.timeDerivative(this.views.q, this.views.v, this.#parts.phiDot, this.time);
      kernels.addRowsTimes(rows, n, jacobian, v, out);
    }
  }

  gamma(): Address {
    if ((this.#known & KNOWN.gamma) === 0) {
      this.#known |= KNOWN.gamma;
      const { q, v } = this.views;
      if (this.holonomicRows > 0) this.evaluator.gamma(q, v, this.#parts.gamma, this.time);
      if (this.rows > this.holonomicRows) {
        this.evaluator.nonholonomicGamma(q, v, this.#parts.nonholonomicGamma, this.time);
      }
    }
    return this.segments.gamma.address;
  }

  /** out = M x. */
  massTimes(x: Address, out: Address): void {
    const n = this.velocities;
    const mass = this.mass();
    if (this.equations.mass.diagonal) this.workspace.kernels.multiplyEach(n, mass, x, out);
    else this.workspace.kernels.matrixVector(n, n, mass, n, x, out);
  }

  /** Writes a derivative into the scratch and copies it where it is wanted. */
  derive(
    count: number,
    out: Address,
    write: (q: Float64Array, v: Float64Array, target: Float64Array) => void,
  ): void {
    const { vector, matrix } = this.#parts;
    write(this.views.q, this.views.v, count === this.velocities ? vector : matrix);
    this.functions.changed();
    this.workspace.kernels.copyVector(count, this.#scratch.address, out);
  }

  /** The error for a kernel's status: names the function that gave NaN, the coordinate or the row. */
  errorFor(status: number, advice: string): Error {
    return equationSolveError(this, status, advice);
  }

  #makeViews(arena: Arena): void {
    const entries = Object.entries(this.segments).map(([name, segment]) => [
      name,
      arena.floats(segment),
    ]);
    const views = Object.fromEntries(entries) as EquationViews;
    const n = this.positions;
    this.accepted = {
      q: arena.floats({ name: "q", address: this.state.q, slots: n }),
      v: arena.floats({ name: "v", address: this.state.v, slots: n }),
    };
    this.#views = views;
    this.#parts = partsOf(views, this.holonomicRows, this.velocities, arena.floats(this.#scratch));
    if (this.equations.mass.constant) views.mass.set(this.equations.mass.constant);
  }
}
