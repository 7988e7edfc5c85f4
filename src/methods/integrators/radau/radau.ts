import {
  RADAU_FAST as FAST,
  RadauKept as Kept,
  RADAU_ITERATIONS as MOST_ITERATIONS,
  RadauBatch,
  RadauTable,
  RadauVerdict,
  RadauWeights,
} from "../../../../assembly/layout-radau.js";
import { power } from "../../../base/algebra/portable-power.js";
import { refuseMore } from "../../../base/checking/index.js";
import {
  type Address,
  type Arena,
  placeInTable,
  type Segment,
} from "../../../base/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../../base/memory/stiff-memory.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type {
  AdaptiveIntegrator,
  AdaptiveStepper,
  CompiledOde,
  DenseShifted,
  Ode,
  OdeJacobian,
  ShiftedSolver,
  StepBatch,
  StepRule,
  StepTolerance,
} from "../../../interfaces/index.js";
import { PLAIN_INTEGRATOR } from "../../defaults.js";
import { type Counts, EndCheck, InsideCheck, StepStart } from "../implicit/end-check.js";

/** Scalar state of the iterations and step control, in the arena. */
class RadauMemory {
  readonly address: Address;
  #kept = new Float64Array(Kept.LENGTH);

  constructor(workspace: Workspace) {
    const kept = workspace.reserve("radau5 history", Kept.LENGTH);
    this.address = kept.address;
    workspace.whenSealed((arena) => {
      this.#kept = arena.floats(kept);
      this.forget();
    });
  }

  forget(): void {
    this.#kept.fill(0);
    this.#kept[Kept.SLOWNESS] = 1;
  }

  /** Step length of the factors; 0 if there is no df/dy, NaN if there is df/dy without factors. */
  get factored(): number {
    return this.#at(Kept.FACTORED);
  }
  set factored(h: number) {
    this.#kept[Kept.FACTORED] = h;
  }

  /** Length of the last accepted step; 0 if there is none. */
  get previousLength(): number {
    return this.#at(Kept.PREVIOUS_LENGTH);
  }
  set previousLength(h: number) {
    this.#kept[Kept.PREVIOUS_LENGTH] = h;
  }

  /** theta, the ratio of successive increments in the last attempt. */
  get contraction(): number {
    return this.#at(Kept.CONTRACTION);
  }

  /** Ratio of the predicted iteration error to the allowed one. */
  get excess(): number {
    return this.#at(Kept.EXCESS);
  }

  /** Error of the last attempt made in one call. */
  get error(): number {
    return this.#at(Kept.ERROR);
  }

  /** Whether the last attempt was rejected, by its error or by its iterations. */
  get rejected(): boolean {
    return this.#kept[Kept.REJECTED] === 1;
  }
  set rejected(value: boolean) {
    this.#kept[Kept.REJECTED] = value ? 1 : 0;
  }

  #at(place: Kept): number {
    return this.#kept[place] as number;
  }
}

// Radau IIA of order 5 (Hairer and Wanner, Solving ODEs II, 2nd ed., section IV.8). Stages z_i = Y_i - y
// solve Z = h A F. With the real eigenvalue g of A^-1, the pair a +- i b and T^-1 A^-1 T = L, W = T^-1 Z,
//
//   (I - h / g J) dW_1 = h (T^-1 A F)_1 - W_1
//   (I - h / (a + i b) J) (dW_2 + i dW_3) = h (T^-1 A F)_2 - W_2 + i (h (T^-1 A F)_3 - W_3)
//
// is a step of simplified Newton iterations, since T^-1 A = L^-1 T^-1.

const ROOT = Math.sqrt(6);

/** Times of the stages, in steps. */
export const NODES = [(4 - ROOT) / 10, (4 + ROOT) / 10, 1] as const;

/** Eigenvalues of A^-1. Decimal constants, as engines differ in the last bit of cube roots. */
export const REAL_EIGENVALUE = 3.637834252744496;
export const COMPLEX_EIGENVALUES = {
  real: 2.6810828736277523,
  imaginary: 3.0504301992474105,
} as const;

type MatrixRows = readonly (readonly [number, number, number])[];

export const T: MatrixRows = [
  [0.09123239487089295, -0.1412552950209542, -0.030029194105147424],
  [0.241717932707107, 0.20412935229379994, 0.3829421127572619],
  [0.966048182615093, 1, 0],
];

export const T_INVERSE: MatrixRows = [
  [4.325579890063155, 0.33919925181580984, 0.5417705399358749],
  [-4.178718591551905, -0.32768282076106237, 0.47662355450055044],
  [-0.5028726349457868, 2.571926949855605, -0.5960392048282249],
];

/** 1 / (a + i b): h times this shifts the complex system. */
const SQUARE =
  COMPLEX_EIGENVALUES.real * COMPLEX_EIGENVALUES.real +
  COMPLEX_EIGENVALUES.imaginary * COMPLEX_EIGENVALUES.imaginary;
export const SHIFT = {
  real: COMPLEX_EIGENVALUES.real / SQUARE,
  imaginary: -COMPLEX_EIGENVALUES.imaginary / SQUARE,
} as const;

/** L^-1 T^-1 = T^-1 A: weights of the slopes. */
export const T_INVERSE_A: MatrixRows = [
  combination(1 / REAL_EIGENVALUE, 0, 0),
  combination(0, SHIFT.real, -SHIFT.imaginary),
  combination(0, SHIFT.imaginary, SHIFT.real),
];

/** Rows of T^-1, combined. */
function combination(first: number, second: number, third: number): [number, number, number] {
  const [a, b, c] = T_INVERSE as [MatrixRows[0], MatrixRows[0], MatrixRows[0]];
  const at = (k: 0 | 1 | 2) => first * a![k] + second * b![k] + third * c![k];
  return [at(0), at(1), at(2)];
}

/**
 * Weights of the stages in the estimate of the error, (I - h / g J)^-1 (h / g f(t, y) + sum e_i z_i): the difference
 * from a formula of order 3 that uses the slope at the beginning. It is 1 / g times the difference between h f(t, y)
 * and the slope there of the polynomial through the stages (equation 8.19).
 */
export const ERROR = [
  -(13 + 7 * ROOT) / (3 * REAL_EIGENVALUE),
  (-13 + 7 * ROOT) / (3 * REAL_EIGENVALUE),
  -1 / (3 * REAL_EIGENVALUE),
] as const;

/** The last row of A^-1. */
export const END = [(8 * ROOT - 3) / 3, -(8 * ROOT + 3) / 3, 5] as const;

/**
 * Rows 2 and 3 of the polynomial through y and the stages in the nested form of dense output, as weights of the
 * stages: (z_i / c_i - z_3) / (1 - c_i) = row 2 + c_i row 3 for i = 1, 2.
 */
export const DENSE: MatrixRows = denseRows();

function denseRows(): MatrixRows {
  const [c1, c2] = NODES;
  const first = [1 / (c1 * (1 - c1)), 0, -1 / (1 - c1)] as const;
  const second = [0, 1 / (c2 * (1 - c2)), -1 / (1 - c2)] as const;
  const rise = (k: 0 | 1 | 2) => (second[k] - first[k]) / (c2 - c1);
  const base = (k: 0 | 1 | 2) => first[k] - c1 * rise(k);
  return [
    [base(0), base(1), base(2)],
    [rise(0), rise(1), rise(2)],
  ];
}

/**
 * The slope of that polynomial is f at the stages. It is made f at the beginning too, which raises the degree by one,
 * by adding d s (1 - s)^2 (1 - 5 s / 2), with d = h f(t, y) - its slope there: that has the slope 1
 * at 0, 0 at the stages, and vanishes at both ends. Rows 2, 3 and 4 get these multiples of the estimate of the
 * error, which is d / g without the stiff parts.
 */
export const SLOPE_ROWS = [REAL_EIGENVALUE, -REAL_EIGENVALUE, -2.5 * REAL_EIGENVALUE] as const;

/** Factor of the step length after diverging iterations. */
const DIVERGENCE_FACTOR = 0.5;

/** Tolerance of the Newton iteration. */
interface IterationTolerance {
  readonly relative: number;
  readonly positions: number;
  readonly velocities: number;
  /** Fraction of the tolerance at which iterations end. */
  readonly part: number;
  /** Size of increments that may be rounding: if these stop decreasing, iterations have converged. */
  readonly rounding: number;
  /** Maximum iterations of a step. */
  readonly iterations: number;
}

/**
 * Solves for the stages of a step by simplified Newton iterations (Hairer and Wanner, Solving ODEs II, section IV.8),
 * starting from the extrapolated polynomial of the previous step.
 */
class RadauNewton {
  /** State at the beginning of the step, and the stages minus that state, concatenated. */
  readonly base: Address;
  readonly stages: Address;
  /** Allowed error of each unknown. */
  readonly scale: Address;
  /** Error estimate, written by {@link estimate}. */
  readonly error: Address;
  /** Solves with I - h / g J. */
  readonly real: ShiftedSolver;
  readonly complex: ShiftedSolver;
  /** RadauTable. */
  readonly table: Segment;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;
  readonly #numbers: RadauMemory;
  readonly #slopes: Address;
  readonly #increment: Address;
  readonly #previous: Address;
  readonly check: EndCheck;

  constructor(
    ode: Ode,
    jacobian: OdeJacobian,
    counts: Counts,
    numbers: RadauMemory,
    workspace: Workspace,
  ) {
    const n = ode.dimension;
    const vector = (name: string, rows: number) => workspace.vector(`radau5 ${name}`, rows * n);
    this.#ode = ode;
    this.#workspace = workspace;
    this.#numbers = numbers;
    this.#stiff = stiffMemory(workspace);
    this.real = jacobian.shifted(false);
    this.complex = jacobian.shifted(true);
    this.base = vector("beginning", 1);
    this.stages = vector("stages", 3);
    this.scale = vector("scale", 1);
    this.error = vector("error", 1);
    this.#slopes = vector("slopes", 3);
    this.#increment = vector("increment", 3);
    this.#previous = vector("previous stages", 3);
    this.check = new EndCheck("radau5", ode, this.real, counts, workspace);
    const transformed = vector("transformed stages", 3);
    const weights = workspace.reserve("radau5 weights", RadauWeights.LENGTH);
    const table = workspace.reserve("radau5 table", Math.ceil(RadauTable.LENGTH / 2));
    this.table = table;
    workspace.whenSealed((arena) => {
      const values = arena.floats(weights);
      values.set([T, T_INVERSE, T_INVERSE_A].flat(2));
      values.set(ERROR, RadauWeights.ERROR);
      values.set(NODES, RadauWeights.NODES);
      values.set([REAL_EIGENVALUE, SHIFT.real, SHIFT.imaginary], RadauWeights.REAL);
      values.set(END, RadauWeights.END);
      const fields = arena.integers(table);
      fields[RadauTable.SIZE] = n;
      fields[RadauTable.POSITIONS] = ode.positions;
      fields[RadauTable.Y] = ode.y;
      fields[RadauTable.TRIAL] = ode.trial;
      fields[RadauTable.BASE] = this.base;
      fields[RadauTable.SCALE] = this.scale;
      fields[RadauTable.STAGES] = this.stages;
      fields[RadauTable.PREVIOUS] = this.#previous;
      fields[RadauTable.TRANSFORMED] = transformed;
      fields[RadauTable.SLOPES] = this.#slopes;
      fields[RadauTable.INCREMENT] = this.#increment;
      fields[RadauTable.ERROR] = this.error;
      fields[RadauTable.WEIGHTS] = weights.address;
      fields[RadauTable.DIFFERENTIAL] = ode.algebraic?.differential ?? n;
      fields[RadauTable.KEPT] = numbers.address;
      fields[RadauTable.CHECK] = this.check.residual;
    });
  }

  /** Factors for steps of length h. Returns false if a matrix is singular. */
  factor(h: number): boolean {
    return (
      this.real.factor(h / REAL_EIGENVALUE, 0) &&
      this.complex.factor(h * SHIFT.real, h * SHIFT.imaginary)
    );
  }

  /** Solves for the stages. Returns 0, or the factor by which to shorten the step if iterations do not converge. */
  solve(t: number, h: number, allowed: IterationTolerance): number {
    const { part, rounding, iterations } = allowed;
    const { kernels } = this.#stiff;
    kernels.radauBegin(
      this.table.address,
      h,
      allowed.relative,
      allowed.positions,
      allowed.velocities,
    );
    this.#ode.algebraic?.weigh(h, this.scale);
    for (let k = 1; ; k++) {
      const size = this.#iterate(t, h);
      const verdict = kernels.radauJudge(
        this.#numbers.address,
        k,
        size,
        part,
        rounding,
        iterations,
      );
      if (verdict === RadauVerdict.GO_ON) continue;
      if (verdict === RadauVerdict.CONVERGED) return 0;
      if (verdict === RadauVerdict.DIVERGED) return DIVERGENCE_FACTOR;
      const rest = Math.max(iterations - 1 - k, 0);
      return 0.8 * power(Math.min(this.#numbers.excess, 20), -1 / (4 + rest));
    }
  }

  /** Stores the stages as those of the last accepted step. */
  keep(): void {
    this.#workspace.kernels.copyVector(3 * this.#ode.dimension, this.stages, this.#previous);
  }

  /** Root mean square of x in units of the tolerance. */
  norm(x: Address): number {
    return this.#stiff.kernels.scaledNorm(this.#ode.dimension, x, this.scale);
  }

  /** Sets the trial to the end of the step, the last stage. */
  takeEnd(): void {
    this.#stiff.kernels.radauTrial(this.table.address, 2);
  }

  /** Writes the error estimate with the given slope at the beginning. */
  estimate(h: number, slope: Address): void {
    this.#stiff.kernels.radauError(this.table.address, h / REAL_EIGENVALUE, slope);
    this.real.solve(this.error, this.error);
  }

  /** Returns the error hidden at the end of the step, with f = `rate`; 0 if it is harmless. */
  hiddenError(t: number, h: number, rate: Address): number {
    const slope = this.#ode.algebraic ? this.check.slopeAtEnd(t) : rate;
    this.#stiff.kernels.radauEndResidual(this.table.address, h, slope, this.check.residual);
    return this.check.hiddenError(t, h / REAL_EIGENVALUE, slope, this.scale);
  }

  /** Improves the stages; the trial is the first. Returns the size of the increment. */
  #iterate(t: number, h: number): number {
    const { kernels } = this.#stiff;
    const row = 8 * this.#ode.dimension;
    const table = this.table.address;
    const slopes = this.#slopes;
    const increment = this.#increment;
    this.#ode.rate(t + NODES[0] * h, slopes);
    kernels.radauTrial(table, 1);
    this.#ode.rate(t + NODES[1] * h, slopes + row);
    kernels.radauTrial(table, 2);
    this.#ode.rate(t + NODES[2] * h, slopes + 2 * row);
    kernels.radauResidual(table, h);
    this.real.solve(increment, increment);
    this.complex.solve(increment + row, increment + row);
    return kernels.radauUpdate(table);
  }
}

/** Takes steps in one call, for equations with compiled f and compiled, dense df/dy. */
class RadauAttempt {
  readonly #compiled: CompiledOde;
  readonly #beginning: StepStart;
  readonly #table: Address;
  readonly #stiff: StiffMemory;
  readonly #stepBatch: Address;
  #numbers = new Float64Array(RadauBatch.LENGTH);
  #isThere = false;

  /** Returns undefined for other equations. */
  static of(
    ode: Ode,
    beginning: StepStart,
    newton: RadauNewton,
    filtered: Address,
    workspace: Workspace,
  ): RadauAttempt | undefined {
    const { dense: real } = newton.real;
    const { dense: complex } = newton.complex;
    if (!(ode.compiled && real && complex)) return undefined;
    const made = new RadauAttempt(ode.compiled, beginning, newton, workspace);
    workspace.whenSealed((arena) => {
      const fields = arena.integers(newton.table);
      fields[RadauTable.FILTERED] = filtered;
      made.#write(fields, real, complex);
    });
    return made;
  }

  private constructor(
    compiled: CompiledOde,
    beginning: StepStart,
    newton: RadauNewton,
    workspace: Workspace,
  ) {
    const batch = workspace.reserve("radau5 sprint", RadauBatch.LENGTH);
    this.#compiled = compiled;
    this.#beginning = beginning;
    this.#table = newton.table.address;
    this.#stiff = stiffMemory(workspace);
    this.#stepBatch = batch.address;
    workspace.whenSealed((arena: Arena) => {
      this.#numbers = arena.floats(batch);
    });
  }

  /** Attempts a step. Returns false if that failed; nothing is known then. */
  step(t: number, h: number, allowed: IterationTolerance): boolean {
    if (!this.#isThere) return false;
    const evaluations = this.#stiff.kernels.radauAttempt(
      this.#table,
      t,
      h,
      allowed.relative,
      allowed.positions,
      allowed.velocities,
      allowed.part,
      allowed.rounding,
      allowed.iterations,
    );
    if (evaluations === 0) return false;
    this.#compiled.evaluated(evaluations);
    this.#beginning.hasEnded();
    return true;
  }

  /** Takes up to `count` steps: see AdaptiveStepper. Steps longer than `short` are left to the run too. */
  stepBatch(batch: StepBatch, count: number, allowed: IterationTolerance, short: number): number {
    if (!this.#isThere) return 0;
    const numbers = this.#numbers;
    numbers[RadauBatch.TIME] = batch.time;
    numbers[RadauBatch.NEXT] = batch.next;
    numbers[RadauBatch.TARGET] = batch.target;
    numbers[RadauBatch.BEFORE] = batch.before;
    numbers[RadauBatch.MAXIMUM] = batch.maximumStep;
    numbers[RadauBatch.SHORT] = short;
    numbers[RadauBatch.LONGEST_SINCE] = batch.longestSince;
    const steps = this.#stiff.kernels.radauBatch(
      this.#table,
      this.#stepBatch,
      count,
      allowed.relative,
      allowed.positions,
      allowed.velocities,
      allowed.part,
      allowed.rounding,
      allowed.iterations,
    );
    batch.time = numbers[RadauBatch.TIME] as number;
    batch.next = numbers[RadauBatch.NEXT] as number;
    batch.longestSince = numbers[RadauBatch.LONGEST_SINCE] as number;
    batch.shortest = numbers[RadauBatch.SHORTEST] as number;
    batch.longest = numbers[RadauBatch.LONGEST] as number;
    batch.last = numbers[RadauBatch.LAST] as number;
    this.#compiled.evaluated(numbers[RadauBatch.EVALUATIONS] as number);
    return steps;
  }

  #write(fields: Int32Array, real: DenseShifted, complex: DenseShifted): void {
    const functions = this.#compiled.functions();
    if (functions === undefined) return;
    const beginning = this.#beginning;
    const { rate, jacobian } = functions;
    const { luFactor, luSolve } = this.#stiff.kernels;
    const first = placeInTable(this.#stiff.kernels.table, [rate, jacobian, luFactor, luSolve]);
    for (let i = 0; i < 4; i++) fields[RadauTable.RATE + i] = first + i;
    fields[RadauTable.KNOWN] = beginning.known;
    fields[RadauTable.COUNTS] = beginning.counted;
    fields[RadauTable.SLOPE] = beginning.slope;
    fields[RadauTable.END_SLOPE] = beginning.endSlope;
    fields[RadauTable.TIME] = this.#compiled.time;
    fields[RadauTable.MATRIX] = real.matrix;
    fields[RadauTable.SHIFTED] = real.work;
    fields[RadauTable.REAL_FACTOR] = real.factor;
    fields[RadauTable.COMPLEX_FACTOR] = complex.factor;
    fields[RadauTable.PIVOTS] = complex.pivots;
    fields[RadauTable.SCRATCH] = complex.work;
    this.#isThere = true;
  }
}

/** Default tolerance of the iterations, and the maximum iterations of a step that cannot be shortened. */
const DEFAULT_TOLERANCE = 1e-12;
const MAX_ITERATIONS_FIXED_STEP = 50;
/**
 * Fraction of the usual iteration error, and maximum iterations, for equations with algebraic unknowns. Stiffness
 * does not damp these errors: with RADAU5's fraction the error of a pendulum was 140 tolerances, mostly from
 * iterations.
 */
const ALGEBRAIC_ERROR_FRACTION = 0.01;
const MAX_ALGEBRAIC_ITERATIONS = 10;
/**
 * Smallest allowed iteration error, and errors of algebraic unknowns that count as rounding: that of constraints is
 * divided by h.
 */
const MIN_ITERATION_ERROR = 10 * Number.EPSILON;
const ROUNDING_TOLERANCE = 1e3 * Number.EPSILON;
const REFUSAL =
  "radau5: Newton's iteration did not converge: use shorter steps, remove discontinuous forces, or use rodas(), which does not iterate";

/**
 * Radau IIA of order 5, after the code RADAU5 of Hairer and Wanner: three implicit stages, stiffly accurate
 * and L-stable. df/dy and its factors serve many steps. Recommended for stiff smooth motion at tolerances of 1e-4 and
 * below.
 *
 * The estimate of its error has order 3, the method 5. As in RADAU5 a tolerance e therefore allows an estimate of
 * e^(2/3) / 10, so that the error of the motion is about e. Errors are measured by their root mean square.
 * With algebraic unknowns (index 2 and 3) it is e^(4/5) / 10: the estimate of a step is O(h^4), the error of the motion O(h^5), and
 * errors are proportional to e from 1e-3 to 1e-10.
 *
 * @example
 * solve(suspension, { span: [0, 10], integrator: radau5(), tolerance: 1e-7 });
 */
export function radau5(...more: undefined[]): AdaptiveIntegrator {
  refuseMore("radau5", "METHOD", more);
  return RADAU5;
}

/** The error estimate of a step is O(h^4). */
const ERROR_ORDER = 4;

/** One object for all calls: `solve` uses it as the key for memory of earlier runs. */
const RADAU5: AdaptiveIntegrator = Object.freeze({
  name: "radau5",
  reference: "Hairer and Wanner, Solving ODEs II, 2nd ed., Springer 1996, section IV.8",
  order: 5,
  errorOrder: ERROR_ORDER,
  stages: 3,
  ...PLAIN_INTEGRATOR,
  isImplicit: true,
  highestIndex: 3,
  bind: (ode: Ode, workspace: Workspace) => new RadauStepper(ode, workspace),
});

class RadauStepper implements AdaptiveStepper {
  readonly interpolantRows = 5;
  readonly currentOrder = ERROR_ORDER - 1;
  readonly rule: StepRule;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #beginning: StepStart;
  readonly #numbers: RadauMemory;
  readonly #newton: RadauNewton;
  readonly #zero: Address;
  readonly #slope: Address;
  readonly #dense: readonly Address[];
  readonly #rounding: number;
  readonly #inside: InsideCheck;
  readonly #whole: RadauAttempt | undefined;
  readonly #isAlgebraic: boolean;
  #allowed: IterationTolerance;
  /** Tolerance of iterations with a new Jacobian if the step cannot be shortened. */
  #last: IterationTolerance | undefined;
  #tolerates = false;
  /** Whether the attempt was made in one call, which computed its error too. */
  #isJudged = false;

  constructor(ode: Ode, workspace: Workspace) {
    const n = ode.dimension;
    this.#ode = ode;
    this.#workspace = workspace;
    this.#beginning = new StepStart("radau5", REFUSAL, ode, workspace);
    this.#numbers = new RadauMemory(workspace);
    const { jacobian, counts } = this.#beginning;
    this.#newton = new RadauNewton(ode, jacobian, counts, this.#numbers, workspace);
    const stiff = stiffMemory(workspace);
    const { address } = this.#numbers;
    this.rule = {
      allowsShortLastStep: false,
      accepted: (h, error) => stiff.kernels.radauNext(address, h, error),
      rejected: (h, error) => stiff.kernels.radauNext(address, h, error),
    };
    this.#zero = workspace.vector("radau5 zero", n);
    this.#slope = workspace.vector("radau5 slope of the error", n);
    this.#whole = RadauAttempt.of(ode, this.#beginning, this.#newton, this.#slope, workspace);
    this.#inside = new InsideCheck("radau5", ode, this, this.#newton.check, workspace);
    this.#dense = DENSE.map((row) => workspace.constants("radau5 weights", row));
    this.#isAlgebraic = ode.algebraic !== undefined;
    this.#rounding = this.#isAlgebraic ? ROUNDING_TOLERANCE : 0;
    this.#allowed = this.#tolerance(
      DEFAULT_TOLERANCE,
      DEFAULT_TOLERANCE,
      DEFAULT_TOLERANCE,
      MAX_ITERATIONS_FIXED_STEP,
    );
  }

  get costs() {
    return this.#beginning.costs;
  }

  get skipsEndEvaluation(): boolean {
    return !this.#isJudged && this.#newton.check.evaluates;
  }

  setTolerance({ relative, positions, velocities }: StepTolerance, hasFixedSteps = false): void {
    const largest = Math.max(relative, positions, velocities);
    const tolerancePart = this.#ode.algebraic?.tolerancePart ?? 1;
    const factor = 0.1 * tolerancePart * power(largest, this.#isAlgebraic ? -1 / 5 : -1 / 3);
    const [r, p, v] = [factor * relative, factor * positions, factor * velocities];
    const iterations = this.#isAlgebraic ? MAX_ALGEBRAIC_ITERATIONS : MOST_ITERATIONS;
    const allowed = this.#tolerance(r, p, v, iterations);
    const part = this.#isAlgebraic ? ALGEBRAIC_ERROR_FRACTION * allowed.part : allowed.part;
    this.#allowed = { ...allowed, part };
    this.#last = hasFixedSteps ? { ...allowed, iterations: MAX_ITERATIONS_FIXED_STEP } : undefined;
    this.#tolerates = true;
  }

  watch(span: number): void {
    this.#inside.watch(span);
  }

  attempt(t: number, h: number): void {
    const isWhole = this.#tolerates && !this.#inside.looksAt(h);
    this.#isJudged = isWhole && this.#whole?.step(t, h, this.#allowed) === true;
    if (!this.#isJudged) this.#attempt(t, h);
  }

  #attempt(t: number, h: number): void {
    const beginning = this.#beginning;
    const numbers = this.#numbers;
    beginning.require(t);
    const isNew = numbers.factored === 0;
    if (isNew || numbers.rejected || numbers.contraction > FAST) this.#differentiate(t);
    let shorter = this.#solve(t, h, this.#allowed);
    if (shorter > 0 && (!beginning.isCurrent || this.#last)) {
      this.#differentiate(t);
      shorter = this.#solve(t, h, this.#last ?? this.#allowed);
    }
    if (shorter > 0) {
      numbers.rejected = true;
      beginning.refuse(shorter);
    }
    this.#newton.takeEnd();
  }

  accept(): void {
    const { dimension, trial, y } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, trial, y);
  }

  error(t: number, h: number, norm: (error: Address) => number): number {
    if (this.#isJudged) return this.#numbers.error;
    const { dimension: n, trial } = this.#ode;
    const { base, error } = this.#newton;
    const { rejected, previousLength } = this.#numbers;
    let size = this.#estimate(h, this.#beginning.slope, norm);
    // Fast components that have decayed may persist in the slope at the beginning, so they are filtered once more.
    if (size >= 1 && (rejected || previousLength === 0)) {
      this.#workspace.kernels.axpy(n, 1, error, base, trial);
      this.#ode.rate(t, this.#slope);
      size = this.#estimate(h, this.#slope, norm);
    }
    this.#beginning.end(t + h);
    if (!(this.#tolerates && size <= 1)) return size;
    const newton = this.#newton;
    const hidden = newton.hiddenError(t + h, h, this.#beginning.endSlope);
    if (hidden > 1) return hidden;
    return Math.max(
      size,
      this.#inside.hiddenError(t, h, h / REAL_EIGENVALUE, newton.base, newton.scale),
    );
  }

  stepBatch(batch: StepBatch, count: number): number {
    if (!(this.#tolerates && this.#whole)) return 0;
    const steps = this.#whole.stepBatch(batch, count, this.#allowed, this.#inside.short);
    if (steps > 0) this.#inside.commit(batch.shortest);
    return steps;
  }

  commit(_t: number, h: number): void {
    const numbers = this.#numbers;
    this.#beginning.commit();
    this.#newton.keep();
    this.#inside.commit(h);
    numbers.previousLength = h;
    numbers.rejected = false;
  }

  reset(): void {
    this.#beginning.reset();
    this.#numbers.forget();
  }

  interpolant(_t: number, _h: number, before: Address, out: Address): void {
    const { kernels } = this.#workspace;
    const { dimension: n, y } = this.#ode;
    const { stages, error } = this.#newton;
    const zero = this.#zero;
    kernels.copyVector(n, before, out);
    kernels.axpy(n, -1, before, y, out + 8 * n);
    for (let k = 0; k < SLOPE_ROWS.length; k++) {
      const row = out + 8 * n * (k + 2);
      const weights = this.#dense[k];
      if (weights === undefined) kernels.copyVector(n, zero, row);
      else kernels.combine(n, 3, 1, zero, stages, weights, row);
      kernels.axpy(n, SLOPE_ROWS[k] as number, error, row, row);
    }
  }

  #differentiate(t: number): void {
    if (this.#beginning.isCurrent) return;
    this.#numbers.factored = 0;
    this.#beginning.differentiate(t);
  }

  /** Solves for the stages. Returns 0, or the factor by which to shorten the step. */
  #solve(t: number, h: number, allowed: IterationTolerance): number {
    const numbers = this.#numbers;
    if (numbers.factored !== h) {
      numbers.factored = 0;
      this.#beginning.counts.factorisations++;
      if (!this.#newton.factor(h)) return 0.5;
      numbers.factored = h;
    }
    return this.#newton.solve(t, h, allowed);
  }

  /** Writes the error with the given slope at the beginning, and returns its size. */
  #estimate(h: number, slope: Address, norm: (error: Address) => number): number {
    const newton = this.#newton;
    newton.estimate(h, slope);
    return this.#tolerates ? newton.norm(newton.error) : norm(newton.error);
  }

  /** Returns the tolerance of iterations: a small fraction of that of the step, but not below rounding. */
  #tolerance(
    relative: number,
    positions: number,
    velocities: number,
    iterations: number,
  ): IterationTolerance {
    const largest = Math.max(relative, positions, velocities);
    const part = Math.max(MIN_ITERATION_ERROR / largest, Math.min(0.03, Math.sqrt(largest)));
    return {
      relative,
      positions,
      velocities,
      part,
      rounding: this.#rounding / largest,
      iterations,
    };
  }
}
