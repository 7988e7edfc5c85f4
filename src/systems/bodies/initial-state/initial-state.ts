// The initial state of a model: given poses, assembled; given velocities, from which the others follow.

import { BODY_POSITIONS, BODY_VELOCITIES, BodyMass } from "../../../../assembly/layout-bodies.js";
import { arcSine } from "../../../base/algebra/portable-trigonometry.js";
import {
  add,
  cross,
  norm,
  normalised,
  rotationOf,
  subtract,
  threeAt,
  times,
  transposeTimes,
  ZERO,
} from "../../../base/algebra/vectors.js";
import { hint, listOf, oneOf, type Shape, text } from "../../../base/checking/index.js";
import { descriptionError } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import { checkLimits } from "../../../base/run-limits.js";
import {
  type Correction,
  iterate,
  plainCorrection,
  Size,
  sizesOf,
} from "../../../interfaces/projection/projector.js";
import {
  type BodyData,
  GROUND,
  type ModelData,
  type Quaternion,
  type Vector,
} from "../../../model/model-data.js";
import { movingBodies } from "../plan/carriers.js";
import { geometric, referTo } from "../plan/massless-geometry.js";
import { carryCouplings, holdCouplings, type Plan } from "../plan/plan.js";
import { keepAngles, startAnglesAtDrives } from "../system/angle-continuation.js";
import { knowRanksHere } from "../system/loop-ranks.js";
import type { BodySystem } from "../system/system.js";
import {
  CONSTRAINT_TOLERANCE,
  DenseSteps,
  MISFIT_TOLERANCE,
  PositionAssembler,
} from "./initial-positions.js";

// Given velocities and angular velocities, as opposed to those that follow from joints.

/** Given positions of all bodies, at rest. */
function givenState({ bodies }: Pick<ModelData, "bodies">): { q: number[]; v: number[] } {
  const q = bodies.flatMap(({ position, orientation, centre }) => [
    ...add(position, times(rotationOf(orientation), centre)),
    ...orientation,
  ]);
  return { q, v: new Array<number>(BODY_VELOCITIES * bodies.length).fill(0) };
}

/**
 * Possible interpretations of partially given velocities, most likely first. If only one velocity of a body was given,
 * the missing one is zero if the joints allow it (a cart translates), else it follows from the joints (a wheel rolls).
 */
function velocityInterpretations(bodies: readonly BodyData[]): (readonly BodyData[])[] {
  const isHalf = (body: BodyData) => Boolean(body.velocity) !== Boolean(body.angularVelocity);
  if (!bodies.some(isHalf)) return [bodies];
  const completed = bodies.map((body) =>
    isHalf(body)
      ? {
          ...body,
          velocity: body.velocity ?? ZERO,
          angularVelocity: body.angularVelocity ?? ZERO,
        }
      : body,
  );
  return [completed, bodies];
}

/**
 * Writes the given velocities, at the poses q. Velocities of the origin are converted to the centre of mass, which
 * needs the angular velocity: the given one, or that in v.
 */
function setInitialVelocities(
  bodies: readonly BodyData[],
  q: Float64Array,
  v: Float64Array,
  isKept: (body: BodyData) => boolean = () => true,
): void {
  for (const [index, body] of bodies.entries()) {
    if (!isKept(body)) continue;
    const { centre, velocity, angularVelocity } = body;
    const e = q.subarray(BODY_POSITIONS * index + 3, BODY_POSITIONS * (index + 1));
    const own = v.subarray(BODY_VELOCITIES * index, BODY_VELOCITIES * (index + 1));
    const rotation = rotationOf([...e] as unknown as Quaternion);
    if (angularVelocity) own.set(transposeTimes(rotation, angularVelocity), 3);
    if (velocity) {
      const turning = times(rotation, [...own.subarray(3)] as unknown as Vector);
      own.set(add(velocity, cross(turning, times(rotation, centre))));
    }
  }
}

/** Coordinates that a body keeps. */
interface HeldMotions {
  readonly linear: boolean;
  readonly angular: boolean;
}

/**
 * Sets some inverse masses of a system to zero: x = M^-1 J^T lambda then leaves held coordinates unchanged, to the
 * last bit. Rejected: making the others lighter by some factor, which changes given values by the ratio of the
 * inertias over that factor.
 */
function zeroHeldInverseMasses(
  masses: Float64Array,
  free: Float64Array,
  held: (body: number) => HeldMotions,
): void {
  masses.set(free);
  for (let body = 0; body < masses.length / BodyMass.LENGTH; body++) {
    const record = masses.subarray(BodyMass.LENGTH * body, BodyMass.LENGTH * (body + 1));
    const { linear, angular } = held(body);
    if (linear) record[BodyMass.INVERSE_MASS] = 0;
    if (angular) record.fill(0, BodyMass.INVERSE_INERTIA, BodyMass.INVERSE_INERTIA + 9);
  }
}

// Initial velocities: given ones are unchanged, to the last bit, and the others follow. They are found in a metric
// without masses, in which held bodies do not move.
//
// A remaining Phi' means that given velocities contradict each other, or a joint. The exception is a geometry that
// fits approximately, for which no velocities satisfy the rows: the component of Phi' that minnorm with nothing held
// does not remove. Before an initial state is rejected it is solved once more, by dense least squares, unless that
// would take seconds.

/** Residuals relative to the speed: of velocities that fit, and of a geometry that fits approximately. */
const VELOCITY_TOLERANCE = 1e-9;
const MISFIT_VELOCITY_TOLERANCE = 1e-4;
/** Residual that is rounding of drives, in radians, or lengths of the model, per second. */
const DRIVE_ROUNDING = 1e-10;
const MAX_ITERATIONS = 10;
/** Maximum number of rows of a model that is solved once more before it is rejected: about a second of work. */
const MAX_DENSE_ROWS = 500;

/** Returns whether the velocities of a body are held; other given velocities are initial guesses. */
type IsHeld = (body: BodyData) => boolean;

interface FoundVelocities {
  /** The interpretation used: bodies with one given velocity may be at rest or follow the joints. */
  readonly bodies: readonly BodyData[];
  /** Largest remaining |Phi'|. */
  readonly residual: number;
  /** The component of Phi' that contradicts held velocities, by row; undefined if there is none. */
  readonly contradiction: Float64Array | undefined;
  /** True if no velocities satisfy the rows: drives prescribe motions that joints do not allow. */
  readonly impossible: boolean;
}

class VelocityAssembler {
  readonly #system: BodySystem;
  readonly #length: number;
  readonly #right: number;
  readonly #step: number;
  readonly #product: number;
  /** Scales of the residuals: 1 for angles, the length of the model for distances. */
  readonly #scales: Float64Array;
  readonly #dense: DenseSteps;
  #state = new Float64Array(0);
  #residual = new Float64Array(0);
  #rights = new Float64Array(0);
  #steps = new Float64Array(0);
  #free = new Float64Array(0);

  /** Reserves memory. Call before the system is sealed. */
  constructor(system: BodySystem, length: number) {
    const { workspace, state } = system;
    const { velocities, positions } = system.coordinates;
    const { rows } = system.constraints;
    this.#system = system;
    this.#length = length;
    this.#scales = Float64Array.from(
      system.plan.blocks.flatMap(({ block: { rows: own, user } }) =>
        [...own, ...(user ? [user] : [])].flatMap(({ names, unit }) =>
          names.map(() => (unit === "force" ? length : 1)),
        ),
      ),
    );
    const right = workspace.reserve("rates to be taken away", rows);
    const step = workspace.reserve("change of velocities", velocities);
    this.#right = right.address;
    this.#step = step.address;
    const product = workspace.reserve("rates that can be taken away", rows);
    this.#product = product.address;
    this.#dense = new DenseSteps(system);
    system.dynamics.solver("auto");
    workspace.whenSealed((arena) => {
      this.#state = arena.floats({
        name: "state",
        address: state.q,
        slots: positions + velocities,
      });
      this.#residual = arena.floats(product);
      this.#rights = arena.floats(right);
      this.#steps = arena.floats(step);
    });
  }

  /** Finds the velocities of the accepted state, whose poses are the initial ones. */
  run(t: number, isHeld: IsHeld): FoundVelocities {
    const { masses } = this.#system.arrays;
    this.#free = masses.slice();
    const { plan } = this.#system;
    const { rows } = this.#system.constraints;
    const meant = velocityInterpretations(plan.model.bodies);
    try {
      // If all interpretations fail, report the last, which assumes least.
      const first = firstThatFits(meant, (reading) => this.#read(t, reading, isHeld, false));
      return fits(first) || rows > MAX_DENSE_ROWS
        ? first
        : firstThatFits(meant, (reading) => this.#read(t, reading, isHeld, true));
    } finally {
      masses.set(this.#free);
    }
  }

  #read(t: number, bodies: readonly BodyData[], isHeld: IsHeld, isDense: boolean): FoundVelocities {
    const system = this.#system;
    const { positions } = system.coordinates;
    const [q, v] = [this.#state.subarray(0, positions), this.#state.subarray(positions)];
    v.fill(0);
    setInitialVelocities(bodies, q, v);
    system.load(t);
    system.constraints.phiDot();
    const asked = this.#largest(system.arrays.phiDot);
    zeroHeldInverseMasses(system.arrays.masses, this.#free, (body) => heldOf(bodies[body], isHeld));
    this.#close(t, isDense);
    system.constraints.phiDot();
    const residual = this.#largest(system.arrays.phiDot);
    const speed = Math.max(asked, this.#speed(v));
    if (residual <= VELOCITY_TOLERANCE * speed + DRIVE_ROUNDING) {
      return { bodies, residual, contradiction: undefined, impossible: false };
    }
    const misfit = this.#split(isDense);
    // A geometry that fits approximately moves a little because of its misfit.
    const contradicts =
      this.#largest(this.#residual) > VELOCITY_TOLERANCE * speed + DRIVE_ROUNDING + misfit;
    return {
      bodies,
      residual,
      contradiction: contradicts ? this.#residual.slice() : undefined,
      impossible: misfit > MISFIT_VELOCITY_TOLERANCE * speed + DRIVE_ROUNDING,
    };
  }

  /** Largest angular velocity of a body, or velocity over the length of the model. */
  #speed(v: Float64Array): number {
    return v.reduce(
      (most, x, i) => Math.max(most, Math.abs(x) / (i % 6 < 3 ? this.#length : 1)),
      0,
    );
  }

  /** Largest of some residuals, in radians or lengths of the model per second. */
  #largest(rates: Float64Array): number {
    return rates.reduce((most, x, row) => Math.max(most, Math.abs(x) / this.#scales[row]!), 0);
  }

  /** Repeats v += minnorm(-Phi') while Phi' shrinks. */
  #close(t: number, isDense: boolean): void {
    const system = this.#system;
    const { workspace, state, trial, constraints } = system;
    const { velocities } = system.coordinates;
    const { rows } = constraints;
    const { kernels } = workspace;
    if (kernels.largestMagnitude(rows, constraints.phiDot()) === 0) return;
    const isKnown = !isDense && knowRanksHere(system);
    const sizes = sizesOf();
    const correction: Correction = {
      ...plainCorrection(sizes),
      measure: () => {
        sizes[Size.ERROR] = kernels.largestMagnitude(rows, constraints.phiDot());
      },
      correct: () => {
        checkLimits();
        const rate = constraints.phiDot();
        kernels.axpy(rows, -2, rate, rate, this.#right);
        this.#minnorm(isKnown);
        kernels.axpy(velocities, 1, this.#step, trial.v, trial.v);
        system.at(t);
      },
      keep: () => kernels.copyVector(velocities, trial.v, state.v),
    };
    // The first step may add more to rows that cannot be satisfied than it removes from the others.
    iterate(correction, MAX_ITERATIONS, true);
    system.load(t);
  }

  /** Splits Phi': the component that changing all velocities could remove is kept, the rest is returned. */
  #split(isDense: boolean): number {
    const system = this.#system;
    const { workspace } = system;
    const { rows } = system.constraints;
    system.arrays.masses.set(this.#free);
    const isKnown = !isDense && knowRanksHere(system);
    workspace.kernels.copyVector(rows, system.constraints.phiDot(), this.#right);
    this.#minnorm(isKnown);
    system.constraints.jacobianTimes(this.#step, this.#product);
    const rest = system.arrays.phiDot.map((rate, row) => rate - this.#residual[row]!);
    return this.#largest(rest);
  }

  /** step = minnorm(right): by elimination if the ranks are known. */
  #minnorm(isKnown: boolean): void {
    if (isKnown) this.#system.dynamics.solver("auto").minnorm(1, this.#right, this.#step);
    else this.#steps.set(this.#dense.solve(this.#rights, this.#free));
  }
}

const fits = ({ contradiction, impossible }: FoundVelocities) => !contradiction && !impossible;

/** Returns the result of the first interpretation that fits, or else of the last one. */
function firstThatFits(
  meant: readonly (readonly BodyData[])[],
  read: (reading: readonly BodyData[]) => FoundVelocities,
): FoundVelocities {
  let found: FoundVelocities | undefined;
  for (const reading of meant) {
    found = read(reading);
    if (fits(found)) break;
  }
  return found as FoundVelocities;
}

function heldOf(body: BodyData | undefined, isHeld: IsHeld): HeldMotions {
  if (!body || !isHeld(body)) return { linear: false, angular: false };
  return { linear: body.velocity !== undefined, angular: body.angularVelocity !== undefined };
}

// Reasons why a model cannot start, and remedies.

const ADVICE = {
  positions: "Give poses closer to an assembled one",
  velocities: "Check whether drives prescribe a motion the joints forbid",
} as const;

/** Joints that stay open at the trial state, in positions or in velocities. */
function openJoints(system: BodySystem, t: number, what: "positions" | "velocities"): NodriftError {
  const { plan, arrays } = system;
  if (what === "positions") system.constraints.phi();
  else system.constraints.phiDot();
  const values = what === "positions" ? arrays.phi : arrays.phiDot;
  const open = plan.model.joints
    .map(({ name }, joint) => {
      const own = plan.blocks.filter((block) => block.joint === joint);
      const errors = own.flatMap((block) =>
        [...values.subarray(block.firstRow, block.firstRow + block.rows)].map(Math.abs),
      );
      const bodies = own.flatMap((block) => block.bodies);
      return { name, error: Math.max(0, ...errors), bodies: [...new Set(bodies)].sort().join() };
    })
    .sort((a, b) => b.error - a.error);
  const worst = open.filter(({ error }) => error > CONSTRAINT_TOLERANCE).slice(0, 5);
  const named = worst.map(({ name, error }) => `"${name}" by ${error.toPrecision(3)}`);
  // The other side of a contradiction may be satisfied exactly: look among joints on the same bodies.
  const against = open
    .filter(
      ({ error, bodies }) =>
        error <= CONSTRAINT_TOLERANCE && worst.some((one) => one.bodies === bodies),
    )
    .slice(0, 5);
  if (against.length > 0) {
    named.push(`against ${against.map(({ name }) => `"${name}"`).join(", ")}`);
  }
  return new NodriftError(
    "ASSEMBLY",
    `${system.name}: assembly of the ${what} failed at t = ${t}: these joints stay open: ` +
      `${named.join(", ")}. They may contradict each other. ${ADVICE[what]}`,
  );
}

/** Error for given velocities, and the joints that do not allow them. */
function contradicted(
  system: BodySystem,
  t: number,
  contradiction: Float64Array,
  holds: boolean,
): NodriftError {
  const { joints, bodies } = contradictors(system, contradiction);
  const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");
  const open = joints.map((joint) => `"${joint.name}" (by ${joint.open.toPrecision(3)})`);
  // A single body contradicts the ground: holding it would not help.
  const held = bodies.length > 1 ? `"${bodies[0]}"` : "";
  const advice = holds
    ? "Hold fewer bodies"
    : "Give fewer velocities (the others are computed); or choose which to keep, the others as nearly as possible: " +
      `compile(m, { hold: [${held}] }); or use all unchanged: { start: "asGiven" }`;
  return new NodriftError(
    "ASSEMBLY",
    `${system.name}: the given velocities of ${list(bodies.slice(0, 5))} are inconsistent with the joints at t = ${t}: ` +
      `${open.join(", ")}. ${advice}`,
  );
}

/** Joints in which a contradiction shows, the worst first, and their bodies with given velocities. */
function contradictors(
  { plan }: BodySystem,
  contradiction: Float64Array,
): { joints: { name: string; open: number }[]; bodies: string[] } {
  const open = plan.model.joints.map(({ name }, joint) => {
    const own = plan.blocks.filter((block) => block.joint === joint);
    const rates = own.flatMap(({ firstRow, rows }) =>
      Array.from(contradiction.subarray(firstRow, firstRow + rows), Math.abs),
    );
    return { name, open: Math.max(0, ...rates), bodies: own.flatMap(({ bodies }) => bodies) };
  });
  open.sort((a, b) => b.open - a.open);
  const most = open[0]?.open ?? 0;
  const joints = open.filter((each) => each.open > 1e-3 * most).slice(0, 5);
  const near = new Set(joints.flatMap(({ bodies }) => bodies).filter((body) => body !== GROUND));
  const given = plan.model.bodies.filter((body) => body.velocity ?? body.angularVelocity);
  const among = given.filter((body) => near.has(plan.model.bodies.indexOf(body)));
  const bodies = (among.length > 0 ? among : given).map(({ name }) => name);
  return { joints, bodies };
}

// Rows that are not linear in velocities, as vx^2 + vy^2 - vz^2, may have a zero derivative at the initial state: at
// rest. No force then holds them, and the rank found at the initial state would omit them for good. So such a state is
// rejected.

class IdleRows {
  readonly #system: BodySystem;
  readonly #force: Address;
  readonly #row: Address;
  #rows = new Float64Array(0);

  /** Reserves memory. Call before the system is sealed. */
  constructor(system: BodySystem) {
    const { workspace } = system;
    this.#system = system;
    this.#force = workspace.vector("force of a row on velocities", system.coordinates.velocities);
    const row = workspace.reserve("multipliers of a row on velocities", system.constraints.rows);
    this.#row = row.address;
    workspace.whenSealed((arena) => {
      this.#rows = arena.floats(row);
    });
  }

  /** Throws if such a row has a zero derivative at the trial state. */
  check(): void {
    const { areRowsNonlinear, plan, constraints, coordinates, workspace } = this.#system;
    if (!areRowsNonlinear) return;
    const { blocks, model } = plan;
    for (const { block, firstRow, joint } of blocks) {
      if (!block.user?.areNonlinear) continue;
      block.user.names.forEach((name, i) => {
        this.#rows.fill(0);
        this.#rows[firstRow + i] = 1;
        constraints.jacobianTransposeTimes(this.#row, this.#force);
        const { kernels } = workspace;
        if (kernels.largestMagnitude(coordinates.velocities, this.#force) > 0) return;
        throw new NodriftError(
          "SINGULAR",
          `constraint "${model.joints[joint]!.name}": the row "${name}" is not linear in velocities, and does not change with them ` +
            "at the start, so that no force can hold it: give bodies velocities at which it holds and changes",
        );
      });
    }
  }
}

/** Changes of the given initial state by assembly. */
export interface AssemblyReport {
  /** Largest remaining error of position constraints. */
  readonly residual: number;
  /** Largest remaining error of velocity constraints. */
  readonly velocityResidual: number;
  /** Largest change of a coordinate. */
  readonly moved: number;
  /** Changes, body by body. */
  readonly bodies: readonly BodyCorrection[];
}

/** Displacement of a body by assembly. */
export interface BodyCorrection {
  /** Name of the body. */
  readonly name: string;
  /** Displacement of its origin, in metres. */
  readonly moved: number;
  /** Rotation, in radians. */
  readonly turned: number;
  /** Difference of its velocity from the given one; undefined if none was given. */
  readonly velocity: number | undefined;
  /** Difference of its angular velocity from the given one; undefined if none was given. */
  readonly angularVelocity: number | undefined;
}

/**
 * Returns a typical length of the model: half the largest distance between its points. If there is only one point: the
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

/** A model whose initial state is to be found. */
export interface InitialStateInput {
  readonly plan: Plan;
  readonly length: number;
  readonly time: number;
  readonly options: StartOptions;
  readonly make: (plan: Plan) => BodySystem;
  /** Reserves more memory in the system, for later use. */
  readonly prepare?: (system: BodySystem) => void;
}

export interface InitialState {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly assembly: AssemblyReport;
}

/** Returns the initial state of a model. Angles and couplings of the plan continue from it. */
export function initialStateOf(starting: InitialStateInput): InitialState {
  const { plan, length, time, options, make } = starting;
  const system = make(geometric(plan, length));
  const positions = new PositionAssembler(system, length);
  const velocities = new VelocityAssembler(system, length);
  const idle = new IdleRows(system);
  starting.prepare?.(system);
  const arena = system.workspace.seal();
  const slots = system.coordinates.positions + system.coordinates.velocities;
  const state = arena.floats({ name: "start", address: system.state.q, slots });
  const given = givenState(system.plan.model);
  state.set([...given.q, ...given.v]);
  startAnglesAtDrives(plan, system.arrays.data, time);
  holdCouplings(system, time);
  carryCouplings({ ...plan, data: system.arrays.data }, plan);
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
  keepAngles(plan, system.arrays.data);
  const found = inTheModel(
    plan.model,
    system,
    state,
    ({ name }) => !wasMoved || held?.has(name) === true,
  );
  setInitialVelocities(completed(plan.model.bodies, read), found.q, found.v, isHeld);
  const left = constraintErrors(system, time);
  idle.check();
  let changes: BodyCorrection[] | undefined;
  return {
    ...found,
    assembly: {
      residual: Math.max(residual, left.residual),
      velocityResidual: left.velocityResidual,
      moved: before.reduce((most, x, i) => Math.max(most, Math.abs(x - (state[i] as number))), 0),
      // Reports read it, other programs do not.
      get bodies() {
        const { bodies } = plan.model;
        changes ??= changesOf(bodies.slice(0, movingBodies(bodies)), found);
        return changes;
      },
    },
  };
}

/** Keeps the given velocities unchanged, and sets the others to zero. */
function keepAll(system: BodySystem, state: Float64Array): readonly BodyData[] {
  const { bodies } = system.plan.model;
  setInitialVelocities(bodies, state, state.subarray(system.coordinates.positions));
  return bodies;
}

function closePositions(
  { length, time }: InitialStateInput,
  system: BodySystem,
  positions: PositionAssembler,
  state: Float64Array,
  held: ReadonlySet<string> | undefined,
): number {
  const { masses } = system.arrays;
  const free = masses.slice();
  const { bodies } = system.plan.model;
  zeroHeldInverseMasses(masses, free, (body) => {
    const isHeld = held?.has(bodies[body]!.name) ?? false;
    return { linear: isHeld, angular: isHeld };
  });
  const enough = Math.max(CONSTRAINT_TOLERANCE, MISFIT_TOLERANCE * length);
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
  { time, options }: InitialStateInput,
  system: BodySystem,
  velocities: VelocityAssembler,
  isHeld: IsHeld,
): readonly BodyData[] {
  const { bodies, contradiction, impossible } = velocities.run(time, isHeld);
  if (contradiction) throw contradicted(system, time, contradiction, options.hold !== undefined);
  if (impossible) throw openJoints(system, time, "velocities");
  return bodies;
}

/**
 * Converts the state to the coordinates of the model, those of centres of mass. Poses that are kept have the bits of
 * the given ones.
 */
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
  const found = referTo(system.plan.model.bodies, model.bodies, q, v);
  const given = givenState(model).q;
  for (const [body, data] of model.bodies.entries()) {
    const at = BODY_POSITIONS * body;
    if (isKept(data)) found.q.set(given.slice(at, at + BODY_POSITIONS), at);
  }
  return found;
}

/** Returns the bodies of the model with the velocities of the interpretation. */
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
  { q, v }: Omit<InitialState, "assembly">,
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

/** Options for the initial state of a model. */
export interface StartOptions {
  /**
   * "assemble" closes the joints and computes velocities that were not given. "asGiven" uses the data unchanged, with
   * zero for missing velocities: for states from elsewhere that close only approximately. Default: "assemble".
   */
  readonly start?: "assemble" | "asGiven";
  /**
   * Names of bodies that keep their given pose and velocity exactly; the others come as near to the given values as
   * the joints allow. An empty list holds nothing. Default: no pose is held, and every given velocity is.
   */
  readonly hold?: readonly string[];
}

export const START_SHAPE: Shape<StartOptions> = {
  start: oneOf("assemble", "asGiven"),
  hold: listOf(text, "a list of names of bodies"),
};

/** Rejects contradictory options, and names of bodies that the model does not have. */
export function checkStart({ start, hold }: StartOptions, { name, bodies }: ModelData): void {
  const where = `${name}: compile`;
  if (hold === undefined) return;
  if (start === "asGiven") {
    throw descriptionError(
      where,
      'start: "asGiven" changes nothing, so `hold` has no effect: drop one of the two',
    );
  }
  const names = bodies.map((body) => body.name);
  for (const each of hold) {
    if (!names.includes(each)) {
      throw descriptionError(where, `hold: no body is named "${each}"${hint(each, names)}`);
    }
  }
}
