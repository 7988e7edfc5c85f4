import type { BodyEntry, ModelDocument, TypedEntry } from "nodrift/files";
import { GRAVITY, link, meet, type Point, pin, plate } from "./parts.js";

// Lengths and points of US patent 6 260 862 (J. C. Klann, 2001), column 5; the longer side of the leg is one.
const UPPER_AXLE: Point = [1.366, 1.366];
const LOWER_AXLE: Point = [1.009, 0.574];
const CRANK_AXLE: Point = [1.599, 0.75];
const CRANK = 0.268;
const CONNECTING = { toRocker: 0.59, rockerToHip: 0.5221, toHip: 1.1051 } as const;
const LOWER_ROCKER = 0.3206;
const UPPER_ROCKER = 0.5177;
const LEG = { hipToKnee: 0.8966, hipToFoot: 0.8966, kneeToFoot: 1.732 } as const;

export interface KlannPose {
  readonly crank: Point;
  readonly elbow: Point;
  readonly hip: Point;
  readonly knee: Point;
  readonly foot: Point;
}

/** Returns all pins of the leg for a crank angle, by successive intersections of circles. */
export function klannPose(angle: number): KlannPose {
  const crank: Point = [
    CRANK_AXLE[0] + CRANK * Math.cos(angle),
    CRANK_AXLE[1] + CRANK * Math.sin(angle),
  ];
  const elbow = meet(crank, CONNECTING.toRocker, LOWER_AXLE, LOWER_ROCKER, -1);
  const hip = meet(crank, CONNECTING.toHip, elbow, CONNECTING.rockerToHip, -1);
  const knee = meet(hip, LEG.hipToKnee, UPPER_AXLE, UPPER_ROCKER, 1);
  const foot = meet(hip, LEG.hipToFoot, knee, LEG.kneeToFoot, 1);
  return { crank, elbow, hip, knee, foot };
}

/** Speed of the crank in rad/s. */
export const KLANN_SPEED = 3;

export function klannWalker(): ModelDocument {
  const walkerLegs = [
    { name: "one", angle: 0 },
    { name: "two", angle: Math.PI },
  ];
  const bodies: BodyEntry[] = [];
  const joints: TypedEntry[] = [];
  const traces: { body: string; point: readonly [number, number, number] }[] = [];
  for (const { name, angle } of walkerLegs) {
    const { crank, elbow, hip, knee, foot } = klannPose(angle);
    const called = (part: string) => `${part} ${name}`;
    const legPlate = plate(called("leg"), [hip, knee, foot], 1);
    bodies.push(
      link(called("crank"), CRANK_AXLE, crank, 0.2),
      plate(called("connecting arm"), [crank, elbow, hip], 0.6),
      link(called("lower rocker"), LOWER_AXLE, elbow, 0.2),
      link(called("upper rocker"), UPPER_AXLE, knee, 0.3),
      legPlate,
    );
    joints.push(
      pin(called("axle"), ["ground", called("crank")], CRANK_AXLE),
      pin(called("crank pin"), [called("crank"), called("connecting arm")], crank),
      pin(called("lower axle"), ["ground", called("lower rocker")], LOWER_AXLE),
      pin(called("elbow"), [called("lower rocker"), called("connecting arm")], elbow),
      pin(called("hip"), [called("connecting arm"), called("leg")], hip),
      pin(called("upper axle"), ["ground", called("upper rocker")], UPPER_AXLE),
      pin(called("knee"), [called("upper rocker"), called("leg")], knee),
      {
        type: "driveAngle",
        name: called("motor"),
        joint: called("axle"),
        angle: `${-KLANN_SPEED}*t`,
      },
    );
    const [x, , z] = legPlate.position as readonly [number, number, number];
    traces.push({ body: called("leg"), point: [foot[0] - x, 0, foot[1] - z] });
  }
  return {
    nodrift: 1,
    name: "Klann walker",
    description:
      "Two legs of Klann's linkage on opposite cranks: six bars each, and feet that step over stones",
    units: "SI",
    gravity: GRAVITY,
    bodies,
    joints,
    solve: { span: [0, 4], tolerance: 1e-7 },
    output: {
      at: { rate: 60 },
      values: [
        { name: "torque of motor one", value: "driveForce('motor one')", unit: "N m" },
        { name: "torque of motor two", value: "driveForce('motor two')", unit: "N m" },
      ],
    },
    view: { from: "front", traces },
  };
}
