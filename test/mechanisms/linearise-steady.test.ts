import { eigenvalues } from "nodrift/analysis";
import {
  type BodySimulation,
  compile,
  equilibrium,
  type Linearisation,
  linearise,
  type Model,
  model,
} from "nodrift/bodies";
import { heavyTop, hmmwv, rollingDisk } from "nodrift/mechanisms";
import { solve } from "nodrift/solve";
import { describe, expect, test, vi } from "vitest";
import { bicycle, bicyclePolynomial } from "../support/bicycle.js";
import { seeded } from "../support/random.js";
import { predictionError } from "./support/small-motions.js";

const G = 9.81;
const Z = [0, 0, 1] as const;
const Y = [0, 1, 0] as const;

async function start(m: Model, step = 1e-3): Promise<BodySimulation> {
  return (await compile(m)).simulate({ step });
}

/**
 * Linearises in maximal coordinates, in which the initial state keeps its bits: near double eigenvalues rounding shows
 * in the ninth digit.
 */
async function about(m: Model): Promise<Linearisation> {
  return linearise((await compile(m, { coordinates: "maximal" })).simulate({ step: 1e-3 }));
}

/** Distance of the nearest eigenvalue from an expected one. */
function distance({ eigenvalues: all }: Linearisation, re: number, im = 0): number {
  return Math.min(...all.map((one) => Math.hypot(one.re - re, one.im - im)));
}

const growth = ({ eigenvalues: all }: Linearisation) => Math.max(...all.map(({ re }) => re));

describe("linearise of the benchmark bicycle", () => {
  test("finds the published eigenvalues for 0 and 5 m/s", async () => {
    const five = await about(bicycle(5));
    expect(distance(five, -0.775341882, 4.464867714)).toBeLessThan(1e-8);
    expect(distance(five, -0.322866429)).toBeLessThan(1e-8);
    expect(distance(five, -14.078389693)).toBeLessThan(1e-8);
    expect(five.degreesOfFreedom).toBe(7);
    expect(five.eigenvalues).toHaveLength(10);
    expect([five.steady, five.equilibrium]).toEqual([true, false]);
    expect(growth(five)).toBeLessThan(1e-10);
    const still = await about(bicycle(0));
    for (const s of [3.131643248, 5.530943718]) {
      expect(distance(still, s)).toBeLessThan(1e-8);
      expect(distance(still, -s)).toBeLessThan(1e-8);
    }
  });

  test("finds the eigenvalues of the published matrices, at all speeds", async () => {
    for (const speed of [0.3, 1, 2, 3, 4, 6, 7, 8, 9, 10, 25]) {
      const p = bicyclePolynomial(speed);
      const companion = [0, 1, 2, 3].flatMap((column) =>
        [0, 1, 2, 3].map((row) => (column === 3 ? -p[row]! / p[4]! : row === column + 1 ? 1 : 0)),
      );
      const found = await about(bicycle(speed));
      for (const { real, imaginary } of eigenvalues(4, companion)) {
        expect(distance(found, real, imaginary)).toBeLessThan(1e-8 * (1 + Math.abs(real)));
      }
    }
  });

  test("finds it stable between 4.292 and 6.024 m/s", async () => {
    for (const [speed, stable] of [
      [4.29, false],
      [4.294, true],
      [6.022, true],
      [6.026, false],
    ] as const) {
      expect(growth(await about(bicycle(speed))) < 1e-8).toBe(stable);
    }
  });

  test("predicts the motion", async () => {
    for (const speed of [3, 5, 8]) {
      const system = await compile(bicycle(speed));
      const found = linearise(system.simulate({ step: 1e-3 }));
      expect(predictionError(system, found, "steering", 1)).toBeLessThan(1e-5);
    }
  });
});

/**
 * A top of revolution on a spherical joint, its centre l away, leaning by an angle and precessing about the vertical.
 */
function top(spin: number, lean = 0, precession = 0): Model {
  const m = model({ name: "top", gravity: [0, 0, -G] });
  const axis = [Math.sin(lean), 0, Math.cos(lean)] as const;
  const body = m.body({
    name: "top",
    mass: TOP.mass,
    inertia: [TOP.across, TOP.across, TOP.along],
    position: axis.map((x) => TOP.l * x) as never,
    orientation: { axis: Y, angle: lean },
    angularVelocity: axis.map((x, i) => spin * x + (i === 2 ? precession : 0)) as never,
  });
  m.spherical({ between: [m.ground, body], at: [0, 0, 0] });
  return m;
}
const TOP = { mass: 2, across: 0.03, along: 0.01, l: 0.2 };
const ABOUT_POINT = TOP.across + TOP.mass * TOP.l ** 2;

describe("linearise of a top", () => {
  // I x'' - i C n x' - m g l x = 0 for the tilt x of the axis as a complex number.
  const roots = (n: number) => {
    const [b, c] = [TOP.along * n, TOP.mass * G * TOP.l];
    const root = b * b - 4 * ABOUT_POINT * c;
    return {
      real: root < 0 ? Math.sqrt(-root) / (2 * ABOUT_POINT) : 0,
      middle: b / (2 * ABOUT_POINT),
    };
  };
  const critical = Math.sqrt(4 * ABOUT_POINT * TOP.mass * G * TOP.l) / TOP.along;

  test("finds it stable above the spin of the closed form, and unstable below", async () => {
    for (const part of [0.5, 0.9, 0.999, 1.001, 1.1, 3]) {
      const found = await about(top(part * critical));
      const { real, middle } = roots(part * critical);
      expect(growth(found)).toBeCloseTo(real, 6);
      if (part < 1) expect(distance(found, real, middle)).toBeLessThan(2e-6);
      expect(found.frames.top).toEqual([0, 0, 0]);
    }
  });

  test("finds the nutation of the closed form in steady precession", async () => {
    // Steady precession: (C n - I W cos) W = m g l. Nutation: I^2 w^2 = (C n - 2 I W cos)^2 + I^2 W^2 sin^2,
    // where n is the spin along the axis including the part of the precession.
    for (const [lean, W] of [
      [0.4, 3],
      [1.1, -5],
      [2, 8],
    ] as const) {
      const momentum = (TOP.mass * G * TOP.l) / W + ABOUT_POINT * W * Math.cos(lean);
      const spin = momentum / TOP.along - W * Math.cos(lean);
      const found = await about(top(spin, lean, W));
      const a = momentum / ABOUT_POINT - 2 * W * Math.cos(lean);
      const nutation = Math.sqrt(a * a + (W * Math.sin(lean)) ** 2);
      expect(distance(found, 0, nutation)).toBeLessThan(1e-7 * nutation);
      expect(2 * Math.PI * found.frequencies[0]!).toBeCloseTo(nutation, 6);
      expect(Math.abs(found.frames.top![2] - W)).toBeLessThan(1e-8 * Math.abs(spin));
    }
  });

  test("rejects any other precession", async () => {
    const simulation = await start(top(60, 0.4, 1));
    expect(() => linearise(simulation)).toThrow(
      /top: the motion at t = 0 is not steady.*"top" deviates.*frozen/,
    );
    const frozen = linearise(simulation, { frozen: true });
    expect([frozen.steady, frozen.equilibrium, frozen.eigenvalues.length]).toEqual([
      false,
      false,
      6,
    ]);
  });
});

describe("linearise of rotating motions", () => {
  /** A bead on a hoop of radius R that rotates about the vertical, driven or freely. */
  function hoop(rate: number, driven: boolean): Model {
    const m = model({ name: "hoop", gravity: [0, 0, -G] });
    const angle = Math.acos(G / (rate * rate * HOOP));
    const ring = m.body({
      name: "ring",
      mass: 5,
      inertia: [3, 2, 4],
      angularVelocity: [0, 0, rate],
    });
    const x = HOOP * Math.sin(angle);
    const bead = m.body({
      name: "bead",
      mass: 1,
      inertia: [1e-3, 1e-3, 1e-3],
      position: [x, 0, -HOOP * Math.cos(angle)],
      velocity: [0, rate * x, 0],
      angularVelocity: [0, 0, rate],
    });
    const shaft = m.revolute({ name: "shaft", between: [m.ground, ring], at: [0, 0, 0], axis: Z });
    m.revolute({ name: "swing", between: [ring, bead], at: [0, 0, 0], axis: Y });
    if (driven)
      m.driveAngle({
        joint: shaft,
        angle: { value: (t) => rate * t, rate: () => rate, acceleration: () => 0 },
      });
    return m;
  }
  const HOOP = 0.5;
  const swung = HOOP * HOOP + 1e-3;

  test("finds I s^2 = -(m R^2) W^2 sin^2 for a pendulum on a driven shaft", async () => {
    for (const rate of [5, 8, 20]) {
      const found = await about(hoop(rate, true));
      // The bead's own inertia is spherical: about the shaft only its position matters.
      const cosine = G / (rate * rate * HOOP);
      const square = (HOOP * HOOP * rate * rate * (1 - cosine * cosine)) / swung;
      expect(found.degreesOfFreedom).toBe(1);
      expect(distance(found, 0, Math.sqrt(square))).toBeLessThan(1e-7 * rate);
    }
  });

  test("conserves angular momentum for a pendulum on a free shaft", async () => {
    for (const rate of [5, 8, 20]) {
      const found = await about(hoop(rate, false));
      const cosine = G / (rate * rate * HOOP);
      const [square, sine2] = [
        HOOP * HOOP * rate * rate * (1 - cosine * cosine),
        1 - cosine * cosine,
      ];
      const inertia = 4 + 1e-3 + HOOP * HOOP * sine2;
      // d/dtheta of m R^2 W^2 sin cos with W = L / (I + m R^2 sin^2).
      const slower = (4 * (HOOP * HOOP) ** 2 * sine2 * cosine * cosine * rate * rate) / inertia;
      expect(distance(found, 0, Math.sqrt((square + slower) / swung))).toBeLessThan(1e-6 * rate);
      expect(growth(found)).toBeLessThan(1e-8);
      expect(found.frames.bead![2]).toBeCloseTo(rate, 8);
      const system = await compile(hoop(rate, false));
      expect(predictionError(system, found, "swing", 0.5)).toBeLessThan(1e-5);
    }
  });

  test("rejects an accelerated driven shaft", async () => {
    const m = model({ name: "starter" });
    const rotor = m.body({ name: "rotor", mass: 1, inertia: [1, 1, 2] });
    const shaft = m.revolute({ between: [m.ground, rotor], at: [0, 0, 0], axis: Z });
    m.driveAngle({
      joint: shaft,
      angle: { value: (t) => 3 * t + t * t, rate: (t) => 3 + 2 * t, acceleration: () => 2 },
    });
    const simulation = await start(m);
    expect(() => linearise(simulation)).toThrow(/not steady/);
  });

  test("finds s^2 = -W^2 (1 + 3 cos^2) for a conical pendulum", async () => {
    const m = model({ name: "cone", gravity: [0, 0, -G] });
    const [lean, l] = [0.7, 2];
    const rate = Math.sqrt(G / (l * Math.cos(lean)));
    const bob = m.body({
      name: "bob",
      mass: 1,
      inertia: [1e-9, 1e-9, 1e-9],
      position: [l * Math.sin(lean), 0, -l * Math.cos(lean)],
      velocity: [0, rate * l * Math.sin(lean), 0],
      angularVelocity: [0, 0, rate],
    });
    m.distance({ between: [m.ground, bob], length: l });
    const found = await about(m);
    expect(distance(found, 0, rate * Math.sqrt(1 + 3 * Math.cos(lean) ** 2))).toBeLessThan(1e-6);
  });

  test("finds w +- W in the rotating frame for a spherical pendulum at rest on a turntable", async () => {
    const m = model({ name: "Foucault", gravity: [0, 0, -G] });
    const W = 0.8;
    const table = m.body({
      name: "table",
      mass: 1,
      inertia: [1, 1, 1],
      angularVelocity: [0, 0, W],
    });
    const bob = m.body({
      name: "bob",
      mass: 1,
      inertia: [1e-3, 1e-3, 1e-3],
      position: [0, 0, -1],
      angularVelocity: [0, 0, W],
    });
    const pivot = m.revolute({ between: [m.ground, table], at: [0, 0, 0], axis: Z });
    m.driveAngle({
      joint: pivot,
      angle: { value: (t) => W * t, rate: () => W, acceleration: () => 0 },
    });
    m.universal({ between: [table, bob], at: [0, 0, 0], axisA: [1, 0, 0], axisB: [0, 1, 0] });
    const found = await about(m);
    // A sphere held against rotation about the rod, which adds C W to both: with C = 1e-3, I = 1.001.
    const I = 1.001;
    const middle = W - (1e-3 * W) / (2 * I);
    const own = Math.sqrt(G / I + ((1e-3 * W) / (2 * I)) ** 2);
    for (const expected of [own + middle, own - middle]) {
      expect(distance(found, 0, expected)).toBeLessThan(1e-7);
    }
  });
});

describe("linearise of free bodies", () => {
  function satellite(axis: number, rate: number, inertia: readonly number[]): Model {
    const m = model({ name: "satellite", gravity: [0, 0, 0] });
    m.body({
      name: "bus",
      mass: 3,
      inertia: inertia as never,
      position: [100, 20, 3],
      velocity: [7, 0, 1],
      angularVelocity: [0, 1, 2].map((i) => (i === axis ? rate : 0)) as never,
    });
    return m;
  }

  test("finds spin about the axes of largest and least inertia stable, not about the intermediate one", async () => {
    const inertia = [1, 2, 2.5];
    for (const axis of [0, 1, 2]) {
      const [C, A, B] = [0, 1, 2].map((i) => inertia[(axis + i) % 3]!);
      const square = (-(C! - A!) * (C! - B!) * 9) / (A! * B!);
      const found = await about(satellite(axis, 3, inertia));
      if (square < 0) {
        expect(distance(found, 0, Math.sqrt(-square))).toBeLessThan(1e-8);
        expect(growth(found)).toBeLessThan(1e-8);
      } else expect(growth(found)).toBeCloseTo(Math.sqrt(square), 7);
    }
  });

  test("observes bodies of revolution in fixed axes: nutation C W / A", async () => {
    const found = await about(satellite(2, 3, [2, 2, 1]));
    expect(found.frames.bus).toEqual([0, 0, 0]);
    expect(distance(found, 0, 1.5)).toBeLessThan(1e-8);
  });

  test("finds a body with an inner wheel of sufficient momentum stable", async () => {
    // Intermediate axis of the whole body, with the wheel's momentum h along it. With H = C W + h, stability
    // needs (H - A W)(H - B W) > 0.
    for (const [speed, stable] of [
      [0, false],
      [2, false],
      [12, true],
    ] as const) {
      const m = model({ name: "gyrostat", gravity: [0, 0, 0] });
      const bus = m.body({
        name: "bus",
        mass: 3,
        inertia: [1, 2, 1.4],
        angularVelocity: [0, 0, 1],
      });
      const wheel = m.body({
        name: "wheel",
        mass: 0.5,
        inertia: [0.1, 0.1, 0.15],
        angularVelocity: [0, 0, 1 + speed],
      });
      m.revolute({ name: "axle", between: [bus, wheel], at: [0, 0, 0], axis: Z });
      const [A, B, C, H] = [1.1, 2.1, 1.55, 1.4 + 0.15 * (1 + speed)];
      void C;
      const square = (-(H - A) * (H - B)) / (A * B);
      const found = await about(m);
      expect(square < 0).toBe(stable);
      if (stable) expect(distance(found, 0, Math.sqrt(-square))).toBeLessThan(1e-8);
      else expect(growth(found)).toBeCloseTo(Math.sqrt(square), 7);
    }
  });
});

describe("linearise of rolling bodies", () => {
  test("finds an upright hoop stable above the speed of the closed form", async () => {
    // (A + m r^2) x'' = (m g r - (C + m r^2) C n^2 / A) x.
    const [mass, r, A, C] = [1.5, 0.4, 0.07, 0.13];
    for (const n of [0.5, 1, 2, 3, 6]) {
      const m = model({ name: "hoop", gravity: [0, 0, -G] });
      const wheel = m.body({
        name: "wheel",
        mass,
        inertia: [A, C, A],
        position: [3, 1, r],
        velocity: [r * n, 0, 0],
        angularVelocity: [0, n, 0],
      });
      m.rollingDisk({ body: wheel, radius: r, axis: Y });
      const square = (mass * G * r - ((C + mass * r * r) * C * n * n) / A) / (A + mass * r * r);
      const found = await about(m);
      if (square < 0) expect(distance(found, 0, Math.sqrt(-square))).toBeLessThan(1e-7);
      else expect(growth(found)).toBeCloseTo(Math.sqrt(square), 7);
    }
  });

  test("accepts a coin in a circle as steady", async () => {
    const found = await about(rollingDisk());
    expect(found.frames.disk![2]).toBeCloseTo(1, 8);
    expect(found.frames.disk![0]).toBeCloseTo(0, 8);
  });

  test("rejects an unbalanced wheel", async () => {
    const m = model({ name: "lame" });
    const wheel = m.body({
      name: "wheel",
      mass: 1,
      inertia: [0.1, 0.2, 0.1],
      centre: [0.01, 0, 0],
      position: [0, 0, 0.5],
      velocity: [1, 0, 0],
      angularVelocity: [0, 2, 0],
    });
    m.rollingDisk({ body: wheel, radius: 0.5, axis: Y, centre: [0, 0, 0.5] });
    const simulation = await start(m);
    expect(() => linearise(simulation)).toThrow(/"wheel" deviates/);
  });
});

describe("linearise of motions that settle", () => {
  /** Two arms on a shaft, with springs and dampers in their hinges. */
  function governor(seed: number): Model {
    const random = seeded(seed);
    const some = (middle: number) => middle * (1 + 0.4 * random());
    const m = model({ name: "governor" });
    const rate = some(6);
    const angularVelocity = [0, 0, rate] as const;
    const inertia = [some(0.2), some(0.2), some(0.25)] as const;
    const shaft = m.body({ name: "shaft", mass: 2, inertia, angularVelocity });
    m.revolute({ name: "bearing", between: [m.ground, shaft], at: [0, 0, 0], axis: Z });
    for (const side of [1, -1]) {
      const at = [some(0.1) * side, 0, 0] as const;
      const arm = m.body({
        name: `arm ${side}`,
        mass: some(1),
        inertia: [some(0.01), some(0.012), some(0.011)],
        position: [some(0.4) * side, 0, -some(0.4)],
        angularVelocity,
      });
      const joint = m.revolute({ name: `hinge ${side}`, between: [shaft, arm], at, axis: Y });
      m.torsionSpring({ joint, stiffness: some(1), damping: some(0.3) });
    }
    return m;
  }

  test("accepts random governors after settling, and predicts their motion", async () => {
    for (let seed = 1; seed <= 3; seed++) {
      const system = await compile(governor(seed));
      expect(() => linearise(system.simulate({ step: 1e-3 }))).toThrow(/not steady/);
      const { end, status } = solve(system, { span: [0, 80], tolerance: 1e-11 });
      expect(status).toBe("finished");
      const found = linearise(end);
      expect([found.steady, found.equilibrium]).toEqual([true, false]);
      expect(growth(found)).toBeLessThan(1e-7);
      expect(predictionError(system, found, "hinge 1", 0.7, end)).toBeLessThan(1e-5);
    }
  });

  test("finds the eigenvalues at rest for a vehicle that glides on a level road", async () => {
    const system = await compile(hmmwv({ bump: false }));
    const still = equilibrium(system);
    const v = still.state.v.map((_, i) => (i % 6 === 0 ? 10 : 0));
    const unwrappedAngles = new Float64Array(
      system.bodySystem().continuation.unwrappedAngles.count,
    );
    const found = linearise(system.state({ q: still.q, v, time: 0, unwrappedAngles }));
    expect(found.steady).toBe(true);
    for (const { re, im } of still.linearisation!.eigenvalues) {
      const size = Math.hypot(re, im);
      if (size > 0.1) expect(distance(found, re, im)).toBeLessThan(1e-4 * size);
    }
  });
});

test("linearise calls no function whose last bits depend on the engine", async () => {
  const system = await compile(bicycle(5));
  const simulation = system.simulate({ step: 1e-3 });
  const chain = await compile(swing());
  const expected = [linearise(simulation), equilibrium(chain).linearisation];
  const names = [
    "hypot",
    "pow",
    "log",
    "log2",
    "exp",
    "sin",
    "cos",
    "tan",
    "atan2",
    "cbrt",
  ] as const;
  const spies = names.map((name) => vi.spyOn(Math, name).mockReturnValue(Number.NaN));
  try {
    const found = [linearise(simulation), equilibrium(chain).linearisation];
    expect(found).toEqual(expected);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
});

/** A swing that has to be brought to rest, with rotations in all directions. */
function swing(): Model {
  const m = model({ name: "swing" });
  const inertia = [0.1, 0.2, 0.15] as const;
  const upper = m.body({ mass: 1, inertia, position: [0.5, 0.2, 0] });
  m.spherical({ between: [m.ground, upper], at: [0, 0, 0] });
  const lower = m.body({ mass: 2, inertia, position: [1.2, 0.2, 0.3] });
  m.revolute({ between: [upper, lower], at: [1, 0.4, 0], axis: [1, 2, 3] });
  return m;
}

test("linearise rejects motions that only seem steady", async () => {
  await expect(about(heavyTop())).rejects.toThrow(/not steady/);
});
