import { compile, model, rod } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { expect, test } from "vitest";

function arm(target: unknown, rates: readonly string[] = ["kp*(0.3 - angle('hinge'))"]) {
  const m = model();
  m.parameter("kp", 2);
  const body = m.body({
    name: "arm",
    mass: 1,
    shape: rod({ length: 1, axis: [1, 0, 0] }),
    position: [0.5, 0, 0],
  });
  const hinge = m.revolute({
    name: "hinge",
    between: [m.ground, body],
    at: [0, 0, 0],
    axis: [0, 1, 0],
  });
  m.motor({
    name: "M",
    joint: hinge,
    mode: "position",
    target: target as never,
    stiffness: 400,
    damping: 40,
  });
  m.states({ name: "pi", names: ["z"], rates });
  return m;
}
test("a motor target given by a formula of time has its exact rate", async () => {
  const a = solve(await compile(arm("0.5*sin(3*t)")), { span: [0, 2], tolerance: 1e-9 }).end;
  const b = solve(
    await compile(
      arm({
        value: (t: number) => 0.5 * Math.sin(3 * t),
        rate: (t: number) => 1.5 * Math.cos(3 * t),
      }),
    ),
    { span: [0, 2], tolerance: 1e-9 },
  ).end;
  expect(Math.abs(a.joint("hinge").angle! - b.joint("hinge").angle!)).toBeLessThan(1e-8);
});
test("formulas of states contain parameters that can be set at run time", async () => {
  const s = (await compile(arm(0.1))).simulate({ step: 1e-3 });
  s.runTo(0.5);
  const z0 = s.state("pi").z!;
  s.set({ kp: 20 });
  const t = (await compile(arm(0.1))).with({ kp: 20 }).simulate({ step: 1e-3 }).runTo(0.5);
  expect(t.state("pi").z! / z0).toBeCloseTo(10, 6);
  const before = s.state("pi").z!;
  s.runTo(0.501);
  expect((s.state("pi").z! - before) / 1e-3 / (0.3 - s.joint("hinge").angle!)).toBeCloseTo(20, 1);
});
