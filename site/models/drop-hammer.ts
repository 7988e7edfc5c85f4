import type { ModelDocument } from "nodrift/files";
import { GRAVITY } from "./parts.js";

/** Drop height and restitution of the hammer; slope of the ramp, mass, friction and bristle stiffness of the wedge. */
export const HAMMER = {
  drop: 0.5,
  restitution: 0.7,
  gravity: 9.81,
  slope: Math.PI / 6,
  mass: 2,
  coulomb: 14,
  stiffness: 2e5,
} as const;

/** Returns the time of the n-th impact: the fall, then flights that shorten by the restitution each time. */
export function impactTime(n: number): number {
  const { drop, gravity, restitution: e } = HAMMER;
  const fall = Math.sqrt((2 * drop) / gravity);
  const flights = (2 * fall * (e - e ** n)) / (1 - e);
  return fall + (n > 1 ? flights : 0);
}

/** Returns the deflection of the bristles: the downhill force is below the friction limit. */
export function wedgeSag(): number {
  const { mass, gravity, slope, stiffness } = HAMMER;
  return (mass * gravity * Math.sin(slope)) / stiffness;
}

const FOOT = [0.6, 0, 0.3] as const;

/** Returns a point of the ramp at a distance downhill from the wedge, half a wedge below its centre. */
function onRamp(along: number): readonly [number, number, number] {
  const [c, s] = [Math.cos(HAMMER.slope), Math.sin(HAMMER.slope)];
  return [FOOT[0] + along * c - 0.04 * s, 0, FOOT[2] - along * s - 0.04 * c];
}

export function dropHammer(): ModelDocument {
  const { drop, restitution, slope, mass, coulomb, stiffness } = HAMMER;
  const down = [Math.cos(slope), 0, -Math.sin(slope)] as const;
  return {
    nodrift: 1,
    name: "drop hammer",
    description:
      "A hammer bounces on its anvil, a rigid stop, ever lower until it rests; a wedge sticks on a ramp by bristle friction",
    units: "SI",
    gravity: GRAVITY,
    bodies: [
      {
        name: "hammer",
        mass: 5,
        shape: { type: "box", x: 0.16, y: 0.16, z: 0.2 },
        position: [0, 0, drop],
      },
      {
        name: "wedge",
        mass,
        shape: { type: "box", x: 0.14, y: 0.1, z: 0.08 },
        position: FOOT,
        orientation: { axis: [0, 1, 0], angle: slope },
      },
    ],
    joints: [
      {
        type: "prismatic",
        name: "guide",
        between: ["ground", "hammer"],
        at: [0, 0, 0],
        axis: [0, 0, 1],
      },
      { type: "prismatic", name: "ramp", between: ["ground", "wedge"], at: FOOT, axis: down },
    ],
    forces: [
      { type: "stop", name: "anvil", joint: "guide", lower: -drop, restitution },
      {
        type: "friction",
        name: "rubbing",
        joint: "ramp",
        coulomb,
        model: "bristle",
        stiffness,
        damping: 2 * Math.sqrt(stiffness * mass),
      },
    ],
    solve: { span: [0, 3], tolerance: 1e-8 },
    output: {
      at: { rate: 200 },
      values: [
        { name: "height of the hammer", value: "z('hammer')", unit: "m" },
        { name: "way of the wedge", value: "displacement('ramp')", unit: "m" },
        { name: "friction on the wedge", value: "fx('rubbing')", unit: "N" },
      ],
    },
    view: {
      from: "front",
      draw: [
        {
          body: "ground",
          lines: [
            [
              [-0.2, 0, -0.1],
              [0.2, 0, -0.1],
            ],
            [onRamp(-0.25), onRamp(0.4)],
          ],
        },
      ],
    },
  };
}
