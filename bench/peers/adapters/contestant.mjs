// Interface of adapters: contestants that start runs of a problem.

import { STATE_SIZE } from "../problems/problem.mjs";

/** @typedef {import("../problems/problem.mjs").Problem} Problem */

/**
 * A run at its initial state.
 *
 * @typedef {object} Run
 * @property {() => void} run to the end; this is what is timed
 * @property {(each: (state: Float64Array) => void) => void} watch to the end, with a callback for intermediate states
 * @property {() => number} steps that a run takes or took
 * @property {() => void} free
 */

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {string} peer the package
 * @property {boolean} maximal whether joints are constraints between free bodies
 * @property {"step" | "tolerance"} setting the varied setting
 * @property {(problem: Problem) => string | undefined} refuses reason for not taking part
 * @property {(problem: Problem, setting: number) => Promise<Run>} start
 */

/** Approximate number of states read in a run. */
const LOOKS = 500;

/**
 * A run of an engine with a fixed step.
 *
 * @param {Problem} problem
 * @param {number} step
 * @param {object} engine
 * @param {(count: number) => void} engine.advance takes `count` steps without reading states
 * @param {(state: Float64Array) => void} engine.read
 * @param {() => void} engine.free
 * @returns {Run}
 */
export function steppedRun(problem, step, { advance, read, free }) {
  const count = Math.round(problem.until / step);
  return {
    run: () => advance(count),
    watch(each) {
      const state = new Float64Array(STATE_SIZE * problem.bodies.length);
      const stride = Math.ceil(count / LOOKS);
      for (let done = 0; done < count; ) {
        const next = Math.min(stride, count - done);
        advance(next);
        done += next;
        read(state);
        each(state);
      }
    },
    steps: () => count,
    free,
  };
}

/** @type {Contestant["refuses"]} */
export const takesAll = () => undefined;

/** @type {Contestant["refuses"]} */
export const planarOnly = ({ planar }) => (planar ? undefined : "moves in a plane only");
