import { equations } from "nodrift";
import { compile } from "nodrift/bodies";
import { bennett, nFourBar } from "nodrift/mechanisms";
import { type EquationState, type Run, solve, start } from "nodrift/solve";
import { expect, test } from "vitest";

test.each([1e-4, 1e-6, 1e-8])(
  "forty four-bars through a singular pose stay closed at tolerance %f",
  async (tolerance) => {
    const source = await compile(nFourBar(40));
    const { status, statistics } = solve(source, { span: [0, 1], tolerance, output: "ends" });
    expect(status).toBe("finished");
    expect(statistics.maximumDrift.position).toBeLessThan(1e-10);
  },
);

test("a linkage that cannot close exactly moves with the smallest possible gap", async () => {
  const source = await compile(bennett({ rounding: 1e-6 }));
  expect(source.assembly.residual).toBeGreaterThan(1e-8);
  const { status, statistics } = solve(source, { span: [0, 5], tolerance: 1e-6, output: "ends" });
  expect(status).toBe("finished");
  // Along a tree the misfit of all four joints is in the one that is cut.
  expect(statistics.maximumDrift.position).toBeLessThan(4 * 4 * source.assembly.residual);
  expect(statistics.energyError).toBeLessThan(1e-4);
});

test("reading the solution of a run inside each does not change its states", () => {
  const oscillator = equations({
    coordinates: ["x"],
    mass: [1],
    forces: (q, _v, out) => {
      out[0] = -q[0];
    },
  });
  let run: Run<EquationState> | undefined;
  const errors: number[] = [];
  const options = {
    span: [0, 10] as const,
    q: [1],
    tolerance: 1e-10,
    output: { rate: 50 },
    dense: true,
    each: ({ time, q }: { time: number; q: Float64Array }) => {
      errors.push(Math.abs(q[0] - Math.cos(time)));
      if (run === undefined || run.time === 0) return;
      const before = run.time / 3;
      errors.push(Math.abs(run.solution().at(before).q[0] - Math.cos(before)));
    },
  };
  run = start(oscillator, options);
  run.finish();
  expect(errors.length).toBeGreaterThan(800);
  expect(Math.max(...errors)).toBeLessThan(1e-8);
});
