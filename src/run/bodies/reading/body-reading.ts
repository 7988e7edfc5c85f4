import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
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
} from "../../../base/algebra/vectors.js";
import { isList } from "../../../base/checking/index.js";
import { hint, show, type VectorLike, vector } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import type { BodyData, Matrix, Quaternion, Vector } from "../../../model/model-data.js";
import { type PoseAndRates, velocityAt } from "../probe/pose-reading.js";
import type { ReadContext } from "../reactions/joint-reading.js";

/** Readings that {@link BodyReading.read} writes, by the same names. */
export type BodyQuantity =
  | "position"
  | "orientation"
  | "rotation"
  | "centreOfMass"
  | "velocity"
  | "angularVelocity"
  | "centreVelocity";

/** Array types that accept readings. */
export type NumberArray = Float32Array | Float64Array | number[];

/** Number of values of each quantity. */
const LENGTHS: Readonly<Record<BodyQuantity, number>> = {
  position: 3,
  orientation: 4,
  rotation: 9,
  centreOfMass: 3,
  velocity: 3,
  angularVelocity: 3,
  centreVelocity: 3,
};

/** Scratch memory of {@link BodyReading.read}: R, column-major, then an arm or an angular velocity in the world. */
const scratch = new Float64Array(12);

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
 * Accelerations solve for the motion of all bodies, once per state; all other readings cost a few products.
 *
 * @example
 * const rod = simulation.body("rod");
 * simulation.runTo(1);
 * console.log(rod.position, rod.velocity, rod.point([0.5, 0, 0]));
 */
export class BodyReading {
  /** Name in the model. */
  readonly name: string;
  readonly #context: ReadContext;
  readonly #index: number;

  constructor(context: ReadContext, index: number) {
    this.#context = context;
    this.#index = index;
    this.name = this.#data.name;
  }

  /** Mass of the body. */
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

  /** Normalised Euler parameters, scalar first. */
  get orientation(): Quaternion {
    const { q } = this.#context.present();
    return normalised([...q.subarray(7 * this.#index + 3, 7 * this.#index + 7)]);
  }

  /** Rotation matrix, 3 x 3, column-major: its columns are the axes of the body. */
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
   * Writes a reading into an array, from an offset on, and returns the array: the same values as the reading of that
   * name, without allocations. For pages that read many bodies in every frame.
   *
   * @example
   * const tip = new Float64Array(3);
   * simulation.body("rod").read("position", tip);
   *
   * @example
   * simulation.bodies.forEach((name, i) => simulation.body(name).read("orientation", quaternions, 4 * i));
   */
  read<T extends NumberArray>(quantity: BodyQuantity, out: T, offset = 0): T {
    // A list as a key would be converted to text first, which may exceed the length of a string.
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
        return writeOrientation(q, at + 3, out, offset);
      default:
    }
    writeRotation(q, at + 3);
    if (quantity === "rotation") return copied(scratch, 0, 9, out, offset);
    const omega = quantity !== "position";
    if (omega) writeRotated(v[rate + 3]!, v[rate + 4]!, v[rate + 5]!);
    if (quantity === "angularVelocity") return copied(scratch, 9, 3, out, offset);
    const wx = scratch[9]!;
    const wy = scratch[10]!;
    const wz = scratch[11]!;
    const { centre } = this.#data;
    writeRotated(centre[0], centre[1], centre[2]);
    // The arm goes from the origin to the centre of mass: r = c - arm, and r' = c' + w x (r - c).
    for (let i = 0; i < 3; i++) scratch[i] = q[at + i]! - scratch[9 + i]! + 0;
    if (!omega) return copied(scratch, 0, 3, out, offset);
    const x = scratch[0]! - q[at]!;
    const y = scratch[1]! - q[at + 1]!;
    const z = scratch[2]! - q[at + 2]!;
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

  /** Potential energy of the weight: zero if the centre of mass is at the height of the world's origin. */
  get potentialEnergy(): number {
    return -this.mass * dot(this.#context.model.data.gravity, this.#pose().centre);
  }

  /** Linear momentum. */
  get momentum(): Vector {
    return scale(this.mass, this.#pose().velocity);
  }

  /** Returns the angular momentum about the origin of the world, or another point: (c - p) x m c' + R I w. */
  angularMomentum(about: VectorLike = ZERO): Vector {
    const { centre, velocity, rotation, ownOmega } = this.#pose();
    const point = vector(`body "${this.name}"`, "the point of the angular momentum", about);
    const spin = times(rotation, times(this.#data.inertia, ownOmega));
    return add(cross(subtract(centre, point), scale(this.mass, velocity)), spin);
  }

  /** Returns the position, in the world, of a point given in the body's frame. */
  point(own: VectorLike): Vector {
    const { position, rotation } = this.#pose();
    return add(position, times(rotation, this.#checked(own)));
  }

  /** Returns the velocity of a point given in the body's frame. */
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

/** Copies values from one array to another. */
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

/** Writes the Euler parameters at an index, normalised. */
function writeOrientation<T extends NumberArray>(
  q: Float64Array,
  at: number,
  out: T,
  offset: number,
): T {
  const length = Math.sqrt(
    q[at]! * q[at]! + q[at + 1]! * q[at + 1]! + q[at + 2]! * q[at + 2]! + q[at + 3]! * q[at + 3]!,
  );
  for (let i = 0; i < 4; i++) out[offset + i] = q[at + i]! / length + 0;
  return out;
}

/** Writes R of the Euler parameters at an index into the scratch memory. */
function writeRotation(q: Float64Array, at: number): void {
  writeOrientation(q, at, scratch, 8);
  const w = scratch[8]!;
  const x = scratch[9]!;
  const y = scratch[10]!;
  const z = scratch[11]!;
  scratch[0] = 2 * (w * w + x * x) - 1;
  scratch[1] = 2 * (x * y + w * z);
  scratch[2] = 2 * (x * z - w * y);
  scratch[3] = 2 * (x * y - w * z);
  scratch[4] = 2 * (w * w + y * y) - 1;
  scratch[5] = 2 * (y * z + w * x);
  scratch[6] = 2 * (x * z + w * y);
  scratch[7] = 2 * (y * z - w * x);
  scratch[8] = 2 * (w * w + z * z) - 1;
}

/** Writes R a into the scratch memory, after R. */
function writeRotated(x: number, y: number, z: number): void {
  for (let i = 0; i < 3; i++) {
    scratch[9 + i] = scratch[i]! * x + scratch[i + 3]! * y + scratch[i + 6]! * z + 0;
  }
}
