// Valid calls of the package, from which invalid ones are derived.

/** A call with valid arguments, created each time, so that nothing is shared. */
export interface Call {
  /** Entry and export, and the method: "nodrift/solve solve", "nodrift Simulation.advance". */
  readonly name: string;
  /** Names of arguments in messages, in addition to their keys. */
  readonly labels: readonly string[];
  /** Valid arguments. */
  readonly make: () => unknown[];
  readonly run: (given: unknown[]) => unknown;
  /** Whether extra arguments are rejected. Methods of objects ignore them like JavaScript. */
  readonly refusesMore: boolean;
  /** Formulas propagate NaN; their caller reports its origin. */
  readonly passesNaN?: boolean;
  /** Accepts any object, so objects of other kinds are valid. */
  readonly takesAll?: boolean;
}

// biome-ignore lint/complexity/noBannedTypes: any callable
type Callable = Function;

/** An exported function. */
export function exported(
  entry: string,
  name: string,
  value: unknown,
  make: () => unknown[],
  labels: readonly string[] = [],
): Call {
  const run = (given: unknown[]) => (value as Callable)(...given);
  return { name: `${entry} ${name}`, labels: [name, ...labels], make, run, refusesMore: true };
}

/** A method of an object created by the package. */
export function method(
  owner: string,
  name: string,
  make: () => { readonly on: object; readonly given: unknown[] },
  labels: readonly string[] = [],
): Call {
  let on: object = {};
  return {
    name: `${owner}.${name}`,
    labels: [name, ...labels],
    make: () => {
      const made = make();
      on = made.on;
      return [...made.given];
    },
    run: (given) => ((on as Record<string, Callable>)[name] as Callable).apply(on, given),
    refusesMore: false,
  };
}

/** Maximum number of evaluations of a user function before it stops its caller. */
const BUDGET = 20_000;

/** Thrown by user functions that are called endlessly: the given argument was accepted. */
export class Enough extends Error {
  override readonly name = "Enough";
}

/** Counts down to {@link Enough}. */
export function budget(): () => void {
  let left = BUDGET;
  return () => {
    if (left-- <= 0) throw new Enough("enough");
  };
}

/** Functions of an entry by their names. Bundles export a few things under one letter, for each other. */
export function functionsOf(entry: object): [string, unknown][] {
  return Object.entries(entry).filter(
    ([name, value]) => typeof value === "function" && /^[a-z]\w{2,}$/.test(name),
  );
}
