import { spawnSync } from "node:child_process";

/** Repeated runs, each in its own process: a step, and the readings after it. */
const RUNS = {
  "simulate, a tree": `return () => tree.advance()`,
  "simulate, loops": `return () => loops.advance()`,
  "simulate, maximal coordinates": `return () => maximal.advance()`,
  "simulate, springs and formulas": `return () => sprung.advance()`,
  realtime: `const loop = realtime(tree); return () => loop.advance(1e-3)`,
  "realtime, with a grip": `
    const grip = tree.grab("link 3", [0.5, 0, 0]);
    grip.moveTo([2, 0, -1]);
    const loop = realtime(tree);
    return () => loop.advance(1e-3)`,
  "simulate, with reading into out": `
    const [body, place, turn, rate] = [tree.body("link 3"), new Float64Array(3), new Float64Array(4), new Float64Array(3)];
    return () => {
      tree.advance();
      body.read("position", place);
      body.read("orientation", turn);
      body.read("velocity", rate);
      body.read("angularVelocity", rate);
    }`,
} as const;

export type AllocatingRun = keyof typeof RUNS;
export const allocatingRuns = Object.keys(RUNS) as AllocatingRun[];

/**
 * Prints bytes allocated in a number of runs: in parts small enough for the young generation, so that nothing is
 * collected in between.
 */
const script = (run: string, count: number) => `
  import v8 from "node:v8";
  import { compile, model, rod } from "nodrift/bodies";
  import { realtime } from "nodrift/solve";
  async function chain(options, closing, formulas) {
    const m = model({ name: "chain" });
    let last = m.ground;
    for (let i = 0; i < 4; i++) {
      const body = m.body({ name: "link " + i, mass: 1, shape: rod({ length: 1, axis: [1, 0, 0] }), position: [i + 0.5, 0, 0.2 * i] });
      const joint = m.revolute({ name: "pin " + i, between: [last, body], at: [i, 0, 0.2 * i], axis: [0, 1, 0] });
      if (formulas) m.torsionSpring({ joint, stiffness: 3, damping: 0.2, torque: "0.1 * sin(angle)" });
      last = body;
    }
    if (closing) m.revolute({ name: "pin 4", between: [last, m.ground], at: [4, 0, 0.3], axis: [0, 1, 0] });
    if (formulas) m.spring({ between: [m.ground, last], stiffness: 5, damping: 0.5 });
    return (await compile(m, options)).simulate({ step: 1e-3 });
  }
  const tree = await chain({ coordinates: "relative" });
  const maximal = await chain({ coordinates: "maximal" });
  const loops = await chain({ coordinates: "relative" }, true);
  const sprung = await chain({ coordinates: "relative" }, false, true);
  const run = (() => { ${run} })();
  const PART = 10_000;
  const part = (count) => {
    for (let i = 0; i < 3; i++) globalThis.gc();
    const before = v8.getHeapStatistics().used_heap_size;
    for (let i = 0; i < count; i++) run();
    return v8.getHeapStatistics().used_heap_size - before;
  };
  // Functions are compiled, and compiled again, in the first calls.
  for (let i = 0; i < 4; i++) part(PART);
  let bytes = 0;
  for (let done = 0; done < ${count}; done += PART) bytes += part(PART) - part(0);
  console.log(bytes);
`;

/** Bytes that a call of a run allocates, over `count` of them. */
export function allocatedBytes(run: AllocatingRun, count: number): number {
  const flags = ["--expose-gc", "--max-semi-space-size=64", "--min-semi-space-size=64"];
  const options = [...flags, "--input-type=module", "-e", script(RUNS[run], count)];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${run} failed: ${stderr}`);
  return Number(stdout) / count;
}
