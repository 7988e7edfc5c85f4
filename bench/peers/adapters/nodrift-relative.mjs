// nodrift by its default method, in both kinds of coordinates.

import { coordinates } from "../nodrift.mjs";
import { steppedRun, takesAll } from "./contestant.mjs";
import { compiledModel, readBodies } from "./nodrift-model.mjs";

const options = await coordinates();

/**
 * @param {"relative" | "maximal"} kind
 * @returns {import("./contestant.mjs").Contestant}
 */
const contestant = (kind) => ({
  name: `nodrift ${kind}`,
  peer: "nodrift",
  maximal: kind === "maximal",
  setting: "step",
  refuses: takesAll,
  async start(problem, step) {
    const simulation = (await compiledModel(problem, options[kind])).simulate({ step });
    return steppedRun(problem, step, {
      advance: (count) => simulation.advance(count),
      read: (state) => readBodies(simulation.q, simulation.v, state),
      free: () => {},
    });
  },
});

export const contestants = [contestant("relative"), contestant("maximal")];
