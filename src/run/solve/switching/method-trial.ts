import type { State } from "../../../seam/index.js";
import type { Leg } from "../leg/leg.js";
import type { Setup } from "../setup/setup.js";
import type { Stepping } from "../step/stepping.js";
import { WorkMeter } from "./work-meter.js";

/** Attempts in a trial, at most. */
const ATTEMPTS = 8;
/**
 * Steps that must be accepted: several of the explicit method, so that instability has time to grow; one if much is
 * gained.
 */
const STEPS = { explicit: 4, implicit: 3, much: 1 } as const;
const MUCH = 3;
/** The first step of an implicit method is this many times longer than needed: for stiff motion that is easy. */
const BOLD = 4;
/** Explicit steps that use more than this part of their stability limit are no lasting gain. */
const STABLE = 0.9;

/** The result of a trial. */
export interface MethodTrial {
  readonly pays: boolean;
  /** What it cost. */
  readonly work: number;
  /** The step to begin with. */
  readonly length: number;
}

/**
 * Trial steps of a method from a state, discarded afterwards: whether the method covers more time per unit of work than
 * `needed`. They begin with the step size that would suffice, so that a negative answer takes only an attempt or two.
 * Rejected: to predict the steps of the other method from eigenvalues; an estimate of those is not what limits steps
 * where the motion itself is fast, or its functions are not smooth. `needed` is the pace to reach, in time per unit of
 * work.
 */
export function tryMethod<T extends State>(
  leg: Leg<T>,
  stepping: Stepping<T>,
  setup: Setup<T>,
  t: number,
  needed: number,
): MethodTrial {
  const { isImplicit, motion, prices } = leg;
  const { span, direction } = setup;
  const meter = new WorkMeter<T>();
  meter.start(leg);
  let [time, steps, length] = [t, 0, 0];
  const told = (pays: boolean): MethodTrial => ({ pays, work: meter.read(leg), length });
  stepping.begin(leg, t, (isImplicit ? BOLD : 1) * needed * prices.firstStep);
  for (let k = 0; k < ATTEMPTS; k++) {
    const end = stepping.attempt(leg, time, span[1]);
    if (end !== undefined) {
      const h = end - time;
      if (!isImplicit && stepping.stability > STABLE) {
        motion.undo();
        return told(false);
      }
      stepping.acceptStep(leg, time, end);
      motion.commit(time, h);
      time = end;
      steps++;
      if (steps === 1) length = Math.abs(h);
    }
    const [gained, spent] = [direction * (time - t), needed * meter.read(leg)];
    const enough = !isImplicit
      ? STEPS.explicit
      : gained > MUCH * spent
        ? STEPS.much
        : STEPS.implicit;
    if (gained >= spent && (steps >= enough || time === span[1])) return told(true);
    if (time === span[1] || gained + 2 * Math.abs(stepping.next) < spent) return told(false);
  }
  return told(false);
}
