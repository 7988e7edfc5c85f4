// A restored simulation continues with the same bits.

import {
  ab3,
  baumgarte,
  driftElimination,
  equations,
  euler,
  heun,
  lagrange,
  type Method,
  midpoint,
  none,
  projection,
  rk4,
  type Simulation,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import {
  braunBiped3,
  braunFourBars,
  braunPendulum,
  braunSliderCrank,
  type Mechanism,
} from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";

const methods: Method[] = [
  { formulation: udwadiaKalaba(), stabilisation: driftElimination(), integrator: rk4() },
  {
    formulation: udwadiaKalaba(),
    stabilisation: driftElimination({ frozen: false }),
    integrator: midpoint(),
  },
  { formulation: udwadiaKalaba({ solver: "svd" }), stabilisation: projection(), integrator: ab3() },
  {
    formulation: udwadiaKalaba(),
    stabilisation: baumgarte({ alpha: 5, beta: 5 }),
    integrator: ab3(),
  },
  { formulation: udwadiaKalaba(), stabilisation: none(), integrator: heun() },
  {
    formulation: udwadiaKalaba(),
    stabilisation: [baumgarte(), projection()],
    integrator: euler(),
  },
];

const begin = ({ equations: system, q, v }: Mechanism, method: Method) =>
  simulate(system, { method, step: 1e-3, q, v });

/** Reads everything that can be read. */
const answers = (simulation: Simulation) => ({
  time: simulation.time,
  q: simulation.q.slice(),
  v: simulation.v.slice(),
  accelerations: simulation.accelerations(),
  multipliers: simulation.multipliers(),
  error: simulation.constraintError(),
  energy: simulation.energy(),
});

describe.each(
  [braunPendulum, braunSliderCrank, braunFourBars, braunBiped3].map((m) => [m.name, m] as const),
)("%s", (_, mechanism) => {
  test.each(methods.map((method, i) => [i, method] as const))(
    "restores with the same bits: method %i",
    (i, method) => {
      const random = seeded(100 + i);
      const simulation = begin(mechanism, method);
      for (let round = 0; round < 5; round++) {
        simulation.advance(Math.floor(6 * (1 + random())));
        const snapshot = simulation.save();
        const count = 1 + Math.floor(8 * (1 + random()));
        const expected = answers(simulation.advance(count));
        simulation.advance(7);
        simulation.restore(snapshot);
        expect(answers(simulation.advance(count))).toEqual(expected);
        const other = begin(mechanism, method);
        other.restore(snapshot);
        expect(answers(other.advance(count))).toEqual(expected);
      }
    },
  );
});

test("a snapshot is unaffected by later steps", () => {
  const simulation = begin(braunPendulum, methods[0]).advance(10);
  const snapshot = simulation.save();
  const copy = structuredClone(snapshot);
  simulation.advance(10);
  expect(snapshot).toEqual(copy);
  simulation.restore(copy);
  expect(simulation.time).toBe(0.01);
});

test("a snapshot includes step lengths and times", () => {
  const simulation = begin(braunPendulum, methods[3]).runTo(0.0105);
  simulation.setStep(2e-3);
  const snapshot = simulation.advance(2).save();
  const expected = answers(simulation.runTo(0.05));
  simulation.setStep(1e-4);
  simulation.restore(snapshot);
  expect(answers(simulation.runTo(0.05))).toEqual(expected);
});

test("reading values changes no bits", () => {
  for (const method of methods) {
    const [asked, silent] = [begin(braunSliderCrank, method), begin(braunSliderCrank, method)];
    for (let i = 0; i < 20; i++) {
      asked.advance();
      answers(asked);
    }
    expect(asked.q).toEqual(silent.advance(20).q);
    expect(asked.v).toEqual(silent.v);
  }
});

test("two simulations of one description do not disturb each other", () => {
  const [a, b] = [begin(braunSliderCrank, methods[0]), begin(braunSliderCrank, methods[0])];
  b.setState([0, 0, 0.3, -0.3], [0, 0, 1, -1]);
  for (let i = 0; i < 20; i++) {
    a.advance();
    b.advance();
  }
  expect(a.q).toEqual(begin(braunSliderCrank, methods[0]).advance(20).q);
});

test("restore rejects a snapshot of another system or method", () => {
  const pendulum = begin(braunPendulum, methods[0]);
  const before = pendulum.save();
  const rod = equations({ ...braunPendulum.equations.description, name: "rod" });
  const others = [
    begin(braunFourBars, methods[0]),
    begin(braunPendulum, { formulation: lagrange(), integrator: rk4() }),
    simulate(rod, { method: methods[0], step: 1e-3, q: [1, 0] }),
  ];
  for (const other of others) {
    expect(() => pendulum.restore(other.save())).toThrow(
      expect.objectContaining({
        code: "STEP",
        message: expect.stringMatching(
          /^restore: this snapshot is of ".*" \(.*, not of "pendulum of Braun/,
        ),
      }),
    );
  }
  expect(pendulum.save()).toEqual(before);
});
