import { type ModelDocument, writeDocument } from "nodrift/files";
import { rollingDisk } from "nodrift/mechanisms";

/** A leaning coin in steady circular rolling, with a known solution. */
export function rollingCoin(): ModelDocument {
  return writeDocument(rollingDisk(), {
    units: "SI",
    description:
      "A coin leans and rolls in a circle: rolling without slipping takes two rows on velocities",
    solve: { span: [0, 2 * Math.PI], tolerance: 1e-9 },
    output: { at: { rate: 60 }, values: ["x('disk')", "y('disk')", "z('disk')"] },
    view: { from: "isometric", traces: [{ body: "disk" }] },
  });
}
