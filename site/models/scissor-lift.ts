import type { BodyEntry, ModelDocument, TypedEntry } from "nodrift/files";
import { at, GRAVITY, link, type Point, pin } from "./parts.js";

/** Number of stages, arm length and initial distance of the feet in metres. */
const STAGES = 3;
const ARM = 1.2;
const WIDTH = 1.1;

/** Displacement of the foot: the distance of the feet varies smoothly between 1.1 m and 0.5 m. */
export const FOOT = "-0.3*(1 - cos(pi*t/3))";

/** Returns the height of the platform for a distance `width` of the feet: n sqrt(L^2 - w^2). */
export function liftHeight(width: number): number {
  return STAGES * Math.sqrt(ARM ** 2 - width ** 2);
}

export function liftWidth(t: number): number {
  return WIDTH - 0.3 * (1 - Math.cos((Math.PI * t) / 3));
}

/** Three crossed pairs of arms; one foot is pinned, the other is driven along the floor. */
export function scissorLift(): ModelDocument {
  const rise = Math.sqrt(ARM ** 2 - WIDTH ** 2);
  const left = (stage: number): Point => [0, stage * rise];
  const right = (stage: number): Point => [WIDTH, stage * rise];
  const bodies: BodyEntry[] = [];
  const joints: TypedEntry[] = [pin("pinned foot", ["ground", "up 1"], left(0))];
  for (let i = 0; i < STAGES; i++) {
    const [up, down] = [`up ${i + 1}`, `down ${i + 1}`];
    bodies.push(link(up, left(i), right(i + 1), 4), link(down, right(i), left(i + 1), 4));
    joints.push(pin(`cross ${i + 1}`, [up, down], [WIDTH / 2, (i + 0.5) * rise]));
    if (i === 0) continue;
    joints.push(pin(`left ${i}`, [`down ${i}`, up], left(i)));
    joints.push(pin(`right ${i}`, [`up ${i}`, down], right(i)));
  }
  const top = STAGES * rise;
  bodies.push({
    name: "platform",
    mass: 60,
    shape: { type: "box", x: 1.5, y: 0.5, z: 0.08 },
    position: at([0.6, top]),
  });
  joints.push(pin("pinned top", [`down ${STAGES}`, "platform"], left(STAGES)));
  const slot = (name: string, between: readonly [string, string], point: Point): TypedEntry => ({
    type: "pointOnLine",
    name,
    between,
    at: at(point),
    axis: [1, 0, 0],
  });
  joints.push(slot("sliding top", ["platform", `up ${STAGES}`], right(STAGES)));
  joints.push(slot("sliding foot", ["ground", "down 1"], right(0)));
  joints.push({
    type: "driveDisplacement",
    name: "cylinder",
    joint: "sliding foot",
    displacement: FOOT,
  });
  return {
    nodrift: 1,
    name: "scissor lift",
    description:
      "Three crossed pairs of arms turn a push along the floor into height, ever harder as the lift is lower",
    units: "SI",
    gravity: GRAVITY,
    bodies,
    joints,
    solve: { span: [0, 6], tolerance: 1e-8 },
    output: {
      at: { rate: 60 },
      values: [
        { name: "height", value: "z('platform')", unit: "m" },
        { name: "push of the cylinder", value: "driveForce('cylinder')", unit: "N" },
      ],
    },
    view: { from: "front" },
  };
}
