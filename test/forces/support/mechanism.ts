// A mechanism built by hand in the memory of the modules of bodies and of derivatives, and its description in
// plain numbers.

import { readFileSync } from "node:fs";
import { denseOf, fullPattern } from "../../support/block-matrix.js";
import {
  BodyFrame,
  BodyMass,
  BodyTable,
  DERIVATIVE_SCRATCH,
  ForceEntry,
  ForceKind,
  ForcePart,
  MarkerEntry,
  MarkerFrame,
  MarkerLocal,
  Sensor,
  SensorEntry,
  SensorKind,
  Want,
} from "./layout.js";
import type { ForceSpec, Place, Pose, Spec } from "./spec.js";
import { add, axesOf, cross, product, turn, unit, ZERO } from "./vectors.js";

export type * from "./spec.js";
export { ForceKind, ForcePart, Sensor, SensorKind };

interface BodyKernels {
  bodyKinematics(table: number, want: number): number;
  bodyForces(table: number, parts: number): void;
  bodyPotential(table: number): number;
  bodySensors(table: number, want: number): void;
  bodyForceDerivatives(table: number, blocks: number, stiffness: number, damping: number): void;
}

const modules = ["bodies", "stiff"].map((name) => {
  const file = `../../../build/${name}-${process.env.NODRIFT_WASM}.wasm`;
  return new WebAssembly.Module(readFileSync(new URL(file, import.meta.url)));
});
/** Address after the static data of all modules. */
const START = 32768;
/** Slots of NaN between regions, which must not be read or written. */
const GAP = 4;

export class Mechanism {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly sensors: Float64Array;
  readonly data: Float64Array;
  readonly forces: Float64Array;
  readonly scratch: Float64Array;
  /** Derivatives of the forces, in blocks. */
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  readonly memory = new WebAssembly.Memory({ initial: 2 });
  readonly spec: Spec;
  readonly #kernels: BodyKernels;
  readonly #head: Int32Array;
  readonly #pattern: number;
  #end = START;

  constructor(spec: Spec) {
    this.spec = spec;
    const abort = () => {
      throw new Error("an assertion of the module failed");
    };
    const instances = modules.map(
      (module) => new WebAssembly.Instance(module, { env: { memory: this.memory, abort } }).exports,
    );
    this.#kernels = Object.assign({}, ...instances) as BodyKernels;
    this.#head = this.#lists();
    const { bodies, markers, sensors } = spec;
    this.q = this.#region(BodyTable.POSITIONS, 7 * bodies.length);
    this.v = this.#region(BodyTable.VELOCITIES, 6 * bodies.length);
    const frames = this.#region(BodyTable.FRAMES, BodyFrame.LENGTH * (bodies.length + 1));
    frames.set([1, 0, 0, 0, 1, 0, 0, 0, 1, ...new Array(9).fill(0)], frames.length - 18);
    this.#region(BodyTable.MARKERS, MarkerFrame.LENGTH * markers.length);
    this.sensors = this.#region(BodyTable.SENSORS, Sensor.LENGTH * sensors.length);
    const constants = [...spec.forces.flatMap(({ data }) => data), 0, 0];
    this.data = this.#region(BodyTable.DATA, constants.length);
    this.data.set(constants);
    this.forces = this.#region(BodyTable.FORCES, 6 * (bodies.length + 1));
    this.scratch = this.#region(BodyTable.VELOCITY_SCRATCH, DERIVATIVE_SCRATCH);
    this.stiffness = this.#region(undefined, this.v.length ** 2);
    this.damping = this.#region(undefined, this.v.length ** 2);
    const pattern = fullPattern(bodies.length);
    this.#pattern = this.#region(undefined, Math.ceil(pattern.length / 2)).byteOffset;
    new Int32Array(this.memory.buffer, this.#pattern, pattern.length).set(pattern);
    this.#records();
    this.reset();
  }

  /** Back to the state of the description. */
  reset(): void {
    this.q.set(this.spec.bodies.flatMap(({ position }) => position));
    this.v.set(this.spec.bodies.flatMap(({ velocity }) => velocity));
  }

  /** Evaluates frames, sensors, then the requested forces. */
  evaluate(parts: number, rates = 1): number[] {
    this.kinematics(rates);
    this.#kernels.bodyForces(this.#head.byteOffset, parts);
    return [...this.forces];
  }

  /** Evaluates only the forces, after values have been set by hand. */
  addForces(parts: number): void {
    this.#kernels.bodyForces(this.#head.byteOffset, parts);
  }

  /** Adds derivatives of the forces to the two matrices. */
  addDerivatives(): void {
    const { stiffness, damping } = this;
    this.#kernels.bodyForceDerivatives(
      this.#head.byteOffset,
      this.#pattern,
      stiffness.byteOffset,
      damping.byteOffset,
    );
  }

  /** One of the matrices, dense and column-major. */
  dense(matrix: Float64Array): number[] {
    return [...denseOf(matrix, this.spec.bodies.length)];
  }

  /** Evaluates sensors by their kernel. */
  measure(): void {
    this.#kernels.bodySensors(
      this.#head.byteOffset,
      Want.PHI | Want.JACOBIAN | Want.RATES | Want.ALL_SENSORS,
    );
  }

  potential(): number {
    this.kinematics(0);
    return this.#kernels.bodyPotential(this.#head.byteOffset);
  }

  kinematics(rates: number): void {
    const status = this.#kernels.bodyKinematics(this.#head.byteOffset, rates ? Want.RATES : 0);
    if (status !== 0) throw new Error(`bodyKinematics returned ${status}`);
    this.onKinematics();
  }

  /** Callback that writes the sensors, which are not evaluated automatically. */
  onKinematics: () => void = () => {};

  pose(body: number): Pose {
    if (body < 0) return { point: ZERO, e: [1, 0, 0, 0], velocity: ZERO, omega: ZERO };
    const e = unit([...this.q.subarray(7 * body + 3, 7 * body + 7)]);
    return {
      point: [...this.q.subarray(7 * body, 7 * body + 3)],
      e,
      velocity: [...this.v.subarray(6 * body, 6 * body + 3)],
      omega: turn(e, [...this.v.subarray(6 * body + 3, 6 * body + 6)]),
    };
  }

  place(marker: number): Place {
    const { body, arm, axes } = this.spec.markers[marker];
    const { point, e, velocity, omega } = this.pose(body);
    const s = turn(e, arm);
    return {
      body,
      point: add(point, s),
      e: product(e, unit(axes)),
      velocity: add(velocity, cross(omega, s)),
      omega,
    };
  }

  #lists(): Int32Array {
    const { bodies, markers, sensors, forces } = this.spec;
    const lists: [number, number, number[][]][] = [
      [
        BodyTable.MARKER_COUNT,
        BodyTable.MARKER_LIST,
        markers.map(({ body }) =>
          fields(MarkerEntry.LENGTH, [
            [MarkerEntry.BODY, body < 0 ? bodies.length : body],
            [MarkerEntry.HAS_AXES, 1],
            [MarkerEntry.USED, 1],
          ]),
        ),
      ],
      [
        BodyTable.SENSOR_COUNT,
        BodyTable.SENSOR_LIST,
        sensors.map(([a, b, kind]) =>
          fields(SensorEntry.LENGTH, [
            [SensorEntry.KIND, kind ?? SensorKind.DISPLACEMENT],
            [SensorEntry.A, a],
            [SensorEntry.B, b],
            // Angles are unwrapped from zero, which is stored after the constants of the forces.
            [SensorEntry.DATA, forces.flatMap(({ data }) => data).length],
          ]),
        ),
      ],
      [BodyTable.FORCE_COUNT, BodyTable.FORCE_LIST, forceEntries(forces)],
    ];
    const table: number[] = new Array(BodyTable.LENGTH).fill(0);
    table[BodyTable.BODY_COUNT] = bodies.length;
    for (const [count, list, entries] of lists) {
      table[count] = entries.length;
      table[list] = table.length;
      table.push(...entries.flat());
    }
    const head = new Int32Array(this.memory.buffer, this.#end, table.length);
    head.set(table);
    this.#end += 8 * Math.ceil(table.length / 2);
    return head;
  }

  #region(field: BodyTable | undefined, slots: number): Float64Array {
    new Float64Array(this.memory.buffer, this.#end, slots + 2 * GAP).fill(Number.NaN);
    const region = new Float64Array(this.memory.buffer, this.#end + 8 * GAP, slots);
    if (field !== undefined) this.#head[field] = region.byteOffset;
    this.#end = region.byteOffset + region.byteLength + 8 * GAP;
    return region;
  }

  #records(): void {
    const { bodies, markers, gravity } = this.spec;
    const masses = this.#region(BodyTable.MASSES, BodyMass.LENGTH * bodies.length);
    for (const [i, { mass, inertia }] of bodies.entries()) {
      const record = masses.subarray(BodyMass.LENGTH * i);
      record[BodyMass.MASS] = mass;
      record.set(inertia, BodyMass.INERTIA);
      record.set(gravity, BodyMass.GRAVITY);
    }
    const locals = this.#region(BodyTable.LOCALS, MarkerLocal.LENGTH * markers.length);
    for (const [i, { arm, axes }] of markers.entries()) {
      locals.set(arm, MarkerLocal.LENGTH * i + MarkerLocal.ARM);
      locals.set(axesOf(unit(axes)), MarkerLocal.LENGTH * i + MarkerLocal.AXES);
    }
  }
}

function forceEntries(forces: readonly ForceSpec[]): number[][] {
  let slot = 0;
  return forces.map(({ kind, a, b, flag, data }) => {
    const entry = fields(ForceEntry.LENGTH, [
      [ForceEntry.KIND, kind],
      [ForceEntry.A, a],
      [ForceEntry.B, b ?? -1],
      [ForceEntry.FLAG, flag ?? 0],
      [ForceEntry.DATA, slot],
    ]);
    slot += data.length;
    return entry;
  });
}

function fields(count: number, values: readonly (readonly [number, number])[]): number[] {
  const entry: number[] = new Array(count).fill(0);
  for (const [field, value] of values) entry[field] = value;
  return entry;
}
