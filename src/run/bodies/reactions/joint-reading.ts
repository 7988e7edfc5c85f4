import { BODY_VELOCITIES, Sensor, Want } from "../../../../assembly/layout-bodies.js";
import type { joints } from "../../../describe/joints/index.js";
import type { JointParts } from "../../../describe/joints/joint-builder.js";
import { markerPairs } from "../../../describe/model/kinds.js";
import { GROUND, type JointData, type Vector } from "../../../describe/model/model-data.js";
import { hint } from "../../../describe/model/option-checks.js";
import {
  add,
  cross,
  scale,
  subtract,
  threeAt,
  times,
  transposeTimes,
  ZERO,
} from "../../../ground/algebra/vectors.js";
import { NodriftError } from "../../../ground/errors.js";
import { bodyNamed } from "../../../systems/bodies/plan/names.js";
import { rowNamesOf } from "../../../systems/bodies/plan/plan.js";
import type { PlannedBlock } from "../../../systems/bodies/plan/table-builder.js";
import type { PlannedNode } from "../../../systems/relative/plan/tree-plan.js";
import type { CurrentState } from "../probe/current-state.js";
import { type PoseAndRates, poseOfBody, poseOfMarker } from "../probe/pose-reading.js";
import type { Probe, ReadModel } from "../probe/probe.js";
import { driveForces } from "./drive-forces.js";
import { type ReactionOptions, reactionOptions } from "./reaction-options.js";
import type { Reactions } from "./reactions.js";
import { assumptionOf } from "./sharing-assumption.js";

/** What readers share. */
export interface ReadContext {
  readonly model: ReadModel;
  readonly probe: Probe;
  readonly reactions: Reactions;
  /** Blocks of each joint. */
  readonly blocksOf: readonly (readonly number[])[];
  present(): CurrentState;
  /** Where a body is and how it moves. */
  poseOf(body: number): PoseAndRates;
}

interface Load {
  readonly force: Vector;
  /** About the centre of mass, in the world. */
  readonly torque: Vector;
  readonly centre: Vector;
}

/** What the reading of a joint has for certain, by the type of its handle: a revolute has an angle. */
type Measured<Type extends string> = Type extends keyof typeof joints
  ? ReturnType<(typeof joints)[Type]> extends infer Parts
    ? (Parts extends JointParts<infer What>
        ? { readonly [Key in What | `${What}Rate`]: number }
        : unknown) &
        (Parts extends { readonly isDrive: true } ? { readonly driveForce: number } : unknown)
    : never
  : unknown;

/** A joint that was asked for by its handle. */
export type JointReadingOf<Type extends string> = JointReading & Measured<Type>;

/**
 * A joint or drive of a simulation. A live view: keep it and read it again after steps. Reactions are computed when
 * read, for all joints at once.
 *
 * @example
 * const hinge = simulation.joint("hinge");
 * simulation.runTo(1);
 * console.log(hinge.angle, hinge.force({ on: "crank", frame: "joint" }));
 */
export class JointReading {
  /** Its name in the model. */
  readonly name: string;
  /** The method that made it: "revolute". */
  readonly type: string;
  readonly #context: ReadContext;
  readonly #joint: JointData;
  readonly #index: number;
  #plan: object | undefined;
  #planned: readonly (readonly [PlannedBlock, readonly number[]])[] = [];

  /** Nodes of the tree whose coordinates it measures, and the tree. */
  #nodes: readonly PlannedNode[] = [];
  #tree: object | undefined;

  constructor(context: ReadContext, index: number) {
    this.#context = context;
    this.#index = index;
    this.#joint = context.model.data.joints[index]!;
    this.name = this.#joint.name;
    this.type = this.#joint.type;
  }

  /** Its rows in memory, which is laid out anew where something is locked. */
  get #blocks(): readonly (readonly [PlannedBlock, readonly number[]])[] {
    const { plan } = this.#context.model;
    if (plan === this.#plan) return this.#planned;
    this.#plan = plan;
    // A lock that has been opened, and is still read.
    const blocks = this.#context.blocksOf[this.#index] ?? [];
    this.#planned = blocks.map(
      (block) => [plan.blocks[block]!, plan.sparse.jacobianSlotOf[block] ?? []] as const,
    );
    return this.#planned;
  }

  /**
   * The force of the joint on a body; that on the other one is equal and opposite.
   *
   * @example
   * simulation.joint("hinge").force({ on: "door", frame: "joint" });
   */
  force(given: ReactionOptions = {}): Vector {
    const options = reactionOptions("force", this.#context.model.data, given);
    const body = this.#bodyFor(options.on);
    if (options.on === undefined) this.#refuseTorque(body);
    return this.#turned(this.#load(body).force, options.frame);
  }

  /** The torque of the joint on a body, about the joint's marker on that body. */
  torque(given: ReactionOptions = {}): Vector {
    const options = reactionOptions("torque", this.#context.model.data, given);
    const body = this.#bodyFor(options.on);
    const { force, torque, centre } = this.#load(body);
    const about = add(torque, cross(subtract(centre, this.#pointOn(body)), force));
    return this.#turned(about, options.frame);
  }

  /** Names of the bodies it acts on; the ground is not among them. */
  get bodies(): readonly string[] {
    return this.#touched().map((body) => this.#context.model.data.bodies[body]!.name);
  }

  /** Multipliers by the names of the rows. */
  get multipliers(): Readonly<Record<string, number>> {
    const { values } = this.#context.reactions.multipliers();
    return Object.fromEntries(this.#rows().map(({ name, row }) => [name, values[row]!]));
  }

  /** Whether the reactions are statically determinate. If not, see {@link assumption}. */
  get unique(): boolean {
    return this.sharedRows.length === 0;
  }

  /** Names of the rows whose reactions are shared with other, redundant rows. */
  get sharedRows(): readonly string[] {
    const { shared } = this.#context.reactions.multipliers();
    return this.#rows().flatMap(({ name, row }) => (shared.has(row) ? [name] : []));
  }

  /**
   * How indeterminate reactions were shared: given and assumed compliances of all joints that share with this one.
   * Undefined if the reactions are unique.
   */
  get assumption(): string | undefined {
    const { reactions, model } = this.#context;
    return assumptionOf(
      reactions,
      model,
      this.#rows().map(({ row }) => row),
    );
  }

  /**
   * The force or torque of a drive, positive where it acts along its angle, displacement or length: it times the rate is its
   * power. Undefined for joints that drive nothing.
   */
  get driveForce(): number | undefined {
    if (!this.#joint.isDrive) return undefined;
    return driveForces(this.#context, this.#context.present().time)[this.name];
  }

  /** Largest |Phi| of its rows: metres and radians. */
  get error(): number {
    const { probe } = this.#context;
    probe.load();
    probe.system.constraints.phi();
    const { phi } = probe.system.quantities.arrays;
    return this.#rows().reduce((most, { row }) => Math.max(most, Math.abs(phi[row]!)), 0);
  }

  /** Angle in radians, counted on beyond full turns; undefined if the joint does not turn about an axis. */
  get angle(): number | undefined {
    return this.#sensor("angle", Sensor.VALUE);
  }

  /** Rate of {@link angle}, in rad/s. */
  get angleRate(): number | undefined {
    return this.#sensor("angle", Sensor.RATE);
  }

  /** Displacement; undefined if the joint does not slide along an axis. */
  get displacement(): number | undefined {
    return this.#sensor("displacement", Sensor.VALUE);
  }

  /** Rate of {@link displacement}. */
  get displacementRate(): number | undefined {
    return this.#sensor("displacement", Sensor.RATE);
  }

  /** Distance of its two points; undefined if the joint does not lie between points. */
  get length(): number | undefined {
    return this.#sensor("length", Sensor.VALUE);
  }

  /** Rate of {@link length}. */
  get lengthRate(): number | undefined {
    return this.#sensor("length", Sensor.RATE);
  }

  #rows(): { name: string; row: number }[] {
    return this.#blocks.flatMap(([{ block, firstRow }]) =>
      rowNamesOf(block).map((name, i) => ({ name, row: firstRow + i })),
    );
  }

  #sensor(name: string, field: Sensor): number | undefined {
    const index = this.#joint.sensors[name];
    if (index === undefined) return undefined;
    const own = this.#coordinate(index, field);
    if (own !== undefined) return own;
    const { probe } = this.#context;
    probe.load();
    probe.system.quantities.requireSensors(Want.PHI | Want.RATES);
    return probe.system.quantities.arrays.sensors[Sensor.LENGTH * index + field];
  }

  /** A sensor of a tree that is integrated is one of its coordinates: that number itself, not one found from poses. */
  #coordinate(sensor: number, field: Sensor): number | undefined {
    const { integrated } = this.#context.present();
    if (integrated === undefined) return undefined;
    const { tree } = this.#context.model.tree.plan;
    if (tree !== this.#tree) {
      this.#tree = tree;
      this.#nodes = tree.nodes.filter(
        (each) => each.sensor >= 0 && Object.values(this.#joint.sensors).includes(each.sensor),
      );
    }
    const node = this.#nodes.find((each) => each.sensor === sensor);
    if (node === undefined) return undefined;
    return field === Sensor.VALUE ? integrated.q[node.position] : integrated.v[node.velocity];
  }

  /** Bodies its rows act on. */
  #touched(): number[] {
    return [...new Set(this.#blocks.flatMap(([{ bodies }]) => bodies))];
  }

  #bodyFor(name: string | undefined): number {
    const { data } = this.#context.model;
    const [, second] = this.#joint.markers ?? [];
    const touched = this.#touched();
    if (name === undefined) {
      if (second !== undefined) return data.markers[second]!.body;
      if (this.#isUsers && touched.length > 1) throw this.#vague();
      return this.#coupledBody() ?? touched.at(-1) ?? GROUND;
    }
    const body = name === "ground" ? GROUND : data.bodies.findIndex((each) => each.name === name);
    if (body === GROUND ? name === "ground" : touched.includes(body)) return body;
    const known = [...touched.map((index) => data.bodies[index]!.name), "ground"];
    throw new NodriftError(
      "DESCRIPTION",
      `joint "${this.name}" does not act on "${name}"${hint(name, known)}`,
    );
  }

  get #isUsers(): boolean {
    return this.#joint.blocks.some(({ user }) => user !== undefined);
  }

  /** Of a coupling: the second body of the second of its joints, or the first one where that is the ground. */
  #coupledBody(): number | undefined {
    const { markers, sensors } = this.#context.model.data;
    const pair = this.#joint.blocks
      .flatMap(({ rows }) => rows)
      .flatMap((row) => markerPairs(row, sensors))
      .at(-1);
    const bodies = pair?.map((marker) => markers[marker]!.body);
    return bodies && (bodies[1] === GROUND ? bodies[0] : bodies[1]);
  }

  /** Rows of the user's own act on each body in their own way: one of them may be free of force. */
  #vague(): NodriftError {
    const [first] = this.bodies;
    return new NodriftError(
      "DESCRIPTION",
      `constraint "${this.name}" acts on ${this.bodies.join(" and ")}: say on which, as in force({ on: "${first}" }), or read its multipliers`,
    );
  }

  /** A row of angles acts by torque alone: its force is not small but none, which must not pass for a reaction of zero. */
  #refuseTorque(body: number): void {
    if (!this.#isUsers) return;
    const { probe } = this.#context;
    probe.load();
    probe.system.quantities.require(Want.PHI | Want.JACOBIAN);
    const parts = this.#blocks.flatMap(([{ bodies, rows }, slots]) => {
      const place = bodies.indexOf(body);
      if (place < 0) return [];
      return Array.from({ length: rows }, (_, i) => slots[place]! + BODY_VELOCITIES * i);
    });
    const acts = (from: number) =>
      parts.some((slot) => threeAt(probe.jacobian, slot + from).some((part) => part !== 0));
    if (acts(0) || !acts(3)) return;
    throw new NodriftError(
      "DESCRIPTION",
      `constraint "${this.name}" acts on ${this.bodies.join(" and ")} by a torque alone: read torque(), or its multipliers`,
    );
  }

  /** J^T lambda of its rows on one body; on the ground, minus what is on the others. */
  #load(body: number): Load {
    const { model, probe, reactions } = this.#context;
    const { values } = reactions.multipliers();
    const present = this.#context.present();
    probe.system.quantities.require(Want.PHI | Want.JACOBIAN);
    if (body === GROUND) {
      const loads = this.#touched().map((other) => this.#load(other));
      return {
        force: loads.reduce((sum, { force }) => subtract(sum, force), ZERO),
        torque: loads.reduce(
          (sum, { force, torque, centre }) => subtract(sum, add(torque, cross(centre, force))),
          ZERO,
        ),
        centre: ZERO,
      };
    }
    const { rotation, centre } = poseOfBody(model.data, present, body);
    let [force, torque] = [ZERO, ZERO];
    for (const [{ bodies, firstRow, rows }, slots] of this.#blocks) {
      const place = bodies.indexOf(body);
      if (place < 0) continue;
      for (let i = 0; i < rows; i++) {
        const slot = slots[place]! + BODY_VELOCITIES * i;
        force = add(force, scale(values[firstRow + i]!, threeAt(probe.jacobian, slot)));
        torque = add(torque, scale(values[firstRow + i]!, threeAt(probe.jacobian, slot + 3)));
      }
    }
    return { force, torque: times(rotation, torque), centre };
  }

  /** The joint's marker on a body; the origin of the body's frame if it has none there. */
  #pointOn(body: number): Vector {
    const { data } = this.#context.model;
    const present = this.#context.present();
    const marker = this.#joint.markers?.find((each) => data.markers[each]!.body === body);
    if (marker !== undefined) return poseOfMarker(data, present, marker).point;
    return poseOfBody(data, present, body).position;
  }

  #turned(vector: Vector, frame = "world"): Vector {
    if (frame === "world") return vector;
    const { data } = this.#context.model;
    const present = this.#context.present();
    if (frame !== "joint") {
      const body = bodyNamed(
        data,
        frame,
        `joint "${this.name}": frame is "world", "joint" or a body`,
      );
      return transposeTimes(poseOfBody(data, present, body).rotation, vector);
    }
    if (!this.#joint.markers) {
      throw new NodriftError(
        "DESCRIPTION",
        `joint "${this.name}" has no frame: use frame: "world" or a body's name`,
      );
    }
    return transposeTimes(poseOfMarker(data, present, this.#joint.markers[0]).axes, vector);
  }
}
