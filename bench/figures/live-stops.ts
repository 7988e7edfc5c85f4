import { compile, type Model, model, rod } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { atMost, type Figure } from "./figure.js";

const G = 9.80665;

/** A rod of 1 m that hangs on a hinge about y. */
function pendulum(): { m: Model; hinge: ReturnType<Model["revolute"]>; inertia: number } {
  const m = model({ gravity: [0, 0, -G] });
  const bar = m.body({ name: "bar", mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
  const at = [0, 0, 0] as const;
  const hinge = m.revolute({ name: "hinge", between: [m.ground, bar], at, axis: [0, 1, 0] });
  return { m, hinge, inertia: 1 / 3 };
}

/** Complete elliptic integral of the first kind, by arithmetic and geometric means. */
function elliptic(k: number): number {
  let [a, g] = [1, Math.sqrt(1 - k * k)];
  for (let i = 0; i < 12; i++) [a, g] = [(a + g) / 2, Math.sqrt(a * g)];
  return Math.PI / (2 * a);
}

/**
 * A block that slides down a slope and is stopped by friction mu N, N = m g cos: v' = A - B tanh(k v), with A = g sin, B = mu g
 * cos and k = 4 / v_s. From v_0 to v it takes (P(v) - P(v_0)) / (A^2 - B^2), P = A v + (B / k) ln |A cosh k v - B sinh k v|; and without
 * the smooth part, v_0 / (B - A).
 */
async function* slopeFigures(): AsyncGenerator<Figure> {
  const [angle, mu, v0, speed] = [0.3, 0.5, 2, 1e-6];
  const m = model({ gravity: [G * Math.sin(angle), 0, -G * Math.cos(angle)] });
  const block = m.body({ name: "block", mass: 3, inertia: [1, 1, 1], velocity: [v0, 0, 0] });
  const at = [0, 0, 0] as const;
  const joint = m.prismatic({ name: "slide", between: [m.ground, block], at, axis: [1, 0, 0] });
  m.friction({ joint, coefficient: mu, transitionSpeed: speed });
  const rate = (state: { joint(name: string): { displacementRate: number | undefined } }) =>
    state.joint("slide").displacementRate!;
  const end = solve(await compile(m), {
    span: [0, 3],
    tolerance: 1e-11,
    events: [{ name: "slow", when: (state) => rate(state) - speed, terminal: true }],
  }).end;
  const [A, B, k] = [G * Math.sin(angle), mu * G * Math.cos(angle), 4 / speed];
  // cosh and sinh of k v_0 overflow: their logarithm is k v - ln 2 there.
  const logarithm = (v: number) =>
    k * v > 300
      ? k * v - Math.LN2 + Math.log(B - A)
      : Math.log(Math.abs(A * Math.cosh(k * v) - B * Math.sinh(k * v)));
  const part = (v: number) => A * v + (B / k) * logarithm(v);
  const smooth = (part(speed) - part(v0)) / (A * A - B * B);
  const dry = v0 / (B - A);
  const path = v0 ** 2 / (2 * (B - A));
  yield atMost(
    "live, block on a slope: time to 1e-6 m/s against the law, relative",
    Math.abs(end.time / smooth - 1),
    1e-6,
  );
  yield atMost(
    "live, block on a slope: stopping time of Coulomb, relative",
    Math.abs(end.time / dry - 1),
    1e-6,
  );
  yield atMost(
    "live, block on a slope: path of Coulomb, relative",
    Math.abs(end.joint("slide").displacement! / path - 1),
    1e-6,
  );
}

/**
 * Angle -b at which a pendulum with the dry torque T reverses after a swing from a > 0: m g l (cos b - cos a) = T (a
 * + b).
 */
function turning(a: number, weight: number, torque: number): number {
  const left = (b: number) => weight * (Math.cos(b) - Math.cos(a)) - torque * (a + b);
  let [low, high] = [-a, a];
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (left(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}

/** Time of a swing from a to -b: the integral of d theta / omega, by the substitution that makes its ends smooth. */
function swing(a: number, b: number, weight: number, torque: number, inertia: number): number {
  const [middle, half] = [(a - b) / 2, (a + b) / 2];
  const count = 400;
  let sum = 0;
  // The integrand is periodic in the angle of the substitution: midpoints converge exponentially.
  for (let i = 0; i < count; i++) {
    const phi = (Math.PI * (i + 0.5)) / count;
    const theta = middle + half * Math.cos(phi);
    const work = weight * (Math.cos(theta) - Math.cos(a)) - torque * (a - theta);
    sum += (half * Math.sin(phi)) / Math.sqrt((2 * work) / inertia);
  }
  return (sum * Math.PI) / count;
}

async function* frictionPendulumFigures(): AsyncGenerator<Figure> {
  const { m, hinge, inertia } = pendulum();
  const [torque, weight, speed] = [0.35, G / 2, 1e-7];
  m.friction({ joint: hinge, coulomb: torque, transitionSpeed: speed });
  const start = 1;
  const system = await compile(m, { joints: { hinge: start } });
  const solution = solve(system, {
    span: [0, 12],
    tolerance: 1e-11,
    // Decelerated to the speed below which it creeps, in either direction.
    events: [
      { when: (state) => state.joint("hinge").angleRate! - speed, direction: "falling" },
      { when: (state) => state.joint("hinge").angleRate! + speed, direction: "rising" },
    ],
  });
  let [angle, time, count] = [start, 0, 0];
  // It rests when its weight can no longer move it.
  while (weight * Math.sin(angle) > torque) {
    const next = turning(angle, weight, torque);
    time += swing(angle, next, weight, torque, inertia);
    angle = next;
    count++;
  }
  const stopped = solution.events.filter(({ time: at }) => at > 1e-3)[count - 1]!;
  const found = Math.abs(stopped.before.joint("hinge").angle!);
  yield atMost(
    "live, pendulum with dry friction: stopping time, relative",
    Math.abs(stopped.time / time - 1),
    1e-6,
  );
  yield atMost(
    "live, pendulum with dry friction: angle where it stops, relative",
    Math.abs(found / Math.abs(angle) - 1),
    1e-6,
  );
}

async function* bristleFigures(): AsyncGenerator<Figure> {
  const angle = 0.3;
  const m = model({ gravity: [G * Math.sin(angle), 0, -G * Math.cos(angle)] });
  const block = m.body({ name: "block", mass: 3, inertia: [1, 1, 1] });
  const at = [0, 0, 0] as const;
  const joint = m.prismatic({ name: "slide", between: [m.ground, block], at, axis: [1, 0, 0] });
  m.friction({ joint, coulomb: 15, static: 18, model: "bristle", stiffness: 1e5, damping: 1000 });
  const solution = solve(await compile(m), { span: [0, 101], tolerance: 1e-9 });
  const where = (t: number) => solution.at(t).joint("slide").displacement!;
  yield atMost(
    "live, block stuck by bristles: creep in 100 s, m",
    Math.abs(where(101) - where(1)),
    1e-9,
  );
}

/**
 * A pendulum falls on a rigid stop at its lowest point, 100 times. With omega_0 = sqrt(m g l / I) and the speed 2 omega_0 k at the
 * bottom it is away for 2 K(k) / omega_0, and k shrinks by the restitution each time.
 */
async function* impactFigures(): AsyncGenerator<Figure> {
  const { m, hinge, inertia } = pendulum();
  const restitution = 0.98;
  const count = 100;
  m.stop({ name: "anvil", joint: hinge, upper: 0, restitution });
  const start = -1.2;
  const system = await compile(m, { joints: { hinge: start } });
  const solution = solve(system, {
    span: [0, 200],
    tolerance: 1e-13,
    maximumSteps: 1e6,
    events: [{ when: ({ time }) => time - 95, terminal: true }],
  });
  const omega = Math.sqrt(G / 2 / inertia);
  let k = Math.sin(Math.abs(start) / 2);
  let time = elliptic(k) / omega;
  let worst = 0;
  const impacts = solution.events.filter(({ name }) => name === "anvil: upper").slice(0, count);
  for (const impact of impacts) {
    worst = Math.max(worst, Math.abs(impact.time - time));
    k *= restitution;
    time += (2 * elliptic(k)) / omega;
  }
  yield atMost(
    "live, pendulum against a rigid stop, 100 impacts: times, s",
    impacts.length === count ? worst : Number.POSITIVE_INFINITY,
    1e-10,
  );
}

/**
 * Kinetic and potential energy, including the stops, and the energy dissipated by their damping, integrated with the
 * motion.
 */
async function* balanceFigures(): AsyncGenerator<Figure> {
  const { m, hinge } = pendulum();
  const [stiffness, damping, limit] = [2e3, 0.3, 0.3];
  m.stop({ joint: hinge, lower: -limit, upper: limit, stiffness, damping });
  m.states({
    name: "lost",
    names: ["work"],
    rates: (_t, _y, read) => {
      const [angle, rate] = [read.angle(hinge), read.angleRate(hinge)];
      const depth = Math.max(Math.abs(angle) - limit, 0);
      // Damping factor of the stop, above one during compression and below one during expansion: 1 + y, and -1 / (4
      // y) below -1/2.
      const closing = Math.sign(angle) * rate;
      const y = damping * closing;
      const more = y >= -0.5 ? y : -0.25 / y - 1;
      return [stiffness * depth * Math.sqrt(depth) * more * closing];
    },
  });
  const system = await compile(m, { joints: { hinge: { angle: 0, angleRate: 4 } } });
  const solution = solve(system, { span: [0, 5], tolerance: 1e-12 });
  const first = solution.at(0).energy();
  let worst = 0;
  for (let t = 0.05; t <= 5; t += 0.05) {
    const state = solution.at(t);
    const sum = state.energy().total + state.state("lost").work!;
    worst = Math.max(worst, Math.abs(sum - first.total));
  }
  yield atMost(
    "live, pendulum between compliant stops: energy balance, relative",
    worst / first.kinetic,
    1e-8,
  );
}

/** Stops and friction compared with closed forms. */
export async function* liveStopFigures(): AsyncGenerator<Figure> {
  yield* slopeFigures();
  yield* frictionPendulumFigures();
  yield* bristleFigures();
  yield* impactFigures();
  yield* balanceFigures();
}
