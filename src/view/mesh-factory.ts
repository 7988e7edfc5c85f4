// Shared geometries and materials: each is created once, and disposed at the end.

import {
  BoxGeometry,
  type BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  FrontSide,
  LineBasicMaterial,
  type Material,
  type Matrix4,
  Mesh,
  MeshLambertMaterial,
  SphereGeometry,
  TorusGeometry,
} from "three";
import { axesAlong, norm, subtract, unit } from "../base/algebra/vectors.js";
import type { Tint } from "../draw/colours.js";
import type { Matrix, Vector } from "../model/model-data.js";

/** Geometries of unit radius or edge; round ones have their axis along z. */
const SHAPES = {
  box: () => new BoxGeometry(1, 1, 1),
  sphere: () => new SphereGeometry(1, 24, 16),
  cylinder: () => new CylinderGeometry(1, 1, 1, 40).rotateX(Math.PI / 2),
  // Joint symbols are many and only a few pixels large: a fifth of the vertices suffices.
  bead: () => new SphereGeometry(1, 12, 8),
  pin: () => new CylinderGeometry(1, 1, 1, 16).rotateX(Math.PI / 2),
  tube: () => new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2),
  cone: () => new ConeGeometry(1, 1, 16).rotateX(Math.PI / 2),
  pyramid: () => new ConeGeometry(Math.SQRT2, 1, 4).rotateY(Math.PI / 4).rotateX(Math.PI / 2),
  torus: () => new TorusGeometry(1, 0.06, 8, 48),
} as const;

export type ShapeName = keyof typeof SHAPES;

export class MeshFactory {
  readonly #shapes = new Map<ShapeName, BufferGeometry>();
  readonly #materials = new Map<string, MeshLambertMaterial | LineBasicMaterial>();
  readonly #own: BufferGeometry[] = [];
  /** Returns the colour of a tint, #rrggbb. */
  #colours: (tint: Tint) => string;

  constructor(colours: (tint: Tint) => string) {
    this.#colours = colours;
  }

  shape(name: ShapeName): BufferGeometry {
    let found = this.#shapes.get(name);
    if (found === undefined) {
      found = SHAPES[name]();
      this.#shapes.set(name, found);
    }
    return found;
  }

  /** Registers a geometry used by one part only. */
  own<Shape extends BufferGeometry>(geometry: Shape): Shape {
    this.#own.push(geometry);
    return geometry;
  }

  /** Returns the material of closed shapes, whose inner sides are never visible. */
  solid(tint: Tint, alpha = 1): MeshLambertMaterial {
    return this.#lit("solid", tint, alpha);
  }

  /** Returns the material of surfaces visible from both sides. */
  sheet(tint: Tint, alpha: number): MeshLambertMaterial {
    return this.#lit("sheet", tint, alpha);
  }

  #lit(kind: "solid" | "sheet", tint: Tint, alpha: number): MeshLambertMaterial {
    return this.#material(
      `${kind} ${tint} ${alpha}`,
      () =>
        new MeshLambertMaterial({
          color: this.#colours(tint),
          side: kind === "sheet" ? DoubleSide : FrontSide,
          transparent: alpha < 1,
          opacity: alpha,
          // Transparent parts must not hide those further back.
          depthWrite: alpha === 1,
          // With one colour the order of the sides hardly shows, and two passes cost twice as much.
          forceSinglePass: true,
        }),
      tint,
      alpha,
    ) as MeshLambertMaterial;
  }

  line(tint: Tint, alpha = 1): LineBasicMaterial {
    return this.#material(
      `line ${tint} ${alpha}`,
      () =>
        new LineBasicMaterial({ color: this.#colours(tint), transparent: true, opacity: alpha }),
      tint,
      alpha,
    ) as LineBasicMaterial;
  }

  #material(
    key: string,
    make: () => MeshLambertMaterial | LineBasicMaterial,
    tint: Tint,
    alpha: number,
  ): MeshLambertMaterial | LineBasicMaterial {
    let found = this.#materials.get(key);
    if (found === undefined) {
      found = make();
      found.userData = { tint, alpha };
      this.#materials.set(key, found);
    }
    return found;
  }

  /** Fades all parts of other bodies; undefined: none. */
  ghost(body: number | undefined): void {
    for (const material of this.#materials.values()) {
      const { tint, alpha } = material.userData as { tint: Tint; alpha: number };
      const isFaint = body !== undefined && tint !== body;
      material.opacity = isFaint ? 0.16 * alpha : alpha;
      material.transparent = isFaint || alpha < 1 || material instanceof LineBasicMaterial;
      material.depthWrite = !isFaint && alpha === 1;
    }
  }

  recolour(colours: (tint: Tint) => string): void {
    this.#colours = colours;
    for (const material of this.#materials.values()) {
      material.color.set(colours((material.userData as { tint: Tint }).tint));
    }
  }

  dispose(): void {
    for (const shape of [...this.#shapes.values(), ...this.#own]) shape.dispose();
    for (const material of this.#materials.values()) (material as Material).dispose();
    this.#shapes.clear();
    this.#materials.clear();
    this.#own.length = 0;
  }

  /** Whether a mesh has a shared geometry and a solid material, so that it can be instanced. */
  isShared({ geometry, material }: Mesh): boolean {
    const isSolid = material instanceof MeshLambertMaterial && material.userData.alpha === 1;
    return isSolid && [...this.#shapes.values()].includes(geometry);
  }

  /** Disposes the geometries of single parts. Call before parts are rebuilt. */
  clearOwn(): void {
    for (const shape of this.#own) shape.dispose();
    this.#own.length = 0;
  }

  /** Creates a mesh with the given position, axes (columns) and length along each. */
  mesh(name: ShapeName, tint: Tint, at: Vector, axes: Matrix, sizes: Vector, alpha = 1): Mesh {
    const mesh = new Mesh(this.shape(name), this.solid(tint, alpha));
    mesh.matrixAutoUpdate = false;
    placed(mesh.matrix, at, axes, sizes);
    return mesh;
  }

  /** Creates a round bar between two points. */
  bar(tint: Tint, a: Vector, b: Vector, radius: number): Mesh {
    const mesh = new Mesh(this.shape("tube"), this.solid(tint));
    mesh.matrixAutoUpdate = false;
    spanned(mesh.matrix, a, b, radius);
    return mesh;
  }
}

/** Writes the column-major matrix [axes sizes, at]. */
export function placed(
  matrix: Matrix4,
  at: Vector,
  axes: Matrix,
  sizes: Vector | readonly number[],
): void {
  const e = matrix.elements;
  for (let j = 0; j < 3; j++) {
    for (let k = 0; k < 3; k++) e[4 * j + k] = axes[3 * j + k]! * sizes[j]!;
    e[4 * j + 3] = 0;
    e[12 + j] = at[j]!;
  }
  e[15] = 1;
}

/** Writes a matrix with z from a to b, scaled to their distance and centred between them. */
export function spanned(matrix: Matrix4, a: Vector, b: Vector, radius: number): void {
  const way = subtract(b, a);
  const length = norm(way);
  const axes = length > 0 ? axesAlong(unit(way)) : axesAlong([0, 0, 1]);
  const middle: Vector = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
  placed(matrix, middle, axes, [radius, radius, Math.max(length, 1e-9)]);
}
