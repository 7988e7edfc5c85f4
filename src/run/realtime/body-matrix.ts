// Frames of bodies as the matrices that graphics want.

import { BODY_POSITIONS } from "../../../assembly/layout-bodies.js";
import { type Body, isPart } from "../../describe/model/handles.js";
import { isList, show } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { RigidBodyInfo } from "../../seam/index.js";

/** What takes a 4 x 4 matrix by columns: of WebGL, or the `elements` of three.js. */
export type Matrix4 = Float32Array | Float64Array | number[];

/** The name of a body, by its handle. */
type Naming = (body: Body) => string;

/** Writes the matrices of bodies. */
export class BodyMatrices {
  readonly #q: Float64Array;
  readonly #bodies: () => readonly RigidBodyInfo[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #named: Naming;
  /** Centres of mass in the frames of the bodies, three numbers each, and the list they are of. */
  readonly #centres: Float64Array;
  #known: readonly RigidBodyInfo[] = [];

  /** `bodies` gives them as they are now: centres of mass may be set. `named` is the name of a handle. */
  constructor(bodies: () => readonly RigidBodyInfo[], q: Float64Array, named: Naming) {
    this.#q = q;
    this.#named = named;
    this.#bodies = bodies;
    this.#numbers = new Map(bodies().map(({ name }, index) => [name, index]));
    this.#centres = new Float64Array(3 * this.#numbers.size);
  }

  #refresh(): void {
    const bodies = this.#bodies();
    if (bodies === this.#known) return;
    this.#known = bodies;
    for (const [index, { centre }] of bodies.entries()) this.#centres.set(centre, 3 * index);
  }

  /** Writes [R r; 0 1] of a body by columns: r = c - R centre is the origin of its frame. */
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
    const index = typeof body === "number" ? body : this.#numbers.get(body);
    if (index !== undefined && Number.isInteger(index) && index >= 0 && index < this.#numbers.size)
      return index;
    const names = [...this.#numbers.keys()].join(", ");
    throw new NodriftError(
      "DESCRIPTION",
      typeof body === "number"
        ? `matrix: there is no body number ${body}: they go from 0 to ${this.#numbers.size - 1}`
        : `matrix: there is no body ${show(body)}: there are ${names}`,
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

/** R of the unit Euler parameters at a place, as the first columns of a 4 x 4 matrix. */
function writeRotation(q: Float64Array, place: number, out: Matrix4, offset: number): void {
  const w = q[place]!;
  const x = q[place + 1]!;
  const y = q[place + 2]!;
  const z = q[place + 3]!;
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

/** The matrix of a body, where there are bodies. */
export function writeMatrix<M extends Matrix4>(
  matrices: BodyMatrices | undefined,
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
