// Tests whether results on this machine are bitwise identical to those on others, with a double pendulum, which is chaotic enough
// to reveal a difference in any operation, and with samples of a distribution.

import { createHash } from "node:crypto";
import { readDocument } from "../../src/files/index.js";
import { solve } from "../../src/solve.js";
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

/** Digest of results that should be identical on all machines. */
export async function selfTest(): Promise<string> {
  const file = readDocument(PENDULUM);
  const system = await file.compile();
  const { end } = solve(system, file.solveOptions(system, { output: "ends" }));
  const sequence = new SobolSequence(3, 1);
  const drawn = Float64Array.from({ length: 30 }, (_, i) => normalQuantile(sequence.at(i, i % 3)));
  return createHash("sha256").update(end.q).update(end.v).update(drawn).digest("hex");
}
