// Run by `node --expose-gc` on the built package: 200 000 steps of small mechanisms. Prints the growth of
// heap and buffers after the first tenth of them, in bytes, and the final state of the mechanisms.

import { heun, projection, udwadiaKalaba, welch } from "nodrift";
import { compile, model } from "nodrift/bodies";

/** A pendulum. */
function pendulum() {
  const m = model({ name: "pendulum" });
  const arm = m.body({ mass: 1, inertia: [0.1, 0.1, 0.05], position: [0.6, 0, -0.8] });
  m.spherical({ between: [m.ground, arm], at: [0, 0, 0] });
  return m;
}

/** A wheel driven through a pair of gears, with a user force. */
function gears() {
  const m = model({ name: "gears", gravity: [0, 0, 0] });
  const small = m.body({ mass: 1, inertia: [0.1, 0.1, 0.1] });
  const large = m.body({ mass: 1, inertia: [0.2, 0.2, 0.2], position: [1, 0, 0] });
  const first = m.revolute({ between: [m.ground, small], at: [0, 0, 0], axis: [0, 0, 1] });
  const second = m.revolute({ between: [m.ground, large], at: [1, 0, 0], axis: [0, 0, 1] });
  m.gear({ joints: [first, second], ratio: -0.5 });
  m.driveAngle({
    joint: first,
    angle: { value: (t) => 3 * t, rate: () => 3, acceleration: () => 0 },
  });
  m.torsionSpring({ joint: second, torque: (_angle, rate, t) => Math.sin(t) - rate });
  return m;
}

function used() {
  for (let i = 0; i < 4; i++) globalThis.gc();
  const { heapUsed, arrayBuffers, external } = process.memoryUsage();
  return { heapUsed, buffers: arrayBuffers + external };
}

async function endure(description, method, step, steps) {
  const simulation = (await compile(description)).simulate({ step, method });
  const started = simulation.energy().total;
  simulation.advance(steps / 10);
  const before = used();
  simulation.advance(0.9 * steps);
  const after = used();
  return {
    heap: after.heapUsed - before.heapUsed,
    buffers: after.buffers - before.buffers,
    steps: Math.round(simulation.time / step),
    error: simulation.constraintError(),
    energy: simulation.energy().total - started,
    q: [...simulation.q],
  };
}

const plain = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: heun() };
const results = {
  pendulum: await endure(pendulum(), { coupled: welch() }, 1e-3, 140_000),
  gears: await endure(gears(), plain, 1e-3, 60_000),
};
console.log(JSON.stringify(results));
