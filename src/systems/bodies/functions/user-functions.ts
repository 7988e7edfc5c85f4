// Rows and forces that are user functions. They see bodies as views that are filled here.

import { BODY_VELOCITIES, BodyFrame } from "../../../../assembly/layout-bodies.js";
import type {
  BodyData,
  BodyMotion,
  UserForceFunction,
} from "../../../describe/model/model-data.js";
import type { QuantityReader } from "../../../describe/model/quantity-reader.js";
import { writeQuaternion } from "../../../ground/algebra/vectors.js";
import type { Arena } from "../../../ground/memory/arena.js";
import type { BodySegments } from "../memory/memory.js";
import type { Plan } from "../plan/plan.js";
import { cross, displacedPose, poseOf, times, timesTransposed } from "./pose.js";
import { UserRowDifferences } from "./user-rows.js";

type Floats = Float64Array<ArrayBuffer>;

/** A body's views, and what they are filled from. */
export class BodyViews implements BodyMotion {
  readonly position = new Float64Array(3);
  readonly orientation = new Float64Array(4);
  readonly rotation = new Float64Array(9);
  readonly velocity = new Float64Array(3);
  readonly angularVelocity = new Float64Array(3);
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);
  /** Centre of mass minus origin, world. */
  readonly arm = new Float64Array(3);
  readonly #centre: Float64Array;
  readonly #scratch = new Float64Array(3);

  constructor(
    readonly frame: Floats,
    centre: readonly number[],
  ) {
    this.#centre = Float64Array.from(centre);
  }

  /** Fills the views from the present pose and velocity. */
  fill(): void {
    const { frame } = this;
    for (let i = 0; i < 9; i++) this.rotation[i] = frame[BodyFrame.ROTATION + i] as number;
    writeQuaternion(this.rotation, this.orientation);
    times(this.rotation, this.#centre, this.arm);
    for (let i = 0; i < 3; i++) {
      this.position[i] = (frame[BodyFrame.POINT + i] as number) - (this.arm[i] as number);
      this.angularVelocity[i] = frame[BodyFrame.OMEGA + i] as number;
    }
    cross(this.angularVelocity, this.arm, this.#scratch);
    for (let i = 0; i < 3; i++) {
      this.velocity[i] = (frame[BodyFrame.VELOCITY + i] as number) - (this.#scratch[i] as number);
    }
  }

  /** Moves the pose: r by d (world), then the body turns by the vector `turn` (its own axes). */
  displace(d: ArrayLike<number>, turn: ArrayLike<number>, scale: number): void {
    displacedPose(this.frame, d, turn, scale, this.rotation, this.position);
    writeQuaternion(this.rotation, this.orientation);
    times(this.rotation, this.#centre, this.arm);
    poseOf(this.position, this.arm, this.position);
  }

  /** The load, about the centre of mass and in coordinates. */
  addTo(loads: Float64Array, offset: number): void {
    cross(this.arm, this.force, this.#scratch);
    for (let i = 0; i < 3; i++) {
      loads[offset + i] = (loads[offset + i] as number) + (this.force[i] as number);
      // Torque about the centre of mass of a force at the origin: -arm x F.
      this.torque[i] = (this.torque[i] as number) - (this.#scratch[i] as number);
    }
    timesTransposed(this.rotation, this.torque, this.#scratch);
    for (let i = 0; i < 3; i++) {
      loads[offset + 3 + i] = (loads[offset + 3 + i] as number) + (this.#scratch[i] as number);
    }
  }
}

/** A user force and the bodies it sees. */
interface BoundForce {
  readonly apply: UserForceFunction | undefined;
  readonly views: readonly BodyViews[];
  readonly slots: readonly number[];
}

export class UserFunctions {
  #rows: readonly UserRowDifferences[] = [];
  #forces: readonly BoundForce[] = [];
  #loads: Floats = new Float64Array(0);
  #read!: QuantityReader;

  get hasRows(): boolean {
    return this.#rows.length > 0;
  }

  get hasForces(): boolean {
    return this.#forces.length > 0;
  }

  attach(
    { model, blocks, sparse }: Plan,
    arena: Arena,
    segments: BodySegments,
    velocities: Floats,
    read: QuantityReader,
  ): void {
    this.#read = read;
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
    this.#forces = model.userForces.map(({ bodies, apply }) => ({
      apply,
      views: viewsOf(bodies),
      slots: bodies.map((body) => BODY_VELOCITIES * body),
    }));
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

  /** Adds the loads of one of the user's forces. Frames hold velocities. */
  addForce(t: number, force: number): void {
    const { apply, views, slots } = this.#forces[force] as BoundForce;
    for (const view of views) {
      view.fill();
      view.force.fill(0);
      view.torque.fill(0);
    }
    apply?.(views, views, t, this.#read);
    for (let i = 0; i < views.length; i++) {
      (views[i] as BodyViews).addTo(this.#loads, slots[i] as number);
    }
  }

  /** Values, Jacobian, rate and gamma of the user's rows. */
  evaluateRows(t: number, jacobian: boolean, rates: boolean): void {
    for (const rows of this.#rows) rows.evaluate(t, jacobian, rates);
  }
}

/** Mechanisms that lie further from the origin than this many of their sizes are far away, and no larger for it. */
const FAR = 16;
/** Steps stay so much longer than the spacing of coordinates that differences keep seven digits. */
const LEAST_PART = 2 ** -20;

/**
 * The largest size of a body or distance from the origin, rounded to a power of two so that it can be added to
 * positions without rounding: the scale that displacements are small against. Far from the origin, distances between bodies
 * in place of those from it.
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
  const isFar = own > 0 && distance > FAR * own;
  const extent = isFar ? Math.max(own, LEAST_PART * distance) : Math.max(distance, ...gyration);
  let size = 1;
  while (size < extent) size *= 2;
  while (size > extent && extent > 0) size /= 2;
  return size;
}
