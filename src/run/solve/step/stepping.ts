import { power } from "../../../ground/algebra/portable-power.js";
import { StepFailure } from "../../../ground/errors.js";
import { checkLimits, Stopped } from "../../../ground/run-limits.js";
import type { Sprint, State } from "../../../seam/index.js";
import type { Leg } from "../leg/leg.js";
import type { Tally } from "../leg/statistics.js";
import { PLAIN, stabilityUsed } from "../motion/stability-limit.js";
import type { Setup } from "../setup/setup.js";
import { StepController } from "./controller.js";
import { noteDifferences } from "./difference-note.js";
import { NoiseFloor } from "./noise-floor.js";

/** Steps below this many ulps of the time are too small. */
const SPACINGS = 16;

/** Ratio by which a step may exceed the limit at its end, and the error assigned beyond it. */
const MUCH = 1.2;
const TOO_LONG = 10;
/** Check for noise when a step is this many times shorter than it should have been. */
const MUCH_SHORTER = 16;

/** Fraction of the stability limit above which a step is rejected; the fraction the next step aims for. */
const UNSTABLE = 1.2;
const STABLE = 0.9;
/** h lambda of a growing component above which a step is rejected, and the error assigned to it. */
const GROWTH = 3;
const WILD = 1e4;

/** No step is short enough. */
export class StepUnderflow extends Error {
  constructor(
    readonly h: number,
    override readonly cause: unknown,
  ) {
    super("step underflow");
  }
}

/** Finds the length of each step. */
export class Stepping<T extends State> {
  readonly controller = new StepController();
  readonly floor: NoiseFloor<T>;
  /** Length of the next step to try, with its sign. */
  next = 0;
  /** Part of the stability limit of an explicit method that the last attempt used, as far as it shows. */
  stability = 0;
  /** That of the last accepted step, over its length. */
  stabilityRate = 0;
  readonly #setup: Setup<T>;
  readonly #tally: Tally;
  readonly #notes: string[];
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

  /** Takes steps by the method itself, before a time and never the last one. Gives how many. */
  sprint(leg: Leg<T>, sprint: Sprint, count: number): number {
    sprint.next = this.next;
    sprint.longestSince = this.floor.longest;
    const steps = leg.motion.sprint(sprint, count);
    if (steps === 0) return 0;
    this.next = sprint.next;
    this.floor.accepted(sprint.longestSince);
    this.stability = 0;
    this.stabilityRate = 0;
    return steps;
  }

  /** Whether steps of a method need nothing but it and its rule. */
  canSprint({ motion, system }: Leg<T>): boolean {
    const { step, method, integrator } = this.#setup;
    const { continuation, constraints, energy } = system;
    return (
      motion.sprints &&
      this.floor.isQuiet &&
      step === undefined &&
      (method ?? integrator) !== undefined &&
      constraints.rows === 0 &&
      !energy.hasPotential &&
      continuation.arrive === undefined &&
      continuation.nextBreak === undefined &&
      continuation.stepLimit === undefined &&
      continuation.finaliseState === undefined
    );
  }

  /** The motion begins again: finds a first step, where none is known. */
  begin(leg: Leg<T>, t: number, known?: number): void {
    const { step, firstStep, direction, span } = this.#setup;
    this.controller.reset();
    this.floor.reset();
    noteDifferences(leg, t, this.#notes);
    this.stabilityRate = 0;
    const { motion } = leg;
    const found =
      known ?? step ?? firstStep ?? (motion.estimates ? leg.firstStep.find(t, span[1]) : 0);
    this.next = direction * this.#limited(leg, found);
  }

  /** Takes a step, not beyond a time, that can still be undone. Gives the time it ends at. */
  take(leg: Leg<T>, t: number, target: number): number {
    const { motion } = leg;
    const controlled = motion.estimates && this.#setup.step === undefined;
    this.#wanted = this.next;
    this.#first = 0;
    if (controlled) this.#probe(leg, t);
    for (;;) {
      const end = this.attempt(leg, t, target, controlled);
      if (end !== undefined) return end;
    }
  }

  /** One attempt of {@link take}: undefined where it has to be shorter, which the next one is. */
  attempt(leg: Leg<T>, t: number, target: number, controlled = true): number | undefined {
    checkLimits();
    const { motion } = leg;
    const h = this.#towards(t, target, controlled && motion.rule?.allowsShortLastStep !== true);
    const error = this.#attempt(leg, t, h);
    if (error <= 1 || (!controlled && this.#cause === undefined)) {
      this.#error = error;
      this.#taken = h;
      return h === target - t ? target : t + h;
    }
    motion.undo();
    if (!controlled) throw this.#cause;
    this.#tally.rejections++;
    if (this.#first === 0) this.#first = error;
    if (this.#isNoise(leg, t, h, error)) return undefined;
    this.next = h * this.#shorter(leg, h, error);
    const spacing = Number.EPSILON * Math.max(Math.abs(t), Math.abs(target - t) * 1e-6);
    if (!(Math.abs(this.next) > SPACINGS * spacing)) {
      throw new StepUnderflow(h, this.#cause ?? this.floor.cause(leg, t));
    }
    return undefined;
  }

  /** The step from t to `end` is accepted: finds the length of the next one. */
  acceptStep(leg: Leg<T>, t: number, end: number): void {
    if (end === this.#setup.span[1]) noteDifferences(leg, end, this.#notes);
    if (!leg.motion.estimates || this.#setup.step !== undefined) return;
    // Not rounded by the time: methods reuse matrices made for one step length.
    const h = end === t + this.#taken ? this.#taken : end - t;
    this.stabilityRate = this.stability / Math.abs(this.#taken);
    const { rule, errorOrder } = leg.motion;
    const factor = rule
      ? rule.accepted(h, this.#error)
      : this.controller.accepted(this.#error, errorOrder);
    // A step cut to end at a given time is no evidence against longer ones.
    const cut = Math.abs(h) < 0.999 * Math.abs(this.#wanted) && this.next === this.#wanted;
    this.floor.accepted(h);
    const length = Math.abs(h) * Math.min(factor, this.#mostStable(leg, h, factor));
    this.next =
      this.#setup.direction *
      this.#limited(leg, cut ? Math.max(length, Math.abs(this.#wanted)) : length);
  }

  /** By how much the next step may be longer and stay stable: found where the factor wanted is too much. */
  #mostStable(leg: Leg<T>, h: number, factor: number): number {
    const isTooMuch = factor * this.stability > STABLE && h === this.#taken;
    return isTooMuch && this.#isPlain(leg, h) ? STABLE / this.stability : factor;
  }

  /** The error of a step; NaN where it could not be taken: a shorter one may stay where functions are defined. */
  #attempt(leg: Leg<T>, t: number, h: number): number {
    this.#cause = undefined;
    try {
      this.#raw = leg.motion.attempt(t, h);
      const error = this.floor.without(this.#raw);
      const longest = leg.system.continuation.stepLimit?.() ?? Number.POSITIVE_INFINITY;
      // Its end is faster than its beginning was.
      if (Math.abs(h) > MUCH * longest) return Math.max(error, TOO_LONG);
      return error <= 1 ? this.#unlessWild(leg, t, h, error) : error;
    } catch (cause) {
      if (cause instanceof Stopped) throw cause;
      this.#cause = cause;
      return Number.NaN;
    }
  }

  /** Checks whether noise has made the steps short. */
  #probe(leg: Leg<T>, t: number): void {
    try {
      if (this.floor.probe(leg, t, this.next)) this.controller.reset();
    } catch (cause) {
      throw new StepUnderflow(this.next, cause);
    }
  }

  /** Whether the errors of rejected steps are noise, which is tolerated from then on. */
  #isNoise(leg: Leg<T>, t: number, h: number, error: number): boolean {
    const isFlat = 2 * error > this.#first && Math.abs(h) * MUCH_SHORTER < Math.abs(this.#wanted);
    if (!isFlat) return false;
    try {
      if (!this.floor.explains(leg, t, this.#raw)) return false;
    } catch (cause) {
      throw new StepUnderflow(h, cause);
    }
    this.next = this.#wanted;
    return true;
  }

  /**
   * The error of a step; if the step is so long that fast components grow in it, the error that shortens it to the
   * stable length. Error estimates do not see unknowns below the tolerance until they dominate the solution.
   */
  #unlessWild(leg: Leg<T>, t: number, h: number, error: number): number {
    const { motion, system, isImplicit } = leg;
    this.stability = stabilityUsed(motion, h);
    if (system.constraints.rows > 0 || this.#setup.step !== undefined) return error;
    if (this.stability > UNSTABLE && this.#isPlain(leg, h)) {
      return power(this.stability, motion.errorOrder);
    }
    // One step may reveal little by chance: use the estimate of the one before as well.
    const expected = Math.max(this.stability, this.stabilityRate * Math.abs(h));
    const isChosen = this.#setup.method === undefined && this.#setup.integrator === undefined;
    const mayGrow = isChosen && (isImplicit || expected > STABLE / 2);
    return mayGrow && leg.growth.growthOver(t, h) > GROWTH ? WILD : error;
  }

  /** Whether the step clearly reveals fast components. Corrections of constraints look the same. */
  #isPlain({ motion, system }: Leg<T>, h: number): boolean {
    return (
      system.constraints.rows === 0 &&
      this.#setup.step === undefined &&
      stabilityUsed(motion, h, PLAIN) > 0
    );
  }

  /** Factor for the length after a rejected step. */
  #shorter({ motion }: Leg<T>, h: number, error: number): number {
    if (this.#cause instanceof StepFailure) return this.#cause.factor;
    const { rule, errorOrder } = motion;
    if (rule && this.#cause === undefined) return rule.rejected(h, error);
    return this.controller.rejected(error, errorOrder);
  }

  /** The next step, cut at the target; two even ones where the rest would be a very short one. */
  #towards(t: number, target: number, evenly: boolean): number {
    const rest = target - t;
    // Time would stand still: the shortest step that moves it may still be accurate enough.
    if (t + this.next === t) {
      this.next = Math.sign(rest) * SPACINGS * Number.EPSILON * Math.abs(t);
    }
    const length = Math.abs(this.next);
    if (length >= Math.abs(rest) * (1 - 1e-9)) return rest;
    return evenly && length > Math.abs(rest) / 2 && t + rest / 2 !== t ? rest / 2 : this.next;
  }

  #limited({ system }: Leg<T>, h: number): number {
    const limited = Math.min(h, this.#setup.maximumStep);
    if (this.#setup.step !== undefined) return limited;
    return Math.min(limited, system.continuation.stepLimit?.() ?? limited);
  }
}
