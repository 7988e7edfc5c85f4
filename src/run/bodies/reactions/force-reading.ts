import {
  BODY_VELOCITIES,
  ForceKind,
  Sensor,
  SensorKind,
  Want,
} from "../../../../assembly/layout-bodies.js";
import { MotorData } from "../../../../assembly/layout-motor.js";
import {
  add,
  cross,
  dot,
  norm,
  subtract,
  threeAt,
  times,
  transposeTimes,
} from "../../../base/algebra/vectors.js";
import { hint } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import { actsOnSensor, forceMarkers } from "../../../model/kinds.js";
import { GROUND, type Vector } from "../../../model/model-data.js";
import { poseOfBody, poseOfMarker, velocityAt } from "../probe/pose-reading.js";
import type { ReadContext } from "./joint-reading.js";
import { type ReactionOptions, reactionOptions } from "./reaction-options.js";

/** Location of a force in a model: the list of force laws or that of user forces, and the index. */
export interface ForcePlace {
  readonly list: "forces" | "userForces";
  readonly index: number;
}

/** Measurements that are always defined, by the type of the handle. */
interface Measures {
  readonly spring: { readonly length: number; readonly lengthRate: number };
  readonly torsionSpring: { readonly angle: number; readonly angleRate: number };
  readonly motor: { readonly driveForce: number };
}

/** The reading of a force given by its handle. */
export type ForceReadingOf<Type extends string> = ForceReading &
  (Type extends keyof Measures ? Measures[Type] : unknown);

/**
 * A force of a simulation: spring, bushing, tyre, load or user force. A live view: keep it and read it again after
 * steps.
 *
 * @example
 * const strut = simulation.force("strut");
 * simulation.runTo(1);
 * console.log(strut.force({ on: "wheel" }), strut.length, strut.power, strut.energy);
 */
export class ForceReading {
  /** Name in the model. */
  readonly name: string;
  /** Method that created it, such as "spring". */
  readonly type: string;
  readonly #context: ReadContext;
  readonly #place: ForcePlace;

  constructor(context: ReadContext, place: ForcePlace) {
    const force = context.model.data[place.list][place.index]!;
    this.name = force.name;
    this.type = "type" in force ? force.type : "userForce";
    this.#context = context;
    this.#place = place;
  }

  /** Names of the bodies on which it acts; "ground" if the ground is one. */
  get bodies(): readonly string[] {
    const { bodies } = this.#context.model.data;
    return this.#touched().map((body) => (body === GROUND ? "ground" : bodies[body]!.name));
  }

  /**
   * Returns the force on a body, by default on the second.
   *
   * @example
   * simulation.force("strut").force({ on: "wheel", frame: "wheel" });
   */
  force(given: ReactionOptions = {}): Vector {
    const options = reactionOptions("force", this.#context.model.data, given);
    return this.#turned(this.#load(this.#bodyFor(options.on)).force, options.frame);
  }

  /**
   * Returns the torque on a body, about the point of the force there; for user forces about the origin of the body's
   * frame.
   */
  torque(given: ReactionOptions = {}): Vector {
    const options = reactionOptions("torque", this.#context.model.data, given);
    const body = this.#bodyFor(options.on);
    const { force, torque, centre } = this.#load(body);
    const arm = subtract(centre, this.#pointOn(body));
    return this.#turned(add(torque, cross(arm, force)), options.frame);
  }

  /** Power delivered to the bodies, negative if the force brakes them. */
  get power(): number {
    const { model } = this.#context;
    const present = this.#context.present();
    return this.#touched().reduce((sum, body) => {
      if (body === GROUND) return sum;
      const { force, torque } = this.#load(body);
      const { velocity, omega } = poseOfBody(model.data, present, body);
      return sum + dot(force, velocity) + dot(torque, omega);
    }, 0);
  }

  /** Potential energy of the spring; 0 without a spring. */
  get energy(): number {
    return this.#evaluated().potential;
  }

  /** Distance of the two points; undefined unless the force acts between two points. */
  get length(): number | undefined {
    const points = this.#points();
    return points && norm(subtract(points[1].point, points[0].point));
  }

  /** Rate of {@link length}. */
  get lengthRate(): number | undefined {
    const points = this.#points();
    if (points === undefined) return undefined;
    const between = subtract(points[1].point, points[0].point);
    const apart = norm(between);
    return apart === 0 ? 0 : dot(between, subtract(points[1].velocity, points[0].velocity)) / apart;
  }

  /** Angle on which it acts, in radians; undefined if it acts on none. */
  get angle(): number | undefined {
    return this.#sensed(SensorKind.ANGLE, Sensor.VALUE);
  }

  /** Rate of {@link angle}, in rad/s. */
  get angleRate(): number | undefined {
    return this.#sensed(SensorKind.ANGLE, Sensor.RATE);
  }

  /** Displacement of the joint on which it acts, in metres; undefined if it acts on none. */
  get displacement(): number | undefined {
    return this.#sensed(SensorKind.DISPLACEMENT, Sensor.VALUE);
  }

  /** Rate of {@link displacement}. */
  get displacementRate(): number | undefined {
    return this.#sensed(SensorKind.DISPLACEMENT, Sensor.RATE);
  }

  /** Torque or force of a motor at the joint, with sign; undefined for other forces. */
  get driveForce(): number | undefined {
    const { model, probe } = this.#context;
    const { list, index } = this.#place;
    if (list === "userForces" || model.data.forces[index]!.kind !== ForceKind.MOTOR)
      return undefined;
    this.#evaluated();
    const { data } = probe.system.arrays;
    return data[model.plan.forceSlots[index]! + MotorData.FORCE];
  }

  #sensed(kind: SensorKind, field: Sensor): number | undefined {
    const { model, probe } = this.#context;
    if (this.#place.list === "userForces") return undefined;
    const force = model.data.forces[this.#place.index]!;
    if (!actsOnSensor(force) || model.data.sensors[force.a]!.kind !== kind) return undefined;
    probe.load();
    probe.system.requireSensors(Want.PHI | Want.RATES);
    return probe.system.arrays.sensors[Sensor.LENGTH * force.a + field];
  }

  /** Returns the two points, and their motion. */
  #points() {
    const markers = this.#markers();
    if (markers.length !== 2 || this.#isAlongJoint) return undefined;
    const { model } = this.#context;
    const present = this.#context.present();
    const [a, b] = markers.map((marker) => {
      const { point } = poseOfMarker(model.data, present, marker);
      const { body } = model.data.markers[marker]!;
      return { point, velocity: velocityAt(poseOfBody(model.data, present, body), point) };
    });
    return [a!, b!] as const;
  }

  /** Whether it acts along a joint's angle or displacement. */
  get #isAlongJoint(): boolean {
    const { sensors, forces } = this.#context.model.data;
    if (this.#place.list === "userForces") return false;
    const force = forces[this.#place.index]!;
    return actsOnSensor(force) && sensors[force.a]!.kind !== SensorKind.LENGTH;
  }

  /** Returns the markers of a force law. */
  #markers(): readonly number[] {
    const { data } = this.#context.model;
    if (this.#place.list === "userForces") return [];
    return forceMarkers(data.forces[this.#place.index]!, data.sensors);
  }

  #touched(): readonly number[] {
    const { data } = this.#context.model;
    if (this.#place.list === "userForces") return data.userForces[this.#place.index]!.bodies;
    return [...new Set(this.#markers().map((marker) => data.markers[marker]!.body))];
  }

  #bodyFor(name: string | undefined): number {
    const touched = this.#touched();
    if (name === undefined) {
      if (this.#place.list === "forces" || touched.length === 1) return touched.at(-1)!;
      throw new NodriftError(
        "DESCRIPTION",
        `force "${this.name}" acts on ${this.bodies.join(" and ")}: say on which, as in force({ on: "${this.bodies[0]}" })`,
      );
    }
    const at = this.bodies.indexOf(name);
    if (at >= 0) return touched[at]!;
    throw new NodriftError(
      "DESCRIPTION",
      `force "${this.name}" does not act on "${name}"${hint(name, this.bodies)}`,
    );
  }

  /**
   * Returns the load on a body: force in the world, and torque about the centre of mass; on the ground about the
   * origin.
   */
  #load(body: number) {
    const { data, plan } = this.#context.model;
    const { loads } = this.#evaluated();
    const at = BODY_VELOCITIES * (body === GROUND ? plan.model.bodies.length : body);
    const { rotation, centre } = poseOfBody(data, this.#context.present(), body);
    return { force: threeAt(loads, at), torque: times(rotation, threeAt(loads, at + 3)), centre };
  }

  #evaluated(): { readonly loads: Float64Array; readonly potential: number } {
    const { probe } = this.#context;
    const { list, index } = this.#place;
    return probe.once(`${list} ${index}`, () => probe.system.loadsOf(list, index));
  }

  #pointOn(body: number): Vector {
    const { data } = this.#context.model;
    const present = this.#context.present();
    const marker = this.#markers().find((each) => data.markers[each]!.body === body);
    if (marker !== undefined) return poseOfMarker(data, present, marker).point;
    return poseOfBody(data, present, body).position;
  }

  #turned(vector: Vector, frame = "world"): Vector {
    if (frame === "world") return vector;
    const { data } = this.#context.model;
    const body = data.bodies.findIndex(({ name }) => name === frame);
    if (body >= 0) {
      return transposeTimes(poseOfBody(data, this.#context.present(), body).rotation, vector);
    }
    const names = data.bodies.map(({ name }) => name);
    throw new NodriftError(
      "DESCRIPTION",
      `force "${this.name}": frame is "world" or a body, not "${frame}"${hint(frame, names)}`,
    );
  }
}
