// Slopes and the stages of explicit Runge-Kutta steps, each in one call: a step of a small system takes less time than
// the JavaScript calls of its stages would. Results are bitwise identical to single calls, since the same functions
// and the same kernel are called here.

import { Code, F64, type FunctionBody, I32 } from "../../base/emit/module-writer.js";
import type { Extra, ImportedKernel } from "../../formulas/compiled/compile.js";

/** out = y + h sum of weighted slopes: (n, count, h, y, slopes, weights, out). */
const COMBINE: ImportedKernel = {
  name: "combine",
  parameters: [I32, I32, F64, I32, I32, I32, I32],
  result: I32,
};

/** The kernels that {@link stagesFunction} calls. */
export const STAGE_KERNELS: readonly ImportedKernel[] = [COMBINE];

/** `slope(t, out)`: 1, or 0 if the caller must use single calls. */
const SLOPE = "slope";

/** Addresses of the equations of motion. */
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
      // As in the kernel for rates of positions: values that are not finite stay visible.
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
 * `stages(first, count, t, h, y, tableau, nodes, slopes)`: see Ode.stages. Returns the number of stages whose slopes
 * are known; if all are, the end of the step is the trial state.
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
      // Rows of the tableau and slopes at the first stage to evaluate.
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

function writeTime(body: FunctionBody, address: number, t: number): void {
  body.integer(0);
  body.get(t);
  body.store(address);
}

/** Returns 0 if the value on the stack is 0. */
export function returnUnless(body: FunctionBody): void {
  body.code(Code.I32EqualsZero);
  body.open(Code.If);
  body.integer(0);
  body.code(Code.Return);
  body.code(Code.End);
}

/** Address of values after another address: `each` times the product of one or two locals. */
function place(
  body: FunctionBody,
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

function advance(body: FunctionBody, local: number, by: () => void): void {
  body.get(local);
  by();
  body.code(Code.I32Add);
  body.set(local);
}
