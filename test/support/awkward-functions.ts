// Correct but awkward user functions: steep, fast, curved, noisy, tiny, huge, far from the origin, partially defined,
// redundant, or correct only if the constraints hold.

import { type EquationsDescription, equations, simulate } from "nodrift";
import { type Random, seeded } from "./random.js";

/** A row on two coordinates, with derivatives that are correct if it holds. */
interface Row {
  readonly name: string;
  readonly value: (x: number, y: number, t: number) => number;
  readonly slopes: (x: number, y: number, t: number) => readonly [number, number];
  readonly timed?: (x: number, y: number, t: number) => number;
  readonly gamma: (x: number, y: number, u: number, w: number, t: number) => number;
  /** x, y and their rates. */
  readonly start: readonly [number, number, number, number];
}

/** The rows, with one random value. */
const ROWS: readonly ((k: number) => Row)[] = [
  (k) => ({
    name: "circle",
    value: (x, y) => x * x + y * y - 1,
    slopes: (x, y) => [2 * x, 2 * y],
    gamma: (_x, _y, u, w) => -2 * (u * u + w * w),
    start: [0.6, 0.8, -0.8 * k, 0.6 * k],
  }),
  (k) => ({
    name: "length whose derivatives rely on it",
    value: (x, y) => Math.sqrt(x * x + y * y) - 1,
    slopes: (x, y) => [x, y],
    gamma: (_x, _y, u, w) => -(u * u + w * w),
    start: [0.6, 0.8, -0.8 * k, 0.6 * k],
  }),
  (k) => ({
    name: "fast drive",
    value: (x, _y, t) => x - 0.1 * Math.sin(100 * k * k * t),
    slopes: () => [1, 0],
    timed: (_x, _y, t) => -10 * k * k * Math.cos(100 * k * k * t),
    gamma: (_x, _y, _u, _w, t) => -1000 * k ** 4 * Math.sin(100 * k * k * t),
    start: [0, 0, 10 * k * k, 1],
  }),
  (k) => ({
    name: "steep",
    value: (x, y) => Math.tanh(10 ** (2 * k) * (x - y)),
    slopes: (x, y) => {
      const steep = 10 ** (2 * k) / Math.cosh(10 ** (2 * k) * (x - y)) ** 2;
      return [steep, -steep];
    },
    gamma: () => 0,
    start: [0.3, 0.3, k, k],
  }),
  (k) => ({
    name: "kink at the start",
    value: (x, y) => y - Math.max(0, k * x),
    slopes: (x) => [x >= 0 ? -k : 0, 1],
    gamma: () => 0,
    start: [0, 0, 1, k],
  }),
  (k) => ({
    name: "polygon",
    value: (x, y) => y - polygon(k, x),
    slopes: (x) => {
      const i = Math.floor(x * 100);
      return [-(Math.sin((k * (i + 1)) / 100) - Math.sin((k * i) / 100)) * 100, 1];
    },
    gamma: () => 0,
    start: [0.305, polygon(k, 0.305), 0, 0],
  }),
  (k) => ({
    name: "edge of its domain",
    value: (x, y) => y - root(1 - x * x),
    slopes: (x) => [x / root(1 - x * x), 1],
    gamma: (x, _y, u) => -(u * u) / root(1 - x * x) ** 3,
    start: [1 - 10 ** (-2 * k), root(1 - (1 - 10 ** (-2 * k)) ** 2), 0, 0],
  }),
  (k) => ({
    name: "waves",
    value: (x, y) => y - Math.sin(10 ** k * x) / 10 ** k,
    slopes: (x) => [-Math.cos(10 ** k * x), 1],
    gamma: (x, _y, u) => -(10 ** k) * Math.sin(10 ** k * x) * u * u,
    start: [0.2, Math.sin(10 ** k * 0.2) / 10 ** k, 1, Math.cos(10 ** k * 0.2)],
  }),
  (k) => ({
    name: "branches",
    value: (x, y) => y - (x < 0 ? k * x * x : x * x * x),
    slopes: (x) => [-(x < 0 ? 2 * k * x : 3 * x * x), 1],
    gamma: (x, _y, u) => (x < 0 ? 2 * k : 6 * x) * u * u,
    start: [0, 0, 1, 0],
  }),
  (k) => ({
    name: "logarithm",
    value: (x, y) => Math.log(x) - k * y,
    slopes: (x) => [1 / x, -k],
    gamma: (x, _y, u) => (u * u) / (x * x),
    start: [1e-3, Math.log(1e-3) / k, 1e-3, 1 / k],
  }),
  (k) => ({
    name: "plane with a moving offset",
    value: (x, y, t) => x + k * y - t * t,
    slopes: () => [1, k],
    timed: (_x, _y, t) => -2 * t,
    gamma: () => 2,
    start: [0.5 * k, -0.5, 0.1 * k, -0.1],
  }),
];

function root(x: number): number {
  if (x < 0) throw new RangeError("not defined here");
  return Math.sqrt(x);
}

function polygon(k: number, x: number): number {
  const i = Math.floor(x * 100);
  const [a, b] = [Math.sin((k * i) / 100), Math.sin((k * (i + 1)) / 100)];
  return a + (b - a) * (x * 100 - i);
}

const [number, words] = [new Float64Array(2), new Uint32Array(4)];

/** Noise computed from the bits of x and y. */
function noiseOf(x: number, y: number): number {
  number[0] = x;
  number[1] = y;
  words.set(new Uint32Array(number.buffer));
  return seeded(words.reduce((hash, word) => Math.imul(hash ^ word, 0x9e3779b1) >>> 0, 17))();
}

interface AwkwardSystem {
  readonly name: string;
  readonly description: EquationsDescription;
  readonly q: readonly number[];
  readonly v: readonly number[];
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(((random() + 1) / 2) * list.length)]!;
}

/** A system whose functions are all correct. */
function awkwardSystem(seed: number): AwkwardSystem {
  const random = seeded(seed);
  const count = 1 + (seed % 3);
  const rows = Array.from({ length: count }, (_, i) =>
    ROWS[(seed + 5 * i) % ROWS.length]!(1.5 + random()),
  );
  // q = offset + unit x.
  const unit = pick(random, [1e-6, 1e-3, 1, 1, 1, 1e3, 1e6]);
  const offset = pick(random, [0, 0, 0, 1, -1e3, 1e6]) * Math.max(unit, 1);
  const factor = pick(random, [1, 1, 1e-6, 1e6]);
  const noise = pick(random, [0, 0, 0, 1e-12, 1e-10, 1e-8]);
  const isRounded = random() > 0.8;
  const isRedundant = random() > 0.7;
  const n = 2 * count;
  const all = isRedundant ? [...rows, rows[0]!] : rows;
  const places = all.map((_, i) => (i < count ? 2 * i : 0));
  const weights = all.map((_, i) => (i < count ? factor : -3 * factor));
  const local = (q: ArrayLike<number>, j: number) => (q[j]! - offset) / unit;
  const isTimed = all.some(({ timed }) => timed !== undefined);
  const value = (q: ArrayLike<number>, t: number) =>
    all.map((row, i) => {
      const [x, y] = [local(q, places[i]!), local(q, places[i]! + 1)];
      const exact = row.value(x, y, t) + noise * noiseOf(x, y);
      return weights[i]! * (isRounded ? Math.fround(exact) : exact);
    });
  const stiffness = 10 ** (3 * random());
  const friction = random() > 0 ? 0.1 : 0;
  const coupled = seed % 4 === 0 && n > 1;
  const description: EquationsDescription = {
    name: `awkward ${seed}`,
    coordinates: n,
    // Symmetric up to rounding, as products of rotations are.
    mass: coupled
      ? {
          full: () =>
            Array.from({ length: n * n }, (_, k) => massOf(n, k, 1e-12 * noiseOf(k, seed))),
        }
      : Array.from({ length: n }, () => 1),
    forces: (q, v) =>
      Array.from({ length: n }, (_, j) => (-stiffness * local(q, j)) / unit - friction * v[j]!),
    potential: (q) =>
      Array.from({ length: n }, (_, j) => (stiffness * local(q, j) ** 2) / 2).reduce(
        (a, b) => a + b,
      ),
    potentialGradient: (q) => Array.from({ length: n }, (_, j) => (stiffness * local(q, j)) / unit),
    power: (_q, v) => -friction * Array.from(v).reduce((sum, one) => sum + one * one, 0),
    holonomic: {
      rows: all.length,
      value: isTimed ? (q, _out, t) => value(q, t) : (q) => value(q, 0),
      jacobian: (q, out, t) => {
        all.forEach((row, i) => {
          const j = places[i]!;
          const [a, b] = row.slopes(local(q, j), local(q, j + 1), t);
          out[i * n + j] = (weights[i]! * a) / unit;
          out[i * n + j + 1] = (weights[i]! * b) / unit;
        });
      },
      ...(isTimed && {
        timeDerivative: (q: ArrayLike<number>, _out: Float64Array, t: number) =>
          all.map((row, i) => {
            const j = places[i]!;
            return weights[i]! * (row.timed?.(local(q, j), local(q, j + 1), t) ?? 0);
          }),
      }),
      gamma: (q, v, _out, t) =>
        all.map((row, i) => {
          const j = places[i]!;
          const [u, w] = [v[j]! / unit, v[j + 1]! / unit];
          return weights[i]! * row.gamma(local(q, j), local(q, j + 1), u, w, t);
        }),
    },
    // A knife edge and a speed that is held, on the first two coordinates, if they are free.
    ...(seed % 5 === 0 && n > 2 && nonholonomic(n, local, unit)),
  };
  return {
    name: `${rows.map(({ name }) => name).join(", ")}; unit ${unit}, offset ${offset}, noise ${noise}`,
    description,
    q: rows.flatMap(({ start: [x, y] }) => [offset + unit * x, offset + unit * y]),
    v: rows.flatMap(({ start: [, , u, w] }) => [unit * u, unit * w]),
  };
}

function massOf(n: number, k: number, rounding: number): number {
  return k % (n + 1) === 0 ? 2 : rounding + (Math.abs((k % n) - Math.floor(k / n)) === 1 ? 0.1 : 0);
}

/** A row on velocities that holds for any motion of the first two: c u - s w along (u, w) of the third and fourth. */
function nonholonomic(
  n: number,
  local: (q: ArrayLike<number>, j: number) => number,
  unit: number,
): Pick<EquationsDescription, "nonholonomic"> {
  const angle = (q: ArrayLike<number>) => local(q, 0);
  return {
    nonholonomic: {
      rows: ["knife edge"],
      value: (q, v) => [Math.sin(angle(q)) * v[2]! - Math.cos(angle(q)) * v[3]!],
      jacobian: (q, _v, out) => {
        out.fill(0, 0, n);
        out[2] = Math.sin(angle(q));
        out[3] = -Math.cos(angle(q));
      },
      gamma: (q, v) => [
        (-v[0]! / unit) * (Math.cos(angle(q)) * v[2]! + Math.sin(angle(q)) * v[3]!),
      ],
    },
  };
}

/** Messages of rejected correct functions, among the first systems. */
export function awkwardRefusals(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => {
    const { name, description, q, v } = awkwardSystem(i + 1);
    try {
      simulate(equations(description), { step: 1e-6, q, v, start: "asGiven" }).advance(17);
      return [];
    } catch (error) {
      // Some are too awkward for integration.
      const { message } = error as Error;
      return /contradicts|not symmetric/.test(message) ? [`${name}: ${message}`] : [];
    }
  }).flat();
}
