// Rows and forces that are functions of the user. They see bodies as views that are filled here.

import { BODY_VELOCITIES, BodyFrame } from "../../assembly/layout-bodies.js";
import { SimulationError } from "../errors.js";
import type { Arena } from "../memory/arena.js";
import type { BodyMotion, UserRows } from "../model/description.js";
import type { BodySegments } from "./memory.js";
import type { Plan } from "./plan.js";
import { cross, displacedPose, poseOf, quaternionOf, times, timesTransposed } from "./pose.js";

/** Steps of differences: of first derivatives, and of second ones along the motion. */
const STEP = 2 ** -10;
const LINE_STEP = 2 ** -8;

type Floats = Float64Array<ArrayBuffer>;

/** A body's views, and what they are filled from. */
class BodyViews implements BodyMotion {
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

  /** Takes pose and velocity as they are. */
  fill(): void {
    const { frame } = this;
    for (let i = 0; i < 9; i++) this.rotation[i] = frame[BodyFrame.ROTATION + i] as number;
    quaternionOf(this.rotation, this.orientation);
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
    quaternionOf(this.rotation, this.orientation);
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

/** Constraint rows of the user: value by the function, the rest by differences of fourth order. */
interface BoundRows {
  readonly rows: UserRows;
  readonly name: string;
  readonly views: readonly BodyViews[];
  readonly velocities: readonly Floats[];
  readonly phi: Floats;
  readonly phiDot: Floats;
  readonly gamma: Floats;
  readonly blocks: readonly Floats[];
  readonly value: Floats;
}

export class UserFunctions {
  readonly #plan: Plan;
  #bodies: readonly BodyViews[] = [];
  #rows: readonly BoundRows[] = [];
  #loads: Floats = new Float64Array(0);

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  get hasRows(): boolean {
    return this.#rows.length > 0;
  }

  get hasForces(): boolean {
    return this.#plan.model.userForces.length > 0;
  }

  attach(arena: Arena, segments: BodySegments, velocities: Floats): void {
    const { model, blocks, sparse } = this.#plan;
    const frames = arena.floats(segments.frames);
    const jacobian = arena.floats(segments.jacobian);
    this.#loads = arena.floats(segments.forces);
    this.#bodies = model.bodies.map(
      ({ centre }, body) =>
        new BodyViews(
          frames.subarray(BodyFrame.LENGTH * body, BodyFrame.LENGTH * (body + 1)),
          centre,
        ),
    );
    const part = (name: "phi" | "phiDot" | "gamma", first: number, rows: number) =>
      arena.floats(segments[name]).subarray(first, first + rows);
    this.#rows = blocks.flatMap(({ block, bodies, firstRow, rows, joint }, index) => {
      if (!block.user) return [];
      const slots = sparse.jacobianSlotOf[index] ?? [];
      const bound: BoundRows = {
        rows: block.user,
        name: model.joints[joint]?.name ?? "",
        views: bodies.map((body) => this.#bodies[body] as BodyViews),
        velocities: bodies.map((body) =>
          velocities.subarray(BODY_VELOCITIES * body, BODY_VELOCITIES * (body + 1)),
        ),
        phi: part("phi", firstRow, rows),
        phiDot: part("phiDot", firstRow, rows),
        gamma: part("gamma", firstRow, rows),
        blocks: slots.map((slot) => jacobian.subarray(slot, slot + BODY_VELOCITIES * rows)),
        value: new Float64Array(rows),
      };
      return [bound];
    });
  }

  /** Adds the loads of the user's forces. Frames hold velocities. */
  addForces(t: number): void {
    for (const { name, bodies, apply } of this.#plan.model.userForces) {
      const views = bodies.map((body) => this.#bodies[body] as BodyViews);
      for (const view of views) {
        view.fill();
        view.force.fill(0);
        view.torque.fill(0);
      }
      apply(views, views, t);
      for (const [index, view] of views.entries()) {
        if (![...view.force, ...view.torque].every(Number.isFinite)) {
          throw new SimulationError(
            "EVALUATION",
            t,
            `${this.#plan.model.name}: the force "${name}" gave ${[...view.force, ...view.torque]} at t = ${t}`,
          );
        }
        view.addTo(this.#loads, BODY_VELOCITIES * (bodies[index] as number));
      }
    }
  }

  /** Values, Jacobian, rate and gamma of the user's rows. */
  evaluateRows(t: number, jacobian: boolean, rates: boolean): void {
    for (const bound of this.#rows) {
      for (const view of bound.views) view.fill();
      this.#call(bound, t, bound.phi);
      if (jacobian) this.#jacobian(bound, t);
      if (rates) this.#rates(bound, t);
      for (const view of bound.views) view.fill();
    }
  }

  #call({ rows, views, name }: BoundRows, t: number, out: Floats): void {
    const returned = rows.value(views, out, t);
    if (returned !== undefined) out.set(returned as ArrayLike<number>);
    const bad = out.findIndex((value) => !Number.isFinite(value));
    if (bad < 0) return;
    throw new SimulationError(
      "EVALUATION",
      t,
      `${this.#plan.model.name}: the constraint "${name}: ${rows.names[bad]}" gave ${out[bad]} at t = ${t}`,
    );
  }

  #jacobian(bound: BoundRows, t: number): void {
    const unit = new Float64Array(6);
    bound.views.forEach((view, index) => {
      const block = bound.blocks[index] as Floats;
      block.fill(0);
      for (let j = 0; j < BODY_VELOCITIES; j++) {
        unit.fill(0);
        unit[j] = 1;
        for (const [multiple, weight] of FIRST) {
          view.displace(unit.subarray(0, 3), unit.subarray(3), multiple * STEP);
          this.#call(bound, t, bound.value);
          bound.value.forEach((value, row) => {
            const place = BODY_VELOCITIES * row + j;
            block[place] = (block[place] as number) + (weight * value) / (12 * STEP);
          });
        }
      }
      view.fill();
    });
  }

  /** Rate and second rate along the motion with constant velocities. */
  #rates(bound: BoundRows, t: number): void {
    const { phiDot, gamma, value } = bound;
    const speed = Math.max(1, ...bound.velocities.flatMap((v) => [...v].map(Math.abs)));
    const h = LINE_STEP / speed;
    phiDot.fill(0);
    gamma.fill(0);
    for (const [multiple, first, second] of LINE) {
      bound.views.forEach((view, index) => {
        const v = bound.velocities[index] as Floats;
        view.displace(v.subarray(0, 3), v.subarray(3), multiple * h);
      });
      this.#call(bound, t + multiple * h, value);
      value.forEach((x, row) => {
        phiDot[row] = (phiDot[row] as number) + (first * x) / (12 * h);
        gamma[row] = (gamma[row] as number) - (second * x) / (12 * h * h);
      });
    }
  }
}

/** Multiples of the step and weights (times 12 h) of a first derivative. */
const FIRST = [
  [-2, 1],
  [-1, -8],
  [1, 8],
  [2, -1],
] as const;

/** The same along a line, with the weights of a second derivative (times 12 h^2). */
const LINE = [
  [-2, 1, -1],
  [-1, -8, 16],
  [0, 0, -30],
  [1, 8, 16],
  [2, -1, -1],
] as const;
