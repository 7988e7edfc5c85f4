import { type ModelDocument, writeDocument } from "nodrift/files";
import { bicycle } from "../../test/support/bicycle.js";

/** Speed in m/s between the weave and capsize speeds, 4.29 to 6.02 m/s, where the bicycle is self-stable. */
export const RIDE = 4.6;

/** The benchmark bicycle with an initial lean rate of the frame, as after a push from the side. */
export function whippleBicycle(): ModelDocument {
  const document = writeDocument(bicycle(RIDE), {
    units: "SI",
    description:
      "A bicycle without a rider, pushed from the side, steers into the fall and rides on: Meijaard et al. 2007",
    solve: { span: [0, 5], tolerance: 1e-8 },
    output: {
      at: { rate: 60 },
      values: [
        { name: "rate of lean", value: "wx('frame')", unit: "rad/s" },
        "angle('steering')",
        { name: "way to the side", value: "y('frame')", unit: "m" },
      ],
    },
    view: { from: [0.4, -1, 0.3], follow: "frame" },
  });
  return {
    ...document,
    name: "Whipple bicycle",
    forces: [
      {
        type: "pointForce",
        name: "push",
        on: "frame",
        force: [0, "if(t < 0.1, 60*sin(10*pi*t)^2, 0)", 0],
      },
    ],
  };
}
