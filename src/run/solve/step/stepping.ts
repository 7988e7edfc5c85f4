import { power } from "../../../base/algebra/portable-power.js";
import { NodriftError, StepFailure } from "../../../base/errors.js";
import { checkLimits, Stopped } from "../../../base/run-limits.js";
import type { NoiseReport, State, StepBatch } from "../../../interfaces/index.js";
import { noteDifferences, noteDoubts } from "../mode-solver/failure.js";
import type { ModeSolver } from "../mode-solver/mode-solver.js";
import type { Tally } from "../mode-solver/statistics.js";
import type { Setup } from "../setup/setup.js";
import type { TrialStepper } from "../trial/trial-stepper.js";

/** Check for noise when the step has shrunk by this factor. */
const NOISE_CHECK_SHRINKAGE = 16;
/**
 * If a step this many times shorter has an error smaller by less than the second factor, the error does not come from
 * its length.
 */
const TEST_STEP_REDUCTION = 4;
const FLAT_ERROR_RATIO = 2;
/** Factor by which a test step is longer, to recognise noise of accelerations. */
const TEST_STEP_EXTENSION = 8;
/** Multiple of the observed noise that is subtracted, because noise varies. */
const NOISE_MARGIN = 2;
/** Give up if noise exceeds this many tolerances. */
const MAX_NOISE_TOLERANCES = 30;
/** Noise measured in functions explains an error this many times larger, as it is a standard deviation. */
const NOISE_DEVIATIONS = 30;

/**
 * If the error of a step does not decrease with its length, it is noise of the functions: shorter steps cost more and
 * do not help. The noise is then subtracted from errors, and the run notes it. Accepted steps are checked as well:
 * step control aims at a fraction of the tolerance, so with errors above that fraction each step would be shorter
 * than the one before, without end.
 */
class NoiseFloor<T extends State> {
  /** Noise in the errors of steps, in tolerances. */
  #noise = 0;
  readonly #notes: string[];
  /** The longest step since the last check. */
  #longest = 0;
  /** When noise was first found. */
  #noisySince = Number.NaN;

  constructor(notes: string[]) {
    this.#notes = notes;
  }

  save(): readonly number[] {
    return [this.#noise, this.#longest, this.#noisySince];
  }

  restore([noise = 0, longest = 0, since = Number.NaN]: readonly number[]): void {
    this.#noise = noise;
    this.#longest = longest;
    this.#noisySince = since;
  }

  /** Forgets the noise. Call when the motion restarts: functions may be smooth there. */
  reset(): void {
    this.#noise = 0;
    this.#longest = 0;
  }

  /** Whether no noise has been found. */
  get isQuiet(): boolean {
    return this.#noise === 0;
  }
  get longest(): number {
    return this.#longest;
  }

  /** Returns an error without its noise. */
  without(error: number): number {
    return this.#noise === 0 ? error : Math.max(0, error - NOISE_MARGIN * this.#noise);
  }

  /** A step has been accepted. */
  accepted(h: number): void {
    this.#longest = Math.max(this.#longest, Math.abs(h));
  }

  /**
   * Checks for noise before a step. If steps have become much shorter, tries this one and a shorter one, and undoes
   * both. Returns whether noise was found.
   */
  probe({ trial, system }: ModeSolver<T>, t: number, h: number): boolean {
    if (!(Math.abs(h) * NOISE_CHECK_SHRINKAGE < this.#longest)) return false;
    this.#longest = Math.abs(h);
    const error = attempt(trial, t, h);
    const shorter = attempt(trial, t, h / TEST_STEP_REDUCTION);
    if (!(shorter > HARMLESS_ERROR && shorter * TEST_STEP_REDUCTION * TEST_STEP_REDUCTION > error))
      return false;
    const report = system.matrices.accuracy?.estimateNoise?.(t);
    const isFlat = shorter * FLAT_ERROR_RATIO > error;
    // Corners and jumps look the same.
    if (!isExplained(trial, report, error)) return false;
    // Errors proportional to the step, or to its square, are noise of accelerations.
    const longer = isFlat ? error : attempt(trial, t, h * TEST_STEP_EXTENSION);
    if (Number.isNaN(longer)) return false;
    this.#raise(Math.max(longer, shorter), t, report);
    return true;
  }

  /**
   * Whether noise of the functions explains the error of a rejected step that a much longer one had as well: a jump
   * of the motion looks the same otherwise.
   */
  explains({ trial, system }: ModeSolver<T>, t: number, error: number): boolean {
    const report = system.matrices.accuracy?.estimateNoise?.(t);
    if (!isExplained(trial, report, error)) return false;
    this.#raise(error, t, report);
    return true;
  }

  /** Returns the error to report if no step is short enough because of noise. */
  cause({ trial, system }: ModeSolver<T>, t: number): NodriftError | undefined {
    const report = system.matrices.accuracy?.estimateNoise?.(t);
    if (!isExplained(trial, report, 1)) return undefined;
    return new NodriftError(
      "STEP",
      `${this.#found(t, report)}: this is beyond the tolerance. ${NOISE_ADVICE}`,
    );
  }

  #found(t: number, report: NoiseReport | undefined): string {
    if (Number.isNaN(this.#noisySince)) this.#noisySince = t;
    return (
      `${NOISE_PREFIX}${report?.noisiest || "a function"} is noisy${levelOf(report)}, and from about t = ${this.#noisySince} ` +
      "shorter steps are not more accurate"
    );
  }

  #raise(error: number, t: number, report: NoiseReport | undefined): void {
    const what = this.#found(t, report);
    if (error > MAX_NOISE_TOLERANCES) {
      throw new NodriftError("STEP", `${what}: this is far beyond the tolerance. ${NOISE_ADVICE}`);
    }
    this.#noise = Math.max(this.#noise, error);
    const known = this.#notes.findIndex((note) => note.startsWith(NOISE_PREFIX));
    if (known >= 0) this.#notes.splice(known, 1);
    this.#notes.push(
      `${what}: steps may be wrong by ${(1 + NOISE_MARGIN * this.#noise).toPrecision(2)} times the tolerance. ${NOISE_ADVICE}`,
    );
  }
}

const NOISE_PREFIX = "noise: ";
const NOISE_ADVICE = "Make it smooth, give its derivatives, or raise the tolerance";

/** Errors this small, in tolerances, are harmless. */
const HARMLESS_ERROR = 0.01;

function levelOf(report: NoiseReport | undefined): string {
  if (report === undefined) return "";
  return ` (${Math.max(report.positions, report.accelerations).toExponential(0)})`;
}

/** Whether noise of the functions causes an error of this size, in tolerances. */
function isExplained(
  { unknowns: { weights } }: ModeSolver<State>["trial"],
  report: NoiseReport | undefined,
  error: number,
): boolean {
  if (report === undefined) return false;
  const { positions, velocities, relative } = weights;
  const ofAccelerations = report.accelerations / Math.max(relative, velocities);
  return NOISE_DEVIATIONS * Math.max(report.positions / positions, ofAccelerations) > error;
}

/** Returns the error of a test step, which is undone; NaN if the step fails. */
function attempt(trial: ModeSolver<State>["trial"], t: number, h: number): number {
  try {
    return trial.attempt(t, h);
  } catch {
    return Number.NaN;
  } finally {
    trial.undo();
  }
}

/** Fraction of the predicted step that is used, and bounds of the factor between steps. */
const SAFETY = 0.9;
const MIN_FACTOR = 0.2;
const MAX_FACTOR = 6;
/** Factor if a stage could not be evaluated, or the error was not a number. */
const FAILURE_FACTOR = 0.1;
/** Errors below this count as zero. */
const MIN_ERROR = 1e-10;

/**
 * Proportional-integral step control (Gustafsson, ACM TOMS 17 (1991) 533-554; Hairer & Wanner, Solving ODEs II,
 * section IV.2): with the error e of this step and that of the one before,
 *
 *   h_new = 0.9 h e^-(1/k - 0.75 b) e_before^b,   b = 0.4 / k,   k the order of the estimate.
 *
 * The step does not grow directly after a rejection.
 */
class StepController {
  #before = 1e-4;
  #rejected = false;

  /** Returns the factor for the step after an accepted one with this error. */
  accepted(error: number, errorOrder: number): number {
    const size = Math.max(error, MIN_ERROR);
    const b = 0.4 / errorOrder;
    const wanted = SAFETY * power(size, 0.75 * b - 1 / errorOrder) * power(this.#before, b);
    const most = this.#rejected ? 1 : MAX_FACTOR;
    this.#before = Math.max(error, 1e-4);
    this.#rejected = false;
    return Math.min(Math.max(wanted, MIN_FACTOR), most);
  }

  /** Returns the factor for another attempt after one with this error, which is NaN if the attempt failed. */
  rejected(error: number, errorOrder: number): number {
    this.#rejected = true;
    if (!(error < Number.POSITIVE_INFINITY)) return FAILURE_FACTOR;
    return Math.min(Math.max(SAFETY * power(error, -1 / errorOrder), MIN_FACTOR), 0.9);
  }

  /** Forgets earlier errors. Call when the motion restarts. */
  reset(): void {
    this.#before = 1e-4;
    this.#rejected = false;
  }

  save(): readonly number[] {
    return [this.#before, this.#rejected ? 1 : 0];
  }

  restore([before = 1e-4, rejected = 0]: readonly number[]): void {
    this.#before = before;
    this.#rejected = rejected === 1;
  }
}

/** h |lambda| up to which explicit methods are stable, about: real stability intervals by order. */
const LIMITS = { upTo5: 3.25, upTo8: 6.1 } as const;

/** Below this fraction of a step its stability estimate is rounding; below the second it may be noise of functions. */
const STABILITY_ROUNDING_FRACTION = 1e-13;
const STABILITY_NOISE_FRACTION = 1e-6;

/**
 * Returns h |lambda| of an error-tested step, relative to the stability limit of the method: from 1 on stability
 * limits the step. Returns 0 if the step does not reveal it: `least` is the smallest fraction of the step that does.
 */
function stabilityUsed(
  { stateInterpolant, order }: TrialStepper,
  h: number,
  least = STABILITY_ROUNDING_FRACTION,
): number {
  if (stateInterpolant?.stiffness === undefined || order > 8) return 0;
  return stateInterpolant.stiffness(h, least) / (order <= 5 ? LIMITS.upTo5 : LIMITS.upTo8);
}

/** Steps below this many ulps of the time are too small. */
const MIN_STEP_ULPS = 16;

/** Ratio by which a step may exceed the limit at its end, and the error assigned to longer ones. */
const MAX_LIMIT_OVERSHOOT = 1.2;
const OVERLONG_STEP_ERROR = 10;
/** Check for noise when a step is this many times shorter than predicted. */
const NOISE_CHECK_RATIO = 16;

/** Fraction of the stability limit above which a step is rejected; the fraction the next step aims for. */
const REJECTED_STABILITY_FRACTION = 1.2;
const TARGET_STABILITY_FRACTION = 0.9;
/** h lambda of a growing component above which a step is rejected, and the error assigned to it. */
const MAX_GROWTH = 3;
const GROWTH_ERROR = 1e4;

/** Thrown if no step is short enough. */
export class StepUnderflow extends Error {
  constructor(
    readonly h: number,
    override readonly cause: unknown,
  ) {
    super("step underflow");
  }
}

/** Controls the length of the steps. */
export class Stepping<T extends State> {
  readonly controller = new StepController();
  readonly floor: NoiseFloor<T>;
  /** Length of the next step to try, with its sign. */
  next = 0;
  /** Fraction of the stability limit of an explicit method that the last attempt used, if visible. */
  stability = 0;
  /** Stability fraction of the last accepted step, divided by its length. */
  stabilityRate = 0;
  readonly #setup: Setup<T>;
  readonly #tally: Tally;
  readonly #notes: string[];
  /** Number of doubts of the system that have been noted. */
  #doubts = 0;
  #error = 0;
  /** The last error with its noise. */
  #raw = 0;
  /** The error of the first attempt at this step. */
  #first = 0;
  #wanted = 0;
  #taken = 0;
  #cause: unknown;

  constructor(setup: Setup<T>, tally: Tally, notes: string[]) {
    this.#setup = setup;
    this.#tally = tally;
    this.#notes = notes;
    this.floor = new NoiseFloor(notes);
  }

  /** Takes a batch of steps, ending before a time and never including the last step. Returns the number taken. */
  stepBatch(solver: ModeSolver<T>, batch: StepBatch, count: number): number {
    batch.next = this.next;
    batch.longestSince = this.floor.longest;
    const steps = solver.trial.stepBatch(batch, count);
    if (steps === 0) return 0;
    this.next = batch.next;
    this.floor.accepted(batch.longestSince);
    this.stability = 0;
    this.stabilityRate = 0;
    return steps;
  }

  /** Whether steps depend only on the method and its step rule, so that they can be taken in batches. */
  canBatch({ trial, system }: ModeSolver<T>): boolean {
    const { step, method, integrator } = this.#setup;
    const { continuation, constraints, energy } = system;
    return (
      trial.canTakeBatches &&
      this.floor.isQuiet &&
      step === undefined &&
      (method ?? integrator) !== undefined &&
      constraints.rows === 0 &&
      !energy.hasPotential &&
      !continuation.actsBetweenSteps
    );
  }

  /** Restarts step control; finds a first step unless one is known. */
  begin(solver: ModeSolver<T>, t: number, known?: number): void {
    const { step, firstStep, direction, span } = this.#setup;
    this.controller.reset();
    this.floor.reset();
    noteDifferences(solver, t, this.#notes);
    this.stabilityRate = 0;
    const { trial } = solver;
    const found =
      known ?? step ?? firstStep ?? (trial.estimates ? solver.firstStep.find(t, span[1]) : 0);
    this.next = direction * this.#limited(solver, found);
  }

  /** Takes a step not beyond `target` that can still be undone. Returns the time at its end. */
  take(solver: ModeSolver<T>, t: number, target: number): number {
    const { trial } = solver;
    const controlled = trial.estimates && this.#setup.step === undefined;
    this.#wanted = this.next;
    this.#first = 0;
    if (controlled) this.#probe(solver, t);
    for (;;) {
      const end = this.attempt(solver, t, target, controlled);
      if (end !== undefined) return end;
    }
  }

  /** Makes one attempt of {@link take}. Returns undefined if the step must be shorter; the next attempt is. */
  attempt(solver: ModeSolver<T>, t: number, target: number, controlled = true): number | undefined {
    checkLimits();
    const { trial } = solver;
    const h = this.#towards(t, target, controlled && trial.rule?.allowsShortLastStep !== true);
    this.#cause = undefined;
    let error = Number.NaN;
    try {
      this.#raw = trial.attempt(t, h);
      error = this.floor.without(this.#raw);
      const longest = solver.system.continuation.stepLimit?.() ?? Number.POSITIVE_INFINITY;
      // The limit has shrunk during the step.
      if (Math.abs(h) > MAX_LIMIT_OVERSHOOT * longest) error = Math.max(error, OVERLONG_STEP_ERROR);
      else if (error <= 1) error = this.#errorWithGrowth(solver, t, h, error);
    } catch (cause) {
      // A step that failed has no error: a shorter one may stay where functions are defined.
      if (cause instanceof Stopped) throw cause;
      this.#cause = cause;
      error = Number.NaN;
    }
    if (error <= 1 || (!controlled && this.#cause === undefined)) {
      this.#error = error;
      this.#taken = h;
      return h === target - t ? target : t + h;
    }
    trial.undo();
    if (!controlled) throw this.#cause;
    this.#tally.rejections++;
    if (this.#first === 0) this.#first = error;
    if (this.#isNoise(solver, t, h, error)) return undefined;
    this.next = h * this.#shorter(solver, h, error);
    const spacing = Number.EPSILON * Math.max(Math.abs(t), Math.abs(target - t) * 1e-6);
    if (!(Math.abs(this.next) > MIN_STEP_ULPS * spacing)) {
      throw new StepUnderflow(h, this.#cause ?? this.floor.cause(solver, t));
    }
    return undefined;
  }

  /** Accepts the step from t to `end` and finds the length of the next one. */
  acceptStep(solver: ModeSolver<T>, t: number, end: number): void {
    const { doubts } = solver.system.continuation;
    if (doubts !== undefined && doubts.length !== this.#doubts) {
      this.#doubts = doubts.length;
      noteDoubts(doubts, this.#notes);
    }
    if (end === this.#setup.span[1]) noteDifferences(solver, end, this.#notes);
    if (!solver.trial.estimates || this.#setup.step !== undefined) return;
    // Without the rounding of the time: methods reuse matrices made for one step length.
    const h = end === t + this.#taken ? this.#taken : end - t;
    this.stabilityRate = this.stability / Math.abs(this.#taken);
    const { rule, errorOrder } = solver.trial;
    const factor = rule
      ? rule.accepted(h, this.#error)
      : this.controller.accepted(this.#error, errorOrder);
    // A step cut to end at a given time is no evidence against longer ones.
    const cut = Math.abs(h) < 0.999 * Math.abs(this.#wanted) && this.next === this.#wanted;
    this.floor.accepted(h);
    const length = Math.abs(h) * Math.min(factor, this.#stableFactor(solver, h, factor));
    this.next =
      this.#setup.direction *
      this.#limited(solver, cut ? Math.max(length, Math.abs(this.#wanted)) : length);
  }

  /** Returns the factor for the next step that keeps it stable, if the wanted factor is too large. */
  #stableFactor(solver: ModeSolver<T>, h: number, factor: number): number {
    const isTooMuch = factor * this.stability > TARGET_STABILITY_FRACTION && h === this.#taken;
    return isTooMuch && this.#revealsFastComponents(solver, h)
      ? TARGET_STABILITY_FRACTION / this.stability
      : factor;
  }

  /** Checks whether noise has shortened the steps. */
  #probe(solver: ModeSolver<T>, t: number): void {
    try {
      if (this.floor.probe(solver, t, this.next)) this.controller.reset();
    } catch (cause) {
      throw new StepUnderflow(this.next, cause);
    }
  }

  /** Whether the errors of rejected steps are noise, which is tolerated from then on. */
  #isNoise(solver: ModeSolver<T>, t: number, h: number, error: number): boolean {
    const isFlat =
      2 * error > this.#first && Math.abs(h) * NOISE_CHECK_RATIO < Math.abs(this.#wanted);
    if (!isFlat) return false;
    try {
      if (!this.floor.explains(solver, t, this.#raw)) return false;
    } catch (cause) {
      throw new StepUnderflow(h, cause);
    }
    this.next = this.#wanted;
    return true;
  }

  /**
   * Returns the error of a step, or the error that shortens it to the stable length if fast components grow in it.
   * Error estimates do not see unknowns below the tolerance until they dominate the solution.
   */
  #errorWithGrowth(solver: ModeSolver<T>, t: number, h: number, error: number): number {
    const { trial, system, isImplicit } = solver;
    this.stability = stabilityUsed(trial, h);
    if (system.constraints.rows > 0 || this.#setup.step !== undefined) return error;
    if (this.stability > REJECTED_STABILITY_FRACTION && this.#revealsFastComponents(solver, h)) {
      return power(this.stability, trial.errorOrder);
    }
    // One step may reveal little by chance: use the estimate of the one before as well.
    const expected = Math.max(this.stability, this.stabilityRate * Math.abs(h));
    const isChosen = this.#setup.method === undefined && this.#setup.integrator === undefined;
    const mayGrow = isChosen && (isImplicit || expected > TARGET_STABILITY_FRACTION / 2);
    return mayGrow && solver.growth.growthOver(t, h) > MAX_GROWTH ? GROWTH_ERROR : error;
  }

  /** Whether the step clearly reveals fast components. Corrections of constraints look the same. */
  #revealsFastComponents({ trial, system }: ModeSolver<T>, h: number): boolean {
    return (
      system.constraints.rows === 0 &&
      this.#setup.step === undefined &&
      stabilityUsed(trial, h, STABILITY_NOISE_FRACTION) > 0
    );
  }

  /** Returns the factor for the length after a rejected step. */
  #shorter({ trial }: ModeSolver<T>, h: number, error: number): number {
    if (this.#cause instanceof StepFailure) return this.#cause.factor;
    const { rule, errorOrder } = trial;
    if (rule && this.#cause === undefined) return rule.rejected(h, error);
    return this.controller.rejected(error, errorOrder);
  }

  /** Returns the next step, cut at the target, or half of the rest if the last step would be very short. */
  #towards(t: number, target: number, evenly: boolean): number {
    const rest = target - t;
    // The time would not advance: the shortest step that does may still be accurate enough.
    if (t + this.next === t) {
      this.next = Math.sign(rest) * MIN_STEP_ULPS * Number.EPSILON * Math.abs(t);
    }
    const length = Math.abs(this.next);
    if (length >= Math.abs(rest) * (1 - 1e-9)) return rest;
    return evenly && length > Math.abs(rest) / 2 && t + rest / 2 !== t ? rest / 2 : this.next;
  }

  #limited({ system }: ModeSolver<T>, h: number): number {
    const limited = Math.min(h, this.#setup.maximumStep);
    if (this.#setup.step !== undefined) return limited;
    return Math.min(limited, system.continuation.stepLimit?.() ?? limited);
  }
}
