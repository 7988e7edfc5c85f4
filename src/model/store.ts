// Lists of the parts of a model during its description. Entries are frozen when they are added.

import {
  descriptionError,
  finite,
  hint,
  label,
  ownOptions,
  show,
} from "../base/checking/values.js";
import { copyOptions, type ModelCall } from "./calls.js";
import {
  type Body,
  type Controller,
  type Force,
  type Handle,
  type Identity,
  identified,
  isHandle,
  isOf,
  type Joint,
  type Marker,
  type MarkerOptions,
  MODEL_IDENTITY,
  referenceName,
  type States,
} from "./handles.js";
import type {
  BodyData,
  ControllerData,
  ForceData,
  JointData,
  MarkerData,
  ModelData,
  SensorData,
  StateSetData,
  UserForceData,
  Vector,
} from "./model-data.js";
import { GROUND } from "./model-data.js";
import type { Parameter } from "./parameter-types.js";
import { ownValue, withValues } from "./parameters.js";

/** Name spaces within which names must be unique: bodies, joints, forces, markers of a body. */
type NameSpace =
  | "parameter"
  | "body"
  | "joint"
  | "force"
  | "states"
  | "controller"
  | `marker of ${string}`;

/** First provisional index of sensors that belong to forces, during the description. */
const FIRST_FORCE_SENSOR = 2 ** 30;

/** Freezes an entry and its lists of numbers. */
function frozen<Entry extends object>(entry: Entry): Entry {
  for (const value of Object.values(entry)) if (Array.isArray(value)) Object.freeze(value);
  return Object.freeze(entry);
}

export class Store {
  readonly bodies: BodyData[] = [];
  readonly markers: MarkerData[] = [];
  readonly sensors: SensorData[] = [];
  readonly joints: JointData[] = [];
  readonly forces: ForceData[] = [];
  readonly userForces: UserForceData[] = [];
  readonly states: StateSetData[] = [];
  readonly controllers: ControllerData[] = [];
  /** The user's calls, in order. */
  readonly calls: ModelCall[] = [];
  readonly parameters: Parameter[] = [];
  readonly ground: Body;
  /** Whether user-given derivatives are compared with finite differences. */
  check = true;
  readonly #forceSensors: SensorData[] = [];
  readonly [MODEL_IDENTITY]: Identity = Object.freeze({});
  /** Handles by kind and name. */
  readonly #handles = new Map<Handle["kind"], Map<string, Handle>>();
  readonly #names = new Map<NameSpace, Set<string>>();
  /** Count of each type, for default names. */
  readonly #counts = new Map<string, number>();

  constructor(
    readonly name: string,
    readonly gravity: Vector,
    readonly makeMarker: (store: Store, body: Body, options: MarkerOptions) => Marker,
  ) {
    this.ground = this.#bodyHandle("ground", GROUND);
    this.#take("body", "body", "ground", false);
  }

  /** Returns the given name, or else the first free default name: "revolute 1", "revolute 2". */
  nameFor(space: NameSpace, type: string, given: unknown): string {
    const taken = this.#names.get(space);
    if (given !== undefined) {
      if (typeof given !== "string" || given.trim() === "") {
        throw descriptionError(type, `name must be non-empty text, not ${show(given)}`);
      }
      if (taken?.has(given)) {
        throw descriptionError(
          label(type, given),
          `there is a ${space} "${given}" already: choose another name`,
        );
      }
      return given;
    }
    let number = (this.#counts.get(`${space} ${type}`) ?? 0) + 1;
    while (taken?.has(`${type} ${number}`)) number++;
    return `${type} ${number}`;
  }

  #take(space: NameSpace, type: string, name: string, counts = true): void {
    const names = this.#names.get(space) ?? new Set();
    this.#names.set(space, names.add(name));
    const key = `${space} ${type}`;
    if (counts) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Records a call and the handle it returned. */
  record<Made extends Handle>(made: Made, options: object): Made {
    this.calls.push(Object.freeze({ made, options: copyOptions(options) }));
    return made;
  }

  /** Runs a recipe; if it throws, the markers and sensors it made are removed. */
  attempt<Result>(recipe: () => Result): Result {
    const [markers, sensors] = [this.markers.length, this.sensors.length];
    const ofForces = this.#forceSensors.length;
    try {
      return recipe();
    } catch (error) {
      this.markers.length = markers;
      this.sensors.length = sensors;
      this.#forceSensors.length = ofForces;
      throw error;
    }
  }

  addBody(data: BodyData): Body {
    this.#take("body", "body", data.name);
    this.bodies.push(frozen(data));
    return this.#bodyHandle(data.name, this.bodies.length - 1);
  }

  #bodyHandle(name: string, index: number): Body {
    const body: Body = {
      kind: "body",
      name,
      index,
      marker: (given = {}, ...more: unknown[]) => {
        const options = ownOptions(`marker of ${label("body", name)}`, given, more);
        const own = this.valuesIn(`marker of ${label("body", name)}`, options);
        return this.record(this.makeMarker(this, body, own as MarkerOptions), options);
      },
    };
    return this.#own(body);
  }

  /** Adds a marker with a handle, requested by the user. */
  addNamedMarker(body: Body, data: MarkerData): Marker {
    this.#take(`marker of ${body.name}`, "marker", data.name);
    const index = this.addMarker(data);
    return this.#own({ kind: "marker", name: data.name, index, body });
  }

  addMarker(data: MarkerData): number {
    return this.markers.push(frozen(data)) - 1;
  }

  addSensor(data: SensorData): number {
    return this.sensors.push(Object.freeze(data)) - 1;
  }

  /**
   * Adds a sensor that belongs to a force. Sensors of joints come first in the model, whatever the order of calls.
   * Files, which have all joints before all forces, therefore produce the same model.
   */
  addForceSensor(data: SensorData): number {
    return FIRST_FORCE_SENSOR + this.#forceSensors.push(Object.freeze(data)) - 1;
  }

  addJoint(data: JointData): Joint {
    this.#take("joint", data.type, data.name);
    const index = this.joints.push(Object.freeze(data)) - 1;
    return this.#own({ kind: "joint", name: data.name, type: data.type, index });
  }

  addForce(data: ForceData): Force {
    this.#take("force", data.type, data.name);
    const index = this.forces.push(Object.freeze(data)) - 1;
    return this.#own({ kind: "force", name: data.name, type: data.type, index });
  }

  addUserForce(data: UserForceData): Force {
    this.#take("force", "userForce", data.name);
    const index = this.userForces.push(Object.freeze(data)) - 1;
    return this.#own({ kind: "force", name: data.name, type: "userForce", index });
  }

  addStates(data: StateSetData): States {
    this.#take("states", "states", data.name);
    const index = this.states.push(Object.freeze(data)) - 1;
    return this.#own({ kind: "states", name: data.name, type: "states", index });
  }

  addController(data: ControllerData): Controller {
    this.#take("controller", "controller", data.name);
    const index = this.controllers.push(Object.freeze(data)) - 1;
    return this.#own({ kind: "controller", name: data.name, type: "controller", index });
  }

  /** Adds a parameter. The name "gravity" is reserved for gravity. */
  addParameter(given: unknown, value: unknown): Parameter {
    const name = this.nameFor("parameter", "parameter", given ?? "");
    const where = label("parameter", name);
    if (name === "gravity") {
      throw descriptionError(where, "gravity has this name already: choose another");
    }
    const number = finite(where, "the value", value);
    this.#take("parameter", "parameter", name);
    const made = identified<Parameter>(
      { kind: "parameter", name, value: number },
      this[MODEL_IDENTITY],
    );
    this.parameters.push(made);
    return made;
  }

  /** Returns the options with values in place of the parameters of this model. */
  valuesIn<Options extends object>(where: string, options: Options): Options {
    return withValues(
      options,
      ownValue(where, (parameter) => this.owns(parameter)),
    );
  }

  #own<Kind extends Handle>(handle: Kind): Kind {
    const named = this.#handles.get(handle.kind) ?? new Map<string, Handle>();
    this.#handles.set(handle.kind, named.set(referenceName(handle), handle));
    return identified(handle, this[MODEL_IDENTITY]);
  }

  owns(handle: unknown): boolean {
    return isOf(handle, this[MODEL_IDENTITY]);
  }

  /** Returns the part of this model, of one of these kinds, that is given by its handle or name. */
  handle<Kind extends Handle["kind"]>(
    where: string,
    option: string,
    value: unknown,
    ...kinds: Kind[]
  ): Extract<Handle, { kind: Kind }> {
    const wanted = kinds.map((kind) => `a ${kind}`).join(" or ");
    if (typeof value === "string") return this.#named(where, option, value, kinds);
    const kind = isHandle(value) ? value.kind : undefined;
    if (!kinds.includes(kind as Kind)) {
      throw descriptionError(
        where,
        `${option} must be ${wanted} of this model, not ${show(value)}`,
      );
    }
    if (!this.owns(value)) {
      const named = label(kind!, (value as Handle).name);
      throw descriptionError(
        where,
        `${option} is ${named} of another model: use ${wanted} of this one`,
      );
    }
    return value as Extract<Handle, { kind: Kind }>;
  }

  #named<Kind extends Handle["kind"]>(
    where: string,
    option: string,
    name: string,
    kinds: readonly Kind[],
  ): Extract<Handle, { kind: Kind }> {
    const lists = kinds.map((kind) => this.#handles.get(kind) ?? new Map<string, Handle>());
    const found = lists.find((list) => list.has(name))?.get(name);
    if (found) return found as Extract<Handle, { kind: Kind }>;
    const known = lists.flatMap((list) => [...list.keys()]);
    const advice = known.length === 0 ? ": it has none yet" : hint(name, known);
    throw descriptionError(
      where,
      `${option}: the model has no ${kinds.join(" or ")} ${show(name)}${advice}`,
    );
  }

  /** Returns the force with the final index of its sensor. */
  #withSensorIndex(force: ForceData): ForceData {
    if (force.a < FIRST_FORCE_SENSOR) return force;
    return Object.freeze({ ...force, a: this.sensors.length + force.a - FIRST_FORCE_SENSOR });
  }

  /** Returns a copy of the lists, unaffected by later additions. */
  data(): ModelData {
    const copy = <Entry>(list: readonly Entry[]) => Object.freeze([...list]);
    return Object.freeze({
      [MODEL_IDENTITY]: this[MODEL_IDENTITY],
      name: this.name,
      gravity: this.gravity,
      bodies: copy(this.bodies),
      markers: copy(this.markers),
      sensors: copy([...this.sensors, ...this.#forceSensors]),
      joints: copy(this.joints),
      forces: copy(this.forces.map((force) => this.#withSensorIndex(force))),
      userForces: copy(this.userForces),
      states: copy(this.states),
      controllers: copy(this.controllers),
    });
  }
}
