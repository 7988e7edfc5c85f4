import { lengthOf, locationOf } from "../../../base/checking/index.js";
import { NodriftError, SimulationError } from "../../../base/errors.js";
import { type RunLimits, Stopped, type StopReason, withLimits } from "../../../base/run-limits.js";
import type { State, StateData } from "../../../interfaces/index.js";
import type { Joint } from "../../../model/handles.js";
import type { ModelData } from "../../../model/model-data.js";
import type { ModelSettings } from "../../../model/settings.js";
import type { RowSwitching } from "../../../systems/equations/equations-types.js";
import type { EquationState } from "../../../systems/equations/state.js";
import type { BodyState } from "../../bodies/reading/readout.js";
import type { StopEvent } from "../../contact/contact.js";
import { withLocked, withUnlocked } from "../../contact/joint-locks.js";
import { idleNote } from "../../stepping/coordinate-choice.js";
import { heldStart, switchingOf, systemOf } from "../../stepping/source.js";
import { movedNote } from "../../stepping/state-options.js";
import type { CheckedEvent } from "../events/event-checks.js";
import { disturb, MIXERS } from "../events/event-checks.js";
import type { Occurrence } from "../events/event-location.js";
import type { ActionRequests } from "../events/event-log.js";
import { EventLog, type LocatedEvents } from "../events/event-log.js";
import {
  assemblyError,
  beforeProjectionClause,
  CallbackError,
  escapeReason,
  isSingularPoseError,
  messageOf,
  missingErrorEstimate,
  NO_DENSE_OUTPUT_NOTE,
  noteDrift,
  type RunStatus,
  repeatedEventMessage,
  stiffNote,
  underflowReason,
  zenoMessage,
} from "../mode-solver/failure.js";
import type { ModeSolver } from "../mode-solver/mode-solver.js";
import { parseModeKey } from "../mode-solver/mode-solver.js";
import { ModeSolvers } from "../mode-solver/mode-solvers.js";
import { stateOf } from "../mode-solver/state-viewer.js";
import { type Statistics, Tally } from "../mode-solver/statistics.js";
import { Recorder } from "../output/recorder.js";
import type { Source } from "../setup/options.js";
import { type Setup, START, type Start, startOf } from "../setup/setup.js";
import { Stepping, StepUnderflow } from "../step/stepping.js";
import { Contacts, measured, stopEvents } from "../stops/contacts.js";
import { MethodSwitch, StiffnessMonitor, type SwitchTarget } from "../switching/method-switch.js";

// Constraint rows of equations that switch on and off. Each set of active rows is a system of its own, with its own
// memory. A sign change of a switching condition is an event: the system of the new set continues from the same
// state. Impulses close the rows that become active. If rows only become inactive, the state does not change.

/**
 * Look-ahead, as a fraction of the span or of one unit of time, that decides the side of a condition that is zero at
 * the start.
 */
const LOOKAHEAD_FRACTION = 1e-4;

/**
 * Largest allowed correction of positions, in tolerances, when a row becomes active. A larger gap is a modelling
 * mistake, not an integration error.
 */
const MAX_CLOSING_TOLERANCES = 1000;

/** Events of the switching rows of all modes, indexed from `first`. */
function rowEvents<T extends State>(
  sources: Readonly<Record<string, Source>>,
  first: number,
): CheckedEvent<T>[] {
  const all = Object.entries(sources).flatMap(([mode, source]) =>
    (switchingOf(source)?.rows ?? []).map((row) => ({ mode, row })),
  );
  return all.map(({ mode, row }, i) => ({
    name: row.name,
    index: first + i,
    when: row.height,
    value: row.height,
    direction: "both",
    last: Number.POSITIVE_INFINITY,
    action: () => {},
    counts: (other) => other === mode,
    side: (state) => (isActing(state, row.name) ? 1 : -1),
    own: { kind: "row", row: row.name, isOneSided: row.isOneSided },
  }));
}

function isActing(state: State, row: string): boolean {
  return (state as unknown as EquationState).acts(row);
}

/** Tracks which switching rows are active during a run. */
class RowSwitches<T extends State> {
  readonly #solvers: ModeSolvers<T>;
  readonly #sources: Readonly<Record<string, Source>>;
  readonly #ahead: number;

  constructor(solvers: ModeSolvers<T>, setup: Setup<T>, events: readonly CheckedEvent<T>[]) {
    this.#solvers = solvers;
    this.#sources = setup.sources;
    this.#ahead = lookaheadOf(setup);
    const [first] = events;
    if (first === undefined || setup.direction >= 0) return;
    throw new NodriftError(
      "STEP",
      `solve: row "${first.name}" switches on and off, and impulses cannot be undone: run forwards, or leave its \`when\` out`,
    );
  }

  /**
   * Starts a run with these rows active, except those whose end condition already holds. `begin` initialises a mode
   * solver.
   */
  start<R>(
    t: number,
    acting: Set<string> | undefined,
    begin: (solver: ModeSolver<T>) => R,
  ): { solver: ModeSolver<T>; result: R } {
    for (;;) {
      const solver = acting
        ? this.#solvers.of(this.#solvers.acting(START, acting))
        : this.#solvers.first;
      const result = begin(solver);
      const ended = acting && this.#endedAt(solver, t);
      if (!ended || ended.length === 0) return { solver, result };
      for (const row of ended) acting.delete(row);
    }
  }

  /**
   * Returns the key of the mode to enter, with the rows that are active at the state in view of the previous solver.
   */
  keyOfEntered(variant: string, solver: ModeSolver<T>, t: number): string {
    const switching = switchingOf(this.#sources[parseModeKey(variant).mode]!);
    if (switching === undefined) return variant;
    return this.#solvers.acting(variant, actingRows(switching, t, solver, this.#ahead));
  }

  /** Toggles the rows whose events occurred; returns the solver that continues, with the same state in view. */
  toggle(solver: ModeSolver<T>, t: number, met: readonly Occurrence<T>[]): ModeSolver<T> {
    const rows = met.flatMap(({ event }) => (event.own?.kind === "row" ? [event.own.row] : []));
    const switching = switchingOf(this.#sources[solver.mode]!);
    if (switching === undefined || rows.length === 0) return solver;
    const state = solver.viewer.atShown(t);
    const acting = new Set(
      switching.rows.map(({ name }) => name).filter((row) => isActing(state, row)),
    );
    for (const row of rows) if (!acting.delete(row)) acting.add(row);
    const next = this.#solvers.of(this.#solvers.acting(solver.mode, acting));
    if (next !== solver) next.takeStateOf(solver, t);
    return next;
  }

  /** Rows that are active in `next` but not in `before`. */
  newlyActing(next: ModeSolver<T>, before: ModeSolver<T>): readonly string[] {
    const { rowNames } = before.system.constraints;
    return next.system.constraints.rowNames.filter((row) => !rowNames.includes(row));
  }

  /** Continues from the state in view and closes the rows that became active. */
  close(solver: ModeSolver<T>, t: number, newlyActing: readonly string[], allowed: number): void {
    const { rowNames } = solver.system.constraints;
    const open = solver.phi(t).slice();
    const q = solver.q.slice();
    solver.continueFrom(t, allowed);
    const { relative, positions } = solver.trial.unknowns.weights;
    const moved = solver.q.map((value, i) => Math.abs(value - q[i]!));
    const far = moved.findIndex(
      (value, i) => value > MAX_CLOSING_TOLERANCES * (positions + relative * Math.abs(q[i]!)),
    );
    if (far < 0) return;
    const size = (row: string) => Math.abs(open[rowNames.indexOf(row)]!);
    const worst = newlyActing.reduce(
      (most, row) => (size(row) > size(most) ? row : most),
      newlyActing[0]!,
    );
    const coordinate = solver.view.coordinates.velocityNames[far];
    throw new SimulationError(
      "ASSEMBLY",
      t,
      `row "${worst}" becomes active at t = ${t}, where it is open by ${size(worst).toPrecision(3)}: closing it would move ` +
        `"${coordinate}" by ${moved[far]!.toPrecision(3)}, more than ${MAX_CLOSING_TOLERANCES} tolerances. Let its \`when\` become ` +
        "positive where the row is closed, make it a row on velocities, or give a larger tolerance",
    );
  }

  /** Rows that are active although their own end condition already holds at the accepted state. */
  #endedAt(solver: ModeSolver<T>, t: number): readonly string[] {
    const state = solver.viewer.atAccepted(t);
    const rows = switchingOf(this.#sources[solver.mode]!)?.rows ?? [];
    return rows
      .filter((row) => row.isOneSided && isActing(state, row.name) && row.height(state) < 0)
      .map(({ name }) => name);
  }
}

/** Rows that are active at the given initial state; undefined if no row switches. */
function rowsAtStart<T extends State>(setup: Setup<T>): Set<string> | undefined {
  const source = setup.sources[START]!;
  const switching = switchingOf(source);
  if (switching === undefined) return undefined;
  return actingRows(switching, setup.span[0], startOf(setup, systemOf(source)), lookaheadOf(setup));
}

function lookaheadOf<T extends State>({ span: [from, to] }: Setup<T>): number {
  return LOOKAHEAD_FRACTION * Math.min(1, Math.abs(to - from));
}

/** Rows whose conditions hold at a state. If a condition is zero up to noise, its value `h` ahead decides. */
function actingRows(
  switching: RowSwitching,
  t: number,
  { q, v }: Pick<Start, "q" | "v">,
  h: number,
): Set<string> {
  const free = switching.with(new Set());
  const at = (time: number, positions: ArrayLike<number>, velocities: ArrayLike<number>) => {
    const unwrappedAngles = new Float64Array(0);
    const numbers = { q: Float64Array.from(positions), v: Float64Array.from(velocities) };
    return stateOf<EquationState & StateData>(free, { time, ...numbers, unwrappedAngles });
  };
  const here = at(t, q, v);
  let ahead: State | undefined;
  const found = switching.rows.filter((row) => {
    const value = row.height(here);
    const noise = MIXERS.reduce((most, mixer) => {
      const near = at(t, q, v);
      disturb(near.q, mixer);
      disturb(near.v, mixer + 2);
      return Math.max(most, Math.abs(row.height(near) - value));
    }, 0);
    if (Math.abs(value) > noise) return value > 0;
    if (ahead === undefined) {
      const a = here.accelerations();
      ahead = at(
        t + h,
        here.q.map((x, i) => x + h * (here.v[i]! + (h / 2) * a[i]!)),
        here.v.map((x, i) => x + h * a[i]!),
      );
    }
    const change = row.height(ahead) - value;
    return row.isOneSided ? change >= -noise : change > noise;
  });
  return new Set(found.map(({ name }) => name));
}

// Detects finite escape time: steps that shrink towards a time which no number of steps can pass.
//
// The time reached is the sum of the step lengths. Cauchy's condensation test: for lengths that do not grow, the sum
// is finite if the sum of the times added by each doubling of the step count is. If each of three consecutive
// doublings added at most half of the previous one, the series is treated as geometric. The remaining time is then
// less than the last addition, and a run with far more time ahead would never end. Lengths that fall to a constant
// level, as in stiff motion, fail the test from their second doubling on: it adds twice as much. Lengths of a
// frequency that grows as exp(t) add the same time in each doubling.
//
// Rejected: a minimum step length. A body that spins ever faster needs 1e7 steps, an hour, until a step cannot be
// added to the time; and a thousandth of a microsecond is a proper step for a quartz. A minimum progress per step,
// for the same reason.

/** Step count of the first check; earlier doublings carry little information. */
const FIRST_CHECK_STEPS = 512;
const REQUIRED_DOUBLINGS = 3;
const MAX_ADDITION_RATIO = 0.5;
/** Minimum ratio of the remaining time to the last addition: at the present lengths, millions of steps. */
const MIN_REMAINING_RATIO = 1000;

class EscapeCheck {
  readonly #end: number;
  #next = FIRST_CHECK_STEPS;
  #time = Number.NaN;
  #added = Number.NaN;
  #shrunk = 0;

  constructor(end: number) {
    this.#end = end;
  }

  /** Step count of the next check. */
  get next(): number {
    return this.#next;
  }

  /** Returns the escape time if the steps indicate one. */
  limit(steps: number, time: number): number | undefined {
    if (steps < this.#next) return undefined;
    // A restored run may start between two checks.
    while (this.#next <= steps) this.#next *= 2;
    const added = time - this.#time;
    const ratio = added / this.#added;
    this.#time = time;
    this.#added = added;
    this.#shrunk = Math.abs(ratio) <= MAX_ADDITION_RATIO ? this.#shrunk + 1 : 0;
    const isFar = Math.abs(this.#end - time) > MIN_REMAINING_RATIO * Math.abs(added);
    if (this.#shrunk < REQUIRED_DOUBLINGS || !isFar) return undefined;
    return time + (added * ratio) / (1 - ratio);
  }
}

/**
 * Projects the initial state and notes how far it moved. Returns the limit that interrupted the projection, if any:
 * the state is then the given one, as no other is meaningful.
 */
function startRun<T extends State>(
  solver: ModeSolver<T>,
  t: number,
  given: Start,
  setup: Setup<T>,
  notes: string[],
): StopReason | undefined {
  const { q, v, assembledAt } = given;
  solver.q.set(q);
  solver.v.set(v);
  try {
    begin(solver, t, given, setup);
    solver.view.refresh();
    noteMoves(solver, given, setup, notes);
    return undefined;
  } catch (error) {
    if (!(error instanceof Stopped)) {
      throw assembledAt === undefined ? error : assemblyError(error, assembledAt, t);
    }
    solver.q.set(q);
    solver.v.set(v);
    solver.view.accept();
    return error.limit;
  }
}

function begin<T extends State>(
  solver: ModeSolver<T>,
  time: number,
  { q, v, assembledAt }: Start,
  { start, hold }: Setup<T>,
): void {
  if (hold) {
    const held = heldStart(solver.source, { q, v, time, hold });
    solver.q.set(held.q);
    solver.v.set(held.v);
  }
  solver.begin(time, hold || assembledAt === time ? "asGiven" : start);
}

/** Only values given by the user are reported, not the initial states of compiled models or default zero velocities. */
function noteMoves<T extends State>(
  { q, v, view }: ModeSolver<T>,
  given: Start,
  setup: Setup<T>,
  notes: string[],
): void {
  const { velocityNames, positionNames = velocityNames } = view.coordinates;
  const moves = [
    setup.q && movedNote("positions", positionNames, given.q, q),
    setup.v && movedNote("velocities", velocityNames, given.v, v),
  ];
  notes.push(...moves.filter((note) => note !== undefined));
}

/** Time and direction of events; `isStuck` if they have already occurred at this time. */
interface EventTime {
  readonly time: number;
  readonly direction: number;
  readonly isStuck: boolean;
}

/** How a run continues after events. */
interface EventOutcome<T extends State> {
  readonly solver: ModeSolver<T>;
  /** The state, or the constraints and forces on it, were changed. */
  readonly changed: boolean;
  readonly requests: ActionRequests;
}

/**
 * Calls the actions of events at the accepted state and projects the result onto the constraints. If that fails,
 * restores the state before the actions.
 */
function handleEvents<T extends State>(
  solver: ModeSolver<T>,
  { time, direction, isStuck }: EventTime,
  met: readonly Occurrence<T>[],
  log: EventLog<T>,
  solvers: ModeSolvers<T>,
  { contacts, rows }: { readonly contacts: Contacts<T>; readonly rows: RowSwitches<T> },
): EventOutcome<T> {
  const error = solver.positionError(time);
  solver.viewer.atAccepted(time);
  const before = solver.viewer.snapshot();
  const saved = solver.saveState();
  solver.view.refresh();
  const events = met.map(({ event }) => event.name);
  try {
    const { modes } = solvers;
    const requests = log.act(solver, met, {
      time,
      before,
      events,
      direction,
      modes,
      changed: (variant, where, given) => solvers.changed(variant, where, given),
      switched: (variant, mode) => solvers.switched(variant, mode),
      held: (variant, where, joint) =>
        solvers.held(variant, heldChange(solver, time, where, joint)),
    });
    const { mode } = requests;
    const asked = mode === undefined ? solver : solvers.of(rows.keyOfEntered(mode, solver, time));
    if (asked !== solver) asked.takeStateOf(solver, time);
    const stops = met.flatMap(({ event: { own } }) => (own && own.kind !== "row" ? [own] : []));
    const limits = (kind: StopEvent["kind"]) =>
      stops.flatMap((own) => (own.kind === kind ? [own.limit] : []));
    for (const { event } of met)
      if (event.own?.kind === "impact") requests.bounced.add(event.index);
    const outcome = stops.some(({ kind }) => kind !== "touch")
      ? contacts.resolve(asked, time, limits("impact"), { left: limits("release"), isStuck })
      : undefined;
    const next = outcome?.solver ?? (mode === undefined ? rows.toggle(solver, time, met) : asked);
    const isMoved = differ(next.q, before.q) || differ(next.v, before.v);
    const changed = next !== solver || isMoved;
    const newlyActing = outcome || next === asked ? undefined : rows.newlyActing(next, solver);
    const onlyEnds = newlyActing?.length === 0 && !isMoved;
    if (onlyEnds) next.begin(time, "asGiven");
    else if (newlyActing && newlyActing.length > 0) rows.close(next, time, newlyActing, 2 * error);
    else if (changed) continueAfterAction(next, time, 2 * error, events);
    next.viewer.atAccepted(time);
    const after = changed ? next.viewer.snapshot() : before;
    const impulses = {
      ...Object.assign(
        {},
        ...[...new Set([solver, asked, next])].map((one) => one.impulses.byRow()),
      ),
      ...outcome?.impulses,
    };
    log.note(met, { time, before, after, impulses, mode: next.mode });
    return { solver: next, changed, requests };
  } catch (cause) {
    solver.restoreState(saved);
    throw cause;
  }
}

/** Returns a change of settings that locks or unlocks a joint at the state in view. */
function heldChange<T extends State>(
  solver: ModeSolver<T>,
  time: number,
  where: "lock" | "unlock",
  joint: string | Joint,
): (settings: ModelSettings, data: ModelData) => ModelSettings {
  const state = solver.viewer.atShown(time) as unknown as BodyState;
  const change = where === "lock" ? withLocked : withUnlocked;
  return (settings, data) => {
    const { q, unwrappedAngles } = state;
    const measure = (sensor: number) => measured(state, sensor).value;
    return change(data, settings, joint, { q, unwrappedAngles, measure });
  };
}

function continueAfterAction<T extends State>(
  solver: ModeSolver<T>,
  time: number,
  allowed: number,
  events: readonly string[],
): void {
  try {
    solver.continueFrom(time, allowed);
  } catch (cause) {
    throw new NodriftError(
      cause instanceof NodriftError ? cause.code : "EVALUATION",
      `event "${events.join('", "')}": cannot continue from the state left by its action: ${messageOf(cause)}`,
      { cause },
    );
  }
}

function differ(a: Float64Array, b: Float64Array): boolean {
  return a.some((value, i) => value !== b[i]);
}

const NO_OCCURRENCES: readonly never[] = [];
/** Maximum steps per batch; the run limits are checked between batches. */
const STEPS_PER_BATCH = 100;

/** The run loop: steps, events, output. Contains no formulas. */
export class Loop<T extends State> {
  readonly setup: Setup<T>;
  readonly tally = new Tally();
  readonly stepping: Stepping<T>;
  readonly log: EventLog<T>;
  recorder: Recorder<T>;
  readonly notes: string[] = [];
  readonly solvers: ModeSolvers<T>;
  readonly method: string;
  /** Reason for choosing that method. */
  readonly choice: string;
  readonly stiffness: StiffnessMonitor<T>;
  readonly methodSwitch: MethodSwitch<T>;
  readonly contacts: Contacts<T>;
  readonly rows: RowSwitches<T>;
  solver: ModeSolver<T>;
  time: number;
  status: RunStatus | undefined;
  reason = "";
  cause: unknown;
  lastStep = 0;
  readonly #limits: RunLimits;
  readonly #escape: EscapeCheck;
  readonly #stepBatch = {
    time: 0,
    next: 0,
    target: 0,
    before: 0,
    maximumStep: 0,
    longestSince: 0,
    shortest: 0,
    longest: 0,
    last: 0,
  };

  constructor(setup: Setup<T>, limits: RunLimits) {
    this.setup = setup;
    this.#limits = limits;
    const { span } = setup;
    this.#escape = new EscapeCheck(span[1]);
    const acting = rowsAtStart(setup);
    this.solvers = new ModeSolvers(setup, acting);
    this.solver = this.solvers.first;
    const { system } = this.solver;
    const given = startOf(setup, system);
    this.method = this.solvers.method;
    this.choice = this.solvers.choice;
    if (!this.solver.trial.estimates && setup.step === undefined)
      throw missingErrorEstimate(this.method);
    this.time = span[0];
    this.stepping = new Stepping(setup, this.tally, this.notes);
    const asked = lengthOf(
      locationOf("solve", "STEP", "events"),
      setup.events,
      "a list: events: [{ when: ... }]",
    );
    const stops = stopEvents<T>(setup.sources[START], asked);
    const switches = rowEvents<T>(setup.sources, asked + stops.length);
    this.log = new EventLog(setup, [...stops, ...switches], this.notes);
    this.contacts = new Contacts(this.solvers, setup);
    this.rows = new RowSwitches(this.solvers, setup, switches);
    this.recorder = new Recorder(setup, this.solver.view.size);
    this.stiffness = new StiffnessMonitor();
    this.methodSwitch = new MethodSwitch(this.solvers, setup, this.notes);
    const controlled = setup.step === undefined;
    if (setup.dense && controlled && !this.solver.trial.stateInterpolant)
      this.notes.push(NO_DENSE_OUTPUT_NOTE);
    const idle = idleNote(this.solver.choice.method, this.solver.system);
    if (idle !== undefined) this.notes.push(idle);
    const noted = this.notes.length;
    const { solver, result: limit } = this.rows.start(this.time, acting, (first) => {
      this.notes.length = noted;
      return startRun(first, this.time, given, setup, this.notes);
    });
    this.solver = solver;
    if (limit)
      this.end(
        limit,
        limits.sentence(limit, beforeProjectionClause(this.time)),
        limits.cause,
        false,
      );
  }

  /** Records the initial state and arms the events. Call before the first step. */
  open(): void {
    const { solver, time, setup, recorder } = this;
    this.guard(() => {
      if (this.status !== undefined) return;
      solver.measure(time, this.tally);
      if (typeof setup.output === "object") recorder.recordInterpolated(solver, time);
      else recorder.record(solver, solver.viewer.atAccepted(time));
      if (time === setup.span[1]) {
        this.end("finished", `the span from ${time} to ${time} has no length`);
        return;
      }
      this.#resolveContacts();
      this.#startStepping(this.solver);
      if (!this.log.isEmpty) this.log.locator.arm(this.solver, time, this.stepping.next);
    });
  }

  /** Resolves contacts at rigid stops, at the start and after stop parameters have changed. */
  #resolveContacts(): void {
    const { solver, time, contacts } = this;
    const reached = contacts.reached(solver, time);
    if (reached.length === 0 && contacts.resting(solver).length === 0) return;
    const { solver: next } = contacts.resolve(solver, time, reached);
    next.continueFrom(time, 2 * solver.positionError(time));
    this.solver = next;
  }

  /** Locks or unlocks a joint and returns the impulses by row name. */
  hold(where: "lock" | "unlock", joint: string | Joint): Record<string, number> {
    const { solver, time, solvers } = this;
    solver.view.refresh();
    return this.#change(solvers.held(solver.variant, heldChange(solver, time, where, joint)));
  }

  /** Takes a step, or part of one up to the next event. Returns false when the run is over. */
  step(): boolean {
    if (this.status !== undefined) return false;
    // Not by `guard`, which would allocate a closure in each step.
    try {
      const { solver, time, setup, recorder, stepping } = this;
      const { continuation } = solver.system;
      if (continuation.arrive?.(time) === true) this.#restartMethod(solver);
      const stop = solver.trial.stateInterpolant ? undefined : recorder.nextTime();
      const due = Math.min(stop ?? setup.span[1], continuation.nextBreak?.(time) ?? setup.span[1]);
      const end = stepping.take(solver, time, setup.direction > 0 ? due : (stop ?? setup.span[1]));
      const found = this.log.isEmpty ? undefined : this.log.search(solver, time, end);
      if (found) this.#stopAtEvents(found);
      else {
        // Interpolation has changed the trial state since `at` was called at the end of the step.
        solver.measure(
          end,
          this.tally,
          this.log.isEmpty && solver.trial.stateInterpolant !== undefined,
        );
        this.#acceptStep(end, NO_OCCURRENCES);
      }
      if (this.status === undefined && this.time === setup.span[1]) {
        this.end("finished", `reached t = ${this.time}`);
      }
      if (this.status === undefined && setup.step === undefined) this.#checkEscape();
    } catch (error) {
      this.#fail(error);
    }
    return this.status === undefined;
  }

  /** Takes up to `most` steps in one batch if none of them is observed; continue with {@link step}. */
  stepBatch(most: number): void {
    const { solver, recorder, setup, stepping, time, tally } = this;
    const isSeen = recorder.dense || recorder.everyStep || !this.log.isEmpty;
    if (isSeen || this.methodSwitch.mayChange || !stepping.canBatch(solver)) return;
    const count = Math.min(most, STEPS_PER_BATCH, this.#escape.next - tally.steps - 1);
    if (count <= 0) return;
    const [, target] = setup.span;
    const batch = this.#stepBatch;
    batch.time = time;
    batch.target = target;
    batch.before = recorder.nextTime() ?? target;
    batch.maximumStep = setup.maximumStep;
    const steps = stepping.stepBatch(solver, batch, count);
    if (steps === 0) return;
    tally.addBatch(steps, batch.shortest, batch.longest);
    this.time = batch.time;
    this.lastStep = batch.last;
  }

  end(status: RunStatus, reason: string, cause?: unknown, hasState = true): void {
    const { solver, recorder, time } = this;
    this.status = status;
    this.reason = reason;
    this.cause = cause;
    if (status === "finished") noteDrift(this.statistics(), this.notes);
    if (!hasState || !recorder.recordsEnd(time)) return;
    this.guard(() => recorder.record(solver, solver.viewer.atAccepted(time)));
  }

  /** Ends the run because a limit was reached. */
  stop(limit: StopReason): void {
    this.end(limit, this.#limits.sentence(limit, ` at t = ${this.time}`), this.#limits.cause);
  }

  /** Costs so far. */
  statistics(): Statistics {
    const { choice, system } = this.solver;
    const { rows } = system.constraints;
    return this.tally.result(this.solvers.costs(), { coordinates: choice.coordinates?.kind, rows });
  }

  /** Ends a run whose steps shrink towards a finite time: it would never finish. */
  #checkEscape(): void {
    const limit = this.#escape.limit(this.tally.steps, this.time);
    if (limit === undefined) return;
    this.end("stepUnderflow", escapeReason(this.solver, this.time, limit, this.tally.steps));
  }

  /** Ends the step at its events and handles them. */
  #stopAtEvents({ end, passed, met, stuck }: LocatedEvents<T>): void {
    const { solver, time } = this;
    if (end !== time) solver.measure(end, this.tally, false);
    this.#acceptStep(end, passed);
    if (stuck && met.some(({ event }) => !event.own)) {
      this.end("eventStorm", repeatedEventMessage(met[0]!.event.name, time));
    } else if (met.length > 0) this.#handleEvents(met, stuck);
  }

  /** Accepts the step, records the requested states and starts the next step at its end. */
  #acceptStep(end: number, passed: readonly Occurrence<T>[]): void {
    const { solver, time, recorder } = this;
    const h = end - time;
    if (h !== 0) {
      if (recorder.dense || passed.length > 0 || recorder.needsStateBefore(end)) {
        solver.viewer.interpolation.prepare(time, h);
      }
      const advice = this.stiffness.check(
        solver,
        h,
        this.stepping.stability,
        this.methodSwitch.mayChange,
      );
      this.stepping.acceptStep(solver, time, end);
      solver.trial.commit(time, h);
      this.tally.step(h);
      this.lastStep = h;
      this.time = end;
      // User functions may throw from here on; the step is accepted regardless.
      if (recorder.dense) recorder.recordPiece(solver);
      recorder.recordInterpolated(solver, end);
      for (const each of passed) {
        solver.viewer.atProjected(each.time);
        this.log.pass(each, solver, solver.viewer.snapshot());
      }
      if (recorder.everyStep) recorder.record(solver, solver.viewer.atAccepted(end));
      if (advice === "note") this.notes.push(stiffNote(solver, end));
      if (advice === "try" && end !== this.setup.span[1]) {
        this.#continueWith(this.methodSwitch.consider(solver, end, this.stiffness));
      }
    }
  }

  /** Restarts the method after a discontinuity of the slopes at the present state, keeping the step length. */
  #restartMethod(solver: ModeSolver<T>): void {
    solver.trial.forgetSlopes(this.time);
    this.stepping.controller.reset();
  }

  /**
   * Switches back to the explicit method if the implicit one failed, but not for errors in user functions. Returns
   * whether it did.
   */
  #fallsBackToExplicit(error: unknown): boolean {
    if (!(error instanceof StepUnderflow || isSingularPoseError(error))) return false;
    const cause = error instanceof StepUnderflow ? (error.cause ?? error) : error;
    try {
      const next = this.methodSwitch.fallBackToExplicit(this.solver, this.time, cause);
      if (next) this.#continueWith({ solver: next });
      return next !== undefined;
    } catch {
      // The fallback failed too: report the first failure, unless a limit was reached.
      if (this.#limits.reported) this.stop(this.#limits.reported);
      return this.status !== undefined;
    }
  }

  /** Continues with another mode solver from the accepted state. */
  #continueWith({ solver: next, length }: SwitchTarget<T>): void {
    if (next === this.solver) return;
    this.solver = next;
    this.#startStepping(next, length);
    if (!this.log.isEmpty) this.log.locator.arm(next, this.time, this.stepping.next);
  }

  #startStepping(solver: ModeSolver<T>, length?: number): void {
    this.stepping.begin(solver, this.time, length);
    this.stiffness.begin(solver);
  }

  /** Calls the actions of events at the present time and continues from the resulting state. */
  #handleEvents(met: readonly Occurrence<T>[], isStuck: boolean): void {
    const { time, log, recorder, setup, solvers, solver } = this;
    // Actions must not be interrupted by limits.
    const {
      changed,
      requests,
      solver: next,
    } = withLimits(undefined, () =>
      handleEvents(solver, { time, ...setup, isStuck }, met, log, solvers, this),
    );
    this.solver = next;
    if (changed) {
      this.tally.changed();
      if (recorder.everyStep) recorder.record(next, next.viewer.atAccepted(time));
    }
    if (requests.stop !== undefined) this.end("event", requests.stop);
    else if (log.isAccumulating(time)) {
      this.end("eventStorm", zenoMessage(met[0]!.event, time, setup.span, EventLog.zenoLimits));
    } else {
      if (next !== solver) this.#startStepping(next);
      log.locator.arm(next, time, this.stepping.next, met, requests.bounced);
    }
  }

  /** Changes values of the mechanism and continues from the present state. If they are rejected, nothing changes. */
  set(given: readonly unknown[]): void {
    this.#change(this.solvers.changed(this.solver.variant, "set", given));
  }

  #change(name: string): Record<string, number> {
    const { solver, time } = this;
    const next = this.solvers.of(name);
    const error = solver.positionError(time);
    solver.view.refresh();
    next.takeStateOf(solver, time);
    next.continueFrom(time, 2 * error);
    const impulses = next.impulses.byRow();
    this.tally.changed();
    this.solver = next;
    this.#resolveContacts();
    const last = this.solver;
    this.solver = solver;
    this.#continueWith({ solver: last });
    return impulses;
  }

  /** Runs an action whose failure ends the run. */
  guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Ends the run after a failure; results so far are kept. */
  #fail(error: unknown): void {
    this.solver.trial.rollBack();
    // A limit error, possibly wrapped.
    if (this.#limits.reported) this.stop(this.#limits.reported);
    else if (error instanceof CallbackError) this.end("failed", error.message, error.cause);
    else if (this.#fallsBackToExplicit(error)) return;
    else if (error instanceof StepUnderflow) {
      const reason = underflowReason(this.solver, this.time, error.h, error.cause);
      this.end("stepUnderflow", reason, error.cause);
    } else this.end("failed", messageOf(error), error);
  }
}
