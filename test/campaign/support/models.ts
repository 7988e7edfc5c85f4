// Small models and studies for tests of campaigns.

import type { CampaignOptions } from "nodrift/campaign";
import type { ModelDocument } from "nodrift/files";

/** A rod on a hinge, let go level: exact answers exist, and a run takes a millisecond. */
export const rod: ModelDocument = {
  nodrift: 1,
  name: "rod",
  units: "SI",
  gravity: [0, 0, -9.81],
  bodies: [
    {
      name: "rod",
      mass: 1,
      shape: { type: "rod", length: 1, axis: [1, 0, 0] },
      position: [0.5, 0, 0],
    },
  ],
  joints: [
    {
      type: "revolute",
      name: "hinge",
      between: ["ground", "rod"],
      at: [0, 0, 0],
      axis: [0, 1, 0],
    },
  ],
  solve: { span: [0, 0.4], tolerance: 1e-7 },
};

/** A ball thrown upwards, which meets the floor. */
export const ball: ModelDocument = {
  nodrift: 1,
  name: "ball",
  units: "SI",
  gravity: [0, 0, -10],
  bodies: [
    {
      name: "ball",
      mass: 1,
      shape: { type: "sphere", radius: 0.1 },
      position: [0, 0, 1],
      velocity: [1, 0, 3],
    },
  ],
  solve: { span: [0, 0.8], tolerance: 1e-9 },
  events: [{ name: "floor", when: "z('ball')", direction: "falling" }],
};

export const study = (changes: Partial<CampaignOptions> = {}): CampaignOptions => ({
  model: rod,
  parameters: [
    { name: "g", at: "/gravity/2", uniform: [-10, -9.6] },
    {
      name: "mass",
      at: "/bodies/rod/mass",
      normal: { mean: 1, deviation: 0.1 },
      within: [0.5, 1.5],
    },
  ],
  design: { type: "sobol", cases: 40 },
  outputs: [{ name: "angle", end: "angle('hinge')" }],
  seed: 1,
  workers: 0,
  ...changes,
});
