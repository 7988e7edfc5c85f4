import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import type { BodyData, Matrix, Quaternion, Vector } from "../../../describe/model/model-data.js";
import { type VectorLike, vector } from "../../../describe/model/option-checks.js";
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
import { type PoseAndRates, velocityAt } from "../probe/pose-reading.js";
import type { ReadContext } from "../reactions/joint-reading.js";

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
