import { spawnSync } from "node:child_process";
import { atMost, type Figure } from "./figure.js";

/** A million frames of a swinging body in real time, each drawn; prints the heap growth in bytes. */
const MILLION_FRAMES = `
  import { heun, projection, udwadiaKalaba } from "nodrift";
  import { compile, model } from "nodrift/bodies";
  import { realtime } from "nodrift/solve";
  const m = model({ name: "pendulum" });
  const arm = m.body({ name: "arm", mass: 1, inertia: [0.1, 0.1, 0.05], position: [0.6, 0, -0.8] });
  m.spherical({ between: [m.ground, arm], at: [0, 0, 0] });
  const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: heun() };
  const loop = realtime((await compile(m)).simulate({ step: 1e-3, method }));
  const matrix = new Float32Array(16);
  const run = (frames) => {
    for (let i = 0; i < frames; i++) {
      loop.advance(0.9e-3);
      loop.matrix("arm", matrix);
    }
  };
  const used = (collect) => {
    if (collect) for (let i = 0; i < 4; i++) globalThis.gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  run(100_000);
  const before = used(true);
  run(1_000_000);
  const growth = used(true) - before;
  loop.speed = 0;
  run(100_000);
  const idle = used(true);
  run(1_000_000);
  console.log(JSON.stringify({ growth, garbage: used(false) - idle }));
`;

/**
 * Heap growth of a page that runs for hours, and garbage of the loop itself. The young generation is large enough that
 * nothing is collected in between.
 */
export async function* solveHeapFigures(): AsyncGenerator<Figure> {
  const flags = ["--expose-gc", "--max-semi-space-size=64", "--min-semi-space-size=64"];
  const options = [...flags, "--input-type=module", "-e", MILLION_FRAMES];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: "utf8" });
  if (status !== 0) throw new Error(`a million frames failed: ${stderr}`);
  const { growth, garbage } = JSON.parse(stdout);
  yield atMost("heap growth over 10^6 advance calls, bytes", growth, 2 ** 20);
  yield atMost("garbage of 10^6 advance calls with no step due, bytes", garbage, 2 ** 20);
}
