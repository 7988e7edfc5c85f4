import { NodriftError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import type {
  BoundCoupledMethod,
  BoundStabilisation,
  CoordinatePartition,
  ExplicitStages,
  Method,
  Ode,
  Stabilisation,
  Stepper,
  System,
} from "../../interfaces/index.js";
import { checkMethod, stabilisationsOf } from "./compatibility.js";

/** Begin and length of a step. In memory: engines allocate for a number that one function passes to another. */
export type StepSpan = Float64Array;

/** A method bound to a system: takes single steps from the accepted state. */
export interface BoundMethod {
  /** Takes a step. Restore the state to reject it; commit it to continue. `damped`: see Stepper.attemptDamped. */
  step(span: StepSpan, damped?: boolean): void;
  /** Whether failed steps are divided. */
  readonly dividesSteps?: boolean;
  /** Accepts the step. */
  commit(span: StepSpan): void;
  /**
   * Takes and commits up to `count` steps, and returns how many: see Ode.steps. Absent if steps are taken one by one.
   */
  steps?(span: StepSpan, count: number): number;
  readonly stepper: Stepper | BoundCoupledMethod;
  /** The differential equation seen by the integrator, if the method has one. */
  readonly ode?: Ode;
  /** Writes q and v for the integrator's unknowns, if these are others. */
  expandState?(t: number, y: Address, out: Address): void;
  /** Accelerations at the state of the last `at`. */
  accelerations(out: Address): void;
  /** Corrects accelerations that are read by users: see BoundFormulation. */
  correctAccelerations?(accelerations: Address): void;
  /** Writes the multipliers of the last step, if the method has its own. */
  multipliers?(out: Address): void;
  /** Returns the independent coordinates: see BoundFormulation. */
  partition?(): CoordinatePartition | undefined;
  /** Forgets earlier steps. */
  reset(): void;
  /** Restarts the method after the state was reset. The trial state holds it. */
  restart(t: number): void;
}

/** Observes the steps of a method. */
export interface MethodObserver {
  /** Called after this many evaluations of the rates. */
  evaluated(times: number): void;
  /** Called when the unknowns of a step have been taken from the state. */
  began(): void;
  /** Called at the end of a step, before it is corrected. */
  ended(): void;
}

/** Binds a method to a system; memory is reserved, not yet allocated. */
export function bindMethod(system: System, method: Method, observer?: MethodObserver): BoundMethod {
  checkMethod(method, system);
  const stabilisation = bindAll(system, stabilisationsOf(method));
  if ("coupled" in method) {
    const stepper = method.coupled.bind(system);
    return {
      step(span) {
        const t = span[0]!;
        const h = span[1]!;
        system.continuation.beginStep?.(t, h);
        stabilisation.beginStep?.(t, h);
        stepper.attempt(t, h);
        stepper.accept();
        observer?.ended();
        stabilisation.correct?.(t + h, h);
        system.continuation.finaliseState?.(t + h);
      },
      commit: (span) => stepper.commit?.(span[0]!, span[1]!),
      stepper,
      accelerations: (out) => stepper.accelerations(out),
      ...(stepper.multipliers && { multipliers: stepper.multipliers }),
      reset: () => stepper.reset?.(),
      restart: (t) => stabilisation.restart?.(t),
    };
  }
  const formulation = method.formulation.bind(system, stabilisation);
  if (
    stabilisation.integratesWork &&
    formulation.ode.dimension <= system.coordinates.positions + system.coordinates.velocities
  ) {
    const names = stabilisationsOf(method).map(({ name }) => name);
    throw new NodriftError(
      "METHOD",
      `${method.formulation.name} does not integrate the work that ${names.join(" + ")} counts`,
    );
  }
  const ode = observer ? countedOde(formulation.ode, observer) : formulation.ode;
  const stepper = method.integrator.bind(ode, system.workspace);
  const beginsOrEnds = formulation.beginStep ?? formulation.endStep ?? stabilisation.beginStep;
  const canRun = stepper.steps !== undefined && beginsOrEnds === undefined;
  return {
    step(span, damped) {
      const t = span[0]!;
      const h = span[1]!;
      system.continuation.beginStep?.(t, h);
      if (formulation.beginStep?.(t, h)) stepper.reset?.();
      observer?.began();
      stabilisation.beginStep?.(t, h);
      if (damped) stepper.attemptDamped?.(t, h);
      else stepper.attempt(t, h);
      stepper.accept();
      formulation.endStep?.(t + h);
      observer?.ended();
      stabilisation.correct?.(t + h, h);
      system.continuation.finaliseState?.(t + h);
    },
    commit: (span) => stepper.commit?.(span[0]!, span[1]!),
    ...(canRun && {
      steps(span: StepSpan, count: number) {
        const t = span[0]!;
        const h = span[1]!;
        system.continuation.beginStep?.(t, h);
        const done = stepper.steps?.(t, h, count) ?? 0;
        if (done > 0) system.continuation.finaliseState?.(t + done * h);
        return done;
      },
    }),
    stepper,
    dividesSteps: method.integrator.dividesSteps === true,
    ode,
    ...(formulation.expandState && { expandState: formulation.expandState }),
    accelerations: (out) => formulation.accelerations(out),
    ...(formulation.correctAccelerations && {
      correctAccelerations: formulation.correctAccelerations,
    }),
    ...(formulation.multipliers && { multipliers: formulation.multipliers }),
    ...(formulation.partition && { partition: formulation.partition }),
    reset: () => stepper.reset?.(),
    restart: (t) => stabilisation.restart?.(t),
  };
}

/** Returns an ODE that counts its evaluations. */
function countedOde(ode: Ode, observer: MethodObserver): Ode {
  const { stages, compiled } = ode;
  return {
    ...ode,
    rate(t, out) {
      observer.evaluated(1);
      ode.rate(t, out);
    },
    ...(stages && {
      stages(t: number, h: number, step: ExplicitStages) {
        const done = stages(t, h, step);
        observer.evaluated(done - step.first);
        return done;
      },
    }),
    ...(compiled && {
      compiled: { ...compiled, evaluated: (times: number) => observer.evaluated(times) },
    }),
  };
}

/** Combines several stabilisations: their hooks in the given order. Absent hooks stay absent. */
function bindAll(system: System, list: readonly Stabilisation[]): BoundStabilisation {
  const bound = list.map((entry) => entry.bind(system));
  const [only] = bound;
  if (only !== undefined && bound.length === 1) return only;
  const having = (hook: keyof BoundStabilisation) => bound.filter((entry) => entry[hook]);
  const restart = having("restart");
  const begin = having("beginStep");
  const rates = having("rates");
  const stage = having("stage");
  const correct = having("correct");
  const alone = stage.length === 1 ? stage[0] : undefined;
  // Only one may change the right-hand sides, as checked by checkMethod.
  const [right] = having("rightHandSide");
  const [rightSides] = having("rightHandSides");
  return {
    integratesWork: bound.some(({ integratesWork }) => integratesWork === true),
    restart(t) {
      for (const entry of restart) entry.restart?.(t);
    },
    beginStep(t, h) {
      for (const entry of begin) entry.beginStep?.(t, h);
    },
    ...(stage.length > 0 && {
      stage(t: number) {
        for (const entry of stage) entry.stage?.(t);
      },
      ...(alone?.leavesOpen && { leavesOpen: alone.leavesOpen }),
    }),
    ...(right && { rightHandSide: (gamma, out) => right.rightHandSide?.(gamma, out) }),
    ...(rightSides && {
      rightHandSides: (gamma, out, r) => rightSides.rightHandSides?.(gamma, out, r),
    }),
    ...(rates.length > 0 && {
      rates(t: number, out: Address) {
        for (const entry of rates) entry.rates?.(t, out);
      },
    }),
    correct(t, h) {
      for (const entry of correct) entry.correct?.(t, h);
    },
  };
}
