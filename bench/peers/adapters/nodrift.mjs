import { ab3, heun, projection, rk4, udwadiaKalaba } from "../nodrift.mjs";
import { steppedRun, takesAll } from "./contestant.mjs";
import { compiledModel, readBodies } from "./nodrift-model.mjs";

const projected = (integrator) => ({
  formulation: udwadiaKalaba(),
  stabilisation: projection(),
  integrator,
});

/**
 * @param {string} name
 * @param {() => object | undefined} method
 * @returns {import("./contestant.mjs").Contestant}
 */
const stepped = (name, method) => ({
  name,
  peer: "nodrift",
  maximal: true,
  setting: "step",
  refuses: takesAll,
  async start(problem, step) {
    const simulation = (await compiledModel(problem)).simulate({ step, method: method() });
    return steppedRun(problem, step, {
      advance: (count) => simulation.advance(count),
      read: (state) => readBodies(simulation.q, simulation.v, state),
      free: () => {},
    });
  },
});

export const contestants = [
  stepped("nodrift RK4", () => undefined),
  stepped("nodrift RK4 + projection", () => projected(rk4())),
  stepped("nodrift Heun + projection", () => projected(heun())),
  stepped("nodrift AB3 + projection", () => projected(ab3())),
];
