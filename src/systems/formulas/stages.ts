// Slopes and the stages of explicit Runge-Kutta steps, each in one call: a step of a small system takes less time than
// the calls from JavaScript that its stages would be. Numbers are those of the calls one after the other, bit by bit:
// the same functions and the same kernel are called here.

import type { Extra, ImportedKernel } from "../../describe/compiled/compile.js";
import { type Body, Code, F64, I32 } from "../../ground/emit/module-writer.js";

/** out = y + h sum of weighted slopes: (n, count, h, y, slopes, weights, out). */
const COMBINE: ImportedKernel = {
  name: "combine",
  parameters: [I32, I32, F64, I32, I32, I32, I32],
  result: I32,
};

/** The kernels that {@link stagesFunction} calls. */
export const STAGE_KERNELS: readonly ImportedKernel[] = [COMBINE];

/** `slope(t, out)`: 1, or 0 where it is left to what follows. */
const SLOPE = "slope";

/** Where the numbers of equations of motion lie. */
export interface MotionPlaces {
  readonly n: number;
  readonly time: number;
  readonly velocities: number;
  readonly gamma: number;
}

/** q' and v' at the trial state, by the functions `evaluate` and `solve`. */
export function motionSlope({ n, time, velocities, gamma }: MotionPlaces): Extra {
  return {
    name: SLOPE,
    parameters: [F64, I32],
    result: I32,
    write(body, call) {
      const [t, out] = [0, 1];
      writeTime(body, time, t);
      body.call(call("evaluate"));
      body.integer(gamma);
      body.get(out);
      body.integer(8 * n);
      body.code(Code.I32Add);
      body.call(call("solve"));
      returnUnless(body);
      // As the kernel for rates of positions does it: what is not finite stays visible.
      for (let i = 0; i < n; i++) {
        body.get(out);
        for (let times = 0; times < 2; times++) {
          body.integer(0);
          body.load(velocities + 8 * i);
        }
        body.float(0);
        body.code(Code.F64Multiply);
        body.code(Code.F64Add);
        body.store(8 * i);
      }
      body.integer(1);
    },
  };
}

/** f(t, y) at the trial state, by the function `rate`. */
export function odeSlope(time: number): Extra {
  return {
    name: SLOPE,
    parameters: [F64, I32],
    result: I32,
    write(body, call) {
      const [t, out] = [0, 1];
      writeTime(body, time, t);
      body.get(out);
      body.call(call("rate"));
    },
  };
}

/**
 * `stages(first, count, t, h, y, tableau, nodes, slopes)`: see Ode.stages. Gives the number of stages whose slopes are
 * known then; the end of the step is the trial state where that is all of them.
 */
export function stagesFunction(unknowns: number, trial: number): Extra {
  return {
    name: "stages",
    parameters: [I32, I32, F64, F64, I32, I32, I32, I32],
    result: I32,
    write(body, call) {
      const [first, count, t, h, y, tableau, nodes, slopes] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
      const row = body.local(I32);
      const out = body.local(I32);
      // The rows of the tableau and the slopes that the first stage begins with.
      place(body, tableau, count, first, 1, row);
      place(body, slopes, first, undefined, unknowns, out);
      const combine = () => {
        body.integer(unknowns);
        body.get(first);
        for (const each of [h, y, slopes, row]) body.get(each);
        body.integer(trial);
        body.call(call(COMBINE.name));
        body.code(Code.Drop);
      };
      body.open(Code.Block);
      body.open(Code.Loop);
      combine();
      body.get(first);
      body.get(count);
      body.code(Code.I32Less);
      body.code(Code.I32EqualsZero);
      body.branch(Code.BranchIf, 1);
      body.get(t);
      place(body, nodes, first, undefined, 1);
      body.load(0);
      body.get(h);
      body.code(Code.F64Multiply);
      body.code(Code.F64Add);
      body.get(out);
      body.call(call(SLOPE));
      body.code(Code.I32EqualsZero);
      body.branch(Code.BranchIf, 1);
      advance(body, first, () => body.integer(1));
      advance(body, out, () => body.integer(8 * unknowns));
      advance(body, row, () => {
        body.get(count);
        body.integer(8);
        body.code(Code.I32Multiply);
      });
      body.branch(Code.Branch, 0);
      body.code(Code.End);
      body.code(Code.End);
      body.get(first);
    },
  };
}

function writeTime(body: Body, address: number, t: number): void {
  body.integer(0);
  body.get(t);
  body.store(address);
}

/** Ends with 0 where the number on the stack is 0. */
export function returnUnless(body: Body): void {
  body.code(Code.I32EqualsZero);
  body.open(Code.If);
  body.integer(0);
  body.code(Code.Return);
  body.code(Code.End);
}

/** The address of numbers behind another: of `each` times as many as the product of one or two locals says. */
function place(
  body: Body,
  base: number,
  times: number,
  more: number | undefined,
  each: number,
  into?: number,
): void {
  body.get(base);
  body.get(times);
  if (more !== undefined) {
    body.get(more);
    body.code(Code.I32Multiply);
  }
  body.integer(8 * each);
  body.code(Code.I32Multiply);
  body.code(Code.I32Add);
  if (into !== undefined) body.set(into);
}

function advance(body: Body, local: number, by: () => void): void {
  body.get(local);
  by();
  body.code(Code.I32Add);
  body.set(local);
}
