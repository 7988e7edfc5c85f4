import {
  answerMissing,
  argument,
  callback,
  finite,
  hint,
  show,
} from "../../../base/checking/index.js";
import { NodriftError } from "../../../base/errors.js";
import type { CoordinateChoice, CoordinatePartition, State } from "../../../interfaces/index.js";
import { type Body, type Force, type Joint, partRule } from "../../../model/handles.js";
import { methodName } from "../../stepping/compatibility.js";
import type { Loop } from "../loop/loop.js";
import type { RunStatus } from "../mode-solver/failure.js";
import type { Statistics } from "../mode-solver/statistics.js";
import type { Recorder, StoredPiece } from "../output/recorder.js";
import type { EventRecord, Source } from "../setup/options.js";
import { START } from "../setup/setup.js";
import {
  type BodyColumns,
  bodyColumns,
  type ForceColumnsOf,
  forceColumns,
  type JointColumnsOf,
  jointColumns,
  type NamedBodiesState,
} from "./solution-columns.js";
import {
  type CsvOptions,
  checkedCsv,
  csvLines,
  type SolutionJson,
  solutionJson,
} from "./solution-writers.js";

/** Reads a number from each state. */
export type StateFunction<T extends State> = (state: T) => number;

/**
 * The result of a run: states, events, statistics, status.
 *
 * @example
 * const solution = solve(system, { span: [0, 10], tolerance: 1e-8 });
 * console.log(solution.status, solution.statistics.steps, solution.end.time);
 */
export class Solution<T extends State = State> {
  static {
    answerMissing("solution", Solution.prototype);
  }

  /** How the run ended. */
  readonly status: RunStatus;
  /** How the run ended, in a sentence; if it failed, why, and what to try. */
  readonly reason: string;
  /** The error that caused a failure. */
  readonly cause: unknown;
  /** Name of the method, or methods. */
  readonly method: string;
  /** Why the first method was chosen. */
  readonly methodReason: string;
  /**
   * The coordinates the first method works in, and the reason: joint coordinates along a tree or those of all bodies.
   * Undefined for systems given by equations.
   */
  readonly coordinateChoice: CoordinateChoice | undefined;
  /**
   * The independent coordinates at the end of the run, and how often and when the last method chose others. Undefined if it has
   * none.
   *
   * @example
   * const { partition } = solve(pendulum, { span: [0, 2], q: [1, 0], method: parseMethod("stateSpace + sdirk4-15") });
   * console.log(partition?.positions, partition?.changes);
   */
  readonly partition: CoordinatePartition | undefined;
  /** Notes for the user. */
  readonly notes: readonly string[];
  /** Events in the order they occurred. */
  readonly events: readonly EventRecord<T>[];
  /** Work and accuracy of the run. */
  readonly statistics: Statistics;
  /** Times of the stored states. */
  readonly time: Float64Array;
  /** The last state, even if no other was stored. */
  readonly end: T;
  readonly #loop: Loop<T>;
  readonly #recorder: Recorder<T>;
  readonly #columns = new Map<string, Float64Array>();
  #indices: ReadonlyMap<string, number> | undefined;

  constructor(loop: Loop<T>) {
    const { recorder, solver } = loop;
    this.#loop = loop;
    // A restored run gets another recorder.
    this.#recorder = recorder;
    this.status = loop.status ?? "running";
    this.reason = loop.status ? loop.reason : `the run is at t = ${loop.time}, and can continue`;
    this.cause = loop.cause;
    this.method = methodsOf(loop);
    this.methodReason = loop.choice;
    this.coordinateChoice = loop.solvers.coordinateChoice;
    this.partition = solver.trial.bound.partition();
    this.notes = [...loop.notes];
    this.events = [...loop.log.records];
    this.statistics = loop.statistics();
    this.time = Float64Array.from(recorder.stored, (_, index) => recorder.row(index)[0]!);
    solver.viewer.atAccepted(loop.time);
    this.end = solver.viewer.snapshot();
  }

  /** The system that was solved, as given: the compiled model of a mechanism. */
  get source(): Source {
    return this.#loop.setup.sources[START]!;
  }

  /** Systems that events switch to, by mode name. */
  get modes(): Readonly<Record<string, Source>> {
    const { [START]: _, ...modes } = this.#loop.setup.sources;
    return modes;
  }

  /** Number of stored states. */
  get length(): number {
    return this.time.length;
  }

  /** Names of the coordinates accepted by {@link column}, positions first. */
  get names(): readonly string[] {
    const { velocityNames, positionNames } = this.#loop.solver.view.coordinates;
    if (positionNames !== velocityNames) return [...positionNames, ...velocityNames];
    return [...velocityNames, ...velocityNames.map((name) => `${name}'`)];
  }

  /** Returns a stored state by its index. */
  state(index: number): T {
    if (Number.isInteger(index) && index >= 0 && index < this.length) {
      return this.#recorder.state(index);
    }
    throw new NodriftError("STEP", `there is no state ${show(index)}; there are ${this.length}`);
  }

  /** All stored states in order. */
  *states(): Generator<T> {
    for (let i = 0; i < this.length; i++) yield this.state(i);
  }

  /**
   * Returns the state at any time in the span, by dense output projected onto the constraints. At an event, the state
   * after it.
   *
   * @example
   * solution.at(2.5).body("rod").position;
   */
  at(time: number): T {
    if (typeof time !== "number") argument("at", "STEP", "the time", time, finite);
    const index = this.#last(this.length, (i) => this.time[i] as number, time);
    if (this.time[index] === time) return this.state(index);
    if (time === this.end.time) return this.end;
    const piece = this.#pieceAt(time);
    return this.#loop.solvers.borrow((solverOf) => {
      const { viewer } = solverOf(piece.key);
      viewer.loadPiece(piece);
      viewer.atProjected(time);
      return viewer.snapshot();
    });
  }

  /**
   * @internal Evaluates many states within steps, like `at` but in a fraction of the time. The state passed to `use`
   * is overwritten by the next call; stored states are separate objects.
   */
  browse<R>(use: (at: (time: number) => T) => R): R {
    let loaded: StoredPiece | undefined;
    return this.#loop.solvers.borrow((solverOf) =>
      use((time) => {
        const piece = this.#pieceAt(time);
        const { viewer } = solverOf(piece.key);
        if (piece !== loaded) viewer.loadPiece(piece);
        loaded = piece;
        return viewer.atProjected(time);
      }),
    );
  }

  /**
   * Returns a coordinate by its name, or a number read from each state, at all times.
   *
   * @example
   * solution.column("x");                                     // a coordinate of equations
   * solution.column("rod vx");                                // of a mechanism
   * solution.column((state) => state.body("rod").position[2]);
   */
  column(what: string | StateFunction<T>): Float64Array {
    if (typeof what === "function") return this.#read("column", what);
    const known = this.#columns.get(what);
    if (known) return known;
    this.#indices ??= indicesOf(this.names);
    const index = this.#indices.get(what);
    if (index === undefined) {
      throw new NodriftError("STEP", `no column is named ${show(what)}${hint(what, this.names)}`);
    }
    const values = Float64Array.from(this.time, (_, row) => this.#recorder.row(row)[1 + index]!);
    this.#columns.set(what, values);
    return values;
  }

  /**
   * Returns a body's motion as columns, by its handle or its name.
   *
   * @example
   * const [x, y, z] = solution.body("rod").position;
   */
  body(this: Solution<T & NamedBodiesState>, body: string | Body): BodyColumns {
    return bodyColumns(
      this,
      argument("body", "DESCRIPTION", "the body", body, partRule<Body>("a body")),
    );
  }

  /**
   * Returns a joint's forces and measurements as columns, by its handle or its name.
   *
   * @example
   * const [fx, fy, fz] = solution.joint("hinge").force;
   */
  joint<Type extends string>(
    this: Solution<T & NamedBodiesState>,
    joint: string | Joint<Type>,
  ): JointColumnsOf<Type> {
    const given = argument("joint", "DESCRIPTION", "the joint", joint, partRule<Joint>("a joint"));
    return jointColumns(this, given) as JointColumnsOf<Type>;
  }

  /**
   * Returns a force of a mechanism as columns, by its handle or its name.
   *
   * @example
   * const { power, length } = solution.force("strut");
   */
  force<Type extends string>(
    this: Solution<T & NamedBodiesState>,
    force: string | Force<Type>,
  ): ForceColumnsOf<Type> {
    const given = argument("force", "DESCRIPTION", "the force", force, partRule<Force>("a force"));
    return forceColumns(this, given) as ForceColumnsOf<Type>;
  }

  /**
   * Returns comma-separated values: a line of names, then one line for each state, in the shortest digits that parse
   * to the same numbers.
   *
   * @example
   * writeFileSync("motion.csv", solution.toCsv());
   * for (const line of solution.csvLines({ columns: { height: (s) => s.body("ball").position[2] } })) out.write(line);
   */
  toCsv(options: CsvOptions<T> = {}): string {
    return [...this.csvLines(options)].join("");
  }

  /** Yields the lines of {@link toCsv} one by one, for files that should not be held in memory. */
  csvLines(options: CsvOptions<T> = {}): Generator<string> {
    return csvLines(this, checkedCsv(options));
  }

  /** Returns everything as plain data, for JSON.stringify: columns by name, events, statistics. */
  toJSON(): SolutionJson {
    return solutionJson(this);
  }

  /** Reads a number from each state by a user function. */
  #read(where: string, what: StateFunction<T>): Float64Array {
    const read = argument<StateFunction<T>>(where, "STEP", "the reading", what, callback());
    return Float64Array.from(this.time, (_, index) => {
      const value: unknown = read(this.state(index));
      if (typeof value === "number") return value;
      throw new NodriftError(
        "EVALUATION",
        `${where}: the reading returned ${show(value)}, which is not a number`,
      );
    });
  }

  #pieceAt(time: number): StoredPiece {
    const { pieces, start } = this.#recorder;
    const inside = (time - start) * (time - this.end.time) <= 0;
    if (!inside || !Number.isFinite(time)) {
      throw new NodriftError(
        "STEP",
        `at(${time}): the solution covers ${start} to ${this.end.time}`,
      );
    }
    if (pieces.length === 0) {
      throw new NodriftError(
        "STEP",
        `at(${time}): only requested states were stored. For any time use \`dense: true\`, or output: "steps"`,
      );
    }
    return pieces[this.#last(pieces.length, (i) => pieces[i]!.from, time)]!;
  }

  /** Returns the index of the last of some times, in the order of the run, that is not beyond a time; 0 if all are. */
  #last(count: number, timeOf: (index: number) => number, time: number): number {
    const { direction } = this.#loop.setup;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((timeOf(middle) - time) * direction <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Returns the first index of each name. */
function indicesOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index] as const).reverse());
}

/** Names the methods in order of first use. */
function methodsOf<T extends State>({ solvers, method, methodSwitch, solver }: Loop<T>): string {
  if (solvers.isStiff) return `${method}, then ${methodName(solver.choice.method)}`;
  const other = methodSwitch.changes > 0 ? solvers.stiffMethod : undefined;
  return other === undefined ? method : `${method}, then ${other}, then the first again`;
}
