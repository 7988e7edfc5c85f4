// Rows and forces that are user functions. They receive bodies as views that are filled here.

import { BODY_VELOCITIES, BodyFrame } from "../../../../assembly/layout-bodies.js";
import { cosine, sine } from "../../../base/algebra/portable-trigonometry.js";
import { writeQuaternion } from "../../../base/algebra/vectors.js";
import type { Arena, Floats } from "../../../base/memory/arena.js";
import type { BodyData, BodyMotion, UserForceFunction } from "../../../model/model-data.js";
import type { QuantityReader } from "../../../model/quantity-reader.js";
import type { BodyArrays, BodySegments } from "../memory/memory.js";
import type { Plan } from "../plan/plan.js";
import { MechanismReader } from "./mechanism-reader.js";
import { UserRowDifferences } from "./user-rows.js";

// Rotations in TypeScript, on arrays: for user functions and for queries. Matrices are 3 x 3, column-major, Euler
// parameters scalar first.

/** out = R x. out must not be x. */
function times(r: ArrayLike<number>, x: ArrayLike<number>, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    out[i] =
      (r[i] as number) * (x[0] as number) +
      (r[3 + i] as number) * (x[1] as number) +
      (r[6 + i] as number) * (x[2] as number);
  }
}

/** out = R^T x. out must not be x. */
function timesTransposed(r: ArrayLike<number>, x: ArrayLike<number>, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    out[i] =
      (r[3 * i] as number) * (x[0] as number) +
      (r[3 * i + 1] as number) * (x[1] as number) +
      (r[3 * i + 2] as number) * (x[2] as number);
  }
}

/** out = x x y. out must not be x or y. */
function cross(x: ArrayLike<number>, y: ArrayLike<number>, out: Float64Array): void {
  const [x0, x1, x2] = [x[0] as number, x[1] as number, x[2] as number];
  const [y0, y1, y2] = [y[0] as number, y[1] as number, y[2] as number];
  out[0] = x1 * y2 - x2 * y1;
  out[1] = x2 * y0 - x0 * y2;
  out[2] = x0 * y1 - x1 * y0;
}

/** out = point - arm. */
function poseOf(point: ArrayLike<number>, arm: ArrayLike<number>, out: Float64Array): void {
  for (let i = 0; i < 3; i++) out[i] = (point[i] as number) - (arm[i] as number);
}

const turn = new Float64Array(9);

/** A frame moved by scale d (world) and rotated by scale w (its own axes): rotation and point. */
function displacedPose(
  frame: ArrayLike<number>,
  d: ArrayLike<number>,
  w: ArrayLike<number>,
  scale: number,
  rotation: Float64Array,
  point: Float64Array,
): void {
  setTurn(scale * (w[0] as number), scale * (w[1] as number), scale * (w[2] as number));
  for (let row = 0; row < 3; row++) {
    const x = frame[BodyFrame.ROTATION + row] as number;
    const y = frame[BodyFrame.ROTATION + row + 3] as number;
    const z = frame[BodyFrame.ROTATION + row + 6] as number;
    for (let k = 0; k < 9; k += 3) {
      rotation[row + k] =
        x * (turn[k] as number) + y * (turn[k + 1] as number) + z * (turn[k + 2] as number);
    }
    point[row] = (frame[BodyFrame.POINT + row] as number) + scale * (d[row] as number);
  }
}

/** Rodrigues' formula: the rotation by a vector. */
function setTurn(x: number, y: number, z: number): void {
  const square = x * x + y * y + z * z;
  const angle = Math.sqrt(square);
  const s = angle < 1e-4 ? 1 - square / 6 : sine(angle) / angle;
  const c = angle < 1e-4 ? 0.5 - square / 24 : (1 - cosine(angle)) / square;
  turn[0] = 1 - c * (y * y + z * z);
  turn[1] = s * z + c * x * y;
  turn[2] = -s * y + c * x * z;
  turn[3] = -s * z + c * x * y;
  turn[4] = 1 - c * (x * x + z * z);
  turn[5] = s * x + c * y * z;
  turn[6] = s * y + c * x * z;
  turn[7] = -s * x + c * y * z;
  turn[8] = 1 - c * (x * x + y * y);
}

/** A body as passed to user functions: arrays that are rewritten before each call. */
class GivenBody implements BodyMotion {
  readonly position = new Float64Array(3);
  readonly orientation = new Float64Array(4);
  readonly rotation = new Float64Array(9);
  readonly velocity = new Float64Array(3);
  readonly angularVelocity = new Float64Array(3);
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);
}

/** A body's motion: its source, and the copy that functions receive and may overwrite. */
export class BodyViews {
  readonly given = Object.freeze(new GivenBody());
  readonly #position = new Float64Array(3);
  readonly #orientation = new Float64Array(4);
  readonly #rotation = new Float64Array(9);
  readonly #velocity = new Float64Array(3);
  readonly #angularVelocity = new Float64Array(3);
  /** Centre of mass minus origin, world. */
  readonly #arm = new Float64Array(3);
  readonly #centre: Float64Array;
  readonly #scratch = new Float64Array(3);

  constructor(
    readonly frame: Floats,
    centre: readonly number[],
  ) {
    this.#centre = Float64Array.from(centre);
  }

  /** Loads the present pose and velocity. */
  fill(): void {
    const { frame } = this;
    for (let i = 0; i < 9; i++) this.#rotation[i] = frame[BodyFrame.ROTATION + i] as number;
    writeQuaternion(this.#rotation, this.#orientation);
    times(this.#rotation, this.#centre, this.#arm);
    for (let i = 0; i < 3; i++) {
      this.#position[i] = (frame[BodyFrame.POINT + i] as number) - (this.#arm[i] as number);
      this.#angularVelocity[i] = frame[BodyFrame.OMEGA + i] as number;
    }
    cross(this.#angularVelocity, this.#arm, this.#scratch);
    for (let i = 0; i < 3; i++) {
      this.#velocity[i] = (frame[BodyFrame.VELOCITY + i] as number) - (this.#scratch[i] as number);
    }
  }

  /** Moves the pose: r by d (world), then the body rotates by the vector `turn` (its own axes). */
  displace(d: ArrayLike<number>, turn: ArrayLike<number>, scale: number): void {
    displacedPose(this.frame, d, turn, scale, this.#rotation, this.#position);
    writeQuaternion(this.#rotation, this.#orientation);
    times(this.#rotation, this.#centre, this.#arm);
    poseOf(this.#position, this.#arm, this.#position);
  }

  /** Writes the arrays for the next function. */
  give(): void {
    const { given } = this;
    given.position.set(this.#position);
    given.orientation.set(this.#orientation);
    given.rotation.set(this.#rotation);
    given.velocity.set(this.#velocity);
    given.angularVelocity.set(this.#angularVelocity);
    given.force.fill(0);
    given.torque.fill(0);
  }

  /** Adds the load, about the centre of mass and in coordinates. */
  addTo(loads: Float64Array, offset: number): void {
    const { force, torque } = this.given;
    cross(this.#arm, force, this.#scratch);
    for (let i = 0; i < 3; i++) {
      loads[offset + i] = (loads[offset + i] as number) + (force[i] as number);
      // Torque about the centre of mass of a force at the origin: -arm x F.
      torque[i] = (torque[i] as number) - (this.#scratch[i] as number);
    }
    timesTransposed(this.#rotation, torque, this.#scratch);
    for (let i = 0; i < 3; i++) {
      loads[offset + 3 + i] = (loads[offset + 3 + i] as number) + (this.#scratch[i] as number);
    }
  }
}

/** A user force and its bodies. */
interface BoundForce {
  readonly apply: UserForceFunction | undefined;
  readonly views: readonly BodyViews[];
  readonly given: readonly GivenBody[];
  readonly slots: readonly number[];
}

/** Forces and rows by functions of the user, and the reader that these and others get. */
export class MechanismFunctions {
  #rows: readonly UserRowDifferences[] = [];
  #forces: readonly BoundForce[] = [];
  #loads: Floats = new Float64Array(0);
  #read!: QuantityReader;

  /** Reads quantities at the trial state. */
  get reader(): QuantityReader {
    return this.#read;
  }

  get hasRows(): boolean {
    return this.#rows.length > 0;
  }

  get hasForces(): boolean {
    return this.#forces.length > 0;
  }

  attach(plan: Plan, arena: Arena, segments: BodySegments, arrays: BodyArrays): void {
    const { model, blocks, sparse } = plan;
    const { v: velocities } = arrays;
    this.#read = new MechanismReader(plan, arrays);
    const frames = arena.floats(segments.frames);
    const jacobian = arena.floats(segments.jacobian);
    this.#loads = arena.floats(segments.forces);
    const all = model.bodies.map(
      ({ centre }, body) =>
        new BodyViews(
          frames.subarray(BodyFrame.LENGTH * body, BodyFrame.LENGTH * (body + 1)),
          centre,
        ),
    );
    const viewsOf = (bodies: readonly number[]) => bodies.map((body) => all[body] as BodyViews);
    this.#forces = model.userForces.map(({ bodies, apply }) => {
      const views = viewsOf(bodies);
      const slots = bodies.map((body) => BODY_VELOCITIES * body);
      return { apply, views, given: Object.freeze(views.map(({ given }) => given)), slots };
    });
    const size = extentOf(model.bodies);
    const part = (name: "phi" | "phiDot" | "gamma", first: number, rows: number) =>
      arena.floats(segments[name]).subarray(first, first + rows);
    this.#rows = blocks.flatMap(({ block, bodies, firstRow, rows }, index) => {
      if (!block.user?.value) return [];
      return new UserRowDifferences(block.user.value, rows, size, {
        views: viewsOf(bodies),
        velocities: bodies.map((body) =>
          velocities.subarray(BODY_VELOCITIES * body, BODY_VELOCITIES * (body + 1)),
        ),
        phi: part("phi", firstRow, rows),
        phiDot: part("phiDot", firstRow, rows),
        gamma: part("gamma", firstRow, rows),
        blocks: (sparse.jacobianSlotOf[index] ?? []).map((slot) =>
          jacobian.subarray(slot, slot + BODY_VELOCITIES * rows),
        ),
      });
    });
  }

  /** Adds the loads of one user force. Frames hold velocities. */
  addForce(t: number, force: number): void {
    const { apply, views, given, slots } = this.#forces[force] as BoundForce;
    for (const view of views) {
      view.fill();
      view.give();
    }
    apply?.(given, given, t, this.#read);
    for (let i = 0; i < views.length; i++) {
      (views[i] as BodyViews).addTo(this.#loads, slots[i] as number);
    }
  }

  /** Evaluates values, Jacobian, rate and gamma of the user rows. */
  evaluateRows(t: number, jacobian: boolean, rates: boolean): void {
    for (const rows of this.#rows) rows.evaluate(t, jacobian, rates);
  }
}

/**
 * Mechanisms whose distance from the origin exceeds this many of their sizes are far away; the distance does not count
 * as size.
 */
const FAR_DISTANCE_SIZES = 16;
/** Minimum step as a fraction of the size: differences then keep seven digits despite the spacing of coordinates. */
const MIN_STEP_FRACTION = 2 ** -20;

/**
 * The largest size of a body or distance from the origin, rounded to a power of two so that it can be added to
 * positions without rounding: the scale against which displacements are small. Far from the origin, distances between
 * bodies are used instead of those from it.
 */
function extentOf(bodies: readonly BodyData[]): number {
  const moving = bodies.filter(({ states }) => states === undefined);
  const gyration = moving.map(({ mass, inertia: [x = 0, , , , y = 0, , , , z = 0] }) =>
    Math.sqrt((x + y + z) / (2 * mass)),
  );
  const ranges = [0, 1, 2].map((i) => {
    const along = moving.map(({ position }) => position[i]!);
    return along.length === 0 ? 0 : Math.max(...along) - Math.min(...along);
  });
  const distance = Math.max(0, ...moving.flatMap(({ position }) => position.map(Math.abs)));
  const own = Math.max(0, ...gyration, ...ranges);
  const isFar = own > 0 && distance > FAR_DISTANCE_SIZES * own;
  const extent = isFar
    ? Math.max(own, MIN_STEP_FRACTION * distance)
    : Math.max(distance, ...gyration);
  let size = 1;
  while (size < extent) size *= 2;
  while (size > extent && extent > 0) size /= 2;
  return size;
}
