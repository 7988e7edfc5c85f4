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
  /** Takes a step. Restore the state to reject it; commit it to continue. `damped`: see DampedSteps. */
  step(span: StepSpan, damped?: boolean): void;
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
  correctAccelerations(accelerations: Address): void;
  /** Writes the multipliers of the last step, if the method has its own. */
  multipliers?(out: Address): void;
  /** Returns the independent coordinates: see BoundFormulation. */
  partition(): CoordinatePartition | undefined;
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
        system.continuation.beginStep(t, h);
        stabilisation.beginStep(t, h);
        stepper.attempt(t, h);
        stepper.accept();
        observer?.ended();
        stabilisation.correct(t + h, h);
        system.continuation.finaliseState(t + h);
      },
      commit: (span) => stepper.commit(span[0]!, span[1]!),
      stepper,
      accelerations: (out) => stepper.accelerations(out),
      ...(stepper.multipliers && { multipliers: stepper.multipliers }),
      correctAccelerations() {},
      partition: () => undefined,
      reset: () => stepper.reset(),
      restart: (t) => stabilisation.restart(t),
    };
  }
  const formulation = method.formulation.bind(system, stabilisation);
  if (
    stabilisation.rates?.integratesWork &&
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
  return {
    step(span, damped) {
      const t = span[0]!;
      const h = span[1]!;
      system.continuation.beginStep(t, h);
      if (formulation.beginStep(t, h)) stepper.reset();
      observer?.began();
      stabilisation.beginStep(t, h);
      if (damped) stepper.damped?.attempt(t, h);
      else stepper.attempt(t, h);
      stepper.accept();
      formulation.endStep(t + h);
      observer?.ended();
      stabilisation.correct(t + h, h);
      system.continuation.finaliseState(t + h);
    },
    commit: (span) => stepper.commit(span[0]!, span[1]!),
    ...(stepper.steps && {
      steps(span: StepSpan, count: number) {
        const t = span[0]!;
        const h = span[1]!;
        system.continuation.beginStep(t, h);
        const done = stepper.steps?.(t, h, count) ?? 0;
        if (done > 0) system.continuation.finaliseState(t + done * h);
        return done;
      },
    }),
    stepper,
    ode,
    ...(formulation.expandState && { expandState: formulation.expandState }),
    accelerations: (out) => formulation.accelerations(out),
    correctAccelerations: (accelerations) => formulation.correctAccelerations(accelerations),
    ...(formulation.multipliers && { multipliers: formulation.multipliers }),
    partition: () => formulation.partition(),
    reset: () => stepper.reset(),
    restart: (t) => stabilisation.restart(t),
  };
}

/** Returns an ODE that counts its evaluations. Observed methods take no steps in one call. */
function countedOde(ode: Ode, observer: MethodObserver): Ode {
  const { fused, compiled } = ode;
  return {
    ...ode,
    rate(t, out) {
      observer.evaluated(1);
      ode.rate(t, out);
    },
    ...(fused && {
      fused: {
        ...fused,
        stages(t: number, h: number, step: ExplicitStages) {
          const done = fused.stages(t, h, step);
          observer.evaluated(done - step.first);
          return done;
        },
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
  const stages = bound.flatMap(({ stage }) => stage ?? []);
  const rates = bound.flatMap((entry) => entry.rates ?? []);
  const [alone] = stages;
  const leavesOpen = stages.length === 1 ? alone?.leavesOpen : undefined;
  // Only one may change the right-hand sides, as checked by checkMethod.
  const right = bound.find((entry) => entry.right)?.right;
  return {
    restart(t) {
      for (const entry of bound) entry.restart(t);
    },
    beginStep(t, h) {
      for (const entry of bound) entry.beginStep(t, h);
    },
    ...(alone && {
      stage: {
        correct(t: number) {
          for (const stage of stages) stage.correct(t);
        },
        ...(leavesOpen && { leavesOpen }),
        closesOnly: false,
      },
    }),
    ...(right && { right }),
    ...(rates.length > 0 && {
      rates: {
        integratesWork: rates.some(({ integratesWork }) => integratesWork),
        add(t: number, out: Address) {
          for (const entry of rates) entry.add(t, out);
        },
      },
    }),
    correct(t, h) {
      for (const entry of bound) entry.correct(t, h);
    },
  };
}
