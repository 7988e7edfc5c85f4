import { describe, expect, test } from "vitest";
import { naiveSensor } from "../oracles/primitives.js";
import { aboutAxis } from "../oracles/rotation.js";
import { type MakeSpec, overStates } from "../support/body-cases.js";
import {
  GROUND,
  type Mechanism,
  mechanism,
  Sensor,
  SensorKind,
  Want,
} from "../support/body-harness.js";
import {
  ALL,
  derivativeErrors,
  difference,
  displaced,
  evaluate,
  randomPair,
  type Subject,
} from "../support/body-motion.js";

const alone =
  (kind: SensorKind): MakeSpec =>
  (random, index) => ({
    bodies: 2,
    markers: randomPair(random, index),
    sensors: [{ kind, a: 0, b: 1 }],
    rows: [],
  });

function sensorOf(m: Mechanism): Subject {
  const field = (at: Sensor) => () => m.sensors.slice(at, at + 1);
  return {
    value: field(Sensor.VALUE),
    rate: field(Sensor.RATE),
    gamma: field(Sensor.GAMMA),
    jacobian: () => {
      const row = new Float64Array(m.width);
      for (const [at, { body }] of m.spec.markers.entries()) {
        const from = at === 0 ? Sensor.JACOBIAN_A : Sensor.JACOBIAN_B;
        if (body !== GROUND) row.set(m.sensors.subarray(from, from + 6), 6 * body);
      }
      return [row];
    },
  };
}

describe.each(["ANGLE", "DISPLACEMENT", "LENGTH"] as const)("%s", (name) => {
  const make = alone(SensorKind[name]);

  test("the value agrees with rotation matrices", () => {
    const { value } = overStates(make, (m) => {
      evaluate(m, Want.PHI);
      return { value: difference([m.sensors[Sensor.VALUE]], [naiveSensor(m.spec, 0, m.q)]) };
    });
    expect(value).toBeLessThan(1e-14);
  });

  test("Jacobian, rate and gamma are the derivatives of the value", () => {
    const errors = overStates(make, (m) => derivativeErrors(m, sensorOf(m)));
    expect(errors.jacobian).toBeLessThan(1e-9);
    expect(errors.rate).toBeLessThan(1e-9);
    expect(errors.gamma).toBeLessThan(1e-9);
    expect(errors.gammaTwice).toBeLessThan(1e-6);
  });

  test("rate is the Jacobian times the velocities", () => {
    const { rate } = overStates(make, (m) => {
      evaluate(m, ALL);
      const [row] = sensorOf(m).jacobian();
      const product = row.reduce((sum, x, i) => sum + x * m.v[i], 0);
      return { rate: difference([m.sensors[Sensor.RATE]], [product]) };
    });
    expect(rate).toBeLessThan(1e-14);
  });
});

const plain = (body: number) => ({ body, arm: [0, 0, 0], axes: [1, 0, 0, 0, 1, 0, 0, 0, 1] });

test("angles are unwrapped in both directions, from the last accepted state only", () => {
  const sensors = [{ kind: SensorKind.ANGLE, a: 0, b: 1 }];
  const m = mechanism({ bodies: 1, markers: [plain(GROUND), plain(0)], sensors, rows: [] });
  const turned = (angle: number) => {
    m.q.set([0, 0, 0, ...aboutAxis([0, 0, 1], angle)]);
    evaluate(m, Want.PHI);
    return m.sensors[Sensor.VALUE];
  };
  for (const direction of [1, -1]) {
    for (let angle = 0; Math.abs(angle) < 30; angle += 0.9 * direction) {
      expect(turned(angle)).toBeCloseTo(angle, 13);
      // A rejected trial is followed by another one from the same accepted state.
      expect(turned(angle + 2)).toBeCloseTo(angle + 2, 13);
      expect(turned(angle - 2)).toBeCloseTo(angle - 2, 13);
      expect(turned(angle)).toBeCloseTo(angle, 13);
      m.kernels.bodyContinue(m.table);
    }
    m.data[0] = 0;
  }
});

test("large angles keep their digits", () => {
  const sensors = [{ kind: SensorKind.ANGLE, a: 0, b: 1 }];
  const m = mechanism({ bodies: 1, markers: [plain(GROUND), plain(0)], sensors, rows: [] });
  const turns = 10_000;
  m.data[0] = 2 * Math.PI * turns + 3;
  m.q.set([0, 0, 0, ...aboutAxis([0, 0, 1], -3)]);
  evaluate(m, Want.PHI);
  expect(m.sensors[Sensor.VALUE]).toBeCloseTo(2 * Math.PI * (turns + 1) - 3, 10);
});

test("bodyContinue changes only the references of angles", () => {
  const { spec } = mechanism({ bodies: 1, markers: [plain(GROUND), plain(0)], rows: [] });
  const sensors = [SensorKind.LENGTH, SensorKind.ANGLE].map((kind) => ({ kind, a: 0, b: 1 }));
  const m = mechanism({ ...spec, sensors });
  m.data.set([5, 6, 0, 0.25]);
  m.q.set([1, 2, 2, ...aboutAxis([0, 0, 1], 0.5)]);
  evaluate(m, ALL);
  m.kernels.bodyContinue(m.table);
  expect(m.sensors[Sensor.VALUE]).toBeCloseTo(3, 15);
  expect([...m.data.subarray(0, 2)]).toEqual([5, 6]);
  expect(m.data[2]).toBeCloseTo(0.5, 15);
  expect(m.data[3]).toBe(0);
});

test("an angle is on the revolution nearest to its reference plus change", () => {
  const sensors = [{ kind: SensorKind.ANGLE, a: 0, b: 1 }];
  const m = mechanism({ bodies: 1, markers: [plain(GROUND), plain(0)], sensors, rows: [] });
  m.data.set([1, 12]);
  m.q.set([0, 0, 0, ...aboutAxis([0, 0, 1], 0.5)]);
  evaluate(m, Want.PHI);
  expect(m.sensors[Sensor.VALUE]).toBeCloseTo(0.5 + 4 * Math.PI, 13);
});

test("a length of zero has no direction", () => {
  const sensors = [{ kind: SensorKind.LENGTH, a: 0, b: 1 }];
  const m = mechanism({ bodies: 1, markers: [plain(GROUND), plain(0)], sensors, rows: [] });
  m.q.set(displaced(Float64Array.of(0, 0, 0, 1, 0, 0, 0), [0, 0, 0, 0.1, 0.2, 0.3]));
  m.v.set([1, 2, 3, 4, 5, 6]);
  m.sensors.fill(Number.NaN);
  evaluate(m, ALL);
  expect([...m.sensors].map(Math.abs)).toEqual(new Array(Sensor.LENGTH).fill(0));
});
