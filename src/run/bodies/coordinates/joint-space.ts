// Robot dynamics of a mechanism in joint coordinates along its tree. With T the map from joint velocities to those of
// the bodies, u = T v, and M_b their masses,
//
//   M = T^T M_b T,   M a = T^T (gravity + laws + gyroscopic - M_b T' v) + tau.
//
// T v runs outwards and T^T f inwards along the tree, a few products for each body (assembly/tree/bodies.ts). So
// inverse dynamics is the recursive method of Newton and Euler (Luh, Walker and Paul, ASME Journal of Dynamic Systems,
// Measurement, and Control 102, 1980), and every row of a Jacobian is one inward pass with a unit force. Rejected: the
// composite-rigid-body algorithm for M. It saves part of the cost of M T, but needs another kernel; M has n^2 entries
// anyway.

import { BODY_POSITIONS, BODY_VELOCITIES, ForcePart } from "../../../../assembly/layout-bodies.js";
import {
  add,
  cross,
  normalised,
  rotationOf,
  scale,
  subtract,
  times,
  transposeTimes,
  vectorOf,
  ZERO,
} from "../../../base/algebra/vectors.js";
import {
  argument,
  inside,
  isList,
  locationOf,
  numbers,
  optionError,
  reading,
  readRecord,
  refuseMore,
  wrongValueError,
} from "../../../base/checking/index.js";
import { hint, type VectorLike, vector } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import { type Body, partName, partRule } from "../../../model/handles.js";
import type { Matrix, Vector } from "../../../model/model-data.js";
import { bodyNamed } from "../../../systems/bodies/plan/carriers.js";
import { LAWS } from "../../../systems/relative/system/quantities.js";
import type { CompiledModel } from "../compiled-model.js";
import { poseOfBody } from "../probe/pose-reading.js";
import type { BodyState } from "../reading/readout.js";
import type { BodySimulation } from "../simulation/simulation.js";
import {
  byName,
  type JointCoordinateValues,
  type JointSpaceContext,
  jointCoordinates,
  namesOf,
  type TreeProbe,
} from "./tree-probe.js";

/** Returns a list with a value for each name, from a list or an object; omitted names are zero. */
function namedNumbers(
  where: string,
  what: string,
  given: unknown,
  names: readonly string[],
): Float64Array {
  const place = locationOf(where, "STEP", `${what}s`);
  if (isList(given)) {
    const list = numbers.read(given, place);
    if (list.length === names.length) return list;
    throw optionError(place, `are ${list.length}; there are ${names.length} coordinates`);
  }
  const values = new Float64Array(names.length);
  const record = readRecord(place, given, "numbers by names of coordinates, or a list of them");
  for (const [name, value] of Object.entries(record)) {
    const index = names.indexOf(name);
    if (index < 0) {
      throw optionError(place, `has no coordinate "${name}"${hint(name, names)}`);
    }
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw wrongValueError(inside(place, name), value, "a finite number");
    }
    values[index] = value;
  }
  return values;
}

/** A matrix whose rows and columns have names. */
export interface NamedMatrix {
  /** Names of the rows. */
  readonly rows: readonly string[];
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** Entries, row-major. */
  readonly values: readonly (readonly number[])[];
}

/** The centre of mass of all bodies. */
export interface CentreOfMass {
  /** Mass of all bodies together. */
  readonly mass: number;
  readonly position: Vector;
  readonly velocity: Vector;
  /** Matrix from the joint velocities to the velocity: rows vx, vy, vz. */
  readonly jacobian: NamedMatrix;
}

/** Momentum of all bodies; the angular momentum is about their centre of mass. */
export interface CentroidalMomentum {
  readonly linear: Vector;
  readonly angular: Vector;
  /** Matrix from the joint velocities to (linear, angular): rows px, py, pz, lx, ly, lz. */
  readonly matrix: NamedMatrix;
}

const AXES = [vectorOf(1, 0, 0), vectorOf(0, 1, 0), vectorOf(0, 0, 1)] as const;

/**
 * A mechanism in joint coordinates: angles and displacements along the tree of `report.tree`, whichever coordinates are
 * integrated. A live view. Forces act along each coordinate, and
 *
 *   mass matrix x accelerations = coriolis + gravity + applied forces + result of inverse dynamics.
 *
 * Textbooks of robotics have C q' and g(q) on the other side: they are minus `coriolisForces()` and
 * `gravityForces()`. If joints close loops the coordinates are dependent: quantities are those of the tree with its
 * loops open.
 *
 * @example
 * const space = jointSpace(simulation);
 * const torques = space.inverseDynamics({ "elbow angle": 2 });
 * console.log(torques["shoulder angle"], space.massMatrix().values);
 */
export class JointSpace {
  /** Names of the coordinates. A spherical joint or free body has four Euler parameters. */
  readonly positionNames: readonly string[];
  /** Names of the velocities, and of the corresponding accelerations and forces. */
  readonly velocityNames: readonly string[];
  readonly #context: JointSpaceContext;

  constructor(context: JointSpaceContext) {
    this.#context = context;
    const { positionNames, velocityNames } = namesOf(context);
    this.positionNames = positionNames;
    this.velocityNames = velocityNames;
  }

  /** Returns the joint coordinates and velocities by name. If a run integrates them they are bitwise its values. */
  coordinates(): JointCoordinateValues {
    return jointCoordinates(this.#context);
  }

  /** Returns the accelerations v' of the motion. */
  accelerations(): Readonly<Record<string, number>> {
    return byName(this.velocityNames, this.#accelerations());
  }

  /** Returns the mass matrix M, where v^T M v is twice the kinetic energy. Bitwise symmetric. */
  massMatrix(): NamedMatrix {
    const size = this.velocityNames.length;
    const values = Array.from({ length: size }, () => new Array<number>(size).fill(0));
    this.#at("massMatrix", ({ system, arena, vector: unit, forces }) => {
      const [one, column] = [arena.floats(unit), arena.floats(forces)];
      for (let j = 0; j < size; j++) {
        one.fill(0);
        one[j] = 1;
        system.dynamics.massTimes(unit.address, forces.address);
        for (let i = j; i < size; i++) values[i]![j] = values[j]![i] = column[i]!;
      }
    });
    return { rows: this.velocityNames, columns: this.velocityNames, values };
  }

  /**
   * Returns the forces along the coordinates, in addition to those of the model, for given accelerations: by name, with
   * omitted ones zero, or as a list in the order of `velocityNames`. Without accelerations those of the motion are
   * used. The result is then the forces of drives, couplings and joints that close loops.
   *
   * @example
   * const hold = jointSpace(simulation).inverseDynamics({}); // torques that keep all rates as they are
   */
  inverseDynamics(
    accelerations?: Readonly<Record<string, number>> | ArrayLike<number>,
  ): Readonly<Record<string, number>> {
    const given =
      accelerations === undefined
        ? this.#accelerations()
        : namedNumbers("inverseDynamics", "acceleration", accelerations, this.velocityNames);
    return this.#at("inverseDynamics", ({ system, arena, vector: own, forces }) => {
      arena.floats(own).set(given);
      system.dynamics.massTimes(own.address, forces.address);
      const { address } = forces;
      arena.kernels.axpy(given.length, -1, system.dynamics.forces(), address, address);
      return byName(this.velocityNames, arena.floats(forces));
    });
  }

  /** Returns the Coriolis, centrifugal and gyroscopic forces: the effect of velocities on accelerations. */
  coriolisForces(): Readonly<Record<string, number>> {
    return this.#at("coriolisForces", (probe) => {
      const { system, arena, loads } = probe;
      const { bodyQuantities: bodies, kernels, table } = system;
      system.requireBias();
      bodies.requireFrames();
      kernels.treeBodyBias(table, loads.address);
      bodies.massTimes(loads.address, loads.address);
      const gyroscopic = bodies.loads(ForcePart.GYROSCOPIC);
      arena.kernels.axpy(bodies.velocities, -1, loads.address, gyroscopic, loads.address);
      return this.#alongCoordinates(probe, loads.address);
    });
  }

  /** Returns the forces of gravity. */
  gravityForces(): Readonly<Record<string, number>> {
    const { bodies, gravity } = this.#context.model.data;
    return this.#at("gravityForces", (probe) => {
      const loads = probe.arena.floats(probe.loads).fill(0);
      for (let i = 0; i < bodies.length; i++) {
        for (let k = 0; k < 3; k++) loads[BODY_VELOCITIES * i + k] = bodies[i]!.mass * gravity[k]!;
      }
      return this.#alongCoordinates(probe, probe.loads.address);
    });
  }

  /** Returns the forces of springs, dampers, tyres, motors and user functions: those of the model without gravity. */
  appliedForces(): Readonly<Record<string, number>> {
    return this.#at("appliedForces", (probe) => {
      const { system } = probe;
      if (!system.hasLoads)
        return byName(
          this.velocityNames,
          this.velocityNames.map(() => 0),
        );
      return this.#alongCoordinates(probe, system.loads(LAWS));
    });
  }

  /**
   * Returns the Jacobian of a point of a body, given in its frame, by the joint velocities: rows vx, vy, vz of the
   * point and wx, wy, wz of the body, in the world.
   *
   * @example
   * const { values } = jointSpace(simulation).pointJacobian("hand", [0, 0, 0.1]);
   */
  pointJacobian(body: string | Body, point: VectorLike = ZERO): NamedMatrix {
    const { model } = this.#context;
    const given = argument("pointJacobian", "STEP", "the body", body, partRule<Body>("a body"));
    const name = partName("pointJacobian", model.data, given, "body");
    const index = bodyNamed(model.data, name, "pointJacobian");
    const own = vector("pointJacobian", "the point", point);
    const { position, rotation, centre } = poseOfBody(model.data, this.#context.present(), index);
    const arm = subtract(add(position, times(rotation, own)), centre);
    const place = BODY_VELOCITIES * index;
    return this.#jacobian("pointJacobian", ["vx", "vy", "vz", "wx", "wy", "wz"], (row, loads) => {
      const axis = AXES[row % 3]!;
      const torque = row < 3 ? cross(arm, axis) : axis;
      if (row < 3) loads.set(axis, place);
      loads.set(transposeTimes(rotation, torque), place + 3);
    });
  }

  /** Returns the centre of mass of all bodies: position, velocity, and its Jacobian by the joint velocities. */
  centreOfMass(): CentreOfMass {
    const { bodies } = this.#context.model.data;
    const { mass, position, velocity } = this.#centre();
    const jacobian = this.#jacobian("centreOfMass", ["vx", "vy", "vz"], (row, loads) => {
      for (let i = 0; i < bodies.length; i++) {
        loads[BODY_VELOCITIES * i + row] = bodies[i]!.mass / mass;
      }
    });
    return { mass, position, velocity, jacobian };
  }

  /**
   * Returns momentum and angular momentum about the centre of mass, and their matrix by the joint velocities. With
   * e an axis, e . sum (c - C) x m c' + R I w is the power of the forces m e x (c - C) and torques I R^T e.
   */
  centroidalMomentum(): CentroidalMomentum {
    const { bodies } = this.#context.model.data;
    const { q } = this.#context.present();
    const rotations = bodies.map((_, i) => rotationAt(q, BODY_POSITIONS * i + 3));
    const { mass, position, velocity } = this.#centre();
    const rows = ["px", "py", "pz", "lx", "ly", "lz"];
    const matrix = this.#jacobian("centroidalMomentum", rows, (row, loads) => {
      for (let i = 0; i < bodies.length; i++) {
        const place = BODY_VELOCITIES * i;
        if (row < 3) loads[place + row] = bodies[i]!.mass;
        else {
          writeArm(bodies[i]!.mass, q, BODY_POSITIONS * i, position, row - 3, loads, place);
          writeTorque(bodies[i]!.inertia, rotations[i]!, row - 3, loads, place + 3);
        }
      }
    });
    const { v } = this.#context.treeProbe.coordinates(this.#context.present());
    const turning = (row: number) => matrix.values[row]!.reduce((sum, x, j) => sum + x * v[j]!, 0);
    const angular = vectorOf(turning(3), turning(4), turning(5));
    return { linear: scale(mass, velocity), angular, matrix };
  }

  #at<T>(what: string, find: (probe: TreeProbe) => T): T {
    const { treeProbe } = this.#context;
    return treeProbe.at(this.#context.present(), what, () => find(treeProbe));
  }

  #accelerations(): Float64Array {
    return this.#at("accelerations", ({ system, arena, vector: out }) => {
      system.dynamics.solver("auto").accelerate(system.constraints.gamma(), out.address);
      return arena.floats(out).slice();
    });
  }

  /** Returns T^T of loads on the bodies, by name. */
  #alongCoordinates({ system, arena, forces }: TreeProbe, loads: number) {
    system.jointForces(loads, forces.address);
    return byName(this.velocityNames, arena.floats(forces));
  }

  /** Computes rows of a Jacobian from the loads of which they are the power. */
  #jacobian(
    what: string,
    rows: readonly string[],
    load: (row: number, loads: Float64Array) => void,
  ): NamedMatrix {
    const values = this.#at(what, ({ system, arena, loads, forces }) =>
      rows.map((_, row) => {
        load(row, arena.floats(loads).fill(0));
        system.jointForces(loads.address, forces.address);
        return Array.from(arena.floats(forces).subarray(0, this.velocityNames.length));
      }),
    );
    return { rows, columns: this.velocityNames, values };
  }

  /** Computes the total mass and its centre. Public coordinates are those of centres of mass. */
  #centre(): { mass: number; position: Vector; velocity: Vector } {
    const { bodies } = this.#context.model.data;
    const { q, v } = this.#context.present();
    const mass = bodies.reduce((sum, body) => sum + body.mass, 0);
    const mean = (values: Float64Array, stride: number) => {
      const sum = [0, 0, 0] as [number, number, number];
      for (let i = 0; i < bodies.length; i++) {
        for (let k = 0; k < 3; k++) sum[k]! += bodies[i]!.mass * values[stride * i + k]!;
      }
      return scale(1 / mass, sum);
    };
    return {
      mass,
      position: mean(q, BODY_POSITIONS),
      velocity: mean(v, BODY_VELOCITIES),
    };
  }
}

function rotationAt(q: Float64Array, place: number): Matrix {
  return rotationOf(normalised([q[place]!, q[place + 1]!, q[place + 2]!, q[place + 3]!]));
}

/**
 * Writes the force m e x (c - C) for the world axis e with index k. Computed by component: a vector for each body and
 * row costs more than the passes along the tree.
 */
function writeArm(
  mass: number,
  q: Float64Array,
  centre: number,
  about: Vector,
  k: number,
  loads: Float64Array,
  place: number,
): void {
  const [next, last] = [(k + 1) % 3, (k + 2) % 3];
  loads[place + next] = -mass * (q[centre + last]! - about[last]!);
  loads[place + last] = mass * (q[centre + next]! - about[next]!);
}

/** Writes the torque I R^T e. */
function writeTorque(
  inertia: Matrix,
  rotation: Matrix,
  k: number,
  loads: Float64Array,
  place: number,
): void {
  for (let i = 0; i < 3; i++) {
    let torque = 0;
    for (let j = 0; j < 3; j++) torque += inertia[3 * j + i]! * rotation[3 * j + k]!;
    loads[place + i] = torque;
  }
}

/**
 * Returns a mechanism in joint coordinates: mass matrix, inverse dynamics, Jacobians. Those of a simulation are at its present
 * state; a compiled model is in its initial state.
 *
 * @example
 * const torques = jointSpace(await compile(robot)).inverseDynamics({});
 */
export function jointSpace(
  motion: BodySimulation | BodyState | CompiledModel,
  ...more: undefined[]
): JointSpace {
  refuseMore("jointSpace", "STEP", more);
  const readout = reading(
    locationOf("jointSpace", "STEP", "the simulation, state or compiled model"),
    () => (motion as Partial<BodySimulation> | null | undefined)?.readout,
  );
  if (readout) return new JointSpace(readout);
  throw new NodriftError(
    "STEP",
    "jointSpace takes a simulation of a mechanism, a state of its solution, or a compiled model: jointSpace(simulation)",
  );
}
