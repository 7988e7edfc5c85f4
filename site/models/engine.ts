import type { BodyEntry, ModelDocument, TypedEntry } from "nodrift/files";
import { at, GRAVITY, link, type Point, pin } from "./parts.js";

/** Crank radius, connecting rod length, masses, cylinder spacing (SI units), crank speed in rad/s. */
export const ENGINE = {
  radius: 0.045,
  rod: 0.145,
  piston: 0.4,
  rodMass: 0.5,
  gap: 0.1,
  speed: 100,
} as const;

/** Crank angles of the four cylinders: the outer two pistons go up while the inner two go down. */
export const THROWS = [0, Math.PI, Math.PI, 0] as const;

/** Returns the height of a piston at a crank angle from the top: r cos + sqrt(l^2 - r^2 sin^2). */
export function pistonHeight(angle: number): number {
  const { radius, rod } = ENGINE;
  return radius * Math.cos(angle) + Math.sqrt(rod ** 2 - (radius * Math.sin(angle)) ** 2);
}

export function engine(): ModelDocument {
  const { radius, gap, speed } = ENGINE;
  const bodies: BodyEntry[] = [
    {
      name: "crankshaft",
      mass: 12,
      shape: { type: "cylinder", radius: 0.03, length: 4 * gap, axis: [0, 1, 0] },
    },
  ];
  const joints: TypedEntry[] = [pin("main bearing", ["ground", "crankshaft"], [0, 0])];
  const cranks: (readonly (readonly number[])[])[] = [];
  for (const [i, offset] of THROWS.entries()) {
    const y = (i - 1.5) * gap;
    // The pistons start at the ends of their strokes.
    const crank: Point = [radius * Math.sin(offset), radius * Math.cos(offset)];
    const top: Point = [0, pistonHeight(offset)];
    const [connecting, piston] = [`rod ${i + 1}`, `piston ${i + 1}`];
    bodies.push(link(connecting, crank, top, ENGINE.rodMass, y), {
      name: piston,
      mass: ENGINE.piston,
      shape: { type: "cylinder", radius: 0.04, length: 0.05, axis: [0, 0, 1] },
      position: at(top, y),
    });
    joints.push(
      { ...pin(`crank pin ${i + 1}`, ["crankshaft", connecting], crank), at: at(crank, y) },
      { ...pin(`piston pin ${i + 1}`, [connecting, piston], top), at: at(top, y) },
      {
        type: "prismatic",
        name: `cylinder ${i + 1}`,
        between: ["ground", piston],
        at: at(top, y),
        axis: [0, 0, 1],
      },
    );
    const half = 0.3 * gap;
    cranks.push([
      at([0, 0], y - half),
      at(crank, y - half),
      at(crank, y + half),
      at([0, 0], y + half),
    ]);
  }
  joints.push({ type: "driveAngle", name: "flywheel", joint: "main bearing", angle: `${speed}*t` });
  return {
    nodrift: 1,
    name: "four-cylinder engine",
    description:
      "Four pistons on one crankshaft: the forces of the first order cancel, those of the second add up",
    units: "SI",
    gravity: GRAVITY,
    bodies,
    joints,
    solve: { span: [0, 0.2], tolerance: 1e-7 },
    output: {
      at: { rate: 3000 },
      values: [
        { name: "piston 1", value: "z('piston 1')", unit: "m" },
        { name: "piston 2", value: "z('piston 2')", unit: "m" },
        { name: "torque of the flywheel", value: "driveForce('flywheel')", unit: "N m" },
      ],
    },
    view: { from: [1, -1.2, 0.5], draw: [{ body: "crankshaft", lines: cranks }] },
  };
}
