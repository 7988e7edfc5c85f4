import type { PublicCoordinates, System } from "../../interfaces/index.js";
import { publicCoordinates } from "../public/public-view.js";

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
