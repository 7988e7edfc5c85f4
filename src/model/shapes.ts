// Homogeneous solids whose inertia has a closed form.

import { IDENTITY, vectorOf } from "../base/algebra/vectors.js";
import {
  checkKeys,
  direction,
  flag,
  ownOptions,
  positive,
  type VectorLike,
} from "../base/checking/values.js";
import type { Matrix, ShapeDescription, Vector } from "./model-data.js";
import type { Parametric } from "./parameter-types.js";
import { hasParameters, initialValue, type ParameterValue, withValues } from "./parameters.js";

/**
 * A homogeneous solid around the centre of mass of a body, which determines its inertia.
 *
 * @example
 * const shape = rod({ length: 0.5 });
 * console.log(shape.name, shape.inertia);
 */
export class Shape {
  constructor(
    /** Type and dimensions, for drawing and for model files. */
    readonly description: ShapeDescription,
    /** Volume, to find the mass from a density; undefined for thin rods and shells. */
    readonly volume: number | undefined,
    /** Inertia per unit of mass about the centre, in the axes of the body, 3 x 3. */
    readonly inertia: Matrix,
    /** Returns the shape with other values of its parameters, if it has any. */
    readonly follows?: (valueFor: ParameterValue) => Shape,
    /** Its options, if they contain parameters. */
    readonly given?: object,
  ) {
    Object.freeze(description);
    Object.freeze(this);
  }

  /** Name of the function that made it: "rod". */
  get name(): ShapeDescription["type"] {
    return this.description.type;
  }
}

/** Creates a shape that can be rebuilt with other values of the parameters in its options. */
function shaped<Options extends object>(
  where: string,
  given: Parametric<Options>,
  more: readonly unknown[],
  make: (options: Options) => Shape,
): Shape {
  const options = ownOptions(where, given as object, more) as Options;
  if (!hasParameters(options)) return make(options);
  const follows = (valueFor: ParameterValue) => make(withValues(options, valueFor));
  const { description, volume, inertia } = follows(initialValue);
  return new Shape(description, volume, inertia, follows, options);
}

/**
 * A block with edges x, y and z along the axes of the body.
 *
 * @example
 * m.body({ density: 7850, shape: box({ x: 1, y: 0.05, z: 0.02 }) });
 */
export function box(
  given: Parametric<{ x: number; y: number; z: number }>,
  ...more: undefined[]
): Shape {
  return shaped<{ x: number; y: number; z: number }>("box", given, more, (options) => {
    checkKeys("box", options, ["x", "y", "z"], []);
    const x = positive("box", "x", options.x);
    const y = positive("box", "y", options.y);
    const z = positive("box", "z", options.z);
    const inertia = vectorOf((y * y + z * z) / 12, (z * z + x * x) / 12, (x * x + y * y) / 12);
    return new Shape({ type: "box", x, y, z }, x * y * z, diagonal(inertia));
  });
}

/**
 * Ratio of the radius of a thin rod to its length. A line has no inertia about its axis, so the motion of a body
 * would be undetermined. The moments across the rod ignore this radius.
 */
const ROD_RADIUS = 0.01;

/**
 * A thin rod along `axis` (in the axes of the body; z if not given): inertia m length^2 / 12 across; about its own axis
 * that of a radius of length / 100. If spin matters use {@link cylinder}.
 *
 * @example
 * m.body({ mass: 1, shape: rod({ length: 0.5, axis: [1, 0, 0] }) });
 */
export function rod(given: Parametric<RodOptions>, ...more: undefined[]): Shape {
  return shaped<RodOptions>("rod", given, more, (options) => {
    checkKeys("rod", options, ["length"], ["axis"]);
    const length = positive("rod", "length", options.length);
    const along = (ROD_RADIUS * length) ** 2 / 2;
    const inertia = axial("rod", options.axis, along, length ** 2 / 12);
    const description = { type: "rod", length, ...axisOf(options.axis) } as const;
    return new Shape(description, undefined, inertia);
  });
}

interface RodOptions {
  readonly length: number;
  readonly axis?: VectorLike | undefined;
}

interface CylinderOptions extends RodOptions {
  readonly radius: number;
}

/**
 * A solid cylinder around `axis` (in the axes of the body; z if not given).
 *
 * @example
 * m.body({ mass: 2, shape: cylinder({ radius: 0.1, length: 0.02, axis: [0, 1, 0] }) });
 */
export function cylinder(given: Parametric<CylinderOptions>, ...more: undefined[]): Shape {
  return shaped<CylinderOptions>("cylinder", given, more, (options) => {
    checkKeys("cylinder", options, ["radius", "length"], ["axis"]);
    const radius = positive("cylinder", "radius", options.radius);
    const length = positive("cylinder", "length", options.length);
    const across = (3 * radius ** 2 + length ** 2) / 12;
    const inertia = axial("cylinder", options.axis, radius ** 2 / 2, across);
    const description = { type: "cylinder", radius, length, ...axisOf(options.axis) } as const;
    return new Shape(description, Math.PI * radius ** 2 * length, inertia);
  });
}

interface SphereOptions {
  readonly radius: number;
  readonly shell?: boolean | undefined;
}

/**
 * A solid sphere, 2/5 m r^2; or a thin spherical shell, 2/3 m r^2.
 *
 * @example
 * m.body({ mass: 0.45, shape: sphere({ radius: 0.11, shell: true }) });
 */
export function sphere(given: Parametric<SphereOptions>, ...more: undefined[]): Shape {
  return shaped<SphereOptions>("sphere", given, more, (options) => {
    checkKeys("sphere", options, ["radius"], ["shell"]);
    const radius = positive("sphere", "radius", options.radius);
    const shell = flag("sphere", "shell", options.shell);
    const moment = (shell ? 2 / 3 : 2 / 5) * radius ** 2;
    const volume = shell ? undefined : (4 / 3) * Math.PI * radius ** 3;
    const isGiven = options.shell !== undefined;
    const description = { type: "sphere", radius, ...(isGiven && { shell }) } as const;
    return new Shape(description, volume, diagonal(vectorOf(moment, moment, moment)));
  });
}

export function diagonal(moments: Vector): Matrix {
  return Object.freeze([moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2]]);
}

/** Returns the given axis for descriptions. */
function axisOf(axis: VectorLike | undefined): { readonly axis?: Vector } {
  return axis === undefined ? {} : { axis: vectorOf(axis[0]!, axis[1]!, axis[2]!) };
}

/** Inertia of a body of revolution: I = across (1 - u u^T) + along u u^T. */
function axial(where: string, axis: VectorLike | undefined, along: number, across: number): Matrix {
  const u = direction(where, "axis", axis ?? [0, 0, 1]);
  const entry = (i: number, j: number) =>
    (i === j ? across : 0) + (along - across) * u[i]! * u[j]! + 0;
  return Object.freeze(IDENTITY.map((_, n) => entry(n % 3, Math.floor(n / 3))));
}
