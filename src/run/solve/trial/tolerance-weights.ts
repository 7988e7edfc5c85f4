// Allowed error of each coordinate of a state in a step: absolute_i + relative |y_i|. Far from the origin of the
// world the magnitude of positions is meaningless: there |y_i| is the length of the mechanism, as it would be at the
// origin.

import type { Address } from "../../../base/memory/arena.js";
import type { System } from "../../../interfaces/index.js";
import { hint } from "../../../model/option-checks.js";
import { publicCoordinates } from "../../public/public-view.js";
import { wrong } from "../setup/option-checks.js";
import type { KindTolerances, Tolerance } from "../setup/options.js";

/** Coordinates of a body in q and in v: a point and Euler parameters, a velocity and an angular velocity. */
const [BODY_POSITIONS, BODY_VELOCITIES] = [7, 6];
const KINDS = ["positions", "angles", "velocities", "angularVelocities"] as const;
const PLAIN_KINDS = ["positions", "velocities"] as const;

/** Consecutive coordinates with the same tolerance. */
interface Slice {
  readonly first: number;
  readonly count: number;
  readonly absolute: number;
  readonly relative: number;
}

/** A tolerance for the public coordinates of a system. */
export class ToleranceWeights {
  readonly relative: number;
  /** Smallest absolute tolerances of all positions and of all velocities, for unknowns other than the state. */
  readonly positions: number;
  readonly velocities: number;
  readonly #system: System;
  readonly #runs: readonly Slice[];

  constructor(system: System, tolerance: Tolerance) {
    const { positions, velocities } = publicCoordinates(system);
    const absolute = absolutesOf(system, tolerance);
    this.#system = system;
    this.relative = tolerance.relative;
    this.positions = leastOf(absolute.slice(0, positions), tolerance.positions);
    this.velocities = leastOf(absolute.slice(positions), tolerance.velocities);
    const relative = relativesOf(system, tolerance.relative, absolute);
    const runs = (first: number, end: number) =>
      runsOf(absolute.slice(first, end), relative.slice(first, end), first);
    this.#runs = [...runs(0, positions), ...runs(positions, positions + velocities)];
  }

  /** Returns an error of the state in units of the tolerance. Maximum norm, not a mean: one bad coordinate decides. */
  measure(error: Address, from: Address, to: Address): number {
    const { kernels } = this.#system.workspace;
    const runs = this.#runs;
    let worst = 0;
    for (let i = 0; i < runs.length; i++) {
      const { first, count, absolute, relative } = runs[i] as Slice;
      const at = 8 * first;
      worst = Math.max(
        worst,
        kernels.errorMaximum(count, absolute, relative, error + at, from + at, to + at),
      );
    }
    return worst;
  }
}

function leastOf(absolute: readonly number[], otherwise: number): number {
  return absolute.reduce((least, each) => Math.min(least, each), absolute[0] ?? otherwise);
}

function runsOf(absolute: readonly number[], relative: readonly number[], offset: number): Slice[] {
  const starts = [...absolute.keys()].filter(
    (i) => i === 0 || absolute[i] !== absolute[i - 1] || relative[i] !== relative[i - 1],
  );
  return starts.map((first, k) => ({
    first: offset + first,
    count: (starts[k + 1] ?? absolute.length) - first,
    absolute: absolute[first]!,
    relative: relative[first]!,
  }));
}

/** Relative tolerances; for positions far from the origin they are added to the absolute ones. */
function relativesOf(system: System, relative: number, absolute: number[]): number[] {
  const { positions, positionScale: length } = publicCoordinates(system);
  return absolute.map((allowed, i) => {
    if (length === 0 || i >= positions || i % BODY_POSITIONS >= 3) return relative;
    absolute[i] = allowed + relative * length;
    return 0;
  });
}

/**
 * Absolute tolerances of all positions, then of all velocities. A tolerance for a coordinate takes precedence over
 * one for its body, which takes precedence over one for its kind.
 */
function absolutesOf(system: System, { positions, velocities, named }: Tolerance): number[] {
  const shown = publicCoordinates(system);
  const absolute = [
    ...Array<number>(shown.positions).fill(positions),
    ...Array<number>(shown.velocities).fill(velocities),
  ];
  // Integrals of states are meaningless, and must not limit steps.
  absolute.fill(Number.MAX_VALUE, shown.states.firstPosition, shown.positions);
  if (named.size === 0) return absolute;
  const locations = locationsOf(system);
  for (const what of ["kind", "body", "coordinate"] as const) {
    for (const [name, value] of named) {
      const location = locations.get(name);
      if (location === undefined) throw unknown(system, name, [...locations.keys()]);
      if (location.what === what) write(name, value, location.kinds, absolute);
    }
  }
  return absolute;
}

/** Indices of a coordinate, body or kind in all positions and velocities, by kind. */
interface Location {
  readonly what: "kind" | "body" | "coordinate";
  readonly kinds: { readonly [Kind in keyof KindTolerances]?: readonly number[] };
}

function locationsOf(system: System): Map<string, Location> {
  const {
    positions,
    velocities,
    velocityNames,
    positionNames = velocityNames,
    rigidBodies = [],
  } = publicCoordinates(system);
  const locations = new Map<string, Location>();
  const range = (first: number, count: number) =>
    Array.from({ length: count }, (_, i) => first + i);
  for (const [i, name] of positionNames.entries()) {
    locations.set(name, { what: "coordinate", kinds: { positions: [i] } });
  }
  for (const [i, name] of velocityNames.entries()) {
    const known = locations.get(name)?.kinds;
    locations.set(name, { what: "coordinate", kinds: { ...known, velocities: [positions + i] } });
  }
  const bodies = rigidBodies.map(({ name }, i) => {
    const [q, v] = [BODY_POSITIONS * i, positions + BODY_VELOCITIES * i];
    const kinds = {
      positions: range(q, 3),
      angles: range(q + 3, 4),
      velocities: range(v, 3),
      angularVelocities: range(v + 3, 3),
    };
    locations.set(name, { what: "body", kinds });
    return kinds;
  });
  // Kinds of the state: without bodies it is unknown which coordinates are angles.
  const all = { positions: range(0, positions), velocities: range(positions, velocities) };
  for (const kind of PLAIN_KINDS)
    locations.set(kind, { what: "kind", kinds: { [kind]: all[kind] } });
  if (bodies.length > 0) {
    for (const kind of ["angles", "angularVelocities"] as const) {
      const own = bodies.flatMap((body) => body[kind]);
      locations.set(kind, { what: "kind", kinds: { [kind]: own } });
    }
  }
  return locations;
}

function write(
  name: string,
  value: number | KindTolerances,
  kinds: Location["kinds"],
  absolute: number[],
): void {
  for (const [kind, indices] of Object.entries(kinds)) {
    const own = typeof value === "number" ? value : value[kind as keyof KindTolerances];
    if (own === undefined) continue;
    // A small rotation by theta changes Euler parameters by theta / 2.
    const isAngle = kind === "angles" && (typeof value === "object" || name === "angles");
    for (const index of indices) absolute[index] = isAngle ? own / 2 : own;
  }
  if (typeof value === "number") return;
  const missing = Object.keys(value).find((kind) => !Object.hasOwn(kinds, kind));
  if (missing === undefined) return;
  const known = KINDS.filter((kind) => Object.hasOwn(kinds, kind));
  throw wrong(`tolerance.absolute: "${name}" has no ${missing}${hint(missing, known)}`);
}

function unknown(system: System, name: string, known: readonly string[]) {
  return wrong(
    `tolerance.absolute: ${system.name} has no coordinate, body or kind named "${name}"${hint(name, known)}`,
  );
}
