import {
  type CompiledModel,
  compile,
  equilibrium,
  linearise,
  model,
  type Vector,
} from "nodrift/bodies";
import { hmmwv, hmmwvSettledHeight } from "nodrift/mechanisms";
import { solve } from "nodrift/solve";
import { bicycle, bicyclePolynomial } from "../../test/support/bicycle.js";
import { seeded } from "../../test/support/random.js";
import { atLeast, atMost, type Figure, reported } from "./figure.js";

/** Published eigenvalues at 5 m/s: weave, capsize, caster. */
const PRINTED = [
  [-0.775341882, 4.464867714],
  [-0.322866429, 0],
  [-14.078389693, 0],
] as const;

/** Linearisation about steady motion, and static equilibrium. */
export async function* robustLineariseFigures(): AsyncGenerator<Figure> {
  const five = await eigenvaluesOf(bicycle(5));
  const errors = PRINTED.map(([re, im]) =>
    Math.min(...five.map((s) => Math.hypot(s.re - re, s.im - im))),
  );
  yield atMost(
    "bicycle at 5 m/s: error of eigenvalues to those printed",
    Math.max(...errors),
    1e-8,
  );
  yield atMost("bicycle at 5 m/s: largest real part", growth(five), 1e-9);
  const speeds = Array.from({ length: 40 }, (_, i) => 0.25 * (i + 1));
  let [worst, wrong] = [0, 0];
  for (const speed of speeds) {
    const found = await eigenvaluesOf(bicycle(speed));
    const p = bicyclePolynomial(speed);
    const moving = found.filter(({ re, im }) => Math.hypot(re, im) > 1e-6);
    worst = Math.max(worst, ...moving.map(({ re, im }) => newtonStep(p, re, im)));
    // Published: stable between 4.292 and 6.024 m/s.
    if (growth(found) < 1e-8 !== (speed > 4.292 && speed < 6.024)) wrong++;
  }
  yield atMost("bicycle, 40 speeds to 10 m/s: error to the published matrices", worst, 1e-7);
  yield atMost("bicycle, 40 speeds to 10 m/s: wrong verdicts on stability", wrong, 0);
  yield atMost(
    "bicycle, 5 m/s: steer angle after 1 s, simulated less foretold",
    await steerError(),
    1e-4,
  );
  yield* equilibria();
}

async function* equilibria(): AsyncGenerator<Figure> {
  const count = 100;
  let [found, residual, iterations] = [0, 0, 0];
  for (let seed = 1; seed <= count; seed++) {
    const system = await hanging(seed);
    try {
      const rest = equilibrium(system);
      const weight = system.data.bodies.reduce((sum, { mass }) => sum + 9.81 * mass, 0);
      const { state } = rest;
      const up = state.joint("0").force()[2] + springPull(state.body("last").position);
      if (Math.abs(up - weight) < 1e-7 * weight) found++;
      residual = Math.max(residual, rest.residual / weight);
      iterations = Math.max(iterations, rest.iterations);
    } catch {
      // Counted as not found.
    }
  }
  yield atLeast(
    "equilibrium, 100 random chains on springs: found, joints carry the weight",
    found,
    count,
  );
  yield atMost(
    "equilibrium, 100 random chains on springs: unbalanced force / weight",
    residual,
    1e-9,
  );
  yield reported("equilibrium, 100 random chains on springs: most steps", iterations);
  const vehicle = equilibrium(await compile(hmmwv()));
  const height = vehicle.state.body("chassis").centreOfMass[2];
  yield atMost(
    "equilibrium, HMMWV: height to the reference",
    Math.abs(height - hmmwvSettledHeight),
    1e-9,
  );
}

async function eigenvaluesOf(m: ReturnType<typeof bicycle>) {
  return linearise((await compile(m)).simulate({ step: 1e-3 })).eigenvalues;
}

const growth = (found: readonly { readonly re: number }[]) =>
  Math.max(...found.map(({ re }) => re));

/** |p(s) / p'(s)|: distance of s from a root, to first order. */
function newtonStep(p: readonly number[], re: number, im: number): number {
  let [value, slope] = [
    [0, 0],
    [0, 0],
  ];
  for (const coefficient of [...p].reverse()) {
    slope = [
      slope[0]! * re - slope[1]! * im + value[0]!,
      slope[0]! * im + slope[1]! * re + value[1]!,
    ];
    value = [value[0]! * re - value[1]! * im + coefficient, value[0]! * im + value[1]! * re];
  }
  return Math.hypot(...value) / Math.hypot(...slope);
}

/** The steer angle after 1 s, from an initial state near the steady one: solved, and by exp(A t). */
async function steerError(): Promise<number> {
  const system = await compile(bicycle(5));
  const { A, basis, degreesOfFreedom: n } = linearise(system.simulate({ step: 1e-3 }));
  const small = 1e-5;
  const [q, v] = [system.q, system.v];
  const angle = (factor: number) => {
    const start = v.map((x, i) => x + factor * basis[n]![i]!);
    return solve(system, { q, v: start, span: [0, 1], tolerance: 1e-12 }).end.joint("steering")
      .angle!;
  };
  const seen = (angle(small) - angle(-small)) / (2 * small);
  const unit = A.map((_, i) => (i === n ? 1 : 0));
  const z = flow(A, unit, 1).slice(0, n);
  const rate = (u: Float64Array) => {
    const unwrappedAngles = new Float64Array(
      system.bodySystem().continuation.unwrappedAngles.count,
    );
    return system.state({ q, v: u, time: 0, unwrappedAngles }).joint("steering").angleRate!;
  };
  const expected = z.reduce((sum, x, i) => sum + x * rate(basis[i]!), 0);
  return Math.abs(seen - expected) / Math.abs(seen);
}

/** exp(A t) x by the classical Runge-Kutta method, with sufficiently short steps. */
function flow(A: readonly (readonly number[])[], x: readonly number[], t: number): number[] {
  const steps = 20000;
  const h = t / steps;
  const rate = (y: readonly number[]) => A.map((row) => row.reduce((s, a, j) => s + a * y[j]!, 0));
  let y = [...x];
  for (let k = 0; k < steps; k++) {
    let [term, sum] = [y, y];
    for (let order = 1; order <= 4; order++) {
      term = rate(term).map((value) => (value * h) / order);
      sum = sum.map((value, i) => value + term[i]!);
    }
    y = sum;
  }
  return y;
}

/** Links on spherical joints in all directions, the last one on a spring. */
async function hanging(seed: number): Promise<CompiledModel> {
  const random = seeded(seed);
  const m = model({ name: "chain" });
  const count = 2 + Math.floor(2 * (random() + 1));
  let [before, at]: [typeof m.ground, Vector] = [m.ground, [0, 0, 0]];
  for (let i = 0; i < count; i++) {
    const next = [at[0] + random(), at[1] + random(), at[2] + random()] as const;
    const position = [0, 1, 2].map((k) => (at[k]! + next[k]!) / 2) as unknown as Vector;
    const link = m.body({
      name: i === count - 1 ? "last" : `${i}`,
      mass: 1.1 + random(),
      inertia: [0.1, 0.1, 0.1],
      position,
    });
    m.spherical({ name: `${i}`, between: [before, link], at });
    [before, at] = [link, next];
  }
  m.spring({ between: [m.ground, before], atA: ANCHOR, stiffness: STIFFNESS, length: 1 });
  return await compile(m);
}
const ANCHOR = [0.5, 0.3, 1] as const;
const STIFFNESS = 7;

/** Force of the spring by Hooke's law. */
function springPull(end: Vector): number {
  const d = [0, 1, 2].map((i) => ANCHOR[i]! - end[i]!);
  const r = Math.hypot(...d);
  return (STIFFNESS * (r - 1) * d[2]!) / r;
}
