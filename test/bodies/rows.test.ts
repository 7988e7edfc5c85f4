import { describe, expect, test } from "vitest";
import { naivePhi } from "../oracles/primitives.js";
import {
  holonomicCases,
  overStates,
  randomMechanism,
  timeLaw,
  velocityCases,
} from "../support/body-cases.js";
import { dataSlot, GROUND, mechanism, RowKind, SensorKind, Want } from "../support/body-harness.js";
import {
  ALL,
  derivativeErrors,
  difference,
  evaluate,
  randomise,
  randomMarker,
  rowsOf,
} from "../support/body-motion.js";
import { seeded } from "../support/random.js";

test("every kind of row and of sensor of the layout has a case, which derivatives are compared for too", () => {
  const specs = Object.values({ ...holonomicCases, ...velocityCases }).map((make) =>
    make(seeded(1), 1),
  );
  const kindsIn = (list: object) => Object.values(list).filter((kind) => typeof kind === "number");
  const rows = new Set(specs.flatMap((spec) => spec.rows.map(({ kind }) => kind)));
  expect([...rows].sort()).toEqual(kindsIn(RowKind).filter((kind) => kind !== RowKind.USER));
  const sensors = new Set(specs.flatMap((spec) => (spec.sensors ?? []).map(({ kind }) => kind)));
  expect([...sensors].sort()).toEqual(kindsIn(SensorKind));
});

describe.each(Object.entries(holonomicCases))("%s", (_, make) => {
  test("phi agrees with rotation matrices", () => {
    const { phi } = overStates(make, (m) => {
      timeLaw(m)(0.4);
      evaluate(m, Want.PHI);
      const expected = naivePhi(m.spec, m.spec.rows[0], m.data.subarray(dataSlot(m.spec, 0)), m.q);
      return { phi: difference(m.phi, expected) };
    });
    expect(phi).toBeLessThan(1e-14);
  });

  test("Jacobian, phiDot and gamma are the derivatives of phi", () => {
    const errors = overStates(make, (m) => derivativeErrors(m, rowsOf(m), timeLaw(m)));
    expect(errors.jacobian).toBeLessThan(1e-9);
    expect(errors.rate).toBeLessThan(1e-9);
    expect(errors.gamma).toBeLessThan(1e-9);
    expect(errors.gammaTwice).toBeLessThan(1e-6);
  });
});

describe.each(Object.entries({ ...holonomicCases, ...velocityCases }))("%s", (_, make) => {
  test("writes only the requested results, independent of other requests", () => {
    const m = randomMechanism(make, seeded(3), 0);
    const results = [
      [Want.PHI, m.phi],
      [Want.JACOBIAN, m.blocks],
      [Want.RATES, m.phiDot],
      [Want.RATES, m.gamma],
    ] as const;
    const evaluated = (want: number) => {
      for (const [, view] of results) view.fill(Number.NaN);
      m.kernels.bodyEvaluate(m.table, want);
      return results.map(([, view]) => view.slice());
    };
    evaluate(m, ALL);
    const all = evaluated(ALL);
    for (const want of [Want.PHI, Want.JACOBIAN, Want.RATES]) {
      for (const [index, view] of evaluated(want).entries()) {
        const nothing = all[index].slice().fill(Number.NaN);
        expect(view).toEqual(results[index][0] === want ? all[index] : nothing);
      }
    }
    expect(all.map((view) => view.some((x) => !Number.isNaN(x)))).toEqual([true, true, true, true]);
  });
});

test("the state, the constants and the multipliers are not changed", () => {
  for (const make of Object.values({ ...holonomicCases, ...velocityCases })) {
    const m = randomMechanism(make, seeded(4), 1);
    const inputs = [m.q, m.v, m.data, m.locals, m.lambda];
    const before = inputs.map((view) => view.slice());
    evaluate(m, ALL);
    const [lambda, out] = [m.lambda.byteOffset, m.stiffness.byteOffset];
    m.kernels.bodyConstraintStiffness(m.table, m.pattern.byteOffset, lambda, out);
    expect(inputs).toEqual(before);
  }
});

test("user rows are not written, and many entries use their own slots", () => {
  const random = seeded(5);
  const spec = {
    bodies: 3,
    markers: [0, 1, 2, GROUND].map((body) => randomMarker(random, body)),
    sensors: [{ kind: SensorKind.ANGLE, a: 0, b: 2 }],
    rows: [
      { kind: RowKind.COINCIDE, a: 3, b: 0 },
      { kind: RowKind.DOT1, a: 0, b: 1, axisA: 2, axisB: 1 },
      { kind: RowKind.USER, a: -1, b: -1 },
      { kind: RowKind.COUPLE, a: 0, b: -1, data: [0, 0, 0, 2, 0] },
      { kind: RowKind.COINCIDE, a: 1, b: 2 },
      { kind: RowKind.DOT2, a: 2, b: 3, axisA: 1, data: [0.2, 0, 0] },
    ],
  };
  const m = mechanism(spec);
  randomise(random, m);
  for (const view of [m.phi, m.phiDot, m.gamma]) view.fill(7);
  evaluate(m, ALL);
  const expected = spec.rows.flatMap((row, index) =>
    row.kind === RowKind.USER
      ? 7
      : naivePhi(spec, row, m.data.subarray(dataSlot(spec, index)), m.q),
  );
  expect(difference(m.phi, expected)).toBeLessThan(1e-14);
  expect([m.phiDot[4], m.gamma[4]]).toEqual([7, 7]);
  m.phiDot[4] = m.gamma[4] = 0;
  const errors = derivativeErrors(m, rowsOf(m));
  expect(errors.jacobian).toBeLessThan(1e-9);
  expect(errors.gamma).toBeLessThan(1e-9);
});
