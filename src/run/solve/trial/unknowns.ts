import { hint } from "../../../base/checking/values.js";
import type { Address, Arena } from "../../../base/memory/arena.js";
import type { Ode, PublicCoordinates, System } from "../../../interfaces/index.js";
import { type PublicView, publicCoordinates } from "../../public/public-view.js";
import { wrong } from "../setup/option-checks.js";
import type { KindTolerances, Tolerance } from "../setup/options.js";

// Allowed error of each coordinate of a state in a step: absolute_i + relative |y_i|. Far from the origin of the
// world the magnitude of positions is meaningless: there |y_i| is the length of the mechanism, as it would be at the
// origin.

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

/** Displacement, relative to the state, for the change of the public state: a root of the rounding. */
const RELATIVE_DISPLACEMENT = 2 ** -24;

/**
 * Errors of states in public coordinates, if the method integrates others: x becomes w(y) - w(y - x), where w is the
 * public state of a state y. So a tolerance means the same in all coordinates: an error of an angle counts by how far
 * it moves the bodies outboard of it, and not by its number of revolutions. Rejected: tolerances of the other
 * coordinates themselves; a relative one would grow with every revolution of a wheel.
 */
class PublicErrors {
  /** Public state before the attempt. */
  readonly before: Address;
  readonly after: Address;
  readonly #system: System;
  readonly #view: PublicView;
  readonly #moved: Address;
  readonly #difference: Address;
  readonly #size: number;
  /** The public states before and after are up to date. */
  #isKnown = false;

  /** Reserves memory: call before the memory of the system is sealed. */
  constructor(system: System, view: PublicView) {
    const { workspace, coordinates } = system;
    this.#system = system;
    this.#view = view;
    this.#size = coordinates.positions + coordinates.velocities;
    this.before = workspace.vector("seen before an attempt", view.size);
    this.after = workspace.vector("seen after an attempt", view.size);
    this.#difference = workspace.vector("seen of an error", view.size);
    this.#moved = workspace.vector("state without its error", this.#size);
  }

  /** Invalidates the stored public state. Call after the accepted state has changed. */
  invalidate(): void {
    this.#isKnown = false;
  }

  /**
   * Returns an error of the accepted state in public coordinates; `before` is the state at the beginning of the step.
   */
  fromError(error: Address, before: Address): Address {
    if (!this.#isKnown) {
      this.#view.write(before, this.before);
      this.#view.write(this.#system.state.q, this.after);
      this.#isKnown = true;
    }
    this.#change(error, 1);
    return this.#difference;
  }

  /** Returns the accepted state in public coordinates. */
  fromState(): Address {
    this.#isKnown = false;
    this.#view.write(this.#system.state.q, this.after);
    return this.after;
  }

  /**
   * Returns a rate of change at the accepted state in public coordinates, by a finite difference: only its size
   * matters.
   */
  fromRate(rate: Address): Address {
    const { kernels } = this.#system.workspace;
    const { q } = this.#system.state;
    const size = kernels.largestMagnitude(this.#size, rate);
    this.fromState();
    const part =
      size > 0 ? (RELATIVE_DISPLACEMENT * (1 + kernels.largestMagnitude(this.#size, q))) / size : 1;
    this.#change(rate, part);
    kernels.axpy(
      this.#view.size,
      1 / part - 1,
      this.#difference,
      this.#difference,
      this.#difference,
    );
    return this.#difference;
  }

  #change(x: Address, part: number): void {
    const { workspace, coordinates, state } = this.#system;
    const { kernels } = workspace;
    kernels.axpy(this.#size, -part, x, state.q, this.#moved);
    coordinates.normalise?.(this.#moved);
    this.#view.write(this.#moved, this.#difference);
    kernels.axpy(this.#view.size, -1, this.#difference, this.after, this.#difference);
  }
}

/**
 * The unknowns of an integrator: q and v of the state, or others. Errors are measured in them; errors of a state in
 * public coordinates.
 */
export class Unknowns {
  /** Whether the unknowns are the state itself. */
  readonly areState: boolean;
  /** Unknowns at the beginning of the step. */
  readonly before: Address;
  weights: ToleranceWeights;
  readonly #system: System;
  readonly #view: PublicView;
  readonly #y: Address;
  /** Number of unknowns in the error norm; algebraic unknowns come last and are not measured. */
  readonly #dimension: number;
  readonly #total: number;
  /** Errors in public coordinates, if these differ from the state. */
  readonly #publicErrors: PublicErrors | undefined;
  /** Number of unknowns that are positions. */
  readonly #positions: number;

  /** `before`: address of the state at the beginning of a step. */
  constructor(
    system: System,
    ode: Ode | undefined,
    before: Address,
    allowed: ToleranceWeights,
    view: PublicView,
  ) {
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const size = positions + velocities;
    this.#system = system;
    this.#view = view;
    this.weights = allowed;
    this.#y = ode?.y ?? state.q;
    this.#dimension = Math.min(ode?.dimension ?? size, size);
    this.#total = ode?.dimension ?? size;
    this.#positions = ode?.positions ?? positions;
    this.areState = this.#y === state.q;
    this.#publicErrors = system.publicState && new PublicErrors(system, view);
    this.before = this.areState
      ? before
      : workspace.vector("unknowns before an attempt", this.#total);
  }

  /** Stores the current unknowns as those at the start of the step. */
  take(): void {
    const { kernels } = this.#system.workspace;
    if (!this.areState) kernels.copyVector(this.#total, this.#y, this.before);
  }

  /** Invalidates stored public states. Call after the state has changed. */
  invalidate(): void {
    this.#publicErrors?.invalidate();
  }

  /** Size of the accepted state, in units of the tolerance there. */
  sizeOfState(): number {
    const { q } = this.#system.state;
    const inPublic = this.#publicErrors?.fromState() ?? q;
    return this.weights.measure(inPublic, inPublic, inPublic);
  }

  /** Size of a rate of change of the accepted state, in units of the tolerance there. */
  sizeOfRate(rate: Address): number {
    const { q } = this.#system.state;
    const inPublic = this.#publicErrors;
    if (inPublic === undefined) return this.weights.measure(rate, q, q);
    return this.weights.measure(inPublic.fromRate(rate), inPublic.after, inPublic.after);
  }

  /** Name of the coordinate in which an error of the state is largest. */
  worstCoordinate(error: Address, arena: Arena): string {
    return largestCoordinate(
      this.#view.coordinates,
      this.#publicErrors?.fromRate(error) ?? error,
      arena,
    );
  }

  /** Size of an error in units of the tolerance: that of the worst coordinate. */
  measure(error: Address): number {
    const { weights } = this;
    const [from, to] = [this.before, this.#y];
    if (this.areState) {
      const inPublic = this.#publicErrors;
      if (inPublic === undefined) return weights.measure(error, from, to);
      return weights.measure(inPublic.fromError(error, from), inPublic.before, inPublic.after);
    }
    // The coordinates that these unknowns represent change during the run: each has to meet the smallest tolerance.
    const { kernels } = this.#system.workspace;
    const { relative, positions, velocities } = weights;
    const first = this.#positions;
    const offset = 8 * first;
    const rest = this.#dimension - first;
    return Math.max(
      kernels.errorMaximum(first, positions, relative, error, from, to),
      kernels.errorMaximum(rest, velocities, relative, error + offset, from + offset, to + offset),
    );
  }
}

/** Name of the coordinate in which a vector like the state is largest. */
function largestCoordinate(coordinates: PublicCoordinates, vector: Address, arena: Arena): string {
  const { positions, velocities, velocityNames: coordinateNames, positionNames } = coordinates;
  const slots = positions + velocities;
  const values = arena.floats({ name: "change", address: vector, slots });
  let worst = 0;
  for (let i = 1; i < values.length; i++) {
    if (Math.abs(values[i] as number) > Math.abs(values[worst] as number)) worst = i;
  }
  const names = [...(positionNames ?? coordinateNames), ...coordinateNames];
  return names[worst] ?? "?";
}
