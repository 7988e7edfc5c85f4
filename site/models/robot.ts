import type { BodyEntry, ModelDocument, TypedEntry } from "nodrift/files";
import { GRAVITY } from "./parts.js";

type Vector = readonly [number, number, number];

const [Y, Z] = [[0, 1, 0] as Vector, [0, 0, 1] as Vector];
const X: Vector = [1, 0, 0];

/** Links from the base outwards, stretched out: end points, mass, thickness and joint axis. */
export const LINKS = [
  { name: "turntable", from: [0, 0, 0], to: [0, 0, 0.4], mass: 30, width: 0.22, axis: Z },
  { name: "upper arm", from: [0, 0, 0.4], to: [0, 0, 1], mass: 18, width: 0.14, axis: Y },
  { name: "forearm", from: [0, 0, 1], to: [0.35, 0, 1], mass: 10, width: 0.12, axis: Y },
  { name: "wrist", from: [0.35, 0, 1], to: [0.65, 0, 1], mass: 5, width: 0.09, axis: X },
  { name: "hand", from: [0.65, 0, 1], to: [0.75, 0, 1], mass: 2, width: 0.08, axis: Y },
  { name: "tool", from: [0.75, 0, 1], to: [0.9, 0, 1], mass: 1, width: 0.05, axis: X },
] as const;

/** Taught joint angles at 0, 1, ... 6 s, interpolated by a spline that starts and ends at rest in the same pose. */
const TAUGHT = [
  [0, 0.7, 0.8, 0, -0.8, -0.7, 0],
  [0, 0.3, 0.8, 0.5, 0.8, 0.3, 0],
  [0, -0.2, -0.6, 0.3, -0.6, -0.2, 0],
  [0, 0.8, -0.8, 0.8, -0.8, 0.8, 0],
  [0, 0.5, -0.5, 0.6, -0.5, 0.5, 0],
  [0, 1.5, 0, -1.5, 0, 1.5, 0],
];
const TARGETS = TAUGHT.map((y) => ({ table: { x: y.map((_, i) => i), y } }));
/** Gains of the motors, N m/rad and N m s/rad. */
export const STIFFNESS = [8000, 8000, 5000, 800, 800, 100];
const DAMPING = [600, 600, 300, 30, 20, 2];

/** An arm of six hinges, each with a geared motor that follows its target. */
export function robot(
  targets: readonly (number | (typeof TARGETS)[number])[] = TARGETS,
): ModelDocument {
  const bodies: BodyEntry[] = [];
  const joints: TypedEntry[] = [];
  const forces: TypedEntry[] = [];
  let before = "ground";
  for (const [i, { name, from, to, mass, width, axis }] of LINKS.entries()) {
    const size = from.map((x, k) => Math.max(width, Math.abs(to[k]! - x)));
    bodies.push({
      name,
      mass,
      shape: { type: "box", x: size[0]!, y: size[1]!, z: size[2]! },
      position: from.map((x, k) => (x + to[k]!) / 2),
    });
    joints.push({
      type: "revolute",
      name: `axis ${i + 1}`,
      between: [before, name],
      at: from,
      axis,
    });
    forces.push({
      type: "motor",
      name: `motor ${i + 1}`,
      joint: `axis ${i + 1}`,
      mode: "position",
      target: targets[i]!,
      stiffness: STIFFNESS[i]!,
      damping: DAMPING[i]!,
      gearRatio: 100,
      rotorInertia: 2e-5,
    });
    before = name;
  }
  return {
    nodrift: 1,
    name: "six-axis robot",
    description:
      "Six motors with gears and rotors move an industrial arm through the points it was taught, and lag behind a little",
    units: "SI",
    gravity: GRAVITY,
    bodies,
    joints,
    forces,
    solve: { span: [0, 6], tolerance: 1e-7 },
    output: {
      at: { rate: 60 },
      values: LINKS.map((_, i) => `angle('axis ${i + 1}')`),
    },
    view: { from: "isometric", traces: [{ body: "tool", point: [0.075, 0, 0] }] },
  };
}
