import { type Equations, equations } from "../../../src/systems/equations/equations.js";
import { BRAUN_GRAVITY } from "./braun-pendulum.js";
import type { Mechanism } from "./mechanism.js";
import { type Chain, centreOfMass, link, type PlanarBody, PlanarChains } from "./planar-chains.js";

/** Lengths of a person of 1.8 m, m: of the segment and from its upper joint to its centre of mass. */
const TORSO = { length: 0.5184, centre: 0.3245184, mass: 50.85, gyration: 0.496 } as const;
const THIGH = { length: 0.441, centre: 0.190953, mass: 7.5, gyration: 0.323 } as const;
const SHANK = { length: 0.4428, centre: 0.1917324, mass: 3.4875, gyration: 0.302 } as const;
const FOOT = { length: 0.2736, centre: 0.0684, mass: 1.0875, gyration: 0.475 } as const;
/** From the ankle to the toe and to the heel along the sole, and down to it, m. */
const TOE = 0.2052;
const HEEL = 0.0684;
const SOLE = 0.0702;

/** Index of the torso's angle; then thigh, shank and foot of the forward and of the backward leg. */
const TORSO_ANGLE = 2;
const FORWARD = 3;
const BACKWARD = 6;

/** Moment of inertia from the radius of gyration, given as a fraction of the length. */
function inertia(part: { length: number; mass: number; gyration: number }): number {
  return part.mass * (part.gyration * part.length) ** 2;
}

const HIP: Chain = [link(TORSO_ANGLE, -TORSO.centre)];

/** Points and bodies of the leg whose thigh angle has this index. */
function legOf(thigh: number) {
  const [shank, foot] = [thigh + 1, thigh + 2];
  const knee = [...HIP, link(thigh, -THIGH.length)];
  const ankle = [...knee, link(shank, -SHANK.length)];
  const bodies: readonly PlanarBody[] = [
    {
      mass: THIGH.mass,
      inertia: inertia(THIGH),
      angle: thigh,
      centre: [...HIP, link(thigh, -THIGH.centre)],
    },
    {
      mass: SHANK.mass,
      inertia: inertia(SHANK),
      angle: shank,
      centre: [...knee, link(shank, -SHANK.centre)],
    },
    {
      // Half way down to the sole; the paper does not specify it.
      mass: FOOT.mass,
      inertia: inertia(FOOT),
      angle: foot,
      centre: [...ankle, link(foot, FOOT.centre, -SOLE / 2)],
    },
  ];
  return {
    bodies,
    toe: [...ankle, link(foot, TOE, -SOLE)],
    heel: [...ankle, link(foot, -HEEL, -SOLE)],
  };
}

const forward = legOf(FORWARD);
const backward = legOf(BACKWARD);
const BODIES: readonly PlanarBody[] = [
  { mass: TORSO.mass, inertia: inertia(TORSO), angle: TORSO_ANGLE, centre: [] },
  ...forward.bodies,
  ...backward.bodies,
];
const CENTRE_OF_MASS = centreOfMass(BODIES);

/** f(t) = constant + amplitude cos(frequency t). */
interface Drive {
  readonly constant: number;
  readonly amplitude: number;
  readonly frequency: number;
}

/** One constraint: a coordinate of a point, or a (difference of) angles, follows a drive. */
type Row = { readonly name: string; readonly drive: Drive } & (
  | { readonly chain: Chain; readonly axis: 0 | 1 }
  | { readonly angle: number; readonly less?: number }
);

const still = (constant: number): Drive => ({ constant, amplitude: 0, frequency: 0 });
/** size (1 - cos frequency t). */
const swing = (size: number, frequency: number): Drive => ({
  constant: size,
  amplitude: -size,
  frequency,
});

function point(name: string, chain: Chain, axis: 0 | 1, where = 0): Row {
  return { name: `${name} ${axis === 0 ? "x" : "y"}`, chain, axis, drive: still(where) };
}

function angle(name: string, index: number, drive: Drive, less?: number): Row {
  return { name, angle: index, drive, ...(less === undefined ? {} : { less }) };
}

function knee(name: string, thigh: number, drive: Drive): Row {
  return angle(name, thigh, drive, thigh + 1);
}

/** A planar biped of seven bodies with the constraints of an exercise. */
function biped(name: string, rows: readonly Row[]): Equations {
  const n = 9;
  const chains = new PlanarChains(n, BODIES, BRAUN_GRAVITY);
  return equations({
    name,
    coordinates: ["x", "y", "th", "th1", "th2", "th3", "th4", "th5", "th6"],
    prepare: (q, v) => chains.prepare(q, v),
    mass: { full: (_, out) => chains.mass(out) },
    forces: (_, __, out) => chains.forces(out),
    holonomic: {
      rows: rows.map((row) => row.name),
      value: (q, out, t) => {
        for (const [i, row] of rows.entries()) {
          const { constant, amplitude, frequency } = row.drive;
          const value =
            "chain" in row
              ? chains.position(row.chain, row.axis)
              : (q[row.angle] as number) - (row.less === undefined ? 0 : (q[row.less] as number));
          out[i] = value - constant - amplitude * Math.cos(frequency * t);
        }
      },
      jacobian: (_, out) => {
        out.fill(0);
        for (const [i, row] of rows.entries()) {
          if ("chain" in row) {
            chains.gradient(row.chain, row.axis, out, i * n);
          } else {
            out[i * n + row.angle] = 1;
            if (row.less !== undefined) out[i * n + row.less] = -1;
          }
        }
      },
      timeDerivative: (_, out, t) => {
        for (const [i, { drive }] of rows.entries()) {
          out[i] = drive.amplitude * drive.frequency * Math.sin(drive.frequency * t);
        }
      },
      gamma: (_, __, out, t) => {
        for (const [i, row] of rows.entries()) {
          const { amplitude, frequency } = row.drive;
          const bias = "chain" in row ? chains.bias(row.chain, row.axis) : 0;
          out[i] = bias - amplitude * frequency ** 2 * Math.cos(frequency * t);
        }
      },
    },
    potential: () => chains.potential(),
  });
}

const UPRIGHT = (4 * Math.PI) / 9;
const REFERENCE = "Braun and Goldfarb, CMAME 198 (2009) 3151-3160, section 5.4";
const AT_REST = [0, 0, 0, 0, 0, 0, 0, 0, 0] as const;

/** Both feet flat on the ground while the knees bend. Positions are rounded as in the paper. */
export const braunBiped1: Mechanism = {
  name: "braun-biped-1",
  description: "A biped with both feet flat on the ground bends its knees.",
  reference: REFERENCE,
  equations: biped("biped, exercise 1", [
    point("forward toe", forward.toe, 0, 0.507),
    point("forward toe", forward.toe, 1),
    point("forward heel", forward.heel, 1),
    point("backward toe", backward.toe, 0, -0.097),
    point("backward toe", backward.toe, 1),
    point("backward heel", backward.heel, 1),
    angle("torso", TORSO_ANGLE, still(UPRIGHT)),
    knee("forward knee", FORWARD, swing(Math.PI / 6, Math.PI)),
    knee("backward knee", BACKWARD, swing(Math.PI / 10, Math.PI)),
  ]),
  q: [0.056, 1.22, 1.396, 1.92, 1.92, 0, 1.222, 1.222, 0],
  v: AT_REST,
};

/** The forward foot rolls on its heel, the backward one on its toe. */
export const braunBiped2: Mechanism = {
  name: "braun-biped-2",
  description: "A biped rolls on the heel of one foot and on the toe of the other.",
  reference: REFERENCE,
  equations: biped("biped, exercise 2", [
    point("forward heel", forward.heel, 0, 0.262),
    point("forward heel", forward.heel, 1),
    point("backward toe", backward.toe, 0, -0.038),
    point("backward toe", backward.toe, 1),
    angle("torso", TORSO_ANGLE, still(UPRIGHT)),
    angle("forward foot", FORWARD + 2, {
      constant: Math.PI / 18,
      amplitude: Math.PI / 18,
      frequency: Math.PI,
    }),
    angle("backward foot", BACKWARD + 2, swing(-Math.PI / 18, Math.PI)),
    knee("forward knee", FORWARD, still(0)),
    knee("backward knee", BACKWARD, swing(Math.PI / 10, Math.PI)),
  ]),
  q: [0.056, 1.239, 1.396, 1.92, 1.92, 0.349, 1.292, 1.292, 0],
  v: AT_REST,
};

/** Angle of the torso in exercise 3, from the printed initial state, which the printed 4 pi / 9 contradicts. */
const LEANING = 1.363;
const SQUAT_FREQUENCY = (2 * Math.PI) / 5;

/** Squats on both toes with the centre of mass above them: ten constraints of rank nine. */
export const braunBiped3: Mechanism = {
  name: "braun-biped-3",
  description: "A biped squats on its toes in balance: ten constraints, nine of them independent.",
  reference: REFERENCE,
  equations: biped("biped, exercise 3", [
    point("forward toe", forward.toe, 0),
    point("forward toe", forward.toe, 1),
    point("backward toe", backward.toe, 0),
    point("backward toe", backward.toe, 1),
    angle("torso", TORSO_ANGLE, still(LEANING)),
    knee("forward knee", FORWARD, swing(Math.PI / 3, SQUAT_FREQUENCY)),
    knee("backward knee", BACKWARD, swing(Math.PI / 3, SQUAT_FREQUENCY)),
    angle("forward foot", FORWARD + 2, swing(-Math.PI / 27, SQUAT_FREQUENCY)),
    angle("backward foot", BACKWARD + 2, swing(-Math.PI / 27, SQUAT_FREQUENCY)),
    point("centre of mass", CENTRE_OF_MASS, 0),
  ]),
  q: [0.046, 1.252, 1.363, 1.363, 1.363, 0, 1.363, 1.363, 0],
  v: AT_REST,
};
