import { NodriftError } from "../../../ground/errors.js";
import type { NoiseReport, State } from "../../../seam/index.js";
import type { Leg } from "../leg/leg.js";

/** Check for noise when the step has shrunk by this factor. */
const SHRUNK = 16;
/**
 * If a step this many times shorter has an error smaller by less than the second factor, the error does not come from
 * its length.
 */
const SHORTER = 4;
const SAME = 2;
/** Steps shortened by noise of accelerations become this many times longer. */
const LONGER = 8;
/** This many times the observed noise is ignored, because it varies. */
const ABOVE = 2;
/** Give up if noise exceeds this many tolerances. */
const TOO_MUCH = 30;
/** Noise measured in functions explains an error this many times larger: it is a standard deviation. */
const EXPLAINS = 30;

/**
 * If the error of a step does not decrease with its length, it is noise of the functions: shorter steps cost more and
 * do not help. The noise is then subtracted from errors, and the run notes it. Accepted steps are checked as well: the
 * control of steps aims at a part of the tolerance, and with errors above that each would be shorter than the one
 * before, for ever.
 */
export class NoiseFloor<T extends State> {
  /** Noise in the errors of steps, in tolerances. */
  #noise = 0;
  readonly #notes: string[];
  /** The longest step since the last check. */
  #longest = 0;
  /** When noise was first found. */
  #since = Number.NaN;

  constructor(notes: string[]) {
    this.#notes = notes;
  }

  save(): readonly number[] {
    return [this.#noise, this.#longest, this.#since];
  }

  restore([noise = 0, longest = 0, since = Number.NaN]: readonly number[]): void {
    this.#noise = noise;
    this.#longest = longest;
    this.#since = since;
  }

  /** The motion begins again: what was noisy may not be. */
  reset(): void {
    this.#noise = 0;
    this.#longest = 0;
  }

  /** Whether no noise has been found, and the longest step since it was looked for. */
  get isQuiet(): boolean {
    return this.#noise === 0;
  }
  get longest(): number {
    return this.#longest;
  }

  /** What is left of an error without noise. */
  without(error: number): number {
    return this.#noise === 0 ? error : Math.max(0, error - ABOVE * this.#noise);
  }

  /** A step has been accepted. */
  accepted(h: number): void {
    this.#longest = Math.max(this.#longest, Math.abs(h));
  }

  /**
   * Before a step: where steps have become much shorter, tries this one and a shorter one, and undoes both. True where
   * noise was found.
   */
  probe({ motion, system }: Leg<T>, t: number, h: number): boolean {
    if (!(Math.abs(h) * SHRUNK < this.#longest)) return false;
    this.#longest = Math.abs(h);
    const error = attempt(motion, t, h);
    const shorter = attempt(motion, t, h / SHORTER);
    if (!(shorter > SMALL && shorter * SHORTER * SHORTER > error)) return false;
    const report = system.matrices.accuracy?.estimateNoise?.(t);
    const isFlat = shorter * SAME > error;
    // Corners and jumps look the same.
    if (!isExplained(motion, report, error)) return false;
    // Errors that are in proportion to the step, or to its square, are noise of accelerations.
    const longer = isFlat ? error : attempt(motion, t, h * LONGER);
    if (Number.isNaN(longer)) return false;
    this.#raise(Math.max(longer, shorter), t, report);
    return true;
  }

  /**
   * A step was refused with an error that one much longer had as well. True where the functions are so noisy that this
   * explains it: a jump of the motion looks the same otherwise.
   */
  explains({ motion, system }: Leg<T>, t: number, error: number): boolean {
    const report = system.matrices.accuracy?.estimateNoise?.(t);
    if (!isExplained(motion, report, error)) return false;
    this.#raise(error, t, report);
    return true;
  }

  /** The cause where no step is short enough, if it is noise. */
  cause({ motion, system }: Leg<T>, t: number): NodriftError | undefined {
    const report = system.matrices.accuracy?.estimateNoise?.(t);
    if (!isExplained(motion, report, 1)) return undefined;
    return new NodriftError(
      "STEP",
      `${this.#found(t, report)}: this is beyond the tolerance. ${ADVICE}`,
    );
  }

  #found(t: number, report: NoiseReport | undefined): string {
    if (Number.isNaN(this.#since)) this.#since = t;
    return (
      `${NOISE}${report?.noisiest || "a function"} is noisy${levelOf(report)}, and from about t = ${this.#since} ` +
      "shorter steps are not more accurate"
    );
  }

  #raise(error: number, t: number, report: NoiseReport | undefined): void {
    const what = this.#found(t, report);
    if (error > TOO_MUCH) {
      throw new NodriftError("STEP", `${what}: this is far beyond the tolerance. ${ADVICE}`);
    }
    this.#noise = Math.max(this.#noise, error);
    const known = this.#notes.findIndex((note) => note.startsWith(NOISE));
    if (known >= 0) this.#notes.splice(known, 1);
    this.#notes.push(
      `${what}: steps may be wrong by ${(1 + ABOVE * this.#noise).toPrecision(2)} times the tolerance. ${ADVICE}`,
    );
  }
}

const NOISE = "noise: ";
const ADVICE = "Make it smooth, give its derivatives, or raise the tolerance";

/** Errors this small, in tolerances, are harmless. */
const SMALL = 0.01;

function levelOf(report: NoiseReport | undefined): string {
  if (report === undefined) return "";
  return ` (${Math.max(report.positions, report.accelerations).toExponential(0)})`;
}

/** Whether noise of the functions makes as much of an error, in tolerances. */
function isExplained(
  { weights }: Leg<State>["motion"],
  report: NoiseReport | undefined,
  error: number,
): boolean {
  if (report === undefined) return false;
  const { positions, velocities, relative } = weights;
  const ofAccelerations = report.accelerations / Math.max(relative, velocities);
  return EXPLAINS * Math.max(report.positions / positions, ofAccelerations) > error;
}

/** The error of a step that is not taken; NaN where it cannot be. */
function attempt(motion: Leg<State>["motion"], t: number, h: number): number {
  try {
    return motion.attempt(t, h);
  } catch {
    return Number.NaN;
  } finally {
    motion.undo();
  }
}
