import type { System } from "../contracts.js";

/** How far a start was moved to satisfy the constraints, by the names of coordinates. */
export interface AssemblyAccount {
  readonly positions: Readonly<Record<string, number>>;
  readonly velocities: Readonly<Record<string, number>>;
}

/** A state: positions, then velocities. */
type Numbers = ArrayLike<number>;

export function accountOf(
  { coordinateNames, positionNames = coordinateNames }: System,
  given: Numbers,
  found: Numbers,
): AssemblyAccount {
  const changes = (names: readonly string[], first: number) =>
    Object.freeze(
      Object.fromEntries(names.map((name, i) => [name, found[first + i]! - given[first + i]!])),
    );
  return Object.freeze({
    positions: changes(positionNames, 0),
    velocities: changes(coordinateNames, positionNames.length),
  });
}

/** Changes by more than this part of the largest coordinate are told. */
const TOLD = 1e-6;

/** A sentence about the coordinate that was moved most, if that is worth one. */
export function movedNote(
  what: "positions" | "velocities",
  names: readonly string[],
  given: Numbers,
  found: Numbers,
): string | undefined {
  const changes = Array.from(found, (x, i) => x - given[i]!);
  const worst = changes.reduce(
    (most, x, i) => (Math.abs(x) > Math.abs(changes[most]!) ? i : most),
    0,
  );
  const size = Array.from(given).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  if (!(Math.abs(changes[worst] ?? 0) > TOLD * size)) return undefined;
  return (
    `the ${what} given do not satisfy the constraints and were moved to the nearest that do: "${names[worst]}" ` +
    `most, by ${changes[worst]!.toPrecision(2)}`
  );
}
