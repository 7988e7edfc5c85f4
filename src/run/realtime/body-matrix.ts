// Frames of bodies as matrices for graphics.

import { BODY_POSITIONS } from "../../../assembly/layout-bodies.js";
import { isList, show } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { RigidBodyInfo } from "../../interfaces/index.js";
import { type Body, isPart } from "../../model/handles.js";

/** Target of a column-major 4 x 4 matrix: of WebGL, or the `elements` of three.js. */
export type Matrix4 = Float32Array | Float64Array | number[];

/** Returns the name of a body, by its handle. */
type Naming = (body: Body) => string;

/** Writes the matrices of bodies. */
export class BodyTransforms {
  readonly #q: Float64Array;
  readonly #bodies: () => readonly RigidBodyInfo[];
  readonly #indices: ReadonlyMap<string, number>;
  readonly #named: Naming;
  /** Centres of mass in the frames of the bodies, three values each. */
  readonly #centres: Float64Array;
  #bodiesOfCentres: readonly RigidBodyInfo[] = [];

  /** `bodies` returns the present bodies, as centres of mass may be set. `named` returns the name of a handle. */
  constructor(bodies: () => readonly RigidBodyInfo[], q: Float64Array, named: Naming) {
    this.#q = q;
    this.#named = named;
    this.#bodies = bodies;
    this.#indices = new Map(bodies().map(({ name }, index) => [name, index]));
    this.#centres = new Float64Array(3 * this.#indices.size);
  }

  #refresh(): void {
    const bodies = this.#bodies();
    if (bodies === this.#bodiesOfCentres) return;
    this.#bodiesOfCentres = bodies;
    for (const [index, { centre }] of bodies.entries()) this.#centres.set(centre, 3 * index);
  }

  /** Writes [R r; 0 1] of a body in column-major order: r = c - R centre is the origin of its frame. */
  write(body: string | number | Body, out: Matrix4, offset: number): void {
    this.#refresh();
    const index = this.#indexOf(body);
    checkRoom(out, offset);
    const at = BODY_POSITIONS * index;
    writeRotation(this.#q, at + 3, out, offset);
    const [x, y, z] = [3 * index, 3 * index + 1, 3 * index + 2];
    const centres = this.#centres;
    for (let i = 0; i < 3; i++) {
      const row = offset + i;
      out[row + 12] =
        this.#q[at + i]! -
        (out[row]! * centres[x]! + out[row + 4]! * centres[y]! + out[row + 8]! * centres[z]!);
      out[offset + 4 * i + 3] = 0;
    }
    out[offset + 15] = 1;
  }

  #indexOf(given: string | number | Body): number {
    const body = isPart(given) ? this.#named(given) : given;
    const index = typeof body === "number" ? body : this.#indices.get(body);
    if (index !== undefined && Number.isInteger(index) && index >= 0 && index < this.#indices.size)
      return index;
    const names = [...this.#indices.keys()].join(", ");
    throw new NodriftError(
      "DESCRIPTION",
      typeof body === "number"
        ? `matrix: body index ${body} is out of range 0 to ${this.#indices.size - 1}`
        : `matrix: unknown body ${show(body)}; there are: ${names}`,
    );
  }
}

function checkRoom(out: Matrix4, offset: number): void {
  if (!isList(out)) {
    throw new NodriftError("STEP", `matrix: out is ${show(out)}; give an array of 16 numbers`);
  }
  if (Number.isInteger(offset) && offset >= 0 && offset + 16 <= out.length) return;
  throw new NodriftError(
    "STEP",
    `matrix: sixteen numbers from ${show(offset)} on do not fit into an array of ${out.length}`,
  );
}

/** Writes R of the unit Euler parameters at an offset, as the first columns of a 4 x 4 matrix. */
function writeRotation(q: Float64Array, first: number, out: Matrix4, offset: number): void {
  const w = q[first]!;
  const x = q[first + 1]!;
  const y = q[first + 2]!;
  const z = q[first + 3]!;
  out[offset] = 2 * (w * w + x * x) - 1;
  out[offset + 1] = 2 * (x * y + w * z);
  out[offset + 2] = 2 * (x * z - w * y);
  out[offset + 4] = 2 * (x * y - w * z);
  out[offset + 5] = 2 * (w * w + y * y) - 1;
  out[offset + 6] = 2 * (y * z + w * x);
  out[offset + 8] = 2 * (x * z + w * y);
  out[offset + 9] = 2 * (y * z - w * x);
  out[offset + 10] = 2 * (w * w + z * z) - 1;
}

/** Writes the matrix of a body; throws if the system has no bodies. */
export function writeMatrix<M extends Matrix4>(
  matrices: BodyTransforms | undefined,
  body: string | number | Body,
  out: M,
  offset: number,
): M {
  if (matrices === undefined) {
    throw new NodriftError(
      "DESCRIPTION",
      "matrix is for mechanisms: this system is given by functions, and has no bodies",
    );
  }
  matrices.write(body, out, offset);
  return out;
}
