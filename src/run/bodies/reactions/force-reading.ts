import {
  BODY_VELOCITIES,
  ForceKind,
  Sensor,
  SensorKind,
  Want,
} from "../../../../assembly/layout-bodies.js";
import { MotorData } from "../../../../assembly/layout-motor.js";
import { actsOnSensor, forceMarkers } from "../../../describe/model/kinds.js";
import { GROUND, type Vector } from "../../../describe/model/model-data.js";
import { hint } from "../../../describe/model/option-checks.js";
import {
  add,
  cross,
  dot,
  norm,
  subtract,
  threeAt,
  times,
  transposeTimes,
} from "../../../ground/algebra/vectors.js";
import { optionsOf, type Shape, text } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import { poseOfBody, poseOfMarker, velocityAt } from "../probe/pose-reading.js";
import type { ReactionOptions, ReadContext } from "./joint-reading.js";

const SHAPE: Shape<ReactionOptions> = { on: text, frame: text };

/** Where a force is in the lists of a model: those of laws, then those of the user's functions. */
export interface ForcePlace {
  readonly list: "forces" | "userForces";
  readonly index: number;
}

/**
 * A force of a simulation: spring, bushing, tyre, load or the user's own. A live view: keep it and read it again after
 * steps.
 *
 * @example
 * const strut = simulation.force("strut");
 * simulation.runTo(1);
 * console.log(strut.force({ on: "wheel" }), strut.length, strut.power, strut.energy);
 */
export class ForceReading {
  /** Its name in the model. */
  readonly name: string;
  /** The method that made it: "spring". */
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

  /** Names of the bodies it acts on; "ground" if the ground is one. */
  get bodies(): readonly string[] {
    const { bodies } = this.#context.model.data;
    return this.#touched().map((body) => (body === GROUND ? "ground" : bodies[body]!.name));
  }

  /**
   * Its force on a body, by default on the second.
   *
   * @example
   * simulation.force("strut").force({ on: "wheel", frame: "wheel" });
   */
  force(given: ReactionOptions = {}): Vector {
    const options = optionsOf("force", "DESCRIPTION", given, SHAPE);
    return this.#turned(this.#load(this.#bodyFor(options.on)).force, options.frame);
  }

  /** Its torque on a body, about its point there; of the user's own forces about the origin of the body's frame. */
  torque(given: ReactionOptions = {}): Vector {
    const options = optionsOf("torque", "DESCRIPTION", given, SHAPE);
    const body = this.#bodyFor(options.on);
    const { force, torque, centre } = this.#load(body);
    const arm = subtract(centre, this.#pointOn(body));
    return this.#turned(add(torque, cross(arm, force)), options.frame);
  }

  /** Power it gives to the bodies: negative where it brakes them. */
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

  /** Potential energy in its spring; 0 where it has none. */
  get energy(): number {
    return this.#evaluated().potential;
  }

  /** Distance of its two points; undefined where it does not act between two. */
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

  /** The angle it acts on, in radians; undefined where it acts on none. */
  get angle(): number | undefined {
    return this.#sensed(SensorKind.ANGLE, Sensor.VALUE);
  }

  /** Rate of {@link angle}, in rad/s. */
  get angleRate(): number | undefined {
    return this.#sensed(SensorKind.ANGLE, Sensor.RATE);
  }

  /** The displacement of a joint that it acts on, in metres; undefined where it acts on none. */
  get displacement(): number | undefined {
    return this.#sensed(SensorKind.DISPLACEMENT, Sensor.VALUE);
  }

  /** Rate of {@link displacement}. */
  get displacementRate(): number | undefined {
    return this.#sensed(SensorKind.DISPLACEMENT, Sensor.RATE);
  }

  /** Of a motor: its torque or force at the joint, with sign; undefined for others. */
  get driveForce(): number | undefined {
    const { model, probe } = this.#context;
    const { list, index } = this.#place;
    if (list === "userForces" || model.data.forces[index]!.kind !== ForceKind.MOTOR)
      return undefined;
    this.#evaluated();
    const { data } = probe.system.quantities.arrays;
    return data[model.plan.forceSlots[index]! + MotorData.FORCE];
  }

  #sensed(kind: SensorKind, field: Sensor): number | undefined {
    const { model, probe } = this.#context;
    if (this.#place.list === "userForces") return undefined;
    const force = model.data.forces[this.#place.index]!;
    if (!actsOnSensor(force) || model.data.sensors[force.a]!.kind !== kind) return undefined;
    probe.load();
    probe.system.quantities.requireSensors(Want.PHI | Want.RATES);
    return probe.system.quantities.arrays.sensors[Sensor.LENGTH * force.a + field];
  }

  /** Its two points, and how they move. */
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

  /** Markers of a law. */
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

  /** On a body: force in the world, and torque about the centre of mass; on the ground about the origin. */
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
    return probe.once(`${list} ${index}`, () => probe.system.quantities.loadsOf(list, index));
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
