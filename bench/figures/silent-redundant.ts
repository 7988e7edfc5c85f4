import { compile } from "nodrift/bodies";
import { modelOf } from "../../test/reference/nodrift-model.js";
import {
  equationOutcome,
  everyMethod,
  isAlike,
  loopOutcome,
  type NamedMethod,
  type Outcome,
  redundantEquations,
  redundantLoops,
} from "../../test/support/redundant-loops.js";
import { atMost, type Figure, reported } from "./figure.js";

const LOOPS = { planar: 120, overconstrained: 120, nested: 60 };
const EQUATIONS = 100;
const SHORTER = 4;

/** All formulations and solvers on random redundant loops. */
export async function* silentRedundantFigures(): AsyncGenerator<Figure> {
  const methods = `${everyMethod.length} methods, steps of 2, 1, 0.5 ms`;
  for (const coordinates of ["auto", "maximal"] as const) {
    const tally = new Tally();
    let [count, uncompiled] = [0, 0];
    for (const loop of redundantLoops(LOOPS)) {
      count++;
      const compiled = await compile(modelOf(loop.mechanism), { coordinates }).catch(
        () => undefined,
      );
      if (!compiled) uncompiled++;
      else tally.add((method, divisor) => loopOutcome(compiled, loop, method, divisor));
    }
    const name = `${count} redundant loops, ${coordinates} coordinates`;
    yield atMost(`${name}: not compiled`, uncompiled, 0);
    yield* tally.figures(`${name}, ${methods}`);
  }
  const tally = new Tally();
  for (let seed = 0; seed < EQUATIONS; seed++) {
    const made = redundantEquations(seed);
    tally.add((method, divisor) => equationOutcome(made, method, divisor));
  }
  yield* tally.figures(`${EQUATIONS} redundant equations, ${methods}`);
}

/**
 * Counts outcomes of methods. Errors of the longest steps may contain partly cancelling terms and not yet fall with
 * the order; errors that do so at a quarter of the step size are counted separately.
 */
class Tally {
  #unlike = 0;
  #later = 0;
  #refused = 0;
  #right = 0;

  add(outcomeOf: (method: NamedMethod, divisor?: number) => Outcome): void {
    for (const method of everyMethod) {
      const outcome = outcomeOf(method);
      const isRight = isAlike(outcome, method);
      const isError = outcome.every((one) => typeof one === "number");
      if (!isRight && isError && isAlike(outcomeOf(method, SHORTER), method)) this.#later++;
      else if (!isRight) this.#unlike++;
      else if (typeof outcome[0] === "string") this.#refused++;
      else this.#right++;
    }
  }

  *figures(name: string): Generator<Figure> {
    yield atMost(`${name}: wrong, or not alike at every step`, this.#unlike, 0);
    yield reported(`${name}: refused at every step`, this.#refused);
    yield reported(`${name}: right at every step`, this.#right);
    yield reported(`${name}: right by order at steps a fourth as long`, this.#later);
  }
}
