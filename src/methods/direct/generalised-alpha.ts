import { number, oneOf, optionsOf, type Shape } from "../../base/checking/index.js";
import { NodriftError, StepFailure } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { arenaRecord } from "../../base/memory/record.js";
import { type StiffMemory, stiffMemory } from "../../base/memory/stiff-memory.js";
import type { Workspace } from "../../base/memory/workspace.js";
import { RANK_TOLERANCE } from "../../base/rank-tolerance.js";
import type {
  BoundCoupledMethod,
  ConstraintSolver,
  CoupledMethod,
  ImplicitCosts,
  System,
} from "../../interfaces/index.js";
import { costsOf, NO_COSTS } from "../integrators/implicit/end-check.js";
import type { PowerSolver } from "../newton/sparse-lu.js";
import { DirectMatrix, type Level, writeBalance } from "./direct-matrix.js";

/** Scalar state of an alpha method from step to step, stored in the arena. */
type AlphaMemory = ReturnType<typeof alphaMemory>;

function alphaMemory(name: string, workspace: Workspace) {
  return arenaRecord(workspace, `${name} memory`, {
    /** 1 when a and its slope belong to the accepted state. */
    known: 0,
    /** 1 when the independent rows have been chosen. */
    chosen: 0,
    /** 1 when a step has been taken. */
    taken: 0,
    /** Length of the step for which a is v' at t + shift h; 0 at an initial state, where a is v' itself. */
    length: 0,
    /** Step length for which the matrix is factored, or 0; and the contraction of iterations with it. */
    factored: 0,
    contraction: 0,
    ...NO_COSTS,
  });
}

/** Fraction of a step over which accelerations are differenced at an initial state. */
const JERK_SPAN_STEPS = 0.5;

/**
 * Initialisation that keeps the multipliers of generalised-alpha methods at order 2 (Arnold, Bruels and Cardona,
 * Numer. Math. 129 (2015) 149-179): a_0 is not v' but v'(t_0 + shift h), and in the index-3 form the first velocity
 * violates the constraints by the residual that the method itself leaves in every step. With a naive initialisation,
 * lambda has an error O(h) of alternating sign.
 */
class AlphaStart {
  readonly #system: System;
  readonly #coefficients: AlphaCoefficients;
  readonly #solver: ConstraintSolver;
  readonly #stiff: StiffMemory;
  readonly #move: Address;
  readonly #one: Address;
  readonly #two: Address;
  readonly #right: Address;

  constructor(system: System, coefficients: AlphaCoefficients, solver: ConstraintSolver) {
    const { workspace, coordinates, constraints } = system;
    const { velocities: n } = coordinates;
    this.#system = system;
    this.#coefficients = coefficients;
    this.#solver = solver;
    this.#stiff = stiffMemory(workspace);
    this.#move = workspace.vector("alpha: displacement of a start", n);
    this.#one = workspace.vector("alpha: first accelerations of a start", n);
    this.#two = workspace.vector("alpha: second accelerations of a start", n);
    this.#right = workspace.vector("alpha: residuals of a start", constraints.rows);
  }

  /**
   * out = v'' at the accepted state, by accelerations there and at two states ahead, (-3 a + 4 a_1 - a_2) / (2 s):
   * within the step, as functions may be undefined before the initial time. The states follow from Taylor's series.
   */
  writeJerk(t: number, h: number, rate: Address, out: Address): void {
    const { workspace, coordinates } = this.#system;
    const { velocities: n } = coordinates;
    const { kernels } = workspace;
    const s = JERK_SPAN_STEPS * h;
    this.#ahead(t, s, rate, this.#one);
    this.#ahead(t, 2 * s, rate, this.#two);
    kernels.axpy(n, 4 / (2 * s) - 1, this.#one, this.#one, out);
    kernels.axpy(n, -1 / (2 * s), this.#two, out, out);
    kernels.axpy(n, -3 / (2 * s), rate, out, out);
    this.#system.load(t);
  }

  /**
   * Projects the velocity v of a step of length h on the constraints, and then perturbs it so that the accelerations
   * a and a + h jerk at both ends lead to positions on the constraints: -minnorm(Phi) / h, some c h^2 v'' along J^T.
   * Velocities of fixed steps keep this perturbation. Rejected: the same for changing step lengths. The accelerations
   * of a step would equal the prediction, and those of many steps a straight line.
   */
  perturb(t: number, h: number, a: Address, jerk: Address, v: Address): void {
    const { workspace, coordinates, constraints, trial } = this.#system;
    const { velocities: n } = coordinates;
    const { rows, holonomicRows } = constraints;
    const { kernels } = workspace;
    const { beta } = this.#coefficients;
    if (rows === 0) return;
    const right = this.#right;
    this.#negate(rows, constraints.phiDot());
    this.#solver.minnorm(1, right, this.#one);
    kernels.axpy(n, 1, this.#one, v, v);
    const move = this.#move;
    kernels.axpy(n, h - 1, v, v, move);
    kernels.axpy(n, h * h * 0.5, a, move, move);
    kernels.axpy(n, h * h * h * beta, jerk, move, move);
    coordinates.displace(trial.q, move);
    this.#system.at(t + h);
    this.#negate(holonomicRows, constraints.phi());
    this.#solver.minnorm(1, right, this.#one);
    kernels.axpy(n, 1 / h, this.#one, v, v);
    this.#system.load(t);
  }

  /** right = -residual in the first rows, zero in the others. */
  #negate(count: number, residual: Address): void {
    const { workspace, constraints } = this.#system;
    const { kernels } = workspace;
    const right = this.#right;
    this.#stiff.kernels.clearRows(1, constraints.rows, right);
    kernels.axpy(count, -1, residual, right, right);
  }

  /** out = accelerations at the given time after the accepted state. */
  #ahead(t: number, duration: number, rate: Address, out: Address): void {
    const { workspace, coordinates, constraints, trial, state } = this.#system;
    const { velocities: n, positions } = coordinates;
    const { kernels } = workspace;
    const move = this.#move;
    kernels.copyVector(positions, state.q, trial.q);
    kernels.axpy(n, duration - 1, state.v, state.v, move);
    kernels.axpy(n, (duration * duration) / 2, rate, move, move);
    coordinates.displace(trial.q, move);
    kernels.axpy(n, duration, rate, state.v, trial.v);
    this.#system.at(t + duration);
    this.#solver.accelerate(constraints.gamma(), out);
  }
}

/** Maximum number of iterations of a step: with a new matrix, and with one of an earlier step. */
const MAX_ITERATIONS = 30;
const MAX_ITERATIONS_OLD_MATRIX = 8;
/** Displacements relative to the largest coordinate: converged, and possibly rounding. */
const CONVERGED_DISPLACEMENT = 1e-14;
const ROUNDING_DISPLACEMENT = 1e-11;
/** Contractions above which small changes count as rounding, and above which iterations diverge. */
const STALLED = 0.3;
const DIVERGENT = 0.95;
/** Contraction below which the matrix is kept for the next step. */
const FAST = 0.02;

/**
 * Newton's iterations of a step for v' and lambda at its end. With k = beta h^2 (1 - alpha_f) / (1 - alpha_m) a change r of
 * v' moves q by k r and v by gamma h / (beta h^2) k r: the matrix of direct-matrix.ts with alpha = sqrt(k) and w = k r.
 */
class AlphaNewton {
  /** Source of the derivatives in the matrix. */
  readonly source: string;
  /** Velocities at the beginning of the step; write them before {@link solve}. */
  readonly velocity: Address;
  /** v' and lambda at the end. */
  readonly rate: Address;
  readonly lambda: Address;
  readonly #system: System;
  readonly #coefficients: AlphaCoefficients;
  readonly #level: Level;
  readonly #memory: AlphaMemory;
  readonly #stiff: StiffMemory;
  readonly #matrix: DirectMatrix;
  readonly #solver: PowerSolver;
  readonly #right: Address;
  readonly #mu: Address;
  readonly #push: Address;
  readonly #a: Address;
  readonly #move: Address;
  readonly #scratch: Address;
  readonly #all: Address;

  constructor(
    system: System,
    coefficients: AlphaCoefficients,
    level: Level,
    memory: AlphaMemory,
    tolerance: number,
  ) {
    const { workspace, coordinates, constraints } = system;
    const { velocities: n } = coordinates;
    const { rows } = constraints;
    const vector = (what: string, count: number) => workspace.vector(`alpha: ${what}`, count);
    this.#system = system;
    this.#coefficients = coefficients;
    this.#level = level;
    this.#memory = memory;
    this.#stiff = stiffMemory(workspace);
    const damping = this.#perStep * coefficients.gamma;
    this.#matrix = new DirectMatrix(
      system,
      { level, isStage: false, damping: damping / Math.sqrt(this.#perStep * coefficients.beta) },
      tolerance,
    );
    this.#solver = this.#matrix.solver(false);
    this.source = this.#matrix.linearisation.source;
    this.velocity = vector("velocity of the step", n);
    this.rate = vector("rate of v at the end", n);
    this.lambda = vector("multipliers at the end", rows);
    this.#right = vector("right side", this.#matrix.places.size);
    this.#mu = vector("corrections", rows);
    this.#push = vector("change of corrections", rows);
    this.#a = vector("a of an iteration", n);
    this.#move = vector("displacement", n);
    this.#scratch = vector("products", n);
    this.#all = vector("rows of the solution", Math.max(rows, 1));
  }

  /** Chooses the independent rows at the trial state. */
  choose(t: number): void {
    this.#matrix.choose(t);
  }

  /** Solves for the end of the step, which becomes the trial state. Returns false if iterations do not converge. */
  solve(t: number, h: number, first: Address, rate: Address, lambda: Address): boolean {
    const memory = this.#memory;
    if (memory.factored === h && memory.contraction <= FAST) {
      if (this.#iterate(t, h, first, rate, lambda, false)) return true;
    }
    return this.#iterate(t, h, first, rate, lambda, true);
  }

  /** out = a at the end. */
  writeEnd(first: Address, rate: Address, out: Address): void {
    const { kernels } = this.#system.workspace;
    const { velocities: n } = this.#system.coordinates;
    const { alphaM, alphaF } = this.#coefficients;
    const part = 1 / (1 - alphaM);
    kernels.axpy(n, part * (1 - alphaF) - 1, this.rate, this.rate, out);
    kernels.axpy(n, part * alphaF, rate, out, out);
    kernels.axpy(n, -part * alphaM, first, out, out);
  }

  /** da_{n+1} / dv'_{n+1}. */
  get #perStep(): number {
    const { alphaM, alphaF } = this.#coefficients;
    return (1 - alphaF) / (1 - alphaM);
  }

  #iterate(
    t: number,
    h: number,
    first: Address,
    rate: Address,
    lambda: Address,
    fresh: boolean,
  ): boolean {
    const { workspace, coordinates, constraints, trial } = this.#system;
    const { velocities: n, positions } = coordinates;
    const { kernels } = workspace;
    const memory = this.#memory;
    kernels.copyVector(n, rate, this.rate);
    kernels.copyVector(constraints.rows, lambda, this.lambda);
    this.#stiff.kernels.clearRows(1, constraints.rows, this.#mu);
    let before = 0;
    let contraction = 0;
    this.#place(t, h, first, rate);
    if (fresh) this.#linearise(t + h, h);
    const size = kernels.largestMagnitude(positions, trial.q);
    // Joint coordinates may all be small, but rounding of the rows scales with the size of the mechanism.
    const rounding = ROUNDING_DISPLACEMENT * Math.max(size, constraints.residualUnit);
    const most = fresh ? MAX_ITERATIONS : MAX_ITERATIONS_OLD_MATRIX;
    for (let k = 1; k <= most; k++) {
      const change = this.#improve(h);
      this.#place(t, h, first, rate);
      if (!(change < Number.POSITIVE_INFINITY)) return false;
      const quotient = k === 1 ? FAST : change / Math.max(before, Number.MIN_VALUE);
      contraction = Math.max(quotient, k === 1 ? 0 : contraction);
      const isStalled = change <= rounding && quotient > STALLED;
      if (isStalled || change <= CONVERGED_DISPLACEMENT * size) {
        memory.contraction = isStalled ? memory.contraction : contraction;
        return true;
      }
      if (k > 2 && !(quotient < DIVERGENT)) return false;
      before = change;
    }
    return false;
  }

  /** Computes the trial state from v' and mu. */
  #place(t: number, h: number, first: Address, rate: Address): void {
    const { workspace, coordinates, constraints, trial, state } = this.#system;
    const { velocities: n, positions } = coordinates;
    const { kernels } = workspace;
    const { beta, gamma } = this.#coefficients;
    const a = this.#a;
    const move = this.#move;
    this.writeEnd(first, rate, a);
    kernels.axpy(n, h - 1, this.velocity, this.velocity, move);
    kernels.axpy(n, h * h * (0.5 - beta), first, move, move);
    kernels.axpy(n, h * h * beta, a, move, move);
    kernels.axpy(n, h * (1 - gamma), first, this.velocity, trial.v);
    kernels.axpy(n, h * gamma, a, trial.v, trial.v);
    kernels.copyVector(positions, state.q, trial.q);
    if (this.#level === "both" && constraints.rows > 0) {
      this.#system.at(t);
      constraints.jacobianTransposeTimes(this.#mu, this.#scratch);
      kernels.axpy(n, 1, this.#scratch, move, move);
    }
    coordinates.displace(trial.q, move);
    this.#system.at(t + h);
  }

  #linearise(t: number, h: number): void {
    const memory = this.#memory;
    memory.factored = 0;
    this.#matrix.evaluate(t, this.rate, this.lambda);
    memory.jacobians++;
    memory.factorisations++;
    const row = this.#solver.factor(this.#alpha(h), 0);
    if (row >= 0) throw this.#matrix.singular(row);
    memory.factored = h;
    memory.contraction = 1;
  }

  #alpha(h: number): number {
    return h * Math.sqrt(this.#perStep * this.#coefficients.beta);
  }

  /** Updates v', lambda and mu. Returns the resulting largest displacement. */
  #improve(h: number): number {
    const { workspace, coordinates, constraints } = this.#system;
    const { velocities: n } = coordinates;
    const { rows, holonomicRows } = constraints;
    const { kernels } = this.#stiff;
    const { places, partition } = this.#matrix;
    const right = this.#right;
    const alpha = this.#alpha(h);
    const square = alpha * alpha;
    kernels.clearRows(1, places.size, right);
    writeBalance(this.#system, this.rate, this.lambda, this.#scratch, this.#move);
    kernels.multiple(n, square, 0, this.#move, 0, right + 8 * places.motion, 0);
    // Rows on velocities: dv = gamma h / (beta h^2) w.
    const { beta, gamma } = this.#coefficients;
    const ofVelocities = (-beta * h) / gamma;
    const onPositions = this.#level === "positions" ? holonomicRows : 0;
    const offset = 8 * onPositions;
    kernels.multiple(onPositions, -alpha, 0, constraints.phi(), 0, this.#all, 0);
    const phiDot = constraints.phiDot() + offset;
    kernels.multiple(rows - onPositions, ofVelocities, 0, phiDot, 0, this.#all + offset, 0);
    this.#putRows(places.constraints);
    if (this.#level === "both") {
      kernels.multiple(rows, -alpha, 0, constraints.phi(), 0, this.#all, 0);
      this.#putRows(places.closure);
    }
    const core = workspace.kernels;
    core.multiplyEach(places.size, this.#solver.scales, right, right);
    this.#solver.solve(right);
    core.axpy(n, 1 / square, right + 8 * places.w, this.rate, this.rate);
    const { chosenRows, rows: list } = partition;
    const nu = right + 8 * places.multipliers;
    kernels.scatterNegative(rows, chosenRows, list.address, nu, this.#all);
    core.axpy(rows, 1 / square, this.#all, this.lambda, this.lambda);
    if (this.#level === "both") {
      const mu = right + 8 * places.corrections;
      kernels.scatterNegative(rows, chosenRows, list.address, mu, this.#push);
      core.axpy(rows, -1, this.#push, this.#mu, this.#mu);
    }
    return core.largestMagnitude(n, right + 8 * places.x);
  }

  /** Copies the chosen rows to the right-hand side. */
  #putRows(to: number): void {
    const { kernels } = this.#stiff;
    const { chosenRows, rows } = this.#matrix.partition;
    kernels.gather(chosenRows, rows.address, this.#all, this.#right + 8 * to);
  }
}

/**
 * A step of a generalised-alpha method with all constraints (Arnold and Bruels, Multibody Syst. Dyn. 18 (2007) 185-202;
 * Bruels, Cardona and Arnold, Mech. Mach. Theory 48 (2012) 121-137):
 *
 *   q_{n+1} = q_n moved by h v_n + h^2 ((1/2 - beta) a_n + beta a_{n+1}) + J_n^T mu
 *   v_{n+1} = v_n + h ((1 - gamma) a_n + gamma a_{n+1})
 *   (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} + alpha_f v'_n
 *   M v' = Q + J^T lambda,   Phi = 0,   with mu: Phi' = 0 as well,   all at t_{n+1}
 *
 * Moves rotate bodies exactly (`displace`): a Lie-group method. v' is the unknown of Newton's iterations.
 */
class AlphaStepper implements BoundCoupledMethod {
  readonly costs: ImplicitCosts;
  readonly #system: System;
  readonly #errors: ReturnType<typeof errorsOf>;
  readonly #shift: number;
  readonly #level: Level;
  readonly #solver: ConstraintSolver;
  readonly #newton: AlphaNewton;
  readonly #start: AlphaStart;
  readonly #memory: AlphaMemory;
  readonly #refusal: StepFailure;
  /** Accepted values: a, v', its slope, lambda. */
  readonly #a: Address;
  readonly #rate: Address;
  readonly #jerk: Address;
  readonly #lambda: Address;
  /** Values of the attempt: a at its beginning, for its length, and a at its end. */
  readonly #first: Address;
  readonly #last: Address;

  constructor(system: System, name: string, coefficients: AlphaCoefficients, level: Level) {
    const { workspace, coordinates, constraints, dynamics } = system;
    const { velocities: n } = coordinates;
    const vector = (what: string, count = n) => workspace.vector(`${name}: ${what}`, count);
    this.#system = system;
    this.#errors = errorsOf(coefficients);
    this.#shift = shiftOf(coefficients);
    this.#level = level;
    this.#solver = dynamics.solver("auto");
    this.#memory = alphaMemory(name, workspace);
    this.#a = vector("a");
    this.#rate = vector("rate of v");
    this.#jerk = vector("slope of a");
    this.#lambda = vector("multipliers", constraints.rows);
    this.#first = vector("a at the beginning");
    this.#last = vector("a at the end");
    this.#start = new AlphaStart(system, coefficients, this.#solver);
    this.#newton = new AlphaNewton(system, coefficients, level, this.#memory, RANK_TOLERANCE);
    this.costs = costsOf(this.#newton.source, this.#memory);
    this.#refusal = new StepFailure(
      `${name}: Newton's iteration did not converge: use shorter steps; describe forces that jump as events`,
    );
  }

  attempt(t: number, h: number): void {
    const { workspace, coordinates, state } = this.#system;
    const { velocities: n } = coordinates;
    const { kernels } = workspace;
    const memory = this.#memory;
    this.#system.load(t);
    if (memory.chosen !== 1) {
      this.#newton.choose(t);
      memory.chosen = 1;
    }
    if (memory.known !== 1) this.#know(t, h);
    const first = this.#first;
    const newton = this.#newton;
    kernels.axpy(n, this.#shift * (h - memory.length), this.#jerk, this.#a, first);
    kernels.copyVector(n, state.v, newton.velocity);
    if (this.#level === "positions" && memory.length === 0) {
      this.#start.perturb(t, h, first, this.#jerk, newton.velocity);
    }
    if (!newton.solve(t, h, first, this.#rate, this.#lambda)) {
      memory.convergenceFailures++;
      memory.factored = 0;
      this.#refusal.factor = 0.5;
      throw this.#refusal;
    }
    newton.writeEnd(first, this.#rate, this.#last);
  }

  accept(): void {
    this.#system.store();
  }

  commit(_t: number, h: number): void {
    const { kernels } = this.#system.workspace;
    const { velocities: n } = this.#system.coordinates;
    const { rows } = this.#system.constraints;
    const memory = this.#memory;
    kernels.axpy(n, -1, this.#first, this.#last, this.#jerk);
    kernels.axpy(n, 1 / h - 1, this.#jerk, this.#jerk, this.#jerk);
    kernels.copyVector(n, this.#last, this.#a);
    kernels.copyVector(n, this.#newton.rate, this.#rate);
    kernels.copyVector(rows, this.#newton.lambda, this.#lambda);
    memory.length = h;
    memory.taken = 1;
  }

  reset(): void {
    this.#memory.known = 0;
    this.#memory.length = 0;
    this.#memory.factored = 0;
  }

  accelerations(out: Address): void {
    this.#solver.accelerate(this.#system.constraints.gamma(), out);
  }

  multipliers = (out: Address): void => {
    if (this.#memory.taken !== 1) {
      throw new NodriftError("STEP", "no step multipliers yet: take a step first");
    }
    const { workspace, constraints } = this.#system;
    workspace.kernels.copyVector(constraints.rows, this.#newton.lambda, out);
  };

  /**
   * Errors of the velocity and of the displacement: c_q h^2 (a_{n+1} - a_n), and c_v h times the second difference of a,
   * with the previous slope at the middle of the previous step.
   */
  estimate(h: number, ofVelocity: Address, ofDisplacement: Address): void {
    const { kernels } = this.#system.workspace;
    const { velocities: n } = this.#system.coordinates;
    const { position, velocity } = this.#errors;
    const change = ofDisplacement;
    kernels.axpy(n, -1, this.#first, this.#last, change);
    kernels.axpy(n, -h, this.#jerk, change, ofVelocity);
    const factor = (2 * velocity * h * h) / (h + this.#memory.length);
    kernels.axpy(n, factor - 1, ofVelocity, ofVelocity, ofVelocity);
    kernels.axpy(n, position * h * h - 1, change, change, change);
  }

  /** Computes v', its slope and the multipliers at an initial state. */
  #know(t: number, h: number): void {
    const { workspace, coordinates, constraints } = this.#system;
    const gamma = constraints.gamma();
    this.#solver.accelerate(gamma, this.#rate);
    this.#solver.multipliers(gamma, this.#lambda);
    workspace.kernels.copyVector(coordinates.velocities, this.#rate, this.#a);
    this.#start.writeJerk(t, h, this.#rate, this.#jerk);
    this.#memory.known = 1;
    this.#memory.length = 0;
  }
}

/** Options of all methods of the alpha family. */
export interface AlphaOptions {
  /**
   * "stabilised": positions and velocities are on the constraints at the ends of steps, as in the form of Gear, Gupta and
   * Leimkuhler. "index3": positions only, half as many multipliers, for fixed steps. Default: "stabilised".
   */
  readonly form?: "stabilised" | "index3";
}

/** Options of {@link generalisedAlpha}. */
export interface GeneralisedAlphaOptions extends AlphaOptions {
  /**
   * Spectral radius at infinite frequency: 0 removes high frequencies in one step, values near 1 damp them slightly.
   * It must be below 1, as at 1 the multipliers oscillate without decay. Default: 0.8.
   */
  readonly rhoInfinity?: number;
}

export const FORM_SHAPE: Shape<AlphaOptions> = { form: oneOf("stabilised", "index3") };

const SHAPE: Shape<GeneralisedAlphaOptions> = {
  rhoInfinity: number("a number from 0 to less than 1", (value) => value >= 0 && value < 1),
  ...FORM_SHAPE,
};

/**
 * The generalised-alpha method of Chung and Hulbert with constraints, after Arnold, Bruels and Cardona: of order 2 in
 * positions, velocities and multipliers, with one implicit solve per step and adjustable damping of high frequencies.
 * Rotations are integrated on their Lie group. Positions satisfy the constraints. For structural vibrations and large
 * stiff models at engineering tolerances; `radau5` is far more accurate for the same work if the motion is smooth.
 *
 * @example
 * simulate(pendulum, { method: { coupled: generalisedAlpha({ rhoInfinity: 0.9 }) }, step: 1e-3, q: [1, 0] });
 * solve(suspension, { span: [0, 10], method: parseMethod("generalisedAlpha"), tolerance: 1e-4 });
 */
export function generalisedAlpha(
  options: GeneralisedAlphaOptions = {},
  ...more: undefined[]
): CoupledMethod {
  const read = optionsOf("generalisedAlpha", "METHOD", options, SHAPE, more);
  const { rhoInfinity = 0.8, form = "stabilised" } = read;
  return alphaMethod("generalisedAlpha", rhoInfinity, form, chungHulbert(rhoInfinity), {
    reference:
      "Chung and Hulbert, J. Appl. Mech. 60 (1993) 371-375; Arnold, Bruels and Cardona, Numer. Math. 129 (2015) 149-179",
  });
}

/** Creates a method of the alpha family from its coefficients. */
export function alphaMethod(
  kind: string,
  parameter: number,
  form: "stabilised" | "index3",
  coefficients: AlphaCoefficients,
  { reference }: { readonly reference: string },
): CoupledMethod {
  const name = `${kind}(${parameter}${form === "index3" ? ", index3" : ""})`;
  return {
    name,
    reference,
    order: 2,
    stages: 1,
    level: "position",
    survivesSingularPoses: false,
    survivesRedundantRows: false,
    needs: "matrices",
    errorOrder: 0,
    variableSteps: form === "stabilised" ? "asTheyAre" : "refused",
    bind: (system) =>
      new AlphaStepper(system, name, coefficients, form === "index3" ? "positions" : "both"),
  };
}

/** Coefficients of a generalised-alpha method. */
interface AlphaCoefficients {
  readonly alphaM: number;
  readonly alphaF: number;
  readonly beta: number;
  readonly gamma: number;
}

/**
 * Chung and Hulbert (J. Appl. Mech. 60 (1993) 371-375): of order 2, with the spectral radius rho at infinite
 * frequency, and the least damping of low frequencies for it.
 */
function chungHulbert(rho: number): AlphaCoefficients {
  return withBeta((2 * rho - 1) / (rho + 1), rho / (rho + 1));
}

/** Hilber, Hughes and Taylor (Earthquake Eng. Struct. Dyn. 5 (1977) 283-292), alpha between -1/3 and 0. */
export function hilberHughesTaylor(alpha: number): AlphaCoefficients {
  return withBeta(0, -alpha);
}

function withBeta(alphaM: number, alphaF: number): AlphaCoefficients {
  const gamma = 0.5 + alphaF - alphaM;
  return { alphaM, alphaF, beta: ((gamma + 0.5) * (gamma + 0.5)) / 4, gamma };
}

/**
 * a_n is v' at t_n + shift h. This follows from (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} +
 * alpha_f v'_n, with an error of O(h^2).
 */
function shiftOf({ alphaM, alphaF }: AlphaCoefficients): number {
  return alphaM - alphaF;
}

/**
 * Local errors over h^3: of q in units of v'', by 1/6 - shift / 2 - beta, and of v in units of v''', by
 * 1/6 - ((1 - gamma) shift^2 + gamma (1 + shift)^2) / 2. Both from the Taylor series of the two updates with
 * a_n = v'(t_n + shift h).
 */
function errorsOf(coefficients: AlphaCoefficients): { position: number; velocity: number } {
  const { beta, gamma } = coefficients;
  const shift = shiftOf(coefficients);
  return {
    position: 1 / 6 - shift / 2 - beta,
    velocity: 1 / 6 - ((1 - gamma) * shift * shift + gamma * (1 + shift) * (1 + shift)) / 2,
  };
}
