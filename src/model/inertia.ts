// Inertia tensor of a body, in its axes about its centre of mass, from the user's option.

import { multiply, transpose } from "../base/algebra/vectors.js";
import {
  checkKeys,
  descriptionError,
  isList,
  numbers,
  oneOf,
  type VectorLike,
  vector,
} from "../base/checking/values.js";
import type { Matrix, Vector } from "./model-data.js";
import { axesOf, type MatrixLike, matrix, type Orientation } from "./orientation.js";
import { principalMoments } from "./principal-moments.js";
import { diagonal } from "./shapes.js";

/** Moments about the axes of the body, or the full tensor as three rows or nine numbers. */
export type Tensor = VectorLike | MatrixLike;

/**
 * Inertia of a body, in its axes, about its centre of mass: three moments if its axes are principal ones,
 * or the full tensor. As an object it may state the principal axes, or that the tensor is about the origin of the
 * body's frame. The largest principal moment of a body is at most the sum of the
 * others. Data that violate this by up to 15 percent are used as given, with a note in the report.
 *
 * @example
 * m.body({ mass: 2, inertia: [0.1, 0.2, 0.25] });
 * m.body({ mass: 2, inertia: { principal: [0.1, 0.2, 0.25], axes: { axis: [0, 0, 1], angle: 0.3 } } });
 * m.body({ mass: 2, centre: [0.5, 0, 0], inertia: { tensor: [0.1, 0.7, 0.7], about: "origin" } });
 */
export type Inertia =
  | Tensor
  | {
      readonly principal: VectorLike;
      /** Rotation from the axes of the body to the principal axes. */
      readonly axes?: Orientation | undefined;
      readonly about?: "centre" | "origin" | undefined;
    }
  | { readonly tensor: Tensor; readonly about?: "centre" | "origin" | undefined };

/** Rounding of the triangle inequality and of symmetry, relative to the largest moment. */
const TOLERANCE = 1e-9;

/**
 * Maximum excess of the largest moment over the sum of the others, relative to that sum. A rigid body never exceeds
 * it; rounded or lumped data often do slightly. The equations of motion are sound for any positive moments.
 */
const MAX_EXCESS = 0.15;

/** Returns the tensor about the centre of mass. Throws if it is far from that of any body. */
export function inertiaTensor(where: string, value: unknown, mass: number, centre: Vector): Matrix {
  const tensor = symmetric(where, aboutCentre(where, value, mass, centre));
  const [least, middle, largest] = principalMoments(tensor);
  if (!(least > TOLERANCE * largest)) {
    throw descriptionError(
      where,
      `inertia has the principal moment ${short(least)}: all three must be positive. ` +
        "A thin rod needs a little about its own axis too: use shape: rod({ length })",
    );
  }
  if (largest > (least + middle) * (1 + MAX_EXCESS)) {
    throw descriptionError(
      where,
      `inertia is impossible for a body: ${excess(tensor)}. Check units and signs, ` +
        'and about which point it is: about: "origin" if not the centre of mass',
    );
  }
  return tensor;
}

/** Describes how the principal moments violate the triangle inequality; undefined if they satisfy it. */
export function excess(tensor: Matrix): string | undefined {
  const [least, middle, largest] = principalMoments(tensor);
  if (least + middle >= largest * (1 - TOLERANCE)) return undefined;
  return (
    `of the principal moments ${short(least)}, ${short(middle)} and ${short(largest)} ` +
    "the largest exceeds the sum of the others"
  );
}

function aboutCentre(where: string, value: unknown, mass: number, centre: Vector): Matrix {
  if (isList(value)) return tensorOf(where, "inertia", value);
  if (typeof value !== "object" || value === null) {
    throw descriptionError(
      where,
      "inertia must be 3 moments, a 3 x 3 tensor, or an object with one of them",
    );
  }
  const given = value as { principal?: unknown; axes?: unknown; tensor?: unknown; about?: unknown };
  const isPrincipal = given.principal !== undefined;
  const needed = isPrincipal ? ["principal"] : ["tensor"];
  checkKeys(`${where}: inertia`, value, needed, isPrincipal ? ["axes", "about"] : ["about"]);
  const about = oneOf(where, "inertia.about", given.about ?? "centre", ["centre", "origin"]);
  const tensor = isPrincipal
    ? principal(where, given.principal, given.axes)
    : tensorOf(where, "inertia.tensor", given.tensor);
  return about === "centre" ? tensor : shifted(tensor, mass, centre);
}

/** I = A diag(p) A^T with the principal axes as columns of A. */
function principal(where: string, moments: unknown, given: unknown): Matrix {
  const axes = axesOf(where, "inertia.axes", given);
  const inner = diagonal(vector(where, "inertia.principal", moments));
  return multiply(axes, multiply(inner, transpose(axes)));
}

function tensorOf(where: string, option: string, value: unknown): Matrix {
  const isFlat = isList(value) && value.length === 3 && !isList(value[0]);
  if (isFlat) return diagonal(vector(where, option, value));
  const isNested = isList(value) && value.length === 3;
  if (!isNested && isList(value) && value.length !== 9) {
    throw descriptionError(where, `${option} must be 3, 9 or 3 x 3 numbers, not ${value.length}`);
  }
  if (!isNested) numbers(where, option, value, 9);
  return matrix(where, option, value);
}

/** Parallel axis theorem: I_centre = I_origin - m (c.c 1 - c c^T). */
function shifted(tensor: Matrix, mass: number, c: Vector): Matrix {
  const square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  return tensor.map((entry, n) => {
    const [i, j] = [n % 3, Math.floor(n / 3)];
    return entry - mass * ((i === j ? square : 0) - c[i]! * c[j]!);
  });
}

/** Returns the tensor made exactly symmetric. Throws if the two halves differ by more than rounding. */
function symmetric(where: string, m: Matrix): Matrix {
  const largest = Math.max(...m.map(Math.abs));
  for (const [i, j, name] of [
    [1, 3, "xy"],
    [2, 6, "xz"],
    [5, 7, "yz"],
  ] as const) {
    if (Math.abs(m[i]! - m[j]!) > TOLERANCE * largest) {
      throw descriptionError(
        where,
        `inertia must be symmetric, but ${name} is ${m[j]} on one side and ${m[i]} on the other`,
      );
    }
  }
  return Object.freeze(m.map((entry, n) => (entry + m[3 * (n % 3) + Math.floor(n / 3)]!) / 2 + 0));
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
