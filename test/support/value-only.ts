// Systems whose constraints are given by their values alone, with random lengths, masses and initial states, and with
// coordinates offset by any number of turns, which does not change the motion. Their derivatives are included to
// measure the loss of accuracy by finite differences.

import type { EquationsDescription } from "nodrift";
import type { Random } from "./random.js";

const G = 9.81;
const { sin, cos, sqrt, PI } = Math;

export interface ValueOnlySystem {
  readonly name: string;
  /** The system with all derivatives. The offset applies to the coordinates with a weight. */
  readonly describe: (offset: number) => EquationsDescription;
  readonly q: readonly number[];
  readonly v: readonly number[];
  /** Fraction of the offset applied to each coordinate. */
  readonly weights: readonly number[];
}

/** The system without derivatives. */
export function withoutDerivatives(description: EquationsDescription): EquationsDescription {
  const { holonomic, nonholonomic } = description;
  return {
    ...description,
    ...(holonomic && { holonomic: { rows: holonomic.rows, value: holonomic.value } }),
    ...(nonholonomic && { nonholonomic: { rows: nonholonomic.rows, value: nonholonomic.value } }),
  };
}

/** Kind of offset: full turns, or any number that its functions subtract. */
export type Offset = { readonly turns: number } | { readonly by: number };

/** Difficult offsets: just below powers of two, and cranks after many turns. */
export const OFFSETS: readonly Offset[] = [
  { turns: 0 },
  { by: 1 },
  { by: 3.9999 },
  { by: 15.9999 },
  { turns: 1 },
  { turns: 200 },
  { turns: 1e4 },
];

/** A displaced system, and the inverse displacement. */
export function moved(system: ValueOnlySystem, offset: Offset) {
  const { weights, describe, q } = system;
  const size = "turns" in offset ? 2 * PI * offset.turns : offset.by;
  const shift = (x: ArrayLike<number>, sign: number) =>
    Float64Array.from(weights, (weight, i) => x[i] + sign * weight * size);
  return {
    description: "turns" in offset ? describe(size) : displaced(describe(0), (x) => shift(x, -1)),
    q: shift(q, 1),
    back: (end: ArrayLike<number>) => shift(end, -1),
  };
}

/** The functions in other coordinates. */
function displaced(
  description: EquationsDescription,
  back: (q: Float64Array) => Float64Array,
): EquationsDescription {
  const { forces, holonomic, nonholonomic } = description;
  return {
    ...description,
    forces: (q, v, out, t) => forces(back(q), v, out, t),
    ...(holonomic && {
      holonomic: {
        rows: holonomic.rows,
        // Functions that depend on time have a third parameter.
        value:
          holonomic.value.length > 2
            ? (q, out, t) => holonomic.value(back(q), out, t)
            : (q, out) => holonomic.value(back(q), out, 0),
      },
    }),
    ...(nonholonomic && {
      nonholonomic: {
        rows: nonholonomic.rows,
        value: (q, v, out, t) => nonholonomic.value(back(q), v, out, t),
      },
    }),
  };
}

/** Eight systems of random size and initial state. */
export function valueOnlySystems(random: Random): ValueOnlySystem[] {
  const about = (size: number) => size * (1 + 0.2 * random());
  return [
    pendulum(about(1), about(1), about(0.5)),
    sliderCrank(about(0.3), about(1), about(2), about(8)),
    fourBar(about(0.3), about(1), about(0.8), about(1.1), about(6)),
    doublePendulum(about(1), about(0.8), about(1.2), about(-0.5)),
    movedPendulum(about(0.7), about(0.2), about(5), about(0.9)),
    sleigh(about(0.4), about(1), about(1.5), about(3)),
    surface(about(0.3), about(0.6), about(1.2), about(0.8)),
    gearedCranks(about(0.2), about(0.9), about(2), about(4)),
  ];
}

/** A point on a circle: x and y, both displaced. */
function pendulum(length: number, mass: number, angle: number): ValueOnlySystem {
  return {
    name: "pendulum",
    q: [length * sin(angle), -length * cos(angle)],
    v: [2 * cos(angle), 2 * sin(angle)],
    weights: [1, 1],
    describe: (o) => ({
      name: "pendulum",
      coordinates: ["x", "y"],
      mass: [mass, mass],
      forces: (_q, _v, out) => out.set([0, -mass * G]),
      holonomic: {
        rows: ["length"],
        value: ([x, y], out) => out.set([(x - o) ** 2 + (y - o) ** 2 - length ** 2]),
        jacobian: ([x, y], out) => out.set([2 * (x - o), 2 * (y - o)]),
        gamma: (_q, [x, y], out) => out.set([-2 * (x * x + y * y)]),
      },
    }),
  };
}

/** Crank, rod and slider: two angles and a displacement. */
function sliderCrank(r: number, l: number, mass: number, speed: number): ValueOnlySystem {
  const a = 0.7;
  const b = Math.asin((r * sin(a)) / l);
  const bRate = (r * cos(a) * speed) / (l * cos(b));
  return {
    name: "slider-crank",
    q: [a, b, r * cos(a) + l * cos(b)],
    v: [speed, bRate, -r * sin(a) * speed - l * sin(b) * bRate],
    weights: [1, 0, 0],
    describe: () => ({
      name: "slider-crank",
      coordinates: ["crank", "rod", "slider"],
      mass: [0.2, 0.1, mass],
      forces: ([crank], _v, out) => out.set([-G * r * cos(crank), 0, 0]),
      holonomic: {
        rows: ["height", "reach"],
        value: ([p, s, x], out) => out.set([r * sin(p) - l * sin(s), r * cos(p) + l * cos(s) - x]),
        jacobian: ([p, s], out) =>
          out.set([r * cos(p), -l * cos(s), 0, -r * sin(p), -l * sin(s), -1]),
        gamma: ([p, s], [u, w], out) =>
          out.set([
            r * sin(p) * u * u - l * sin(s) * w * w,
            r * cos(p) * u * u + l * cos(s) * w * w,
          ]),
      },
    }),
  };
}

/** Crank, coupler and rocker: three angles. */
function fourBar(r: number, l: number, s: number, d: number, speed: number): ValueOnlySystem {
  // From the crank at a right angle: r i + l e^(i b) = d + s e^(i c).
  const reach = sqrt(d * d + r * r);
  const toEnd = Math.atan2(-r, d);
  const b = toEnd + Math.acos((l * l + reach * reach - s * s) / (2 * l * reach));
  const c = Math.atan2(r + l * sin(b), l * cos(b) - d);
  // J (bRate, cRate) = -speed (-r, 0) at that pose.
  const determinant = l * s * (sin(b) * cos(c) - cos(b) * sin(c));
  const bRate = (-r * speed * s * cos(c)) / determinant;
  const cRate = (-r * speed * l * cos(b)) / determinant;
  return {
    name: "four-bar",
    q: [PI / 2, b, c],
    v: [speed, bRate, cRate],
    weights: [1, -1, 1],
    describe: () => ({
      name: "four-bar",
      coordinates: ["crank", "coupler", "rocker"],
      mass: [0.3, 0.2, 0.4],
      forces: ([p, , w], _v, out) => out.set([-G * 0.3 * cos(p), 0, -G * 0.4 * cos(w)]),
      holonomic: {
        rows: ["across", "up"],
        value: ([p, u, w], out) =>
          out.set([r * cos(p) + l * cos(u) - s * cos(w) - d, r * sin(p) + l * sin(u) - s * sin(w)]),
        jacobian: ([p, u, w], out) =>
          out.set([-r * sin(p), -l * sin(u), s * sin(w), r * cos(p), l * cos(u), -s * cos(w)]),
        gamma: ([p, u, w], [x, y, z], out) =>
          out.set([
            r * cos(p) * x * x + l * cos(u) * y * y - s * cos(w) * z * z,
            r * sin(p) * x * x + l * sin(u) * y * y - s * sin(w) * z * z,
          ]),
      },
    }),
  };
}

/** Two rods in maximal coordinates: centres and angles from the vertical. */
function doublePendulum(l1: number, l2: number, a1: number, a2: number): ValueOnlySystem {
  const [h1, h2] = [l1 / 2, l2 / 2];
  const x2 = 2 * h1 * sin(a1) + h2 * sin(a2);
  const y2 = -2 * h1 * cos(a1) - h2 * cos(a2);
  return {
    name: "double pendulum",
    q: [h1 * sin(a1), -h1 * cos(a1), a1, x2, y2, a2],
    v: [0, 0, 0, 0, 0, 0],
    weights: [0, 0, 1, 0, 0, -1],
    describe: () => ({
      name: "double pendulum",
      coordinates: ["x1", "y1", "angle1", "x2", "y2", "angle2"],
      mass: [1, 1, (l1 * l1) / 12, 1, 1, (l2 * l2) / 12],
      forces: (_q, _v, out) => out.set([0, -G, 0, 0, -G, 0]),
      holonomic: {
        rows: ["pivot x", "pivot y", "elbow x", "elbow y"],
        value: ([x, y, a, u, w, b], out) =>
          out.set([
            x - h1 * sin(a),
            y + h1 * cos(a),
            u - x - h1 * sin(a) - h2 * sin(b),
            w - y + h1 * cos(a) + h2 * cos(b),
          ]),
        jacobian: ([, , a, , , b], out) =>
          out.set([
            1,
            0,
            -h1 * cos(a),
            0,
            0,
            0,
            0,
            1,
            -h1 * sin(a),
            0,
            0,
            0,
            -1,
            0,
            -h1 * cos(a),
            1,
            0,
            -h2 * cos(b),
            0,
            -1,
            -h1 * sin(a),
            0,
            1,
            -h2 * sin(b),
          ]),
        gamma: ([, , a, , , b], [, , p, , , s], out) =>
          out.set([
            -h1 * sin(a) * p * p,
            h1 * cos(a) * p * p,
            -h1 * sin(a) * p * p - h2 * sin(b) * s * s,
            h1 * cos(a) * p * p + h2 * cos(b) * s * s,
          ]),
      },
    }),
  };
}

/** A pendulum with an angle whose pivot is moved: a constraint that depends on time. */
function movedPendulum(l: number, a: number, rate: number, angle: number): ValueOnlySystem {
  return {
    name: "moved pendulum",
    q: [l * sin(angle), -l * cos(angle), angle],
    v: [a * rate, 0, 0],
    weights: [0, 0, 1],
    describe: () => ({
      name: "moved pendulum",
      coordinates: ["x", "y", "angle"],
      mass: [1, 1, 0.05],
      forces: (_q, _v, out) => out.set([0, -G, 0]),
      holonomic: {
        rows: ["across", "up"],
        value: ([x, y, p], out, t) => out.set([x - l * sin(p) - a * sin(rate * t), y + l * cos(p)]),
        jacobian: ([, , p], out) => out.set([1, 0, -l * cos(p), 0, 1, -l * sin(p)]),
        timeDerivative: (_q, out, t) => out.set([-a * rate * cos(rate * t), 0]),
        gamma: ([, , p], [, , w], out, t) =>
          out.set([-l * sin(p) * w * w - a * rate * rate * sin(rate * t), l * cos(p) * w * w]),
      },
    }),
  };
}

/** A sleigh on a slope whose blade lies ahead of its centre: a constraint on velocities. */
function sleigh(ahead: number, mass: number, speed: number, turning: number): ValueOnlySystem {
  const angle = 0.3;
  const side = -ahead * turning;
  return {
    name: "sleigh",
    q: [0, 0, angle],
    v: [speed * cos(angle) - side * sin(angle), speed * sin(angle) + side * cos(angle), turning],
    weights: [0, 0, 1],
    describe: () => ({
      name: "sleigh",
      coordinates: ["x", "y", "heading"],
      mass: [mass, mass, 0.3],
      forces: (_q, _v, out) => out.set([0, -mass, 0]),
      nonholonomic: {
        rows: ["blade"],
        value: ([, , p], [x, y, w], out) => out.set([y * cos(p) - x * sin(p) + ahead * w]),
        jacobian: ([, , p], _v, out) => out.set([-sin(p), cos(p), ahead]),
        gamma: ([, , p], [x, y, w], out) => out.set([(y * sin(p) + x * cos(p)) * w]),
      },
    }),
  };
}

/** A point on a periodic surface of hills. */
function surface(height: number, x: number, u: number, w: number): ValueOnlySystem {
  const y = 0.4;
  return {
    name: "point on hills",
    q: [x, y, height * sin(x) * cos(y)],
    v: [u, w, height * (cos(x) * cos(y) * u - sin(x) * sin(y) * w)],
    weights: [1, -1, 0],
    describe: () => ({
      name: "point on hills",
      coordinates: ["x", "y", "z"],
      mass: [1, 1, 1],
      forces: (_q, _v, out) => out.set([0, 0, -G]),
      holonomic: {
        rows: ["hills"],
        value: ([a, b, z], out) => out.set([z - height * sin(a) * cos(b)]),
        jacobian: ([a, b], out) =>
          out.set([-height * cos(a) * cos(b), height * sin(a) * sin(b), 1]),
        gamma: ([a, b], [p, s], out) =>
          out.set([-height * (sin(a) * cos(b) * (p * p + s * s) + 2 * cos(a) * sin(b) * p * s)]),
      },
    }),
  };
}

/** Two cranks, the second geared to run twice as fast, which drives a slider: a root in the constraint. */
function gearedCranks(r: number, l: number, mass: number, speed: number): ValueOnlySystem {
  const [a, b] = [0.4, 1];
  const root = (p: number) => sqrt(l * l - (r * sin(p)) ** 2);
  const slope = (p: number) => r * sin(p) + (r * r * sin(p) * cos(p)) / root(p);
  const second = (p: number) => {
    const e = root(p);
    const product = r * r * sin(p) * cos(p);
    return r * cos(p) + (r * r * cos(2 * p)) / e + (product * product) / e ** 3;
  };
  return {
    name: "geared cranks",
    q: [a, b, r * cos(b) + root(b)],
    v: [speed, -2 * speed, 2 * speed * slope(b)],
    weights: [1, -2, 0],
    describe: () => ({
      name: "geared cranks",
      coordinates: ["first", "second", "slider"],
      mass: [0.2, 0.1, mass],
      forces: ([p], _v, out) => out.set([-G * 0.2 * cos(p), 0, 0]),
      holonomic: {
        rows: ["gear", "reach"],
        value: ([p, s, x], out) => out.set([s + 2 * p - (b + 2 * a), x - r * cos(s) - root(s)]),
        jacobian: ([, s], out) => out.set([2, 1, 0, 0, slope(s), 1]),
        gamma: ([, s], [, w], out) => out.set([0, -second(s) * w * w]),
      },
    }),
  };
}
