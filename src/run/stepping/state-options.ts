import { finite, isList, optionsOf, rule, type Shape } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { PublicCoordinates, System, UnwrappedAngles } from "../../interfaces/index.js";
import { publicCoordinates } from "../public/public-view.js";
import { checkState, startKind } from "./options.js";

/** Options of setState. */
export interface StateOptions {
  /** "assemble" projects the state onto the constraints; "asGiven" uses it unchanged. Default: "assemble". */
  readonly start?: "assemble" | "asGiven";
  /** Time of the state. Default: the present time. */
  readonly time?: number;
  /**
   * Unwrapped joint angles: `unwrappedAngles` of another state, or radians by joint name. Default: the value nearest to the
   * present angle.
   */
  readonly unwrappedAngles?: ArrayLike<number> | Readonly<Record<string, number>>;
}

const SHAPE: Shape<StateOptions> = {
  start: startKind,
  time: finite,
  unwrappedAngles: rule<NonNullable<StateOptions["unwrappedAngles"]>>(
    "unwrapped angles of a state, or angles by joint name",
    (value) => typeof value === "object" && value !== null,
  ),
};

/** Returns the options with all defaults; `unwrappedAngles` are the values to write, if any are given. */
export function checkedState(
  system: System,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  now: number,
  given: StateOptions | StateOptions["start"] = {},
): { start: "assemble" | "asGiven"; time: number; unwrappedAngles: Float64Array | undefined } {
  const { velocityNames, positionNames = velocityNames } = publicCoordinates(system);
  checkState("q", q, positionNames);
  checkState("v", v, velocityNames);
  const object = typeof given === "object" && given !== null ? given : { start: given };
  const options = optionsOf("setState", "STEP", object, SHAPE);
  const { start = "assemble", time = now } = options;
  return {
    start,
    time,
    unwrappedAngles: checkedTurns(options.unwrappedAngles, system.continuation.unwrappedAngles),
  };
}

/** Returns a copy of the options of `setState` that later changes cannot affect. */
export function plainOptions(options: StateOptions | StateOptions["start"]): StateOptions {
  const given = typeof options === "object" ? options : options ? { start: options } : {};
  const { unwrappedAngles } = given;
  return {
    ...given,
    ...(isList(unwrappedAngles) && {
      unwrappedAngles: Array.from(unwrappedAngles as ArrayLike<number>),
    }),
  };
}

/** Returns a copy of the present unwrapped angles, which belong to the accepted state in addition to q and v. */
export function unwrappedAnglesNow(unwrappedAngles: UnwrappedAngles | undefined): Float64Array {
  const values = new Float64Array(unwrappedAngles?.count ?? 0);
  unwrappedAngles?.read(values);
  return values;
}

function checkedTurns(
  given: StateOptions["unwrappedAngles"],
  unwrappedAngles: UnwrappedAngles | undefined,
): Float64Array | undefined {
  if (given === undefined) return undefined;
  const names = unwrappedAngles?.names ?? [];
  const values = isNumbers(given)
    ? listed(given, names)
    : named(given, unwrappedAnglesNow(unwrappedAngles), names);
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return values;
  throw new NodriftError("STEP", `unwrappedAngles of "${names[bad]}" is ${values[bad]}`);
}

function isNumbers(
  given: NonNullable<StateOptions["unwrappedAngles"]>,
): given is ArrayLike<number> {
  return isList(given);
}

function listed(given: ArrayLike<number>, names: readonly string[]): Float64Array {
  if (given.length === names.length) return Float64Array.from(given);
  const what = names.length > 0 ? `: ${names.join(", ")}` : "";
  throw new NodriftError(
    "STEP",
    `unwrappedAngles has ${given.length} numbers; the system has ${names.length}${what}`,
  );
}

function named(
  given: Readonly<Record<string, number>>,
  values: Float64Array,
  names: readonly string[],
): Float64Array {
  if (typeof given !== "object" || given === null) {
    throw new NodriftError(
      "STEP",
      `unwrappedAngles is ${given}; give unwrapped angles of a state, or angles by joint name`,
    );
  }
  for (const [name, value] of Object.entries(given)) {
    const index = names.indexOf(name);
    if (index < 0) {
      const there = names.length > 0 ? `; there are: ${names.join(", ")}` : ": the system has none";
      throw new NodriftError(
        "STEP",
        `unwrappedAngles: no joint with an angle is named "${name}"${there}`,
      );
    }
    values[index] = value;
  }
  return values;
}

/** Change of each coordinate when the given state was projected onto the constraints. */
export interface StateCorrection {
  /** Change of each position, by name. */
  readonly positions: Readonly<Record<string, number>>;
  /** Change of each velocity, by name. */
  readonly velocities: Readonly<Record<string, number>>;
}

/** Record of the last given state and the state it was projected to. */
export class CorrectionRecord {
  readonly #coordinates: PublicCoordinates;
  readonly #given: Float64Array;
  readonly #found: Float64Array;

  constructor(system: System) {
    const coordinates = publicCoordinates(system);
    this.#coordinates = coordinates;
    this.#given = new Float64Array(coordinates.positions + coordinates.velocities);
    this.#found = this.#given.slice();
  }

  /** Records a given state, at rest if it has no velocities, and the state it was projected to. */
  record(
    q: ArrayLike<number>,
    v: ArrayLike<number> | undefined,
    found: { readonly q: ArrayLike<number>; readonly v: ArrayLike<number> },
  ): void {
    const { positions } = this.#coordinates;
    this.#given.fill(0);
    this.#given.set(q);
    if (v) this.#given.set(v, positions);
    this.#found.set(found.q);
    this.#found.set(found.v, positions);
  }

  correction(): StateCorrection {
    const { velocityNames, positionNames = velocityNames, positions } = this.#coordinates;
    const changes = (names: readonly string[], first: number) =>
      Object.freeze(
        Object.fromEntries(
          names.map((name, i) => [name, this.#found[first + i]! - this.#given[first + i]!]),
        ),
      );
    return Object.freeze({
      positions: changes(positionNames, 0),
      velocities: changes(velocityNames, positions),
    });
  }
}

/** Changes above this fraction of the largest coordinate are reported. */
const MIN_REPORTED_CHANGE = 1e-6;

/** Returns a sentence about the coordinate that was moved most, if the change is significant. */
export function movedNote(
  what: "positions" | "velocities",
  names: readonly string[],
  given: ArrayLike<number>,
  found: ArrayLike<number>,
): string | undefined {
  const changes = Array.from(found, (x, i) => x - given[i]!);
  const worst = changes.reduce(
    (most, x, i) => (Math.abs(x) > Math.abs(changes[most]!) ? i : most),
    0,
  );
  const size = Array.from(given).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  if (!(Math.abs(changes[worst] ?? 0) > MIN_REPORTED_CHANGE * size)) return undefined;
  return (
    `the ${what} given do not satisfy the constraints and were moved to the nearest that do: "${names[worst]}" ` +
    `most, by ${changes[worst]!.toPrecision(2)}`
  );
}
