// How much of the sources runs for one rod on a hinge, and through how many functions a call passes on its way to a kernel. V8 counts the
// calls; the stack is read inside of wrapped kernels.

import { Session } from "node:inspector/promises";
import { compile, type Model, model, rod } from "nodrift/bodies";
import { solve } from "nodrift/solve";

const SOURCE = /\/src\/[\w./-]+\.ts$/;

/** One rod on a hinge to the ground. */
function rodOnHinge(): Model {
  const m = model({ name: "rod on a hinge" });
  const body = m.body({ name: "rod", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
  m.revolute({ name: "hinge", between: [m.ground, body], at: [0, 0, 0], axis: [0, 1, 0] });
  return m;
}

/** Counters of {@link rodOnHinge} and of a stiff run. */
export async function walk(): Promise<Record<string, number>> {
  const m = rodOnHinge();
  const [compiled, compiling] = await filesRun(() => compile(m));
  const simulation = compiled.simulate({ step: 1e-3 });
  simulation.advance();
  const [, stepping] = await filesRun(async () => void simulation.advance());
  return {
    "files run to compile a rod on a hinge": compiling,
    "files run in one of its steps": stepping,
    "frames from advance to the kernel of a step": await framesTo(/^treeSteps$/, async () => {
      const again = (await compile(rodOnHinge())).simulate({ step: 1e-3 });
      return () => again.advance();
    }),
    "frames from solve to a Newton solve": await framesTo(/^luSolve$/, async () => {
      const stiff = rodOnHinge();
      stiff.torsionSpring({ joint: "hinge", stiffness: 1e8, damping: 1e7 });
      const system = await compile(stiff);
      return () => solve(system, { span: [0, 0.1] });
    }),
  };
}

/** Files of the package that have a function which an action calls. What only runs when a file is loaded does not count. */
async function filesRun<R>(action: () => Promise<R>): Promise<[R, number]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const result = await action();
  const { result: scripts } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  const run = scripts.filter(
    ({ url, functions }) =>
      SOURCE.test(url) &&
      functions.some(({ functionName, ranges }) => functionName !== "" && ranges[0]!.count > 0),
  );
  return [result, new Set(run.map(({ url }) => url)).size];
}

/** Frames of the package on the stack when a kernel is first called, with the least of them. */
async function framesTo(kernel: RegExp, prepare: () => Promise<() => unknown>): Promise<number> {
  const { Instance } = WebAssembly;
  const depths: number[] = [];
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  class Wrapped extends Instance {
    override readonly exports: WebAssembly.Exports;
    constructor(...given: ConstructorParameters<typeof Instance>) {
      super(...given);
      const wrapped = Object.entries(super.exports).map(([name, item]) => {
        if (typeof item !== "function" || !kernel.test(name)) return [name, item];
        const counted = (...args: unknown[]) => {
          depths.push(depthOf(new Error("stack").stack as string));
          return item(...args);
        };
        return [name, counted];
      });
      this.exports = Object.fromEntries(wrapped);
    }
  }
  WebAssembly.Instance = Wrapped;
  try {
    const action = await prepare();
    depths.length = 0;
    action();
    return Math.min(...depths);
  } finally {
    WebAssembly.Instance = Instance;
    Error.stackTraceLimit = limit;
  }
}

const depthOf = (stack: string) =>
  stack.split("\n").filter((line) => /\/src\/[\w./-]+\.ts[:?]/.test(line)).length;
