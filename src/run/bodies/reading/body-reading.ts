import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import type { BodyData, Matrix, Quaternion, Vector } from "../../../describe/model/model-data.js";
import { hint, show, type VectorLike, vector } from "../../../describe/model/option-checks.js";
import {
  add,
  cross,
  dot,
  normalised,
  scale,
  subtract,
  threeAt,
  times,
  transposeTimes,
  ZERO,
} from "../../../ground/algebra/vectors.js";
import { isList } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import { type PoseAndRates, velocityAt } from "../probe/pose-reading.js";
import type { ReadContext } from "../reactions/joint-reading.js";

/** What {@link BodyReading.read} writes: the readings of the same names. */
export type BodyQuantity =
  | "position"
  | "orientation"
  | "rotation"
  | "centreOfMass"
  | "velocity"
  | "angularVelocity"
  | "centreVelocity";

/** What takes numbers: an array of yours. */
export type NumberArray = Float32Array | Float64Array | number[];

/** How many numbers each quantity has. */
const LENGTHS: Readonly<Record<BodyQuantity, number>> = {
  position: 3,
  orientation: 4,
  rotation: 9,
  centreOfMass: 3,
  velocity: 3,
  angularVelocity: 3,
  centreVelocity: 3,
};

/** Scratch of {@link BodyReading.read}: R by columns, then an arm or an angular velocity in the world. */
const frame = new Float64Array(12);

/** Vectors of a body in its own axes. */
export interface BodyAxesVectors {
  /** Velocity of the origin of the body's frame. */
  readonly velocity: Vector;
  /** Angular velocity. */
  readonly angularVelocity: Vector;
  /** Acceleration of the origin of the body's frame. */
  readonly acceleration: Vector;
  /** Angular acceleration. */
  readonly angularAcceleration: Vector;
}

/**
 * A body of a simulation, in the world. A live view: keep it and read it again after steps. Vectors are copies.
 * Accelerations solve for the motion of all bodies, once per state; everything else costs a few products.
 *
 * @example
 * const rod = simulation.body("rod");
 * simulation.runTo(1);
 * console.log(rod.position, rod.velocity, rod.point([0.5, 0, 0]));
 */
export class BodyReading {
  /** Its name in the model. */
  readonly name: string;
  readonly #context: ReadContext;
  readonly #index: number;

  constructor(context: ReadContext, index: number) {
    this.#context = context;
    this.#index = index;
    this.name = this.#data.name;
  }

  /** Its mass. */
  get mass(): number {
    return this.#data.mass;
  }

  get #data(): BodyData {
    return this.#context.model.data.bodies[this.#index]!;
  }

  /** Origin of the body's frame. */
  get position(): Vector {
    return this.#pose().position;
  }

  /** Euler parameters of length 1, scalar first. */
  get orientation(): Quaternion {
    const { q } = this.#context.present();
    return normalised([...q.subarray(7 * this.#index + 3, 7 * this.#index + 7)]);
  }

  /** 3 x 3 by columns: the axes of the body. */
  get rotation(): Matrix {
    return this.#pose().rotation;
  }

  /** Centre of mass. */
  get centreOfMass(): Vector {
    return this.#pose().centre;
  }

  /** Velocity of the origin of the body's frame. */
  get velocity(): Vector {
    const pose = this.#pose();
    return velocityAt(pose, pose.position);
  }

  /** Angular velocity. */
  get angularVelocity(): Vector {
    return this.#pose().omega;
  }

  /**
   * Acceleration of the origin of the body's frame: r'' = c'' - w' x arm - w x (w x arm), where the arm goes from the
   * origin to the centre of mass c.
   */
  get acceleration(): Vector {
    const { arm, omega } = this.#pose();
    const turning = add(cross(this.angularAcceleration, arm), cross(omega, cross(omega, arm)));
    return subtract(this.centreAcceleration, turning);
  }

  /** Velocity of the centre of mass. */
  get centreVelocity(): Vector {
    return this.#pose().velocity;
  }

  /** Acceleration of the centre of mass. */
  get centreAcceleration(): Vector {
    return threeAt(this.#context.reactions.accelerations(), BODY_VELOCITIES * this.#index);
  }

  /** Angular acceleration: R w', as R' w = R (w x w) = 0. */
  get angularAcceleration(): Vector {
    const own = threeAt(this.#context.reactions.accelerations(), BODY_VELOCITIES * this.#index + 3);
    return times(this.#pose().rotation, own);
  }

  /** Velocities and accelerations in the axes of the body. */
  get inBodyAxes(): BodyAxesVectors {
    const { rotation } = this.#pose();
    return {
      velocity: transposeTimes(rotation, this.velocity),
      angularVelocity: transposeTimes(rotation, this.angularVelocity),
      acceleration: transposeTimes(rotation, this.acceleration),
      angularAcceleration: transposeTimes(rotation, this.angularAcceleration),
    };
  }

  /**
   * Writes a reading into an array of yours, from a place on, and returns the array: the same numbers as the reading of that name, and nothing is
   * allocated. For pages that read many bodies in every frame.
   *
   * @example
   * const tip = new Float64Array(3);
   * simulation.body("rod").read("position", tip);
   *
   * @example
   * simulation.bodies.forEach((name, i) => simulation.body(name).read("orientation", quaternions, 4 * i));
   */
  read<T extends NumberArray>(quantity: BodyQuantity, out: T, offset = 0): T {
    // A list as a key would become text first, which may be longer than texts can be.
    const count = typeof quantity === "string" ? LENGTHS[quantity] : undefined;
    if (
      count === undefined ||
      !isList(out) ||
      !(Number.isInteger(offset) && offset >= 0 && offset + count <= out.length)
    ) {
      this.#refuse(quantity, out, offset);
    }
    const present = this.#context.present();
    const { q, v } = present;
    const at = BODY_POSITIONS * this.#index;
    const rate = BODY_VELOCITIES * this.#index;
    switch (quantity) {
      case "centreOfMass":
        return copied(q, at, 3, out, offset);
      case "centreVelocity":
        return copied(v, rate, 3, out, offset);
      case "orientation":
        return written(q, at + 3, out, offset);
      default:
    }
    turn(q, at + 3);
    if (quantity === "rotation") return copied(frame, 0, 9, out, offset);
    const omega = quantity !== "position";
    if (omega) turned(v[rate + 3]!, v[rate + 4]!, v[rate + 5]!);
    if (quantity === "angularVelocity") return copied(frame, 9, 3, out, offset);
    const wx = frame[9]!;
    const wy = frame[10]!;
    const wz = frame[11]!;
    const { centre } = this.#data;
    turned(centre[0], centre[1], centre[2]);
    // The arm goes from the origin to the centre of mass: r = c - arm, and r' = c' + w x (r - c).
    for (let i = 0; i < 3; i++) frame[i] = q[at + i]! - frame[9 + i]! + 0;
    if (!omega) return copied(frame, 0, 3, out, offset);
    const x = frame[0]! - q[at]!;
    const y = frame[1]! - q[at + 1]!;
    const z = frame[2]! - q[at + 2]!;
    out[offset] = v[rate]! + (wy * z - wz * y) + 0;
    out[offset + 1] = v[rate + 1]! + (wz * x - wx * z) + 0;
    out[offset + 2] = v[rate + 2]! + (wx * y - wy * x) + 0;
    return out;
  }

  #refuse(quantity: unknown, out: unknown, offset: unknown): never {
    const where = `body "${this.name}": read`;
    const known = Object.keys(LENGTHS);
    if (!known.includes(quantity as string)) {
      throw new NodriftError(
        "DESCRIPTION",
        `${where}: there is no ${show(quantity)}${hint(quantity, known)}`,
      );
    }
    if (!isList(out)) {
      throw new NodriftError("STEP", `${where}: out is ${show(out)}; give an array of numbers`);
    }
    throw new NodriftError(
      "STEP",
      `${where}: ${quantity} has ${LENGTHS[quantity as BodyQuantity]} numbers, which do not fit from ${show(offset)} on into an array of ${out.length}`,
    );
  }

  /** Kinetic energy, of translation and rotation. */
  get kineticEnergy(): number {
    const { velocity, ownOmega } = this.#pose();
    const { mass, inertia } = this.#data;
    return (mass * dot(velocity, velocity) + dot(ownOmega, times(inertia, ownOmega))) / 2;
  }

  /** Potential energy of its weight: zero where the centre of mass is at the height of the world's origin. */
  get potentialEnergy(): number {
    return -this.mass * dot(this.#context.model.data.gravity, this.#pose().centre);
  }

  /** Linear momentum. */
  get momentum(): Vector {
    return scale(this.mass, this.#pose().velocity);
  }

  /** Angular momentum about the origin of the world, or another point: (c - p) x m c' + R I w. */
  angularMomentum(about: VectorLike = ZERO): Vector {
    const { centre, velocity, rotation, ownOmega } = this.#pose();
    const point = vector(`body "${this.name}"`, "the point of the angular momentum", about);
    const spin = times(rotation, times(this.#data.inertia, ownOmega));
    return add(cross(subtract(centre, point), scale(this.mass, velocity)), spin);
  }

  /** Where a point given in the body's frame is in the world. */
  point(own: VectorLike): Vector {
    const { position, rotation } = this.#pose();
    return add(position, times(rotation, this.#checked(own)));
  }

  /** Velocity of a point given in the body's frame. */
  pointVelocity(own: VectorLike): Vector {
    return velocityAt(this.#pose(), this.point(own));
  }

  #checked(point: VectorLike): Vector {
    return vector(`body "${this.name}"`, "the point", point);
  }

  #pose(): PoseAndRates {
    return this.#context.poseOf(this.#index);
  }
}

/** Numbers of one array into another. */
function copied<T extends NumberArray>(
  from: Float64Array,
  at: number,
  count: number,
  out: T,
  offset: number,
): T {
  for (let i = 0; i < count; i++) out[offset + i] = from[at + i]! + 0;
  return out;
}

/** Euler parameters at a place, divided by their length. */
function written<T extends NumberArray>(q: Float64Array, at: number, out: T, offset: number): T {
  const length = Math.sqrt(
    q[at]! * q[at]! + q[at + 1]! * q[at + 1]! + q[at + 2]! * q[at + 2]! + q[at + 3]! * q[at + 3]!,
  );
  for (let i = 0; i < 4; i++) out[offset + i] = q[at + i]! / length + 0;
  return out;
}

/** R of the Euler parameters at a place, into the scratch. */
function turn(q: Float64Array, at: number): void {
  written(q, at, frame, 8);
  const w = frame[8]!;
  const x = frame[9]!;
  const y = frame[10]!;
  const z = frame[11]!;
  frame[0] = 2 * (w * w + x * x) - 1;
  frame[1] = 2 * (x * y + w * z);
  frame[2] = 2 * (x * z - w * y);
  frame[3] = 2 * (x * y - w * z);
  frame[4] = 2 * (w * w + y * y) - 1;
  frame[5] = 2 * (y * z + w * x);
  frame[6] = 2 * (x * z + w * y);
  frame[7] = 2 * (y * z - w * x);
  frame[8] = 2 * (w * w + z * z) - 1;
}

/** R a, into the scratch behind R. */
function turned(x: number, y: number, z: number): void {
  for (let i = 0; i < 3; i++) {
    frame[9 + i] = frame[i]! * x + frame[i + 3]! * y + frame[i + 6]! * z + 0;
  }
}
