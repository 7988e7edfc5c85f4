import { Status } from "../../../assembly/layout.js";
import { ReentryGuard } from "../../base/checking/index.js";
import { NodriftError, StepFailure } from "../../base/errors.js";
import type { Address, Arena, Segment } from "../../base/memory/arena.js";
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
import { bindProjector, type Projector } from "../../interfaces/projection/projector.js";
import { ASSEMBLY, PublicView } from "../public/public-view.js";
import { checkMethod, methodName, refuseOde, stabilisationsOf } from "./compatibility.js";
import { InitialMemory } from "./snapshot.js";
import {
  CorrectionRecord,
  checkedState,
  type StateOptions,
  unwrappedAnglesNow,
} from "./state-options.js";

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

/** Times closer than this fraction of a step are equal. */
const TIME_TOLERANCE_STEPS = 1e-9;

/** Maximum number of pieces of a substep: a power of two. */
const MAX_PIECES = 64;
/** Successive pieces of one length before a longer one. */
const EQUAL_PIECES_BEFORE_LONGER = 8;

/** Counts of divided steps, for methods that divide them: see `ros3`. */
export interface DividedSteps {
  /** Steps that were divided. */
  divided: number;
  /** Pieces of these steps. */
  parts: number;
  /** Shortest pieces that the method could not resolve, and damped. */
  damped: number;
}

/** External loads that act on a system during steps. */
export interface StepLoads {
  /** Whether they have no effect in coming steps until they are used again. */
  readonly isResting: boolean;
  /** Returns the number of substeps of a step. */
  parts(span: StepSpan): number;
  begin(span: StepSpan): void;
  end(t: number): void;
}

/** Handles what a plain step cannot, such as impacts. */
export interface StepInterceptor {
  /** Saves the state at the beginning of a step, in case the step fails. */
  keep(): void;
  /** Restores the saved state after a failed step. */
  restoreStep(): void;
  /** Advances the accepted state from t by h. */
  handleStep(t: number, h: number): void;
}

/** A saved state. */
export interface SavedState {
  readonly numbers: Float64Array;
  readonly unwrappedAngles: Float64Array;
}

/** Integrated coordinates, if they are not the public ones. */
export interface OwnState {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/** Projector, and memory of answers, in the public system. */
export interface AnswerParts {
  readonly projector: Projector;
  readonly vector: Segment;
  readonly rows: Segment;
}

/**
 * A system with a method, in memory of its own, and its present state: it takes single steps of any length. Steps end
 * at the breaks of the system.
 */
export class SteppedSystem {
  readonly system: System;
  readonly bound: BoundMethod;
  /** Name of the method. */
  readonly method: string;
  /** The accepted state in public coordinates. */
  readonly view: PublicView<AnswerParts>;
  readonly arena: Arena;
  readonly correction: CorrectionRecord;
  /** Held while user functions are called. */
  readonly guard = new ReentryGuard("the simulation");
  /** The integrated coordinates if they are not the public ones: views of the accepted state. */
  readonly integrated: OwnState | undefined;
  /** Time of the accepted state. */
  time = 0;
  /** The step to take. */
  readonly span: StepSpan = new Float64Array(2);
  /** External loads; undefined while none act. */
  loads: StepLoads | undefined;
  interceptor: StepInterceptor | undefined;
  readonly division: DividedSteps = { divided: 0, parts: 0, damped: 0 };
  /** Begin and length of the present substep. */
  readonly #substepSpan: StepSpan = new Float64Array(2);
  /** The method needs equal steps. */
  readonly #isMultistep: boolean;
  /** Numbers of a state in memory. */
  readonly #size: number;
  /** Copies of the state before the step, and before a piece of a step that may be divided. */
  readonly #backup: Address;
  readonly #pieceBackup: Address | undefined;
  readonly #numbers: Float64Array;
  /** Scratch memory: steps allocate nothing. */
  readonly #unwrappedAngles: Float64Array;

  /** `reserve` reserves further memory, for loads beyond the model. */
  constructor(system: System, method: Method, reserve?: (system: System) => void) {
    refuseOde(system);
    const { workspace, coordinates, state } = system;
    const { positions, velocities } = coordinates;
    this.system = system;
    this.method = methodName(method);
    this.#isMultistep = "coupled" in method || method.integrator.isMultistep;
    this.bound = bindMethod(system, method);
    const projection = { ...ASSEMBLY, stoppable: false };
    this.view = new PublicView(system, projection, (shown) => ({
      projector: bindProjector(shown, projection),
      vector: shown.workspace.reserve("answer: coordinates", shown.coordinates.velocities),
      rows: shown.workspace.reserve("answer: rows", shown.constraints.rows),
    }));
    this.#size = positions + velocities + 1;
    this.#backup = workspace.vector("state before the step", this.#size);
    reserve?.(system);
    const { damped } = this.bound.stepper;
    if (damped) {
      this.#pieceBackup = workspace.vector("state before a piece", this.#size);
      damped.refusesFarOff = true;
    }
    this.arena = workspace.seal();
    system.continuation.useFixedSteps?.();
    const slots = positions + velocities;
    this.#numbers = this.arena.floats({ name: "state", address: state.q, slots });
    this.#unwrappedAngles = this.unwrappedAngles;
    this.integrated = system.publicState && {
      q: this.#numbers.subarray(0, positions),
      v: this.#numbers.subarray(positions),
    };
    this.correction = new CorrectionRecord(system);
  }

  /** Positions in public coordinates: a live view for users. */
  get q(): Float64Array<ArrayBuffer> {
    this.guard.refuse("q");
    return this.view.shown.q;
  }

  /** Velocities in public coordinates: a live view for users. */
  get v(): Float64Array<ArrayBuffer> {
    this.guard.refuse("v");
    return this.view.shown.v;
  }

  /** A copy of the unwrapped joint angles and the offsets held by couplings. */
  get unwrappedAngles(): Float64Array {
    return unwrappedAnglesNow(this.system.continuation.unwrappedAngles);
  }

  /** Replaces the state; `own` are the integrated coordinates, if they are known. If that fails, the old state is kept. */
  setState(
    q: ArrayLike<number>,
    v: ArrayLike<number>,
    options?: StateOptions | StateOptions["start"],
    own?: OwnState,
  ): void {
    this.guard.refuse("time");
    const { system, view } = this;
    const { continuation } = system;
    const { start, time, unwrappedAngles } = checkedState(system, q, v, this.time, options);
    const held = this.unwrappedAngles;
    this.guard.enter("setState");
    this.backUp();
    try {
      view.q.set(q);
      view.v.set(v);
      if (unwrappedAngles) continuation.unwrappedAngles?.write(unwrappedAngles);
      continuation.beginStep(time, 0);
      if (own && this.integrated) {
        // The public state keeps its signs.
        this.#numbers.set(own.q);
        this.#numbers.set(own.v, own.q.length);
        view.takeSigns();
      } else view.take(time, start);
      continuation.finaliseState(time);
      this.bound.reset();
      system.load(time);
      this.bound.restart(time);
      view.refresh();
      this.correction.record(q, v, view);
      this.time = time;
    } catch (error) {
      this.undo();
      continuation.unwrappedAngles?.write(held);
      view.refresh();
      throw error;
    } finally {
      this.guard.leave();
    }
  }

  /** Changes values of the system between two steps. The state stays; multistep methods restart. */
  change(where: string, apply: () => void): void {
    this.guard.refuse(where);
    apply();
    this.system.continuation.beginStep(this.time, 0);
    this.jumped(this.time);
  }

  /** Saves the state before a step, in case it fails. */
  backUp(to = this.#backup): void {
    this.system.workspace.kernels.copyVector(this.#size, this.system.state.q, to);
  }

  /** Restores the state before the step. */
  undo(from = this.#backup): void {
    this.system.workspace.kernels.copyVector(this.#size, from, this.system.state.q);
    this.bound.reset();
  }

  /** Returns a copy of the accepted state with its unwrapped angles. */
  keep(): SavedState {
    return { numbers: this.#numbers.slice(), unwrappedAngles: this.unwrappedAngles };
  }

  /** Writes the accepted state to an existing copy, as steps allocate nothing. */
  saveTo({ numbers, unwrappedAngles }: SavedState): void {
    numbers.set(this.#numbers);
    this.system.continuation.unwrappedAngles?.read(unwrappedAngles);
  }

  /** Restores a copy. Multistep methods restart. */
  restore({ numbers, unwrappedAngles }: SavedState): void {
    this.#numbers.set(numbers);
    this.system.continuation.unwrappedAngles?.write(unwrappedAngles);
    this.bound.reset();
    this.view.moved();
  }

  /** Returns a copy of the present memory for {@link renew}: what follows then does not depend on earlier use. */
  initialMemory(): InitialMemory {
    return new InitialMemory(this.arena.memory.buffer as ArrayBuffer);
  }

  renew(memory: InitialMemory): void {
    memory.restore();
    this.system.at(Number.NaN);
  }

  /**
   * Continues from the state of another mechanism of the same bodies: from the nearest state that fits the joints,
   * from its public state as it is, or from the integrated coordinates, if those of both mean the same. The last
   * allocates nothing.
   */
  continueFrom(
    other: SteppedSystem,
    t: number,
    start: "assemble" | "asGiven" | "sameNumbers",
  ): void {
    const { continuation } = this.system;
    this.view.q.set(other.view.q);
    this.view.v.set(other.view.v);
    other.system.continuation.unwrappedAngles?.read(this.#unwrappedAngles);
    continuation.unwrappedAngles?.write(this.#unwrappedAngles);
    continuation.beginStep(t, 0);
    if (start === "sameNumbers") {
      this.#numbers.set(other.#numbers);
      this.view.takeSigns();
    } else this.view.take(t, start);
    continuation.finaliseState(t);
    this.jumped(t);
  }

  /** Restarts the method. Call after velocities have jumped, or a substep has ended: multistep methods restart. */
  jumped(t: number): void {
    this.bound.reset();
    this.system.load(t);
    this.bound.restart(t);
    this.view.moved();
  }

  /** Takes the step given by {@link span}. */
  take(): void {
    const { continuation } = this.system;
    const span = this.span;
    const substep = this.#substepSpan;
    const { hasBreaks } = continuation;
    const t = span[0]!;
    const h = span[1]!;
    const end = t + h;
    let from = t;
    for (;;) {
      if (hasBreaks && continuation.arrive(from)) this.bound.reset();
      const next = hasBreaks ? continuation.nextBreak(from) : Number.POSITIVE_INFINITY;
      const isCut =
        next < end - Math.max(TIME_TOLERANCE_STEPS * h, 8 * Number.EPSILON * Math.abs(end));
      const isWhole = from === t && !isCut;
      // Multistep methods need equal steps: restart.
      if (!isWhole) this.bound.reset();
      span[0] = from;
      span[1] = isWhole ? h : (isCut ? next : end) - from;
      const count = this.#isMultistep ? 1 : (this.loads?.parts(span) ?? 1);
      const length = span[1] / count;
      for (let i = 0; i < count; i++) {
        if (this.interceptor) {
          this.interceptor.handleStep(from + i * length, length);
          continue;
        }
        substep[0] = from + i * length;
        substep[1] = length;
        this.loads?.begin(substep);
        if (this.#pieceBackup) this.#takePieces(substep, this.#pieceBackup);
        else this.#takeOnce(false);
      }
      if (!isWhole) this.bound.reset();
      if (!isCut) return;
      from = next;
    }
  }

  /**
   * Takes up to `count` steps like that of {@link span} in one call if nothing acts between them; returns the number
   * taken.
   */
  several(count: number): number {
    if (!this.bound.steps || this.loads || this.interceptor) return 0;
    const { continuation } = this.system;
    const isFree =
      !continuation.hasBreaks || continuation.nextBreak(this.span[0]!) === Number.POSITIVE_INFINITY;
    return isFree ? this.bound.steps(this.span, count) : 0;
  }

  /** Takes one step of the method from t, of any length. */
  part(t: number, h: number): void {
    const substep = this.#substepSpan;
    substep[0] = t;
    substep[1] = h;
    this.loads?.begin(substep);
    if (this.#pieceBackup) this.#takePieces(substep, this.#pieceBackup);
    else this.#takeOnce(false);
  }

  /** Ends the loads of a step, at whose end time is. */
  endLoads(): void {
    if (this.loads === undefined) return;
    this.loads.end(this.time);
    if (this.loads.isResting) this.loads = undefined;
  }

  #takeOnce(damped: boolean): void {
    this.bound.step(this.#substepSpan, damped);
    this.#requireFinite();
    this.bound.commit(this.#substepSpan);
  }

  /**
   * Takes a substep in pieces. A failed piece is halved. After several equal ones that succeed, the next is twice as
   * long. The first success does not suffice: a contact that has begun ends as sharply, and is lost in a longer
   * piece. Pieces end at multiples of their length, so that the end of the step is reached exactly.
   */
  #takePieces(substep: StepSpan, backup: Address): void {
    const { division } = this;
    const t = substep[0]!;
    const h = substep[1]!;
    let [done, size, equal] = [0, MAX_PIECES, 0];
    for (let count = 1; ; count++) {
      const taken = this.#takePiece(t, h, done, size, backup);
      equal = taken === size ? equal + 1 : 1;
      size = taken;
      done += size;
      if (done === MAX_PIECES) {
        if (count > 1) {
          division.divided++;
          division.parts += count;
        }
        return;
      }
      if (equal < EQUAL_PIECES_BEFORE_LONGER || done % (2 * size) !== 0) continue;
      size *= 2;
      equal = 0;
    }
  }

  /** Takes a piece of the substep, of at most this size. Returns its size. */
  #takePiece(t: number, h: number, done: number, most: number, backup: Address): number {
    this.#substepSpan[0] = t + (h * done) / MAX_PIECES;
    this.backUp(backup);
    for (let size = most; ; size /= 2) {
      this.#substepSpan[1] = (h * size) / MAX_PIECES;
      try {
        this.#takeOnce(false);
        return size;
      } catch (error) {
        if (!(error instanceof StepFailure || error instanceof NodriftError)) throw error;
        this.undo(backup);
      }
      if (size > 1) continue;
      this.division.damped++;
      this.#takeOnce(true);
      return 1;
    }
  }

  /** The final combination of slopes can overflow even if all slopes are finite. */
  #requireFinite(): void {
    const { state, workspace } = this.system;
    const { positions, velocities } = this.system.coordinates;
    const size = positions + velocities;
    if (workspace.kernels.largestMagnitude(size, state.q) < Number.POSITIVE_INFINITY) return;
    this.system.load(this.#substepSpan[0]! + this.#substepSpan[1]!);
    throw this.system.errorFor(Status.NON_FINITE, "");
  }
}
