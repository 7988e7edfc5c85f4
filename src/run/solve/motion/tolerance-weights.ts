// How large the error of each coordinate of a state may be in a step: absolute_i + relative |y_i|. The magnitude of
// positions far from the origin of the world is meaningless: there |y_i| is the length of the mechanism, as it would be
// at the origin.

import { hint } from "../../../describe/model/option-checks.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { System } from "../../../seam/index.js";
import { shownCoordinates } from "../../public/state-view.js";
import { wrong } from "../setup/option-checks.js";
import type { KindTolerances, Tolerance } from "../setup/options.js";

/** Numbers in q and in v of a body: a point and Euler parameters, a velocity and an angular velocity. */
const [BODY_POSITIONS, BODY_VELOCITIES] = [7, 6];
const KINDS = ["positions", "angles", "velocities", "angularVelocities"] as const;
const PLAIN_KINDS = ["positions", "velocities"] as const;

/** Consecutive coordinates with the same tolerance. */
interface Run {
  readonly first: number;
  readonly count: number;
  readonly absolute: number;
  readonly relative: number;
}

/** A tolerance, for the coordinates of a system that users see. */
export class ToleranceWeights {
  readonly relative: number;
  /** The least absolute ones of all positions, and of all velocities: for unknowns that are others than the state. */
  readonly positions: number;
  readonly velocities: number;
  readonly #system: System;
  readonly #runs: readonly Run[];

  constructor(system: System, tolerance: Tolerance) {
    const { positions, velocities } = shownCoordinates(system);
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

  /**
   * An error of the state in units of the tolerance. Maximum norm, not a mean: one bad coordinate decides.
   */
  measure(error: Address, from: Address, to: Address): number {
    const { kernels } = this.#system.workspace;
    const runs = this.#runs;
    let worst = 0;
    for (let i = 0; i < runs.length; i++) {
      const { first, count, absolute, relative } = runs[i] as Run;
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

function runsOf(absolute: readonly number[], relative: readonly number[], offset: number): Run[] {
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

/** Relative tolerances; where places are far it goes into the absolute ones. */
function relativesOf(system: System, relative: number, absolute: number[]): number[] {
  const { positions, positionScale: length } = shownCoordinates(system);
  return absolute.map((allowed, i) => {
    if (length === undefined || i >= positions || i % BODY_POSITIONS >= 3) return relative;
    absolute[i] = allowed + relative * length;
    return 0;
  });
}

/**
 * Of all positions, then of all velocities. A tolerance for a coordinate takes precedence over one for its body, that
 * over one for its kind.
 */
function absolutesOf(system: System, { positions, velocities, named }: Tolerance): number[] {
  const shown = shownCoordinates(system);
  const absolute = [
    ...Array<number>(shown.positions).fill(positions),
    ...Array<number>(shown.velocities).fill(velocities),
  ];
  // Integrals of states mean nothing, and must not limit steps.
  if (shown.states) absolute.fill(Number.MAX_VALUE, shown.states.firstPosition, shown.positions);
  if (named.size === 0) return absolute;
  const places = placesOf(system);
  for (const what of ["kind", "body", "coordinate"] as const) {
    for (const [name, value] of named) {
      const place = places.get(name);
      if (place === undefined) throw unknown(system, name, [...places.keys()]);
      if (place.what === what) write(name, value, place.kinds, absolute);
    }
  }
  return absolute;
}

/** Where something lies in the state, by kinds: indices into all positions and velocities. */
interface Place {
  readonly what: "kind" | "body" | "coordinate";
  readonly kinds: { readonly [Kind in keyof KindTolerances]?: readonly number[] };
}

function placesOf(system: System): Map<string, Place> {
  const {
    positions,
    velocities,
    velocityNames,
    positionNames = velocityNames,
    rigidBodies = [],
  } = shownCoordinates(system);
  const places = new Map<string, Place>();
  const range = (first: number, count: number) =>
    Array.from({ length: count }, (_, i) => first + i);
  for (const [i, name] of positionNames.entries()) {
    places.set(name, { what: "coordinate", kinds: { positions: [i] } });
  }
  for (const [i, name] of velocityNames.entries()) {
    const known = places.get(name)?.kinds;
    places.set(name, { what: "coordinate", kinds: { ...known, velocities: [positions + i] } });
  }
  const bodies = rigidBodies.map(({ name }, i) => {
    const [q, v] = [BODY_POSITIONS * i, positions + BODY_VELOCITIES * i];
    const kinds = {
      positions: range(q, 3),
      angles: range(q + 3, 4),
      velocities: range(v, 3),
      angularVelocities: range(v + 3, 3),
    };
    places.set(name, { what: "body", kinds });
    return kinds;
  });
  // Kinds of the state: without bodies it is unknown which coordinates are angles.
  const all = { positions: range(0, positions), velocities: range(positions, velocities) };
  for (const kind of PLAIN_KINDS) places.set(kind, { what: "kind", kinds: { [kind]: all[kind] } });
  if (bodies.length > 0) {
    for (const kind of ["angles", "angularVelocities"] as const) {
      const own = bodies.flatMap((body) => body[kind]);
      places.set(kind, { what: "kind", kinds: { [kind]: own } });
    }
  }
  return places;
}

function write(
  name: string,
  value: number | KindTolerances,
  kinds: Place["kinds"],
  absolute: number[],
): void {
  for (const [kind, places] of Object.entries(kinds)) {
    const own = typeof value === "number" ? value : value[kind as keyof KindTolerances];
    if (own === undefined) continue;
    // A small turn by theta changes Euler parameters by theta / 2.
    const isAngle = kind === "angles" && (typeof value === "object" || name === "angles");
    for (const place of places) absolute[place] = isAngle ? own / 2 : own;
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
