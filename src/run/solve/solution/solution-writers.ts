import {
  callback,
  listOf,
  optionsOf,
  recordOf,
  rule,
  type Shape,
  text,
} from "../../../base/checking/index.js";
import type { State } from "../../../interfaces/index.js";
import type { RunStatus } from "../mode-solver/failure.js";
import type { Statistics } from "../mode-solver/statistics.js";
import type { EventRecord } from "../setup/options.js";

/** Options of {@link Solution.toCsv}. */
export interface CsvOptions<T extends State = State> {
  /** Columns besides time: names of coordinates, or readings by name. Default: all coordinates. */
  readonly columns?: readonly string[] | Readonly<Record<string, (state: T) => number>>;
  /** Separator of the columns. Default: ",". */
  readonly separator?: string;
  /** Indices of the states that get a line. Default: all. */
  readonly rows?: Iterable<number>;
}

const SHAPE: Shape<CsvOptions> = {
  columns: {
    wants: "a list of names, or readings by name",
    read: (value, place) =>
      (Array.isArray(value) ? NAMES : READINGS).read(value, place) as readonly string[],
  },
  separator: rule("text", (value) => typeof value === "string" && value !== ""),
  rows: rule<Iterable<number>>(
    "numbers of states",
    (value) => typeof (value as Iterable<number> | null)?.[Symbol.iterator] === "function",
  ),
};
const NAMES = listOf(text, "a list of names");
const READINGS = recordOf(callback(), "a list of names, or readings by name");

/** Checks the options of a table. */
export function checkedCsv<T extends State>(given: CsvOptions<T>): CsvOptions<T> {
  return optionsOf("toCsv", "STEP", given, SHAPE) as CsvOptions<T>;
}

/** A solution as plain data. Values that are not finite are null, as JSON has none. */
export interface SolutionJson {
  /** How the run ended. */
  readonly status: RunStatus;
  /** Reason, in a sentence. */
  readonly reason: string;
  /** Name of the method. */
  readonly method: string;
  /** Notes for the user. */
  readonly notes: readonly string[];
  /** Work and accuracy of the run. */
  readonly statistics: Statistics;
  /** Times of the states. */
  readonly time: readonly (number | null)[];
  /** Coordinates of the states, by name. */
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>;
  /** Events that occurred. */
  readonly events: readonly {
    readonly name: string;
    readonly time: number;
    readonly direction: "rising" | "falling";
    readonly mode: string;
    readonly before: StateJson;
    readonly after: StateJson;
    readonly impulses: Readonly<Record<string, number>>;
  }[];
}

interface StateJson {
  readonly q: readonly number[];
  readonly v: readonly number[];
}

/** The parts of a solution that are written. */
interface WrittenSolution<T extends State>
  extends Pick<SolutionJson, "status" | "reason" | "method" | "notes" | "statistics"> {
  readonly length: number;
  readonly time: Float64Array;
  readonly names: readonly string[];
  readonly events: readonly EventRecord<T>[];
  column(what: string | ((state: T) => number)): Float64Array;
  state(index: number): T;
}

/**
 * Yields the lines of a table of comma-separated values (RFC 4180), each with its line end. Readings of a line are
 * read together: by columns, each state would be created again for each of them.
 */
export function* csvLines<T extends State>(
  solution: WrittenSolution<T>,
  { columns = solution.names, separator = ",", rows }: CsvOptions<T>,
): Generator<string> {
  const line = (cells: readonly string[]) => `${cells.join(separator)}\r\n`;
  const names = Array.isArray(columns) ? (columns as readonly string[]) : Object.keys(columns);
  const cellsAt = Array.isArray(columns)
    ? byColumns(solution, columns as readonly string[])
    : byReadings(solution, Object.values(columns as Readonly<Record<string, (s: T) => number>>));
  yield line(["time", ...names].map((name) => quoted(name, separator)));
  for (const index of rows ?? solution.time.keys()) {
    yield line([solution.time[index]!, ...cellsAt(index)].map(String));
  }
}

function byColumns<T extends State>(solution: WrittenSolution<T>, names: readonly string[]) {
  const columns = names.map((name) => solution.column(name));
  return (index: number) => columns.map((values) => values[index]!);
}

function byReadings<T extends State>(
  solution: WrittenSolution<T>,
  readings: readonly ((state: T) => number)[],
) {
  return (index: number) => {
    const state = solution.state(index);
    return readings.map((read) => read(state));
  };
}

export function solutionJson<T extends State>(solution: WrittenSolution<T>): SolutionJson {
  const { status, reason, method, notes, statistics, time, names, events } = solution;
  const state = ({ q, v }: State): StateJson => ({ q: [...q], v: [...v] });
  return {
    status,
    reason,
    method,
    notes,
    statistics,
    time: finite(time),
    columns: Object.fromEntries(names.map((name) => [name, finite(solution.column(name))])),
    events: events.map(({ before, after, name, time: at, direction, mode, impulses }) => ({
      name,
      time: at,
      direction,
      mode,
      before: state(before),
      after: state(after),
      impulses,
    })),
  };
}

function finite(values: Float64Array): (number | null)[] {
  return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

function quoted(name: string, separator: string): string {
  return name.includes(separator) || /["\r\n]/.test(name)
    ? `"${name.replaceAll('"', '""')}"`
    : name;
}
