// Seeded random problems whose stiffness ends, begins or comes in bursts while they run, with results by a robust
// reference: every stage is solved by Newton's method with a new df/dy in each iteration until its true residual is
// rounding, errors are estimated by two half steps without a filter, and steps are limited to a fraction of the
// shortest feature.

import { compile, model } from "nodrift/bodies";
import { ode as formulaOde } from "nodrift/formulas";
import { ode, type SolveOptions, solve } from "nodrift/solve";
import { seeded } from "./random.js";

type Rate = (t: number, y: ArrayLike<number>, out: { [index: number]: number }) => void;

/** A problem with rates as texts, which are both JavaScript and formulas. */
interface Description {
  readonly rates: readonly string[];
  readonly y: readonly number[];
  readonly until: number;
  /** Maximum step of the reference, as a fraction of the shortest feature. */
  readonly feature: number;
  /** The wheels of the problem as a mechanism: inertias, and torques by texts over t, w0, w1. */
  readonly wheels?: { readonly inertias: readonly number[]; readonly torques: readonly string[] };
}

export interface EndingStiffness {
  readonly name: string;
  readonly family: string;
  readonly start: readonly number[];
  readonly until: number;
  /** State at the end, by the reference. */
  readonly exact: ArrayLike<number>;
  /** Solves it, and returns its status and its error in units of the tolerance, relative to 1 + |y|. */
  solve(tolerance: number, options?: Partial<SolveOptions>): Promise<Outcome>;
}

export interface Outcome {
  readonly status: string;
  readonly error: number;
  readonly steps: number;
  readonly evaluations: number;
}

type Numbers = (low: number, high: number) => number;

interface Draw {
  readonly uniform: Numbers;
  /** Uniform in the logarithm. */
  readonly log: Numbers;
}

const n = (x: number) => `(${x})`;
/** 1 between two times, 0 outside, over a width. */
const between = (a: number, b: number, w: number) =>
  `(0.5*(tanh((t - ${a})/${w}) - tanh((t - ${b})/${w})))`;
/** Alternates between 1 and 0, over a fraction of the period. */
const often = (period: number, phase: number, sharp: number) =>
  `(0.5*(1 + tanh(${sharp}*sin(${(2 * Math.PI) / period}*t + ${phase}))))`;

/** A time of high stiffness: text and shortest feature. */
function burst({ uniform, log }: Draw, until: number) {
  const begin = uniform(-0.2, 0.5) * until;
  const end = begin + uniform(0.15, 0.5) * until;
  const width = log(2e-3, 0.1) * until * 0.1;
  return { text: between(begin, end, width), feature: width, begin, end };
}

const families: Record<string, (draw: Draw) => Description> = {
  /** y' = -K(t) (y - cos t) - sin t. */
  decay(draw) {
    const { log, uniform } = draw;
    const until = uniform(6, 15);
    const { text, feature } = burst(draw, until);
    const K = `(${log(0.3, 30)} + ${log(1e3, 1e7)}*${text})`;
    return { rates: [`-${K}*(y0 - cos(t)) - sin(t)`], y: [1 + uniform(-1, 1)], until, feature };
  },
  /** y' = -K(t) (y - cos t) - sin t with jumps of K. */
  jump({ log, uniform }) {
    const until = uniform(6, 15);
    const begin = uniform(-0.2, 0.5) * until;
    const end = begin + uniform(0.15, 0.5) * until;
    const K = `(${log(0.3, 30)} + ${log(1e3, 1e7)}*(0.5*(sign(t - ${begin}) - sign(t - ${end}))))`;
    return {
      rates: [`-${K}*(y0 - cos(t)) - sin(t)`],
      y: [1 + uniform(-1, 1)],
      until,
      feature: 0.2,
    };
  },
  /** y' = -K(t) (y - cos t) - sin t with periodic K. */
  periodic({ log, uniform }) {
    const until = uniform(6, 15);
    const [period, sharp] = [log(0.8, 4), log(2, 60)];
    const K = `(${log(0.3, 30)} + ${log(1e3, 1e6)}*${often(period, uniform(-3, 3), sharp)})`;
    const feature = period / sharp / 6;
    return { rates: [`-${K}*(y0 - cos(t)) - sin(t)`], y: [1 + uniform(-1, 1)], until, feature };
  },
  /** A wheel with a torque and a damper that acts for some time. */
  brake(draw) {
    const { log, uniform } = draw;
    const until = uniform(4, 10);
    const { text, feature } = burst(draw, until);
    return wheel(
      log(0.2, 10),
      `${uniform(-20, 20)} - ${log(1e3, 1e7)}*${text}*w0`,
      until,
      feature,
      uniform,
    );
  },
  /** A brake that is applied again and again. */
  brakes({ log, uniform }) {
    const until = uniform(4, 10);
    const [period, sharp] = [log(0.8, 4), log(2, 40)];
    const on = often(period, uniform(-3, 3), sharp);
    return wheel(
      log(0.2, 10),
      `${uniform(-20, 20)} - ${log(1e3, 1e6)}*${on}*w0`,
      until,
      period / sharp / 6,
      uniform,
    );
  },
  /** Two wheels and a clutch. */
  clutch(draw) {
    const { log, uniform } = draw;
    const until = uniform(4, 10);
    const { text, feature } = burst(draw, until);
    const slip = `${log(1e3, 1e6)}*${text}*(w0 - w1)`;
    const torques = [
      `${uniform(-20, 20)} - ${log(0.01, 1)}*w0 - ${slip}`,
      `${uniform(-20, 20)} - ${log(0.01, 1)}*w1 + ${slip}`,
    ];
    const inertias = [log(0.5, 5), log(0.5, 5)];
    return {
      ...rotors(inertias, torques),
      y: [0, 0, uniform(-20, 20), uniform(-20, 20)],
      until,
      feature,
    };
  },
  /** A brake, a permanently stiff mode and an oscillator, in rotated coordinates. */
  hidden(draw) {
    const { log, uniform } = draw;
    const until = uniform(4, 10);
    const { text, feature } = burst(draw, until);
    const [a, b] = [uniform(-3, 3), uniform(-3, 3)];
    const [c, s, d, u] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
    // z = R y with two rotations in the planes of the brake with the others.
    const z0 = `(${c * d}*y0 + ${n(s)}*y1 + ${n(c * u)}*y2)`;
    const z1 = `(${-s * d}*y0 + ${n(c)}*y1 + ${n(-s * u)}*y2)`;
    const z2 = `(${-u}*y0 + ${n(d)}*y2)`;
    const f0 = `(${uniform(-5, 5)} - ${log(1e3, 1e6)}*${text}*${z0})`;
    const f1 = `(-${log(1e3, 1e6)}*(${z1} - sin(t)))`;
    const f2 = `(-${log(0.5, 5)}*y3)`;
    return {
      rates: [
        `${c * d}*${f0} + ${n(-s * d)}*${f1} + ${n(-u)}*${f2}`,
        `${s}*${f0} + ${n(c)}*${f1}`,
        `${c * u}*${f0} + ${n(-s * u)}*${f1} + ${n(d)}*${f2}`,
        `${z2}*2`,
      ],
      y: [uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)],
      until,
      feature,
    };
  },
  /** A spring with a damper that releases. */
  latch(draw) {
    const { log, uniform } = draw;
    const until = uniform(4, 10);
    const { text, feature } = burst(draw, until);
    const [k, mass] = [log(1e2, 1e6), log(0.3, 3)];
    const damping = 2 * Math.sqrt(k * mass) * log(1, 30);
    const [push, soft] = [uniform(-5, 5), log(0.1, 3)];
    return {
      rates: [
        "y1",
        `(${push} - ${soft}*y0 - ${text}*(${k}*(y0 - ${n(uniform(-1, 1))}) + ${damping}*y1))/${mass}`,
      ],
      y: [uniform(-1, 1), uniform(-1, 1)],
      until,
      feature,
    };
  },
  /** Stiffness by a state: an oscillator that opens and closes a damper. */
  byState({ log, uniform }) {
    const until = uniform(6, 15);
    const [rate, threshold, width] = [uniform(0.4, 2), uniform(-0.7, 0.7), log(3e-3, 0.2)];
    const K = `(${log(0.3, 5)} + ${log(1e3, 1e6)}*0.5*(1 + tanh((y1 - ${n(threshold)})/${width})))`;
    return {
      rates: [`-${K}*(y0 - cos(t)) - sin(t)`, `${rate}*y2`, `${-rate}*y1`],
      y: [1, uniform(-0.5, 0.5), 1],
      until,
      feature: width / rate,
    };
  },
  /** A damper whose strength is that of its own state: it opens as it decelerates, and closes again when driven. */
  byItself({ log, uniform }) {
    const until = uniform(6, 12);
    const [threshold, width] = [uniform(0.2, 1), log(2e-2, 0.2)];
    const K = `(${log(1e3, 1e6)}*0.5*(1 + tanh((abs(y0) - ${threshold})/${width})))`;
    return {
      rates: [`${uniform(1, 6)}*cos(${uniform(0.6, 2)}*t) - ${log(0.1, 2)}*y0 - ${K}*y0`],
      y: [uniform(-0.1, 0.1)],
      until,
      feature: width / 4,
    };
  },
  /** A wheel on a road that falls away: it takes off, falls and lands. */
  tyre({ log, uniform }) {
    const until = uniform(2, 4);
    const mass = log(5, 50);
    const k = log(1e5, 3e6);
    const damping = Math.sqrt(k * mass) * log(0.2, 4);
    const begin = uniform(0.1, 0.4) * until;
    const road = `(${-log(0.05, 0.5)}*0.5*(1 + tanh((t - ${begin})/${log(5e-3, 0.05)})))`;
    // Smooth at first contact: the tyre force rises over a tenth of a millimetre.
    const depth = `(${road} - y0)`;
    const touch = `(0.5*(1 + tanh(${depth}/1e-4)))`;
    return {
      rates: ["y1", `-9.81 + ${touch}*max(0, ${k}*${depth} - ${damping}*y1)/${mass}`],
      y: [(-9.81 * mass) / k, 0],
      until,
      feature: 0.02,
    };
  },
  /** A ball on a stop, by the law of Hunt and Crossley. */
  stop({ log, uniform }) {
    const until = uniform(1.5, 3);
    const k = log(1e5, 1e8);
    const depth = "max(0, -y0)";
    return {
      rates: ["y1", `-9.81 + ${k}*${depth}*sqrt(${depth})*max(0, 1 - ${log(0.5, 3)}*y1)`],
      y: [uniform(0.05, 0.5), 0],
      until,
      feature: 0.02,
    };
  },
  /** A block on a belt, held by a spring: it sticks and slips. */
  stick({ log, uniform }) {
    const until = uniform(3, 8);
    const [k, belt, least] = [log(2, 30), uniform(0.1, 0.5), log(1e-4, 1e-2)];
    const slip = `(y1 - ${belt})`;
    const friction = `(-${uniform(1, 3)}*tanh(${slip}/${least})*(1 + ${uniform(0.1, 0.5)}*exp(-abs(${slip})/0.2)))`;
    return { rates: ["y1", `-${k}*y0 + ${friction}`], y: [0, belt], until, feature: 0.05 };
  },
};

export const familyNames = Object.keys(families);

function wheel(
  inertia: number,
  torque: string,
  until: number,
  feature: number,
  uniform: Numbers,
): Description {
  return { ...rotors([inertia], [torque]), y: [0, uniform(-20, 20)], until, feature };
}

/** Rates of angles and angular velocities, y0, y1, ... */
function rotors(inertias: readonly number[], torques: readonly string[]) {
  const count = inertias.length;
  const asRates = (text: string) =>
    text.replace(/\bw(\d)\b/g, (_all, i) => `y${count + Number(i)}`);
  return {
    rates: [
      ...inertias.map((_, i) => `y${count + i}`),
      ...torques.map((torque, i) => `(${asRates(torque)})/${inertias[i]}`),
    ],
    wheels: { inertias, torques },
  };
}

/** Form of a problem for the package. */
export const forms = ["function", "formula", "relative", "maximal"] as const;
export type Form = (typeof forms)[number];

/** The problem of a seed; undefined if small perturbations are amplified, so that tolerances are meaningless. */
export function endingStiffness(family: string, seed: number): EndingStiffness | undefined {
  const random = seeded(1009 * seed + 7919 * familyNames.indexOf(family) + 1);
  const uniform: Numbers = (low, high) => low + ((random() + 1) / 2) * (high - low);
  const log: Numbers = (low, high) => Math.exp(uniform(Math.log(low), Math.log(high)));
  for (let i = 0; i < 10; i++) random();
  const described = (families[family] as (draw: Draw) => Description)({ uniform, log });
  const rate = rateOf(described.rates);
  const exact = reference(rate, described);
  const moved = reference(rate, described, KICK);
  if (!(worst(moved, exact) < MOST_AMPLIFIED * KICK)) return undefined;
  const available = forms.filter((form) => isPossible(form, described));
  const form = available[seed % available.length] as Form;
  return {
    name: `${family} ${seed}, by ${form}`,
    family,
    start: described.y,
    until: described.until,
    exact,
    async solve(tolerance, options = {}) {
      const settings = { span: [0, described.until], tolerance, ...options } as SolveOptions;
      const { status, end, statistics } = await runs[form](described, rate, settings);
      return {
        status,
        error: worst(end, exact) / tolerance,
        steps: statistics.steps,
        evaluations: statistics.evaluations,
      };
    },
  };
}

/** Number of perturbations (at the start and at seven later times), their size, and the allowed growth of their sum. */
const KICKS = 8;
const KICK = 1e-6;
const MOST_AMPLIFIED = 100;

function isPossible(form: Form, { wheels, rates }: Description): boolean {
  if (form === "relative" || form === "maximal") return wheels !== undefined;
  return form === "function" || !rates.some((text) => text.includes("sign("));
}

interface Run {
  readonly status: string;
  readonly end: readonly number[];
  readonly statistics: { readonly steps: number; readonly evaluations: number };
}

const runs: Record<
  Form,
  (described: Description, rate: Rate, options: SolveOptions) => Promise<Run>
> = {
  async function({ y }, rate, options) {
    const system = ode({ names: y.map((_, i) => `y${i}`), y: [...y], rate });
    return ended(solve(system, options as never));
  },
  async formula({ y, rates }, _rate, options) {
    const unknowns = y.map((_, i) => `y${i}`);
    const system = formulaOde({
      unknowns,
      rates: Object.fromEntries(unknowns.map((name, i) => [name, rates[i] as string])),
      start: Object.fromEntries(unknowns.map((name, i) => [name, y[i] as number])),
    });
    return ended(solve(system, options as never));
  },
  relative: (described, _rate, options) => mechanism(described, "relative", options),
  maximal: (described, _rate, options) => mechanism(described, "maximal", options),
};

function ended(solution: {
  readonly status: string;
  readonly end: { readonly y: ArrayLike<number> };
  readonly statistics: Run["statistics"];
}): Run {
  return {
    status: solution.status,
    end: Array.from(solution.end.y),
    statistics: solution.statistics,
  };
}

async function mechanism(
  { wheels, y }: Description,
  coordinates: "relative" | "maximal",
  options: SolveOptions,
): Promise<Run> {
  const m = model({ gravity: [0, 0, 0] });
  const { inertias, torques } = wheels as NonNullable<Description["wheels"]>;
  const count = inertias.length;
  const joints = inertias.map((inertia, i) => {
    const body = m.body({
      name: `wheel ${i}`,
      mass: 1,
      inertia: [inertia, inertia, inertia],
      position: [0, 0, i],
      angularVelocity: [0, 0, y[count + i] as number],
    });
    return m.revolute({
      name: `axle ${i}`,
      between: [m.ground, body],
      at: [0, 0, i],
      axis: [0, 0, 1],
    });
  });
  joints.forEach((joint, i) => {
    const torque = (torques[i] as string).replace(
      /\bw(\d)\b/g,
      (_all, k) => `angleRate('axle ${k}')`,
    );
    m.torsionSpring({ joint, torque });
  });
  const solution = solve(await compile(m, { coordinates }), options as never);
  const { end } = solution;
  const read = joints.map((_, i) => end.joint(`axle ${i}`));
  return {
    status: solution.status,
    end: [
      ...read.map(({ angle }) => angle as number),
      ...read.map(({ angleRate }) => angleRate as number),
    ],
    statistics: solution.statistics,
  };
}

function worst(y: ArrayLike<number>, exact: ArrayLike<number>): number {
  let found = 0;
  for (let i = 0; i < exact.length; i++) {
    const error =
      Math.abs((y[i] as number) - (exact[i] as number)) / (1 + Math.abs(exact[i] as number));
    if (!(error <= found)) found = error;
  }
  return found;
}

function rateOf(rates: readonly string[]): Rate {
  const lines = rates.map((text, i) => `out[${i}] = ${text.replace(/\by(\d)\b/g, "y[$1]")};`);
  const head = "const { tanh, sin, cos, exp, abs, max, sqrt, sign } = Math;";
  return new Function(`${head} return (t, y, out) => { ${lines.join(" ")} };`)() as Rate;
}

const ROOT = Math.sqrt(6);
const A = [
  [(88 - 7 * ROOT) / 360, (296 - 169 * ROOT) / 1800, (-2 + 3 * ROOT) / 225],
  [(296 + 169 * ROOT) / 1800, (88 + 7 * ROOT) / 360, (-2 - 3 * ROOT) / 225],
  [(16 - ROOT) / 36, (16 + ROOT) / 36, 1 / 9],
] as const;
const C = [(4 - ROOT) / 10, (4 + ROOT) / 10, 1] as const;
const TIGHT = 1e-11;

/** Result by Radau IIA of order 5 as described above; `kick` perturbs the state during the run. */
function reference(rate: Rate, { y: start, until, feature }: Description, kick = 0): Float64Array {
  const longest = Math.min(feature / 2, until / 50);
  let y: Float64Array = Float64Array.from(start);
  let [t, h] = [0, 1e-4 * longest];
  let kicks = 0;
  while (t < until) {
    if (t >= (kicks / KICKS) * until) {
      y = y.map((value) => value + kick * (1 + Math.abs(value)));
      kicks++;
    }
    const isLast = t + h >= until * (1 - 1e-13);
    if (isLast) h = until - t;
    const whole = radauStep(rate, t, y, h);
    const half = whole && radauStep(rate, t, y, h / 2);
    const both = half && radauStep(rate, t + h / 2, half, h / 2);
    const error = both ? worst(whole as Float64Array, both) / TIGHT : Number.NaN;
    if (both && (error <= 1 || h < 1e-13 * until)) {
      y = both;
      t = isLast ? until : t + h;
    }
    const factor = error >= 0 ? 0.9 * Math.max(error, 1e-10) ** (-1 / 6) : 0.2;
    h = Math.min(h * Math.min(Math.max(factor, 0.2), 4), longest);
  }
  return y;
}

/** Takes a step; undefined if the iteration does not converge. */
function radauStep(rate: Rate, t: number, y: Float64Array, h: number): Float64Array | undefined {
  const size = y.length;
  const all = 3 * size;
  const z = new Float64Array(all);
  const slopes = [0, 1, 2].map(() => new Float64Array(size));
  const at = new Float64Array(size);
  const probe = new Float64Array(size);
  const matrix = new Float64Array(all * all);
  const right = new Float64Array(all);
  let before = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 40; k++) {
    matrix.fill(0);
    for (let i = 0; i < all; i++) matrix[i + all * i] = 1;
    for (let j = 0; j < 3; j++) {
      for (let i = 0; i < size; i++) at[i] = (y[i] as number) + (z[j * size + i] as number);
      const slope = slopes[j] as Float64Array;
      rate(t + (C[j] as number) * h, at, slope);
      for (let column = 0; column < size; column++) {
        const kept = at[column] as number;
        const length = 1e-7 * (1e-2 + Math.abs(kept));
        at[column] = kept + length;
        rate(t + (C[j] as number) * h, at, probe);
        at[column] = kept;
        for (let row = 0; row < size; row++) {
          const derivative = ((probe[row] as number) - (slope[row] as number)) / length;
          for (let i = 0; i < 3; i++) {
            matrix[i * size + row + all * (j * size + column)]! -=
              h * (A[i]![j] as number) * derivative;
          }
        }
      }
    }
    for (let i = 0; i < 3; i++) {
      for (let row = 0; row < size; row++) {
        let sum = 0;
        for (let j = 0; j < 3; j++) sum += (A[i]![j] as number) * (slopes[j]![row] as number);
        right[i * size + row] = h * sum - (z[i * size + row] as number);
      }
    }
    solveDense(matrix, right, all);
    let moved = 0;
    for (let i = 0; i < all; i++) {
      z[i]! += right[i] as number;
      moved = Math.max(moved, Math.abs(right[i] as number) / (1 + Math.abs(y[i % size] as number)));
    }
    if (moved < 1e-15 || (moved < 1e-13 && moved >= before / 2))
      return y.map((value, i) => value + (z[2 * size + i] as number));
    if (!(moved < 1e6)) return undefined;
    before = moved;
  }
  return undefined;
}

/** Gaussian elimination with pivots, column-major; the result is in `b`. */
function solveDense(a: Float64Array, b: Float64Array, size: number): void {
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let i = k + 1; i < size; i++) {
      if (Math.abs(a[i + size * k] as number) > Math.abs(a[pivot + size * k] as number)) pivot = i;
    }
    if (pivot !== k) {
      for (let j = k; j < size; j++) {
        const kept = a[k + size * j] as number;
        a[k + size * j] = a[pivot + size * j] as number;
        a[pivot + size * j] = kept;
      }
      const kept = b[k] as number;
      b[k] = b[pivot] as number;
      b[pivot] = kept;
    }
    for (let i = k + 1; i < size; i++) {
      const factor = (a[i + size * k] as number) / (a[k + size * k] as number);
      if (factor === 0) continue;
      for (let j = k + 1; j < size; j++) a[i + size * j]! -= factor * (a[k + size * j] as number);
      b[i]! -= factor * (b[k] as number);
    }
  }
  for (let k = size - 1; k >= 0; k--) {
    for (let j = k + 1; j < size; j++) b[k]! -= (a[k + size * j] as number) * (b[j] as number);
    b[k]! /= a[k + size * k] as number;
  }
}
