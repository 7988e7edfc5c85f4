// The initial state of a model: given poses, assembled; given velocities, from which the others follow.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import type { BodyData, ModelData, Vector } from "../../../describe/model/model-data.js";
import { arcSine } from "../../../ground/algebra/portable-trigonometry.js";
import {
  add,
  cross,
  norm,
  normalised,
  rotationOf,
  subtract,
  threeAt,
  times,
} from "../../../ground/algebra/vectors.js";
import { movingBodies } from "../plan/carriers.js";
import { carryCouplings, holdCouplings } from "../plan/coupling-offsets.js";
import { geometric, referTo } from "../plan/massless-geometry.js";
import type { Plan } from "../plan/plan.js";
import { keepAngles, startAnglesAtDrives } from "../system/angle-continuation.js";
import type { BodySystem } from "../system/system.js";
import { givenState, keepVelocities, zeroHeldInverseMasses } from "./given-velocities.js";
import { IdleRows } from "./idle-rows.js";
import { contradicted, openJoints } from "./start-failures.js";
import type { StartOptions } from "./start-options.js";
import { CLOSED, PositionAssembler, ROUNDED } from "./start-positions.js";
import { type IsHeld, VelocityAssembler } from "./start-velocities.js";

/** How the given start was changed by assembly. */
export interface AssemblyReport {
  /** Largest error of position constraints left. */
  readonly residual: number;
  /** Largest error of velocity constraints left. */
  readonly velocityResidual: number;
  /** Largest change of a coordinate. */
  readonly moved: number;
  /** What changed, body by body. */
  readonly bodies: readonly BodyCorrection[];
}

/** How a body was moved by assembly. */
export interface BodyCorrection {
  /** Name of the body. */
  readonly name: string;
  /** How far its origin was moved. */
  readonly moved: number;
  /** By how much it was turned, in radians. */
  readonly turned: number;
  /** How far its velocity is from the given one; undefined if none was given. */
  readonly velocity: number | undefined;
  /** How far its angular velocity is from the given one; undefined if none was given. */
  readonly angularVelocity: number | undefined;
}

/**
 * A typical length of the model: half the largest distance between its points. If there is only one point: the
 * largest radius of gyration.
 */
export function sizeOf({ bodies, markers }: ModelData): number {
  const points = [
    ...bodies.map(({ position }) => position),
    ...markers.map(({ body, point }) => {
      const of = bodies[body];
      return of ? add(of.position, times(rotationOf(of.orientation), point)) : point;
    }),
  ];
  let size = 0;
  for (let i = 0; i < 3; i++) {
    const values = points.map((point) => point[i] as number);
    const range = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    size = Math.max(
      size,
      range - values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    );
  }
  if (size > 0) return size / 2;
  const gyration = bodies.map(({ mass, inertia: [x = 0, , , , y = 0, , , , z = 0] }) =>
    Math.sqrt((x + y + z) / (2 * mass)),
  );
  return Math.max(0, ...gyration) || 1;
}

/** A model about to start. */
export interface Starting {
  readonly plan: Plan;
  readonly length: number;
  readonly time: number;
  readonly options: StartOptions;
  readonly make: (plan: Plan) => BodySystem;
}

export interface Start {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly assembly: AssemblyReport;
}

/** The start of a model. Angles and couplings of the plan continue from it. */
export function startOf(starting: Starting): Start {
  const { plan, length, time, options, make } = starting;
  const system = make(geometric(plan, length));
  const positions = new PositionAssembler(system, length);
  const velocities = new VelocityAssembler(system, length);
  const idle = new IdleRows(system);
  const arena = system.workspace.seal();
  const slots = system.coordinates.positions + system.coordinates.velocities;
  const state = arena.floats({ name: "start", address: system.state.q, slots });
  const given = givenState(system.quantities.plan.model);
  state.set([...given.q, ...given.v]);
  startAnglesAtDrives(plan, system.quantities.arrays.data, time);
  holdCouplings(system.quantities, time);
  carryCouplings({ ...plan, data: system.quantities.arrays.data }, plan);
  system.continuation.finaliseState(time);
  const before = state.slice(0, system.coordinates.positions);
  const asGiven = options.start === "asGiven";
  const held = options.hold && new Set(options.hold);
  const residual = asGiven ? 0 : closePositions(starting, system, positions, state, held);
  const wasMoved = before.some((x, i) => x !== state[i]);
  const isHeld: IsHeld = ({ name }) => asGiven || (held?.has(name) ?? true);
  const read = asGiven
    ? keepAll(system, state)
    : closeVelocities(starting, system, velocities, isHeld);
  system.continuation.finaliseState(time);
  keepAngles(plan, system.quantities.arrays.data);
  const found = inTheModel(
    plan.model,
    system,
    state,
    ({ name }) => !wasMoved || held?.has(name) === true,
  );
  keepVelocities(completed(plan.model.bodies, read), found.q, found.v, isHeld);
  const left = constraintErrors(system, time);
  idle.check();
  return {
    ...found,
    assembly: {
      residual: Math.max(residual, left.residual),
      velocityResidual: left.velocityResidual,
      moved: before.reduce((most, x, i) => Math.max(most, Math.abs(x - (state[i] as number))), 0),
      bodies: changesOf(plan.model.bodies.slice(0, movingBodies(plan.model.bodies)), found),
    },
  };
}

/** The given velocities unchanged, the others zero. */
function keepAll(system: BodySystem, state: Float64Array): readonly BodyData[] {
  const { bodies } = system.quantities.plan.model;
  keepVelocities(bodies, state, state.subarray(system.coordinates.positions));
  return bodies;
}

function closePositions(
  { length, time }: Starting,
  system: BodySystem,
  positions: PositionAssembler,
  state: Float64Array,
  held: ReadonlySet<string> | undefined,
): number {
  const { masses } = system.quantities.arrays;
  const free = masses.slice();
  const { bodies } = system.quantities.plan.model;
  zeroHeldInverseMasses(masses, free, (body) => {
    const isHeld = held?.has(bodies[body]!.name) ?? false;
    return { linear: isHeld, angular: isHeld };
  });
  const enough = Math.max(CLOSED, ROUNDED * length);
  const before = state.slice(0, system.coordinates.positions);
  const isHeld = held !== undefined && held.size > 0;
  let residual = Number.NaN;
  try {
    residual = positions.run(time, isHeld ? { free, isDense: false } : undefined);
    if (isHeld && !(residual <= enough)) {
      state.set(before);
      residual = positions.run(time, { free, isDense: true });
    }
  } finally {
    masses.set(free);
  }
  system.ranks.forget();
  if (residual <= enough) return residual;
  throw openJoints(system, time, "positions");
}

function closeVelocities(
  { time, options }: Starting,
  system: BodySystem,
  velocities: VelocityAssembler,
  isHeld: IsHeld,
): readonly BodyData[] {
  const { bodies, contradiction, impossible } = velocities.run(time, isHeld);
  if (contradiction) throw contradicted(system, time, contradiction, options.hold !== undefined);
  if (impossible) throw openJoints(system, time, "velocities");
  return bodies;
}

/** The state in the coordinates of the model: of centres of mass. Poses that are kept have the bits of those given. */
function inTheModel(
  model: ModelData,
  system: BodySystem,
  state: Float64Array,
  isKept: (body: BodyData) => boolean,
) {
  const [q, v] = [
    state.subarray(0, system.coordinates.positions),
    state.subarray(system.coordinates.positions),
  ];
  const found = referTo(system.quantities.plan.model.bodies, model.bodies, q, v);
  const given = givenState(model).q;
  for (const [body, data] of model.bodies.entries()) {
    const at = BODY_POSITIONS * body;
    if (isKept(data)) found.q.set(given.slice(at, at + BODY_POSITIONS), at);
  }
  return found;
}

/** Bodies of the model with the velocities that were read. */
function completed(bodies: readonly BodyData[], read: readonly BodyData[]): BodyData[] {
  return bodies.map((body, i) => {
    const { velocity, angularVelocity } = read[i]!;
    return { ...body, velocity, angularVelocity };
  });
}

function constraintErrors(system: BodySystem, t: number) {
  const { workspace } = system;
  const { rows } = system.constraints;
  system.load(t);
  return {
    residual: workspace.kernels.largestMagnitude(rows, system.constraints.phi()),
    velocityResidual: workspace.kernels.largestMagnitude(rows, system.constraints.phiDot()),
  };
}

function changesOf(
  bodies: readonly BodyData[],
  { q, v }: Omit<Start, "assembly">,
): BodyCorrection[] {
  return bodies.map(({ name, position, orientation, centre, velocity, angularVelocity }, body) => {
    const at = BODY_POSITIONS * body;
    const e = normalised([...q.subarray(at + 3, at + 7)]);
    const rotation = rotationOf(e);
    const arm = times(rotation, centre);
    const omega = times(rotation, threeAt(v, BODY_VELOCITIES * body + 3));
    const own = subtract(threeAt(v, BODY_VELOCITIES * body), cross(omega, arm));
    const away = (now: Vector, then: Vector | undefined) => then && norm(subtract(now, then));
    return Object.freeze({
      name,
      moved: norm(subtract(subtract(threeAt(q, at), arm), position)),
      turned: turnBetween(e, orientation),
      velocity: away(own, velocity),
      angularVelocity: away(omega, angularVelocity),
    });
  });
}

/** The angle between two orientations: |e x f| is the sine of half of it, for small and large ones. */
function turnBetween(e: readonly number[], f: readonly number[]): number {
  const [e0 = 1, e1 = 0, e2 = 0, e3 = 0] = e;
  const [f0 = 1, f1 = 0, f2 = 0, f3 = 0] = f;
  const sine = norm([
    e0 * f1 - e1 * f0 - e2 * f3 + e3 * f2,
    e0 * f2 - e2 * f0 - e3 * f1 + e1 * f3,
    e0 * f3 - e3 * f0 - e1 * f2 + e2 * f1,
  ]);
  return 2 * arcSine(sine);
}
