import { BODY_VELOCITIES, Sensor, Want } from "../../../../assembly/layout-bodies.js";
import {
  add,
  cross,
  scale,
  subtract,
  threeAt,
  times,
  transposeTimes,
  ZERO,
} from "../../../base/algebra/vectors.js";
import { hint } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import type { joints } from "../../../model/joints/index.js";
import type { JointParts } from "../../../model/joints/joint-builder.js";
import { markerPairs } from "../../../model/kinds.js";
import { GROUND, type JointData, type Vector } from "../../../model/model-data.js";
import { bodyNamed } from "../../../systems/bodies/plan/carriers.js";
import { type Plan, rowNamesOf } from "../../../systems/bodies/plan/plan.js";
import type { PlannedBlock } from "../../../systems/bodies/plan/table-builder.js";
import type { PlannedNode } from "../../../systems/relative/plan/tree-plan.js";
import type { CurrentState } from "../probe/current-state.js";
import { type PoseAndRates, poseOfBody, poseOfMarker } from "../probe/pose-reading.js";
import type { Probe, ReadModel } from "../probe/probe.js";
import { driveForces } from "./drive-forces.js";
import { type ReactionOptions, reactionOptions } from "./reaction-options.js";
import type { Reactions } from "./reactions.js";

// Assumptions of non-unique reactions, as text.

/** Largest number of joints listed by name; further ones are only counted. */
const MAX_LISTED = 4;

/** Returns the assumption for some rows of a joint; undefined if the motion determines them all. */
function assumptionOf(
  reactions: Reactions,
  { plan, length }: { readonly plan: Plan; readonly length: number },
  own: readonly number[],
): string | undefined {
  const { groups } = reactions.multipliers();
  const mine = groups.filter(({ rows }) => own.some((row) => rows.has(row)));
  if (mine.length === 0) return undefined;
  const rows = mine.flatMap((group) => [...group.rows]).sort((a, b) => a - b);
  const { given, assumed } = reactions.compliances;
  const others = rows.filter((row) => !given.has(row));
  if (others.length === 0) return "shared by the compliances given";
  const size = `L = ${short(length)}`;
  const across = mine.some((group) => group.across)
    ? "; across the plane of motion the least forces, then the least torques"
    : "";
  if (others.length === rows.length) return `assumes equal compliance; ${size}${across}`;
  const known = namesOf(
    plan,
    rows.filter((row) => given.has(row)),
  );
  const values = `${short(assumed.force)} for forces, ${short(assumed.torque)} for torques`;
  return (
    `shared by the compliances given for ${known}, and assumed for ${namesOf(plan, others)}: ` +
    `${values}, the mean of those given; ${size}${across}`
  );
}

/** Lists rows by joint, such as "lower (transverse 1, axial)". */
function namesOf({ rowNames, blocks, model }: Plan, rows: readonly number[]): string {
  const byJoint = new Map<string, string[]>();
  for (const { joint, firstRow, rows: count } of blocks) {
    const { name } = model.joints[joint]!;
    const own = rows.filter((row) => row >= firstRow && row < firstRow + count);
    if (own.length === 0) continue;
    const names = own.map((row) => rowNames[row]!.slice(name.length + 2));
    byJoint.set(name, [...(byJoint.get(name) ?? []), ...names]);
  }
  const listed = [...byJoint]
    .slice(0, MAX_LISTED)
    .map(([name, names]) => `${name} (${names.join(", ")})`);
  const more = byJoint.size - listed.length;
  return more > 0 ? `${listed.join(", ")} and ${more} more` : listed.join(", ");
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** Data shared by the readers of a model. */
export interface ReadContext {
  readonly model: ReadModel;
  readonly probe: Probe;
  readonly reactions: Reactions;
  /** Indices of the blocks of each joint. */
  readonly blocksOf: readonly (readonly number[])[];
  present(): CurrentState;
  /** Returns the pose and motion of a body. */
  poseOf(body: number): PoseAndRates;
}

interface BodyWrench {
  readonly force: Vector;
  /** Torque about the centre of mass, in the world. */
  readonly torque: Vector;
  readonly centre: Vector;
}

/** Measurements that are always defined, by the type of the handle: a revolute joint has an angle. */
type Measured<Type extends string> = Type extends keyof typeof joints
  ? ReturnType<(typeof joints)[Type]["rows"]> extends infer Parts
    ? (Parts extends JointParts<infer What>
        ? { readonly [Key in What | `${What}Rate`]: number }
        : unknown) &
        (Parts extends { readonly isDrive: true } ? { readonly driveForce: number } : unknown)
    : never
  : unknown;

/** The reading of a joint given by its handle. */
export type JointReadingOf<Type extends string> = JointReading & Measured<Type>;

/**
 * A joint or drive of a simulation. A live view: keep it and read it again after steps. Reactions are computed when
 * read, for all joints together.
 *
 * @example
 * const hinge = simulation.joint("hinge");
 * simulation.runTo(1);
 * console.log(hinge.angle, hinge.force({ on: "crank", frame: "joint" }));
 */
export class JointReading {
  /** Name in the model. */
  readonly name: string;
  /** Method that created it, such as "revolute". */
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

  /** The rows in memory, whose layout changes when joints are locked. */
  get #blocks(): readonly (readonly [PlannedBlock, readonly number[]])[] {
    const { plan } = this.#context.model;
    if (plan === this.#plan) return this.#planned;
    this.#plan = plan;
    // Empty for the reading of a lock that has been opened.
    const blocks = this.#context.blocksOf[this.#index] ?? [];
    this.#planned = blocks.map(
      (block) => [plan.blocks[block]!, plan.sparse.jacobianSlotOf[block] ?? []] as const,
    );
    return this.#planned;
  }

  /**
   * Returns the force of the joint on a body; that on the other body is equal and opposite.
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

  /** Returns the torque of the joint on a body, about the joint's marker on that body. */
  torque(given: ReactionOptions = {}): Vector {
    const options = reactionOptions("torque", this.#context.model.data, given);
    const body = this.#bodyFor(options.on);
    const { force, torque, centre } = this.#load(body);
    const about = add(torque, cross(subtract(centre, this.#pointOn(body)), force));
    return this.#turned(about, options.frame);
  }

  /** Names of the bodies on which it acts, without the ground. */
  get bodies(): readonly string[] {
    return this.#bodiesActedOn().map((body) => this.#context.model.data.bodies[body]!.name);
  }

  /** Multipliers by row name. */
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
   * Force or torque of a drive, positive if it acts along its angle, displacement or length; its product with the rate
   * is the power. Undefined for joints that are no drives.
   */
  get driveForce(): number | undefined {
    if (!this.#joint.isDrive) return undefined;
    return driveForces(this.#context, this.#context.present().time)[this.name];
  }

  /** Largest |Phi| of its rows, in metres and radians. */
  get error(): number {
    const { probe } = this.#context;
    probe.load();
    probe.system.constraints.phi();
    const { phi } = probe.system.arrays;
    return this.#rows().reduce((most, { row }) => Math.max(most, Math.abs(phi[row]!)), 0);
  }

  /** Angle in radians, including full turns; undefined if the joint does not rotate about an axis. */
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

  /** Distance of the two points; undefined if the joint does not lie between points. */
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
    probe.system.requireSensors(Want.PHI | Want.RATES);
    return probe.system.arrays.sensors[Sensor.LENGTH * index + field];
  }

  /** Returns a sensor that is an integrated tree coordinate: that value itself, not one recomputed from poses. */
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

  /** Returns the bodies on which its rows act. */
  #bodiesActedOn(): number[] {
    return [...new Set(this.#blocks.flatMap(([{ bodies }]) => bodies))];
  }

  #bodyFor(name: string | undefined): number {
    const { data } = this.#context.model;
    const [, second] = this.#joint.markers ?? [];
    const touched = this.#bodiesActedOn();
    if (name === undefined) {
      if (second !== undefined) return data.markers[second]!.body;
      if (this.#isUsers && touched.length > 1) throw this.#bodyNeeded();
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

  /**
   * Returns the default body of a coupling: the second body of its second joint, or the first if that is the ground.
   */
  #coupledBody(): number | undefined {
    const { markers, sensors } = this.#context.model.data;
    const pair = this.#joint.blocks
      .flatMap(({ rows }) => rows)
      .flatMap((row) => markerPairs(row, sensors))
      .at(-1);
    const bodies = pair?.map((marker) => markers[marker]!.body);
    return bodies && (bodies[1] === GROUND ? bodies[0] : bodies[1]);
  }

  /**
   * Error for user constraints without a body: their rows act on each body differently, and may exert no force on one.
   */
  #bodyNeeded(): NodriftError {
    const [first] = this.bodies;
    return new NodriftError(
      "DESCRIPTION",
      `constraint "${this.name}" acts on ${this.bodies.join(" and ")}: say on which, as in force({ on: "${first}" }), or read its multipliers`,
    );
  }

  /**
   * Throws for user rows on angles: they act by torque alone, and their undefined force must not pass for a reaction of
   * zero.
   */
  #refuseTorque(body: number): void {
    if (!this.#isUsers) return;
    const { probe } = this.#context;
    probe.load();
    probe.system.require(Want.PHI | Want.JACOBIAN);
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

  /** Returns J^T lambda of its rows on one body; on the ground, minus the loads on the others. */
  #load(body: number): BodyWrench {
    const { model, probe, reactions } = this.#context;
    const { values } = reactions.multipliers();
    const present = this.#context.present();
    probe.system.require(Want.PHI | Want.JACOBIAN);
    if (body === GROUND) {
      const loads = this.#bodiesActedOn().map((other) => this.#load(other));
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

  /** Returns the joint's marker on a body, or the origin of the body's frame if it has none there. */
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
