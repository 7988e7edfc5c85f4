// Every method that can be put together, to a tolerance. A registry line is enough to be tested here.

import {
  coupledMethods,
  type Equations,
  equations,
  integrators,
  lagrange,
  type Method,
  NodriftError,
  projection,
  formulations as registered,
  stabilisations,
  udwadiaKalaba,
} from "nodrift";
import {
  adaptiveIntegrators,
  directFormulations,
  directMethods,
  dop853,
  dp5,
  type SolveOptions,
  solve,
  stateSpace,
} from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { freeFall, pendulum, referencePosition, START } from "../methods/support/pendulum.js";
import { difference } from "./support/systems.js";

const formulations = [...registered, stateSpace()];
/** With index 3, and with stages of order 1, steps are as accurate as asked for, but there are more of them. */
const LESS = /index3|(?:index2|gearGuptaLeimkuhler).*sdirk/;

/** Its control is singular when the pendulum reverses, first at t = 0.1056: the run ends before that. */
const endOf = (name: string) => (name.includes("energyMultiplier") ? 0.1 : 0.5);

const REFERENCES = new Map([0.1, 0.5].map((end) => [end, referencePosition(end)]));

function solved(
  method: Method,
  options: Partial<SolveOptions<Equations>> & { readonly end?: number } = {},
  system = pendulum(),
) {
  const { end = 0.5, ...rest } = options;
  return solve(system, { ...START, span: [0, end], method, output: "ends", ...rest });
}

/** Distance from the true motion at the end. */
function errorOf(method: Method, tolerance: number, end = 0.5, system = pendulum()): number {
  const { status, reason, end: state } = solved(method, { tolerance, end }, system);
  expect(status, reason).toBe("finished");
  return difference(state.q, REFERENCES.get(end) ?? []);
}

const triples: { name: string; method: Method }[] = [];
const refused: string[] = [];
for (const formulation of [...formulations, ...directFormulations]) {
  for (const stabilisation of stabilisations) {
    for (const integrator of Object.values(adaptiveIntegrators).map((make) => make())) {
      const name = [formulation, stabilisation, integrator].map((part) => part.name).join(" + ");
      const method = { formulation, stabilisation, integrator };
      try {
        solved(method, { maximumSteps: 1 });
        triples.push({ name, method });
      } catch (error) {
        if (!(error instanceof NodriftError && error.code === "METHOD")) throw error;
        refused.push(name);
      }
    }
  }
}

test("invalid methods are rejected, as in fixed-step simulations", () => {
  expect(triples.length).toBeGreaterThan(400);
  expect(refused).toContain("maggi(qr) + baumgarte + dp5");
});

/** Errors of 0.5 s, in tolerances. Each step may be wrong by one. */
const MULTIPLE = 20;

describe("error of 0.5 s at 1e-6", () => {
  test.each(triples)("$name", ({ name, method }) => {
    const most = LESS.test(name) ? 10 * MULTIPLE : MULTIPLE;
    expect(errorOf(method, 1e-6, endOf(name))).toBeLessThan(most * 1e-6);
  });
});

describe("error of 0.5 s at 1e-8", () => {
  // At order 3, and with gains that follow the step, thousands of steps show nothing new; nor do variants of the
  // energy control, whose gains are the same at any tolerance.
  const quick = triples.filter(
    ({ name }) => !/bs3|baumgarte|energyVelocity/.test(name) && !LESS.test(name),
  );
  test.each(quick)("$name", ({ name, method }) => {
    expect(errorOf(method, 1e-8, endOf(name))).toBeLessThan(MULTIPLE * 1e-8);
  });
});

describe("coupled methods", () => {
  const variable = directMethods.filter(({ variableSteps }) => variableSteps !== "refused");
  test.each([...coupledMethods, ...variable])(
    "$name is within its order of the tolerance",
    (coupled) => {
      // The error allowed in a step is C h^(p+1), that at the end then C' h^p.
      for (const tolerance of [1e-4, 1e-6]) {
        const power = coupled.order / (coupled.order + 1);
        expect(errorOf({ coupled }, tolerance)).toBeLessThan(5 * tolerance ** power);
      }
    },
  );

  test.each([...coupledMethods])(
    "$name is projected with variable steps, and says so",
    (coupled) => {
      const variable = solved({ coupled }, { tolerance: 1e-4 });
      expect(variable.method).toBe(`${coupled.name} + projection`);
      expect(variable.methodReason).toMatch(/as given, with projection/);
      expect(variable.statistics.maximumDrift.position).toBeLessThan(1e-12);
      const fixed = solved({ coupled }, { step: 1e-3 });
      expect(fixed.method).toBe(coupled.name);
      expect(difference(fixed.end.q, REFERENCES.get(0.5) ?? [])).toBeLessThan(2e-2);
    },
  );
});

describe("fixed steps", () => {
  test.each(Object.values(integrators).map((make) => make()))(
    "fixed steps of $name have its accuracy",
    (integrator) => {
      const method = { formulation: lagrange(), stabilisation: projection(), integrator };
      const errors = [0.01, 0.005].map((step) => {
        const solution = solved(method, { step, output: "steps" });
        expect(solution.status).toBe("finished");
        expect(solution.length).toBe(Math.round(0.5 / step) + 1);
        expect(solution.statistics.rejections).toBe(0);
        return difference(solution.end.q, REFERENCES.get(0.5) ?? []);
      });
      expect(Math.log2(errors[0] / errors[1])).toBeGreaterThan(integrator.order - 0.7);
    },
  );

  test("fixed steps of adaptive methods are equal but for a shorter last one", () => {
    const method = { formulation: udwadiaKalaba(), integrator: dp5() };
    const { time, statistics } = solved(method, { step: 0.15, output: "steps" });
    expect(difference(time, [0, 0.15, 0.3, 0.45, 0.5])).toBeLessThan(1e-15);
    expect(time[4]).toBe(0.5);
    expect(statistics.rejections).toBe(0);
  });
});

describe.each([...Object.values(adaptiveIntegrators).map((make) => make())])(
  "any system: $name",
  (integrator) => {
    const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator };

    test("returns the same bits twice", () => {
      const [once, twice] = [1, 2].map(() => solved(method, { output: "steps" }));
      expect([...twice.time]).toEqual([...once.time]);
      expect([...twice.end.q, ...twice.end.v]).toEqual([...once.end.q, ...once.end.v]);
    });

    test("does nothing in a span of length zero", () => {
      for (const output of ["steps", "ends", { rate: 10 }, { times: [3, 3] }] as const) {
        const solution = solved(method, { span: [3, 3], output });
        expect(solution).toMatchObject({
          status: "finished",
          reason: expect.stringMatching(/no length/),
        });
        expect([...solution.time]).toEqual(
          typeof output === "object" && "times" in output ? [3, 3] : [3],
        );
        expect(difference(solution.end.q, START.q)).toBeLessThan(1e-15);
        expect(solution.at(3).time).toBe(3);
        expect(solution.statistics.steps).toBe(0);
      }
    });

    test("comes back when time runs backwards", () => {
      const there = solved(method, { tolerance: 1e-10 });
      const { q, v } = there.end;
      const back = solved(method, { tolerance: 1e-10, span: [0.5, 0], q, v, output: "steps" });
      expect(difference(back.end.q, START.q)).toBeLessThan(1e-8);
      expect(difference(back.end.v, START.v)).toBeLessThan(1e-8);
      expect(
        difference(
          back.time,
          [...back.time].sort((a, b) => b - a),
        ),
      ).toBe(0);
      expect(difference(back.at(0.1).q, REFERENCES.get(0.1) ?? [])).toBeLessThan(1e-7);
    });

    test("needs no constraints", () => {
      const { end, statistics } = solved(method, { tolerance: 1e-10 }, freeFall());
      const [x, y] = [START.q[0] + 0.5 * START.v[0], START.q[1] + 0.5 * START.v[1] - 9.81 / 8];
      expect(difference(end.q, [x, y])).toBeLessThan(1e-9);
      expect(statistics.maximumDrift).toEqual({ position: 0, velocity: 0 });
    });

    test("takes redundant constraints", () => {
      expect(errorOf(method, 1e-8, 0.5, pendulum(3))).toBeLessThan(MULTIPLE * 1e-8);
    });
  },
);

test.each([...formulations])(
  "$name takes redundant constraints, or says that it cannot",
  (formulation) => {
    const method = { formulation, stabilisation: projection(), integrator: dop853() };
    const run = () => solved(method, { tolerance: 1e-8 }, pendulum(2));
    if (formulation.survivesRedundantRows) {
      expect(difference(run().end.q, REFERENCES.get(0.5) ?? [])).toBeLessThan(MULTIPLE * 1e-8);
      return;
    }
    const { status, reason, end } = run();
    expect(status).toBe("failed");
    expect(reason).toMatch(/(depend on each other|are dependent) at t = 0/);
    expect(end.time).toBe(0);
  },
);

test.each([...formulations])("$name needs no derivatives of users' functions", (formulation) => {
  const bare = equations({
    coordinates: 2,
    mass: { full: () => [1, 0, 0, 1] },
    forces: () => [0, -9.81],
    holonomic: { rows: 1, value: (q) => [q[0] ** 2 + q[1] ** 2 - 1] },
  });
  const method = { formulation, stabilisation: projection(), integrator: dop853() };
  expect(errorOf(method, 1e-8, 0.5, bare)).toBeLessThan(MULTIPLE * 1e-8);
});

test("constraints that depend on time, without derivatives: a bead on a turning wire", () => {
  // r'' = r on a wire that turns with 1 rad/s: r = cosh t.
  const bead = equations({
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_q, _v, out) => {
      out.fill(0);
    },
    holonomic: {
      rows: ["wire"],
      value: (q, out, t) => {
        out[0] = q[1] * Math.cos(t) - q[0] * Math.sin(t);
      },
    },
  });
  const solution = solve(bead, { span: [0, 2], q: [1, 0], v: [0, 1], tolerance: 1e-9 });
  expect(solution.status, solution.reason).toBe("finished");
  for (const t of [0.7, 1.3, 2]) {
    const r = Math.cosh(t);
    expect(difference(solution.at(t).q, [r * Math.cos(t), r * Math.sin(t)])).toBeLessThan(1e-7);
  }
});
