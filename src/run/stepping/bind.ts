import { NodriftError } from "../../ground/errors.js";
import type { Address } from "../../ground/memory/arena.js";
import type {
  BoundCoupled,
  BoundStabilisation,
  Method,
  Ode,
  Stabilisation,
  Stepper,
  System,
} from "../../seam/index.js";
import { checkMethod, stabilisationsOf } from "./pairs.js";

/** A method in place: one step from the accepted state to the next. */
export interface BoundMethod {
  /** Takes a step. To go back, put the state back; to go on, commit it. */
  step(t: number, h: number): void;
  /** The step stands. */
  commit(t: number, h: number): void;
  readonly stepper: Stepper | BoundCoupled;
  /** What the integrator sees, if the method has one. */
  readonly ode?: Ode;
  /** Writes q and v for the integrator's unknowns, where they are others. */
  spread?(t: number, y: Address, out: Address): void;
  /** Accelerations at the trial state last announced. */
  accelerations(out: Address): void;
  /** The multipliers of the last step, where the method has its own. */
  multipliers?(out: Address): void;
  /** Forgets earlier steps. */
  reset(): void;
  /** The state has been set anew; it is the trial state. */
  restart(t: number): void;
}

/** Puts a method and a system together; memory is reserved, not yet there. */
export function bindMethod(system: System, method: Method): BoundMethod {
  checkMethod(method, system);
  const stabilisation = bindAll(system, stabilisationsOf(method));
  if ("coupled" in method) {
    const stepper = method.coupled.bind(system);
    return {
      step(t, h) {
        system.continuation.beginStep?.(t, h);
        stabilisation.begin?.(t, h);
        stepper.attempt(t, h);
        stepper.accept();
        stabilisation.correct?.(t + h, h);
        system.continuation.settle?.(t + h);
      },
      commit: (t, h) => stepper.commit?.(t, h),
      stepper,
      accelerations: (out) => stepper.accelerations(out),
      ...(stepper.multipliers && { multipliers: stepper.multipliers }),
      reset: () => stepper.reset?.(),
      restart: (t) => stabilisation.restart?.(t),
    };
  }
  const formulation = method.formulation.bind(system, stabilisation);
  if (
    stabilisation.countsWork &&
    formulation.ode.dimension <= system.coordinates.positions + system.coordinates.velocities
  ) {
    const names = stabilisationsOf(method).map(({ name }) => name);
    throw new NodriftError(
      "METHOD",
      `${method.formulation.name} does not integrate the work that ${names.join(" + ")} counts`,
    );
  }
  const stepper = method.integrator.bind(formulation.ode, system.workspace);
  return {
    step(t, h) {
      system.continuation.beginStep?.(t, h);
      if (formulation.begin?.(t, h)) stepper.reset?.();
      stabilisation.begin?.(t, h);
      stepper.attempt(t, h);
      stepper.accept();
      formulation.end?.(t + h);
      stabilisation.correct?.(t + h, h);
      system.continuation.settle?.(t + h);
    },
    commit: (t, h) => stepper.commit?.(t, h),
    stepper,
    ode: formulation.ode,
    ...(formulation.spread && { spread: formulation.spread }),
    accelerations: (out) => formulation.accelerations(out),
    reset: () => stepper.reset?.(),
    restart: (t) => stabilisation.restart?.(t),
  };
}

/** Several stabilisations as one: their hooks in the order given. Absent hooks stay absent. */
function bindAll(system: System, list: readonly Stabilisation[]): BoundStabilisation {
  const bound = list.map((entry) => entry.bind(system));
  const [only] = bound;
  if (only !== undefined && bound.length === 1) return only;
  const having = (hook: keyof BoundStabilisation) => bound.filter((entry) => entry[hook]);
  const restart = having("restart");
  const begin = having("begin");
  const rates = having("rates");
  const stage = having("stage");
  const correct = having("correct");
  // Only one may change the right sides: checkMethod sees to that.
  const [right] = having("right");
  const [rightSides] = having("rightSides");
  return {
    countsWork: bound.some(({ countsWork }) => countsWork === true),
    restart(t) {
      for (const entry of restart) entry.restart?.(t);
    },
    begin(t, h) {
      for (const entry of begin) entry.begin?.(t, h);
    },
    ...(stage.length > 0 && {
      stage(t: number) {
        for (const entry of stage) entry.stage?.(t);
      },
    }),
    ...(right && { right: (gamma, out) => right.right?.(gamma, out) }),
    ...(rightSides && { rightSides: (gamma, out, r) => rightSides.rightSides?.(gamma, out, r) }),
    rates(t, out) {
      for (const entry of rates) entry.rates?.(t, out);
    },
    correct(t, h) {
      for (const entry of correct) entry.correct?.(t, h);
    },
  };
}
