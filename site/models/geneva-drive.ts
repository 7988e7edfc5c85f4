import type { ModelDocument } from "nodrift/files";
import { AXIS, at, GRAVITY, type Point } from "./parts.js";

/** Distance of the axes (m), and the crank shorter by sin 45 deg, so that its pin enters the slots along them; speed. */
export const GENEVA = { distance: 0.2, crank: 0.2 * Math.SQRT1_2, speed: 3 } as const;

/**
 * Returns the wheel angle for a crank angle from the line of the axes, both in the same sense. While the pin is in a
 * slot, within 45 deg, the slot points to the pin; else the wheel stands.
 */
export function genevaAngle(crankAngle: number): number {
  const { distance: d, crank: a } = GENEVA;
  const turns = Math.round(crankAngle / (2 * Math.PI));
  const inside = crankAngle - 2 * Math.PI * turns;
  const swept =
    Math.abs(inside) < Math.PI / 4
      ? Math.atan2(a * Math.sin(inside), d - a * Math.cos(inside))
      : (Math.sign(inside) * Math.PI) / 4;
  return -(swept + Math.PI / 4 + (turns * Math.PI) / 2);
}

/**
 * A wheel of four slots that a pin advances by quarter turns. One row holds throughout: with the pin in a slot (slots lie
 * on the diagonals of the wheel) the squares of its distances from the two axes of the wheel are equal; without it, the
 * wheel stands square. At the change both hold, also for rates, since the pin enters along the slot. Rejected: two modes,
 * which would need an initial state that satisfies both rows.
 */
export function genevaDrive(): ModelDocument {
  const { distance: d, crank: a, speed } = GENEVA;
  const [px, pz] = [`(x('crank:pin') - ${d})`, "z('crank:pin')"];
  const along = `${px}*rxx('wheel') + ${pz}*rzx('wheel')`;
  const across = `${px}*rxz('wheel') + ${pz}*rzz('wheel')`;
  const slot = `((${along})^2 - (${across})^2)/${d ** 2}`;
  const engaged = `x('crank:pin') > ${d / 2}`;
  return {
    nodrift: 1,
    name: "Geneva drive",
    description:
      "A pin turns a wheel of four slots by a quarter in every turn, and the wheel stands in between",
    units: "SI",
    gravity: GRAVITY,
    bodies: [
      {
        name: "crank",
        mass: 0.5,
        shape: { type: "cylinder", length: 0.01, radius: 0.03, axis: AXIS },
        position: at([0, 0], -0.02),
        markers: [{ name: "pin", at: at([0, -a]) }],
      },
      {
        name: "wheel",
        mass: 1,
        shape: { type: "cylinder", length: 0.01, radius: 0.045, axis: AXIS },
        position: at([d, 0]),
      },
    ],
    joints: [
      { type: "revolute", name: "shaft", between: ["ground", "crank"], at: at([0, 0]), axis: AXIS },
      { type: "revolute", name: "axle", between: ["ground", "wheel"], at: at([d, 0]), axis: AXIS },
      { type: "driveAngle", name: "motor", joint: "shaft", angle: `-${speed}*t` },
      {
        type: "constraint",
        name: "slots",
        rows: ["slot"],
        value: [`if(${engaged}, ${slot}, rxx('wheel')*rzx('wheel'))`],
      },
    ],
    events: [{ name: "pin at a slot", when: `x('crank:pin') - ${d / 2}`, action: "mark" }],
    solve: { span: [0, 6], tolerance: 1e-8 },
    output: {
      at: { rate: 60 },
      values: [
        { name: "wheel", value: "angle('axle')", unit: "rad" },
        { name: "speed of the wheel", value: "angleRate('axle')", unit: "rad/s" },
        { name: "torque of the motor", value: "driveForce('motor')", unit: "N m" },
      ],
    },
    view: {
      from: "front",
      draw: [
        { body: "wheel", lines: [cross()] },
        {
          body: "crank",
          lines: [
            circle([0, -a], 0.007),
            [
              [0, 0.02, 0],
              [0, 0.02, -a],
            ],
          ],
        },
      ],
    },
  };
}

/** Returns the outline of the wheel: slots on its diagonals, and hollows between them for the crank's disk. */
function cross(): readonly Corner[] {
  const { distance: d, crank: a } = GENEVA;
  const [rim, bottom, width] = [d * Math.SQRT1_2, d - a, 0.008];
  const quarter = [0, 1, 2, 3].flatMap((k) => {
    const slot = [
      [rim, -width],
      [bottom, -width],
      [bottom, width],
      [rim, width],
    ] as const;
    const start = turned([rim, width], Math.PI / 4);
    const from = Math.atan2(start[1] - d, start[0]);
    const hollow = [1, 2, 3, 4, 5, 6, 7].map((i): Point => {
      const angle = from + ((-Math.PI - 2 * from) * i) / 8;
      const radius = Math.hypot(start[0], start[1] - d);
      return [radius * Math.cos(angle), d + radius * Math.sin(angle)];
    });
    const points = [...slot.map((point) => turned(point, Math.PI / 4)), ...hollow];
    return points.map((point) => at(turned(point, (k * Math.PI) / 2)));
  });
  return [...quarter, quarter[0]!];
}

type Corner = readonly [number, number, number];

function circle([x, z]: Point, radius: number): readonly Corner[] {
  return Array.from({ length: 13 }, (_, i) => {
    const angle = (i * Math.PI) / 6;
    return at([x + radius * Math.cos(angle), z + radius * Math.sin(angle)], 0.02);
  });
}

function turned([x, z]: Point, angle: number): Point {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c * x - s * z, s * x + c * z];
}
