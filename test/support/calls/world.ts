// Objects for calls: small systems that stop automatically after too much work.

import { equations, simulate } from "nodrift";
import { compile, type Model, model, rod } from "nodrift/bodies";
import { readDocument } from "nodrift/files";
import { ode, parseMethod, realtime, solve, start } from "nodrift/solve";
import { budget } from "./call.js";

/** A pendulum given by functions. */
export function pendulum() {
  return equations(pendulumDescription() as never);
}

export function pendulumDescription() {
  const spend = budget();
  return {
    name: "pendulum",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_q: unknown, _v: unknown, out: Float64Array) => {
      spend();
      out[0] = 0;
      out[1] = -9.81;
    },
    holonomic: {
      rows: ["length"],
      value: (q: Float64Array, out: Float64Array) => {
        spend();
        out[0] = (q[0] as number) ** 2 + (q[1] as number) ** 2 - 1;
      },
    },
    potential: (q: Float64Array) => 9.81 * (q[1] as number),
  };
}

export function decay() {
  const spend = budget();
  return ode({
    name: "decay",
    names: ["y"],
    y: [1],
    rate: (_t, y, out) => {
      spend();
      out[0] = -(y[0] as number);
    },
  });
}

/** A rod on a hinge, with a user force that stops endless calls. */
export function hinged(): Model {
  const m = model({ name: "hinged" });
  const bar = m.body({
    name: "bar",
    mass: 1,
    shape: rod({ length: 1, axis: [1, 0, 0] }),
    position: [0.5, 0, 0],
  });
  m.revolute({ name: "hinge", between: [m.ground, bar], at: [0, 0, 0], axis: [0, 1, 0] });
  const spend = budget();
  m.userForce({ name: "push", bodies: [bar], apply: () => spend() });
  return m;
}

export const FIXED = parseMethod("udwadiaKalaba + projection + rk4");

/** Expensive objects, created once. */
export async function makeWorld() {
  const compiled = await compile(hinged());
  const system = pendulum();
  const step = 1e-2;
  const simulation = simulate(system, { method: FIXED, step, q: [1, 0] });
  const bodies = compiled.simulate({ step });
  const options = { span: [0, 0.05] as [number, number], q: [1, 0], maximumSteps: 20 };
  const file = readDocument({
    nodrift: 1,
    name: "ball",
    units: "SI",
    gravity: [0, 0, -9.81],
    bodies: [
      { name: "ball", mass: 1, shape: { type: "sphere", radius: 0.1 }, position: [0, 0, 1] },
    ],
    solve: { span: [0, 1], tolerance: 1e-6 },
  });
  return {
    compiled,
    file,
    ballSystem: await file.compile(),
    simulate: () => simulate(pendulum(), { method: FIXED, step, q: [1, 0] }),
    simulateBodies: () => compiled.simulate({ step }),
    solution: () => solve(pendulum(), options),
    bodySolution: () => solve(compiled, { span: [0, 0.05], maximumSteps: 20 }),
    run: () => start(pendulum(), options),
    loop: () => realtime(bodies),
    /** Objects of other kinds, to replace expected objects. */
    others: [
      ["a model", () => hinged()],
      ["a compiled model", () => compiled],
      ["equations", () => pendulum()],
      ["a simulation", () => simulation],
      ["an ode", () => decay()],
      ["a ground", () => model().ground],
      ["a shape", () => rod({ length: 1 })],
      ["a solution", () => solve(pendulum(), options)],
      ["the file", () => file],
    ] as readonly (readonly [string, () => unknown])[],
  };
}

export type World = Awaited<ReturnType<typeof makeWorld>>;
