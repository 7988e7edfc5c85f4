// Whether this machine computes the bits that others compute: a double pendulum, which is chaotic enough to show a difference in
// any operation, and numbers of a distribution.

import { createHash } from "node:crypto";
import { solve } from "../../../solve.js";
import { readDocument } from "../../files/index.js";
import { normalQuantile } from "../design/normal.js";
import { SobolSequence } from "../design/sobol.js";

const hinge = (name: string, between: readonly string[], x: number) => ({
  type: "revolute",
  name,
  between,
  at: [x, 0, 0],
  axis: [0, 1, 0],
});
const rod = (name: string, x: number) => ({
  name,
  mass: 1,
  shape: { type: "rod", length: 1, axis: [1, 0, 0] },
  position: [x, 0, 0],
});

const PENDULUM = {
  nodrift: 1,
  name: "self-test",
  units: "SI",
  gravity: [0, 0, -9.81],
  bodies: [rod("upper", 0.5), rod("lower", 1.5)],
  joints: [hinge("shoulder", ["ground", "upper"], 0), hinge("elbow", ["upper", "lower"], 1)],
  solve: { span: [0, 3], tolerance: 1e-9 },
};

/** A digest of bits that all machines should share. */
export async function selfTest(): Promise<string> {
  const file = readDocument(PENDULUM);
  const system = await file.compile();
  const { end } = solve(system, file.solveOptions(system, { output: "ends" }));
  const sequence = new SobolSequence(3, 1);
  const drawn = Float64Array.from({ length: 30 }, (_, i) => normalQuantile(sequence.at(i, i % 3)));
  return createHash("sha256").update(end.q).update(end.v).update(drawn).digest("hex");
}
