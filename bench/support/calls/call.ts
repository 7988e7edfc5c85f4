// Calls of the package that are right, to be made wrong in all ways.

/** A call with arguments that are right: fresh ones each time, so that nothing is shared. */
export interface Call {
  /** Entry and export, and the method: "nodrift/solve solve", "nodrift Simulation.advance". */
  readonly name: string;
  /** What arguments are called in messages, besides their keys. */
  readonly labels: readonly string[];
  /** Arguments that are right. */
  readonly make: () => unknown[];
  readonly run: (given: unknown[]) => unknown;
  /** Arguments behind the last are refused. Methods of objects take them as JavaScript does. */
  readonly refusesMore: boolean;
  /** Formulas pass NaN on: who calls them says where it comes from. */
  readonly passesNaN?: boolean;
  /** Answers questions about any object: those of other kinds are used. */
  readonly takesAll?: boolean;
}

// biome-ignore lint/complexity/noBannedTypes: whatever can be called
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

/** A method of something that the package made. */
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

/** Evaluations that a function of the user may take before it stops what calls it. */
const BUDGET = 20_000;

/** Thrown by functions of the user that are called for ever: what was given was used. */
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
