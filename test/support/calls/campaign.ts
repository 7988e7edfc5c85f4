// Calls of `nodrift/campaign`.

import * as campaigns from "nodrift/campaign";
import { type Call, exported, method } from "./call.js";

const entry = "nodrift/campaign";

function options() {
  return {
    name: "fall",
    model: {
      nodrift: 1,
      name: "ball",
      units: "SI",
      gravity: [0, 0, -9.81],
      bodies: [
        { name: "ball", mass: 1, shape: { type: "sphere", radius: 0.1 }, position: [0, 0, 1] },
      ],
      solve: { span: [0, 0.1], tolerance: 1e-4 },
    },
    parameters: [
      { name: "g", at: "/gravity/2", normal: { mean: -9.8, deviation: 0.1 }, within: [-10, -9] },
      { name: "m", at: ["/bodies/ball/mass"], uniform: [1, 2], unit: "kg" },
      { name: "l", at: "/bodies/0/shape/radius", logNormal: { meanOfLog: 0, deviationOfLog: 0.1 } },
      { name: "x", at: "/bodies/0/position/0", range: { from: 1, to: 2, count: 3 } },
      { name: "y", at: "/bodies/0/position/1", values: [1, 2] },
      { name: "z", at: "/bodies/0/position/2", formula: "x + y" },
    ],
    correlations: [{ between: ["g", "m"], value: 0.5 }],
    design: { type: "sobol", cases: 3 },
    seed: 1,
    outputs: ["z('ball')", { name: "top", maximum: "z('ball')", unit: "m" }],
    limits: { maximumSeconds: 10, maximumSteps: 1000, attempts: 2 },
    stop: [{ output: "top", relativeErrorBelow: 0.1, minimumCases: 100 }],
    workers: 0,
  };
}

export function campaignCalls(): Call[] {
  const on = (given: unknown[]) => () => ({
    on: campaigns.campaign(options() as unknown as campaigns.CampaignOptions),
    given: structuredClone(given),
  });
  return [
    exported(entry, "campaign", campaigns.campaign, () => [options()], [
      "parameter",
      "the model",
      "the list",
      "output",
    ]),
    method("Campaign", "statistics", on(["top"]), ["output"]),
    method("Campaign", "indices", on(["top"]), ["output"]),
  ];
}
