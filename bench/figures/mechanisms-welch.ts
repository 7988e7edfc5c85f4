import { type Method, welch } from "nodrift";
import { type CompiledModel, compile } from "nodrift/bodies";
import { threeLinkErrors, threeLinkPendulum, threeLinkPosition } from "nodrift/mechanisms";
import { baumgarteHeun, distance, printed, projectedRk4 } from "../support/mechanisms.js";
import { atMost, type Figure, within } from "./figure.js";

const END = 4;

/** Welch et al., table 3: three links in space. */
export async function* mechanismWelchFigures(): AsyncGenerator<Figure> {
  const model = threeLinkPendulum({ pin: "world" });
  const compiled = await compile(model);
  // The reference takes stages as they come: with Euler parameters that are no units.
  const plain = await compile(model, { plainEulerParameters: true });
  const meanError = (of: CompiledModel, step: number, method: Method) => {
    const simulation = of.simulate({ step, method });
    const count = Math.round(END / step);
    let sum = 0;
    for (let k = 0; k < count; k++) sum += Math.hypot(...simulation.advance().phi());
    return sum / count;
  };
  for (const { step, secondOrder, halfDamped, critical } of threeLinkErrors) {
    const at = `mean |Phi| at step ${step}`;
    const name = "welch table 3, second order";
    yield within(`${name}, ${at}`, meanError(compiled, step, printed), secondOrder, 1e-3);
    for (const [alpha, reference] of [
      [0.5, halfDamped],
      [1, critical],
    ] as const) {
      const value = meanError(plain, step, baumgarteHeun(alpha));
      yield within(`welch table 3, Baumgarte alpha = ${alpha} / h, ${at}`, value, reference, 1e-3);
    }
  }
  const end = (step: number, method: Method) => [
    ...compiled.simulate({ step, method }).runTo(END).q.subarray(14, 17),
  ];
  const reference = end(1e-4, projectedRk4);
  yield atMost("three links, r3(4), distance", distance(reference, threeLinkPosition), 1e-6);
  for (const passes of [1, 2] as const) {
    const method = { coupled: welch({ passes }) };
    const [long, short] = [4e-4, 2e-4].map((step) => distance(end(step, method), reference));
    const order = Math.log2(long / short);
    yield within(`three links, welch, ${passes} passes, order`, order, passes, 0.1 / passes);
  }
}
