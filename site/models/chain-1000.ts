import type { BodyEntry, ModelDocument, TypedEntry } from "nodrift/files";
import { GRAVITY } from "./parts.js";

/** Number of rods, their length (m), thickness (m) and mass (kg): a chain of 20 m and 10 kg. */
export const CHAIN = { rods: 1000, length: 0.02, thickness: 0.004, mass: 0.01 } as const;

/** A straight chain, initially level and at rest, held at one end. */
export function chain1000(): ModelDocument {
  const { rods, length, thickness, mass } = CHAIN;
  const bodies: BodyEntry[] = [];
  const joints: TypedEntry[] = [];
  for (let i = 0; i < rods; i++) {
    const before = i === 0 ? "ground" : `rod ${i}`;
    bodies.push({
      name: `rod ${i + 1}`,
      mass,
      shape: { type: "box", x: length, y: thickness, z: thickness },
      position: [(i + 0.5) * length, 0, 0],
    });
    joints.push({
      type: "spherical",
      name: `joint ${i + 1}`,
      between: [before, `rod ${i + 1}`],
      at: [i * length, 0, 0],
    });
  }
  return {
    nodrift: 1,
    name: "chain of a thousand rods",
    description:
      "A thousand rods on ball joints, let go from level: 3000 rows without a loop, solved in one sweep",
    units: "SI",
    gravity: GRAVITY,
    bodies,
    joints,
    solve: { span: [0, 3], tolerance: 1e-4 },
    output: { at: { rate: 60 }, values: [{ name: "tip", value: `z('rod ${rods}')`, unit: "m" }] },
    view: { from: "front" },
  };
}
