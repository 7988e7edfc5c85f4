import type { ModelDocument } from "nodrift/files";
import { AXIS, at, GRAVITY } from "./parts.js";

/** Distance of the axes; the crank is by sin 45 deg shorter, so that its pin enters the slots along them. */
export const GENEVA = { distance: 0.2, crank: 0.2 * Math.SQRT1_2, speed: 3 } as const;

/**
 * How far the wheel has turned where the crank is at an angle from the line of the axes, both in the same sense: while the pin is in
 * a slot, within 45 deg, the slot points to the pin; else the wheel stands.
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
 * A wheel of four slots, which a pin turns by a quarter and leaves. One row holds throughout: with the pin in a slot (slots are on the
 * diagonals of the wheel) the squares of its two distances from the axes of the wheel are equal; without, the wheel stands square. At
 * the change both hold, with the rates: the pin enters along the slot. A pair of modes would need a start that has both rows.
 */
export function genevaDrive(): ModelDocument {
  const { distance: d, crank: a, speed } = GENEVA;
  const [px, pz] = [`(x('crank:pin') - ${d})`, "z('crank:pin')"];
  const along = `${px}*rxx('wheel') + ${pz}*rzx('wheel')`;
  const across = `${px}*rxz('wheel') + ${pz}*rzz('wheel')`;
  const slot = `((${along})^2 - (${across})^2)/${d ** 2}`;
  const engaged = `x('crank:pin') > ${d / 2}`;
  const [half, slotEnd] = [d * 0.62, d - a];
  const diagonals = [1, 3, 5, 7].map((k) => {
    const [x, z] = [Math.cos((k * Math.PI) / 4), Math.sin((k * Math.PI) / 4)];
    return [
      [slotEnd * x, 0, slotEnd * z],
      [half * 1.15 * x, 0, half * 1.15 * z],
    ] as const;
  });
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
        shape: { type: "cylinder", length: 0.01, radius: 0.08, axis: AXIS },
        position: at([0, 0], -0.02),
        markers: [{ name: "pin", at: at([0, -a]) }],
      },
      {
        name: "wheel",
        mass: 1,
        shape: { type: "cylinder", length: 0.01, radius: half, axis: AXIS },
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
        { body: "wheel", lines: diagonals },
        {
          body: "crank",
          lines: [
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
