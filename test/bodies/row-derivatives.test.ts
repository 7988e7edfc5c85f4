import { describe, expect, test } from "vitest";
import {
  holonomicCases,
  type MakeSpec,
  overStates,
  randomMechanism,
  timeLaw,
  velocityCases,
} from "../support/body-cases.js";
import {
  dataSlot,
  GROUND,
  type Mechanism,
  mechanism,
  RowKind,
  SensorKind,
  Want,
} from "../support/body-harness.js";
import {
  ALL,
  difference,
  displaced,
  evaluate,
  randomise,
  randomMarker,
  STEP,
  slope,
} from "../support/body-motion.js";
import { randomVector, seeded } from "../support/random.js";

/** Rate, bias and gyro at the present state, independent of previous values. */
function derivatives(m: Mechanism) {
  for (const view of [m.rate, m.bias, m.gyro]) view.fill(Number.NaN);
  evaluate(m, ALL);
  const [a, rate, bias, gyro] = [m.a, m.rate, m.bias, m.gyro].map((view) => view.byteOffset);
  m.kernels.bodyRowDerivatives(m.table, a, rate, bias, gyro);
  const flat = (view: Float64Array) => m.denseOf(view).flatMap((row) => [...row]);
  return { rate: flat(m.rate), bias: flat(m.bias), gyro: flat(m.gyro) };
}

/** phiDot, then gamma - J a, then gamma. */
function ratesOf(m: Mechanism): Float64Array {
  evaluate(m, Want.JACOBIAN | Want.RATES);
  const left = m
    .jacobian()
    .map((row, i) => row.reduce((sum, x, j) => sum - x * m.a[j], m.gamma[i]));
  return Float64Array.of(...m.phiDot, ...left, ...m.gamma);
}

/** Rate, bias and gyro by finite differences. */
function differences(m: Mechanism) {
  const [q, v] = [m.q.slice(), m.v.slice()];
  const columnsOf = (move: (j: number, x: number) => void, h: number) =>
    Array.from(v, (_, j) => {
      const column = slope((x) => {
        move(j, x);
        return ratesOf(m);
      }, h);
      m.q.set(q);
      m.v.set(v);
      return column;
    });
  const displacing = columnsOf((j, x) => {
    m.q.set(
      displaced(
        q,
        v.map((_, k) => (k === j ? x : 0)),
      ),
    );
  }, STEP);
  // gamma is a polynomial of second degree in v: any step is exact.
  const speeding = columnsOf((j, x) => {
    m.v[j] = v[j] + x;
  }, 0.5);
  const matrix = (columns: Float64Array[], first: number) =>
    Array.from({ length: m.rowCount }, (_, i) => columns.map((c) => c[first + i])).flat();
  return {
    rate: matrix(displacing, 0),
    bias: matrix(displacing, m.rowCount),
    gyro: matrix(speeding, 2 * m.rowCount),
  };
}

function errorsOf(m: Mechanism, random = seeded(11)) {
  m.a.set(randomVector(random, m.width));
  timeLaw(m)(0.3);
  const [exact, expected] = [derivatives(m), differences(m)];
  return {
    rate: difference(exact.rate, expected.rate),
    bias: difference(exact.bias, expected.bias),
    gyro: difference(exact.gyro, expected.gyro),
  };
}

const around =
  (kind: SensorKind, other: SensorKind): MakeSpec =>
  (random) => ({
    bodies: 2,
    // The first sensor goes from body 0 to 1, the second from 1 back to 0.
    markers: [0, 1, 1, 0].map((body) => randomMarker(random, body)),
    sensors: [
      { kind, a: 0, b: 1 },
      { kind: other, a: 2, b: 3 },
    ],
    rows: [{ kind: RowKind.COUPLE, a: 0, b: 1, data: [0, 0, 0, 0.7, -1.9] }],
  });

/** One body is both sides of a coupling, in various ways. */
const repeating: Record<string, MakeSpec> = {
  "two sensors between the same bodies": around(SensorKind.ANGLE, SensorKind.LENGTH),
  "two lengths between the same bodies": around(SensorKind.LENGTH, SensorKind.DISPLACEMENT),
  "one body at both ends of a sensor": (random) => ({
    bodies: 2,
    markers: [0, 1, 0, 1].map((body) => randomMarker(random, body)),
    sensors: [
      { kind: SensorKind.DISPLACEMENT, a: 1, b: 3 },
      { kind: SensorKind.DISPLACEMENT, a: 0, b: 3 },
    ],
    rows: [{ kind: RowKind.COUPLE, a: 0, b: 1, data: [0, 0, 0, 0.7, -1.9] }],
  }),
};

const all = { ...holonomicCases, ...velocityCases, ...repeating };

describe.each(Object.entries(all))("%s", (_, make) => {
  test("rate, bias and gyro are the derivatives of phiDot, gamma and J a", () => {
    const random = seeded(12);
    const errors = overStates(make, (m) => errorsOf(m, random));
    expect(errors.rate).toBeLessThan(1e-9);
    expect(errors.bias).toBeLessThan(1e-8);
    expect(errors.gyro).toBeLessThan(1e-12);
  });
});

test("a sensor that does not move with its only body adds nothing", () => {
  const m = randomMechanism(repeating["one body at both ends of a sensor"], seeded(2), 0);
  m.a.set(randomVector(seeded(3), m.width));
  const both = derivatives(m);
  m.data[dataSlot(m.spec, 0) + 3] = 0;
  const second = derivatives(m);
  expect(Math.max(...second.bias.map(Math.abs))).toBeGreaterThan(0.1);
  for (const name of ["rate", "bias", "gyro"] as const) {
    expect(difference(both[name], second[name])).toBeLessThan(1e-14);
  }
});

test("a coupling whose sensors cancel has no derivatives", () => {
  const m = randomMechanism(
    (random) => ({
      bodies: 2,
      markers: [0, 1].map((body) => randomMarker(random, body)),
      sensors: [0, 1].map(() => ({ kind: SensorKind.LENGTH, a: 0, b: 1 })),
      rows: [{ kind: RowKind.COUPLE, a: 0, b: 1, data: [0, 0, 0, 1.5, -1.5] }],
    }),
    seeded(4),
    0,
  );
  m.a.set(randomVector(seeded(5), m.width));
  const { rate, bias, gyro } = derivatives(m);
  expect(difference([...rate, ...bias, ...gyro], new Float64Array(36))).toBeLessThan(1e-14);
});

test("many entries use their own slots, and user rows are not written", () => {
  const random = seeded(6);
  const spec = {
    bodies: 3,
    markers: [0, 1, 2, GROUND].map((body) => randomMarker(random, body)),
    sensors: [{ kind: SensorKind.ANGLE, a: 0, b: 2 }],
    rows: [
      { kind: RowKind.DOT1, a: 0, b: 1, axisA: 2, axisB: 1 },
      { kind: RowKind.COINCIDE, a: 3, b: 0 },
      { kind: RowKind.COUPLE, a: 0, b: -1, data: [0, 0, 0, 2, 0] },
      { kind: RowKind.COINCIDE, a: 1, b: 2 },
      { kind: RowKind.DOT2, a: 2, b: 3, axisA: 1, data: [0.2, 0, 0] },
    ],
  };
  const m = mechanism(spec);
  randomise(random, m);
  const errors = errorsOf(m);
  expect(Math.max(errors.rate, errors.bias, errors.gyro)).toBeLessThan(1e-8);
  const user = mechanism({ ...spec, rows: [{ kind: RowKind.USER, a: 0, b: 1 }] });
  randomise(random, user);
  derivatives(user);
  for (const view of [user.rate, user.bias, user.gyro]) {
    expect(view.every((x) => Number.isNaN(x))).toBe(true);
  }
});

test("a length of zero has no derivatives, as it has no Jacobian", () => {
  const plain = (body: number) => ({ body, arm: [0, 0, 0], axes: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
  const m = mechanism({
    bodies: 1,
    markers: [plain(GROUND), plain(0)],
    sensors: [{ kind: SensorKind.LENGTH, a: 0, b: 1 }],
    rows: [{ kind: RowKind.COUPLE, a: 0, b: -1, data: [0, 0, 0, 1, 0] }],
  });
  m.q.set([0, 0, 0, 1, 0, 0, 0]);
  m.v.set([1, 2, 3, 4, 5, 6]);
  m.a.set([1, 2, 3, 4, 5, 6]);
  const { rate, bias, gyro } = derivatives(m);
  expect([...rate, ...bias, ...gyro]).toEqual(new Array(18).fill(0));
});

test("the state, the accelerations and the constants are not changed", () => {
  for (const make of Object.values(all)) {
    const m = randomMechanism(make, seeded(7), 1);
    m.a.set(randomVector(seeded(8), m.width));
    evaluate(m, ALL);
    const inputs = [m.q, m.v, m.a, m.data, m.locals, m.frames, m.markers, m.sensors, m.blocks];
    const before = inputs.map((view) => view.slice());
    derivatives(m);
    expect(inputs).toEqual(before);
  }
});
