import { ode } from "nodrift/formulas";
import { type Precise, precise, preciseDerivative } from "../../test/support/precise.js";
import { seeded } from "../../test/support/random.js";
import { atMost, type Figure } from "./figure.js";

const { times, over, sin, cos, exp, root } = precise;

/** Formulas of x and y, and their 60-digit versions. */
const FORMULAS: readonly (readonly [string, (x: Precise, y: Precise) => Precise])[] = [
  ["x^3*y - 2*x/y", (x, y) => times(times(times(x, x), x), y) - over(2n * x, y)],
  ["sin(x*y)*cos(x - y)", (x, y) => times(sin(times(x, y)), cos(x - y))],
  ["exp(-x^2)*sin(3*y)", (x, y) => times(exp(-times(x, x)), sin(3n * y))],
  ["sqrt(x^2 + y^2)", (x, y) => root(times(x, x) + times(y, y))],
  ["exp(sin(x) + cos(y))*x", (x, y) => times(exp(sin(x) + cos(y)), x)],
];
const STATES = 40;

/** Derivatives by the program, against those in 60 digits; relative to the larger of both. */
export function* compiledDerivativeFigures(): Generator<Figure> {
  const random = seeded(23);
  let worst = 0;
  for (const [text, wanted] of FORMULAS) {
    const system = ode({ unknowns: ["x", "y"], rates: { x: text, y: 0 } }).system();
    const out = system.workspace.vector("df/dy", 4);
    const arena = system.workspace.seal();
    const [state, matrix] = [
      arena.floats({ name: "state", address: system.state.q, slots: 2 }),
      arena.floats({ name: "df/dy", address: out, slots: 4 }),
    ];
    for (let i = 0; i < STATES; i++) {
      const at = [0.3 + 1.5 * random(), 0.3 + 1.5 * random()];
      state.set(at);
      system.load(0);
      system.ode?.jacobian?.(0, out);
      const exact = [0, 1].map((by) => preciseDerivative(([x, y]) => wanted(x, y), at, by));
      const size = Math.max(...exact.map(Math.abs));
      for (const [k, each] of exact.entries())
        worst = Math.max(worst, Math.abs(matrix[2 * k] - each) / size);
    }
  }
  yield atMost("derivatives of formulas against 60-digit arithmetic, relative", worst, 1e-14);
}
