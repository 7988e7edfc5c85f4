// Every adaptive integrator on the unknowns of stateSpace(), through changes of the partition.

import { ab3, projection, rk4, simulate, udwadiaKalaba } from "nodrift";
import { compile } from "nodrift/bodies";
import { chain3d, chain3dReference3 } from "nodrift/mechanisms";
import {
  adaptiveIntegrators,
  dop853,
  type EventOptions,
  type SolveOptions,
  solve,
  start,
  stateSpace,
} from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { compareSaved } from "../support/save-restore.js";
import { pins, savedAs, spatialCrank, TURNING, watchedStateSpace } from "./support/state-space.js";
import { difference, largest } from "./support/systems.js";

const SPAN = [0, 1.3] as const;
const exact = solve(pins, { ...TURNING, span: SPAN, tolerance: 1e-12 });
const crank = await compile(spatialCrank());
const chain = await compile(chain3d(3));

/** The slider bounces when it passes 1.5 inwards, and loses some speed; its way out is only recorded. */
const stops: EventOptions<typeof pins>[] = [
  {
    name: "stop",
    when: ({ q }) => q[2] - 1.5,
    direction: "falling",
    action: ({ bounce }) => {
      bounce(0.9);
    },
  },
  { name: "top", when: ({ q }) => q[0] },
];

const method = {
  formulation: udwadiaKalaba(),
  stabilisation: projection(),
  integrator: dop853(),
};
const stopped = solve(pins, {
  ...TURNING,
  span: SPAN,
  tolerance: 1e-11,
  events: stops,
  method,
});

const turned = (
  integrator: ReturnType<typeof dop853>,
  options: Partial<SolveOptions<typeof pins>> = {},
  formulation = stateSpace(),
) => solve(pins, { ...TURNING, span: SPAN, ...options, method: { formulation, integrator } });

describe.each(Object.values(adaptiveIntegrators).map((make) => make()))("$name", (integrator) => {
  test("all states are accurate and satisfy the constraints", () => {
    const { formulation, times } = watchedStateSpace();
    const solution = turned(integrator, { tolerance: 1e-6 }, formulation);
    expect(solution.status, solution.reason).toBe("finished");
    expect(times.length).toBeGreaterThan(2);
    expect(solution.statistics.maximumDrift.position).toBeLessThan(1e-12);
    expect(solution.statistics.maximumDrift.velocity).toBeLessThan(1e-12);
    for (let i = 0; i <= 260; i++) {
      const [found, { q, v }] = [solution.at(i / 200), exact.at(i / 200)];
      expect(difference(found.q, q)).toBeLessThan(3e-4);
      expect(difference(found.v, v)).toBeLessThan(3e-3);
      const [x, y, slide] = found.q;
      expect(Math.abs(Math.hypot(x, y) - 1)).toBeLessThan(1e-5);
      expect(Math.abs(Math.hypot(slide - x, y) - 2)).toBeLessThan(1e-5);
    }
  });

  test("errors decrease with the tolerance", () => {
    const [coarse, fine] = [1e-5, 1e-8].map((tolerance) => {
      const { end } = turned(integrator, { tolerance, output: "ends" });
      return difference(end.q, exact.end.q);
    });
    expect(fine).toBeLessThan(3e-6);
    expect(fine).toBeLessThan(coarse / 5);
  });

  test("comes back when time runs backwards", () => {
    const { end } = turned(integrator, { tolerance: 1e-8, output: "ends" });
    const back = turned(integrator, {
      tolerance: 1e-8,
      span: [SPAN[1], 0],
      q: end.q,
      v: end.v,
    });
    expect(difference(back.end.q, TURNING.q)).toBeLessThan(1e-5);
    expect(difference(back.end.v, TURNING.v)).toBeLessThan(1e-4);
    expect(difference(back.at(0.6).q, exact.at(0.6).q)).toBeLessThan(1e-5);
  });

  test("locates events, and continues from the states of their actions", () => {
    const { events, end } = turned(integrator, { tolerance: 1e-8, events: stops });
    expect(events.map(({ name }) => name)).toEqual(stopped.events.map(({ name }) => name));
    expect(events.filter(({ name }) => name === "stop").length).toBeGreaterThan(1);
    for (const [i, { time, before, after, name }] of events.entries()) {
      expect(Math.abs(time - stopped.events[i].time)).toBeLessThan(1e-5);
      if (name === "stop") expect(after.v[2] / before.v[2]).toBeCloseTo(-0.9, 9);
    }
    expect(difference(end.q, stopped.end.q)).toBeLessThan(1e-4);
  });

  test("continues bitwise identically from a snapshot, in the same run and in another one", () => {
    const method = { formulation: stateSpace(), integrator };
    const rest = { tolerance: 1e-5, output: "ends", method } as const;
    const runs = [
      savedAs("by points", () => start(pins, { ...TURNING, span: SPAN, events: stops, ...rest })),
      savedAs("by bodies", () => start(crank, { span: [0, 1], ...rest })),
    ];
    for (const [seed, run] of runs.entries()) {
      const { plain, saving, continued } = compareSaved(run, 8, seed);
      expect(plain.end).toContain('"finished"');
      expect(saving).toEqual(plain);
      for (const { how, found, wanted } of continued) {
        expect({ how, ...found }).toEqual({ how, ...wanted });
      }
    }
  });

  test("moves a chain in space as was found", () => {
    const method = { formulation: stateSpace(), integrator };
    const { time, q, v } = chain3dReference3[0];
    const { end } = solve(chain, { span: [0, time], tolerance: 1e-7, method });
    expect(difference(end.q, q)).toBeLessThan(1e-6);
    expect(difference(end.v, v)).toBeLessThan(1e-5);
  });
});

test.each([
  [rk4(), 4],
  [ab3(), 3],
])("fixed steps: $name through changes of the partition", (integrator, order) => {
  const errors = [1e-3, 5e-4].map((step) => {
    const { formulation, times } = watchedStateSpace();
    const simulation = simulate(pins, { ...TURNING, step, method: { formulation, integrator } });
    let drift = 0;
    simulation.runTo(1.3, () => {
      const { position, velocity } = simulation.constraintError();
      drift = Math.max(drift, position, velocity);
    });
    expect(drift).toBeLessThan(1e-12);
    expect(times.length).toBeGreaterThan(2);
    const solved = solve(pins, {
      ...TURNING,
      span: SPAN,
      step,
      method: { formulation: stateSpace(), integrator },
    });
    expect(difference(solved.end.q, simulation.q)).toBeLessThan(1e-10);
    return difference(simulation.q, exact.end.q);
  });
  expect(largest(errors)).toBeLessThan(1e-4);
  expect(Math.log2(errors[0] / errors[1])).toBeGreaterThan(order - 0.6);
});
