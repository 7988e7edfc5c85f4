import { compile, model, rod } from "nodrift/bodies";
import { hmmwv } from "nodrift/mechanisms";
import { realtime, start } from "nodrift/solve";
import { describe, expect, it } from "vitest";

function pendulum(stiffness = 0) {
  const m = model();
  const b = m.body({ name: "b", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
  const hinge = m.revolute({ name: "h", between: [m.ground, b], at: [0, 0, 0], axis: [0, 1, 0] });
  if (stiffness > 0) m.torsionSpring({ joint: hinge, stiffness, damping: stiffness / 1e3 });
  return compile(m);
}

describe("realtime of a compiled model", () => {
  it("uses explicit steps if they are stable, and ros3 otherwise", async () => {
    expect(realtime(await pendulum()).simulation.method).toContain("rk4");
    const loop = realtime(await pendulum(1e8), { step: 1 / 120 });
    expect(loop.simulation.method).toContain("ros3");
    for (let i = 0; i < 60; i++) loop.advance(1 / 60);
    // The spring is so stiff that the rod moves only by m g l / 2 k.
    expect(Math.abs(loop.simulation.joint("h").angle!)).toBeLessThan(1e-6);
    expect(realtime(await compile(hmmwv())).simulation.method).toContain("ros3");
  });

  it("rejects invalid steps", async () => {
    const system = await pendulum();
    expect(() => realtime(system, { step: -1 })).toThrow("step");
    expect(() => realtime(system, { stepp: 1 } as never)).toThrow("stepp");
  });

  it("drops time instead of taking steps without end", async () => {
    const m = model();
    m.body({ mass: 1, shape: rod({ length: 1 }), velocity: [1, 0, 0] });
    const loop = realtime(await compile(m), { step: 1e-30 });
    expect(loop.advance(0.01)).toBe(1e6);
    expect(loop.lastDroppedTime).toBeCloseTo(0.01, 12);
  });

  it("allows setting values and dragging bodies at run time", async () => {
    const loop = realtime(await pendulum());
    loop.simulation.set("b", { mass: 3 });
    const grip = loop.simulation.grab("b", [0.5, 0, 0]);
    grip.moveTo([0, 0, 1]);
    for (let i = 0; i < 120; i++) loop.advance(1 / 60);
    expect(loop.simulation.body("b").point([0.5, 0, 0])[2]).toBeGreaterThan(0.9);
    // Setting the centre of mass does not move the drawn frame.
    const before = loop.matrix("b", new Float64Array(16)).slice(12, 15);
    loop.paused = true;
    loop.simulation.set("b", { centre: [0.1, 0, 0] });
    loop.advance(0);
    const after = loop.matrix("b", new Float64Array(16)).slice(12, 15);
    for (const i of [0, 1, 2]) expect(after[i]).toBeCloseTo(before[i]!, 2);
  });
});

describe("realtime of a run", () => {
  it("shows the state at the clock's time, and limits the steps per frame", async () => {
    const system = await pendulum();
    const loop = realtime(start(system, { span: [0, 5], maximumStep: 0.01 }));
    for (let i = 0; i < 30; i++) loop.advance(1 / 60);
    expect(loop.time).toBeCloseTo(0.5, 9);
    expect(loop.droppedTime).toBe(0);
    const exact = start(system, { span: [0, 0.5] }).finish().end.q[0]!;
    expect(loop.q[0]).toBeCloseTo(exact, 3);
    expect(loop.matrix("b", new Float32Array(16))[15]).toBe(1);
    const slow = realtime(start(system, { span: [0, 5], maximumStep: 1e-3 }), { maximumSteps: 5 });
    expect(slow.advance(0.1)).toBe(5);
    expect(slow.lastDroppedTime).toBeGreaterThan(0.09);
    expect(slow.time).toBeCloseTo(slow.simulation.time, 12);
    expect(() => slow.advance(Number.NaN)).toThrow("frame time");
  });

  it("stays at the end of the run", async () => {
    const loop = realtime(start(await pendulum(), { span: [0, 0.1] }));
    loop.advance(1);
    expect(loop.time).toBe(0.1);
    expect(loop.advance(1)).toBe(0);
  });
});
