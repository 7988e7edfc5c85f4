import type { ModelDocument, TypedEntry } from "nodrift/files";
import { at, distance, GRAVITY, link, meet, type Point, pin, plate } from "./parts.js";

// Initial positions of the machine's points, in metres.
const BOOM_FOOT: Point = [0.6, 1.4];
const BOOM_CYLINDER: Point = [1.3, 0.9];
const BOOM_LUG: Point = [2.6, 3.6];
const BOOM_END: Point = [5.4, 3.9];
const STICK_CYLINDER: Point = [3.2, 4.4];
const STICK_LUG: Point = [4.9, 4.6];
const STICK_END: Point = [6.7, 1.5];
const ROCKER_AXLE: Point = [6.5, 1.9];
const BUCKET_CYLINDER: Point = [5.3, 4.35];
const ROCKER_END: Point = meet(ROCKER_AXLE, 0.55, STICK_END, 0.95, -1);
const BUCKET_LUG: Point = meet(ROCKER_END, 0.6, STICK_END, 0.4, -1);
const BUCKET_TIP: Point = [6.2, 0.3];

/** Cylinders: names, end points, and amplitudes of their length changes in metres. */
export const CYLINDERS = [
  { name: "boom cylinder", of: ["ground", "boom"], a: BOOM_CYLINDER, b: BOOM_LUG, size: 0.12 },
  { name: "stick cylinder", of: ["boom", "stick"], a: STICK_CYLINDER, b: STICK_LUG, size: 0.22 },
  {
    name: "bucket cylinder",
    of: ["stick", "rocker"],
    a: BUCKET_CYLINDER,
    b: ROCKER_END,
    size: 0.2,
  },
] as const;

/** Returns the length of a cylinder at a time. */
export function cylinderLength({ a, b, size }: (typeof CYLINDERS)[number], t: number): number {
  return distance(a, b) + (size * (1 - Math.cos((Math.PI * t) / 2))) / 2;
}

/** Returns the angle of the boom for a cylinder length, from the sides of the triangle of foot, cylinder and lug. */
export function boomAngle(length: number): number {
  const [a, b] = [distance(BOOM_FOOT, BOOM_CYLINDER), distance(BOOM_FOOT, BOOM_LUG)];
  return Math.acos((a * a + b * b - length * length) / (2 * a * b));
}

/** Returns the angle of the stick on the boom for a cylinder length. */
export function stickAngle(length: number): number {
  const [a, b] = [distance(BOOM_END, STICK_CYLINDER), distance(BOOM_END, STICK_LUG)];
  return Math.acos((a * a + b * b - length * length) / (2 * a * b));
}

export function excavator(): ModelDocument {
  const drives: TypedEntry[] = CYLINDERS.map(({ name, of, a, b, size }) => ({
    type: "driveLength",
    name,
    between: of,
    atA: at(a),
    atB: at(b),
    length: `${distance(a, b)} + ${size / 2}*(1 - cos(pi*t/2))`,
  }));
  return {
    nodrift: 1,
    name: "excavator",
    description:
      "Boom, stick and bucket on three cylinders; a four-bar turns the bucket further than its cylinder could",
    units: "SI",
    gravity: GRAVITY,
    bodies: [
      plate("boom", [BOOM_FOOT, BOOM_LUG, BOOM_END], 1200),
      plate("stick", [STICK_LUG, BOOM_END, STICK_END], 700),
      plate("bucket", [STICK_END, BUCKET_LUG, BUCKET_TIP], 500),
      link("rocker", ROCKER_AXLE, ROCKER_END, 40),
      link("bucket link", ROCKER_END, BUCKET_LUG, 40),
    ],
    joints: [
      pin("boom foot", ["ground", "boom"], BOOM_FOOT),
      pin("boom end", ["boom", "stick"], BOOM_END),
      pin("stick end", ["stick", "bucket"], STICK_END),
      pin("rocker axle", ["stick", "rocker"], ROCKER_AXLE),
      pin("rocker end", ["rocker", "bucket link"], ROCKER_END),
      pin("bucket lug", ["bucket link", "bucket"], BUCKET_LUG),
      ...drives,
    ],
    solve: { span: [0, 4], tolerance: 1e-7 },
    output: {
      at: { rate: 60 },
      values: CYLINDERS.map(({ name }) => ({
        name: `force of the ${name}`,
        value: `driveForce('${name}')`,
        unit: "N",
      })),
    },
    view: {
      from: "front",
      traces: [
        {
          body: "bucket",
          point: [
            BUCKET_TIP[0] - (STICK_END[0] + BUCKET_LUG[0] + BUCKET_TIP[0]) / 3,
            0,
            BUCKET_TIP[1] - (STICK_END[1] + BUCKET_LUG[1] + BUCKET_TIP[1]) / 3,
          ],
        },
      ],
    },
  };
}
