import type { ModelDocument } from "nodrift/files";

/** Torque on the case (N m) and brake coefficients of the two wheels (N m s). */
export const DIFFERENTIAL = { torque: 40, left: 2, right: 6 } as const;

/**
 * A case driven by a torque carries a planet that meshes with both half-shafts. Relative to the case, the shafts rotate
 * at equal and opposite speeds.
 */
export function differential(): ModelDocument {
  const X = [1, 0, 0] as const;
  const shaft = (name: string, x: number) => ({
    name,
    mass: 6,
    shape: { type: "cylinder", radius: 0.25, length: 0.12, axis: X },
    position: [x, 0, 0],
  });
  const hinge = (name: string, between: readonly string[], axis: readonly number[]) => ({
    type: "revolute",
    name,
    between,
    at: [0, 0, 0],
    axis,
  });
  return {
    nodrift: 1,
    name: "differential",
    description:
      "One torque, two wheels: they share it equally, and turn as fast as their brakes allow",
    units: "SI",
    gravity: [0, 0, 0],
    bodies: [
      { name: "case", mass: 8, shape: { type: "box", x: 0.24, y: 0.2, z: 0.34 } },
      {
        name: "planet",
        mass: 1,
        shape: { type: "cylinder", radius: 0.09, length: 0.05, axis: [0, 0, 1] },
        position: [0, 0, 0.22],
      },
      shaft("left wheel", -0.5),
      shaft("right wheel", 0.5),
    ],
    joints: [
      hinge("bearing", ["ground", "case"], X),
      hinge("pin of the planet", ["case", "planet"], [0, 0, 1]),
      hinge("left in case", ["case", "left wheel"], X),
      hinge("right in case", ["case", "right wheel"], X),
      hinge("left shaft", ["ground", "left wheel"], X),
      hinge("right shaft", ["ground", "right wheel"], X),
      { type: "gear", name: "left mesh", joints: ["pin of the planet", "left in case"], ratio: 1 },
      {
        type: "gear",
        name: "right mesh",
        joints: ["pin of the planet", "right in case"],
        ratio: -1,
      },
    ],
    forces: [
      { type: "torque", name: "engine", on: "case", torque: [DIFFERENTIAL.torque, 0, 0] },
      {
        type: "torsionSpring",
        name: "left brake",
        joint: "left shaft",
        stiffness: 0,
        damping: DIFFERENTIAL.left,
      },
      {
        type: "torsionSpring",
        name: "right brake",
        joint: "right shaft",
        stiffness: 0,
        damping: DIFFERENTIAL.right,
      },
    ],
    solve: { span: [0, 2], tolerance: 1e-8 },
    output: {
      at: { rate: 100 },
      values: [
        { name: "case", value: "wx('case')", unit: "rad/s" },
        { name: "left wheel", value: "wx('left wheel')", unit: "rad/s" },
        { name: "right wheel", value: "wx('right wheel')", unit: "rad/s" },
      ],
    },
    view: { from: "isometric" },
  };
}
