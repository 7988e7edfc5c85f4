// Wheels that rotate by many radians per step, under laws with closed forms: counting, measuring or coupling their
// angle must not lose a revolution.

import { NodriftError } from "nodrift";
import { type Body, compile, type Joint, type Model, model } from "nodrift/bodies";
import { realtime } from "nodrift/solve";
import { seeded } from "./random.js";

/** Outcome of a run: "right" to 1e-9, "refused" by a typed error, or "wrong" without an error. */
export interface TurningOutcome {
  readonly outcome: "right" | "refused" | "wrong";
  readonly error: number;
  /** The angle is off by half a turn or more, or a coupled quantity by more than 1e-9. */
  readonly isLost: boolean;
  readonly message?: string;
}

/** Options of a run. */
export interface TurningCase {
  readonly coordinates: "relative" | "maximal";
  /** The law acts on the bearing that is a joint of the tree, or on a second one that closes a loop. Default: "tree". */
  readonly bearing?: "tree" | "closing";
  /** Relative growth of the rate per step, for laws that accelerate. Default: 0. */
  readonly growth?: number;
  /** Whether steps are taken by a real-time loop. */
  readonly isLive?: boolean;
}

/** A wheel on a shaft, and the data of laws. */
interface Shaft {
  readonly m: Model;
  readonly wheel: Body;
  /** The bearing that the law acts on. */
  readonly joint: Joint;
  readonly axis: readonly number[];
  readonly inertia: number;
  readonly rate: number;
  readonly step: number;
  readonly acceleration: number;
  /** Stiffness of springs: small, so that fixed steps resolve the motion to rounding. */
  readonly frequency: number;
  readonly stiffness: number;
}

/** Motion of the angle, and derived quantities. */
interface Law {
  /** Mean angle of a spring, or angle of a bounce; otherwise the acceleration acts. */
  readonly centre?: number;
  readonly bounce?: number;
  readonly deceleration?: number;
  readonly isAccelerated?: boolean;
  /** Another joint whose angle or displacement is a multiple of the angle. */
  readonly follower?: {
    readonly name: string;
    readonly of: "angle" | "displacement";
    readonly factor: number;
    /** The joint whose angle it follows, if that is not the bearing. */
    readonly leader?: string;
  };
  /** A state that is the integral of the angle. */
  readonly sum?: string;
}

const SPRING: Law = { centre: 0 };
const DRIVEN: Law = { isAccelerated: true };

/** A torque along the axis. */
const along = ({ axis }: Shaft, torque: number) => axis.map((x) => torque * x);

/** A second wheel of inertia 0.1 after a gear. */
function geared(shaft: Shaft, torque: boolean): Law {
  const { m, wheel, joint, rate, inertia, acceleration } = shaft;
  const factor = -0.5;
  const other = m.body({
    name: "follower",
    mass: 1,
    inertia: [0.1, 0.1, 0.1],
    position: [9, 0, 0],
    angularVelocity: [0, 0, factor * rate],
  });
  const bearing = m.revolute({
    name: "other",
    between: [m.ground, other],
    at: [9, 0, 0],
    axis: [0, 0, 1],
  });
  m.gear({ joints: [joint, bearing], ratio: factor });
  const felt = (inertia + 0.1 * factor * factor) * acceleration;
  if (torque && felt !== 0) m.torque({ on: wheel, torque: along(shaft, felt) });
  return { isAccelerated: true, follower: { name: "other", of: "angle", factor } };
}

function racked(shaft: Shaft): Law {
  const { m, wheel, joint, rate, inertia, acceleration } = shaft;
  const radius = 0.3;
  const rack = m.body({
    name: "rack",
    mass: 1,
    inertia: [0.1, 0.1, 0.1],
    position: [0, 9, 0],
    velocity: [radius * rate, 0, 0],
  });
  const guide = m.prismatic({ name: "other", between: [m.ground, rack], axis: [1, 0, 0] });
  m.rackAndPinion({ pinion: joint, rack: guide, radius });
  const felt = (inertia + radius * radius) * acceleration;
  if (felt !== 0) m.torque({ on: wheel, torque: along(shaft, felt) });
  return { isAccelerated: true, follower: { name: "other", of: "displacement", factor: radius } };
}

/** A nut on its own thread, which rotates with the shaft. */
function screwed({ m, joint, rate }: Shaft): Law {
  const pitch = 0.4;
  const factor = pitch / (2 * Math.PI);
  const nut = m.body({
    name: "nut",
    mass: 1,
    inertia: [0.1, 0.1, 0.1],
    position: [0, 0, 9],
    velocity: [0, 0, factor * rate],
    angularVelocity: [0, 0, rate],
  });
  m.screw({ name: "other", between: [m.ground, nut], at: [0, 0, 9], axis: [0, 0, 1], pitch });
  m.driveAngle({ joint, angle: { value: (t) => rate * t, rate: () => rate } });
  return { follower: { name: "other", of: "displacement", factor, leader: "other" } };
}

/** Prescribes the angle. */
function driven({ m, joint, rate, acceleration: a }: Shaft): void {
  const value = (t: number) => rate * t + (a * t * t) / 2;
  m.driveAngle({
    joint,
    angle: { value, rate: (t) => rate + a * t, acceleration: () => a },
  });
}

const laws = {
  free: () => ({}),
  torque: (shaft) => {
    const { m, wheel, inertia, acceleration } = shaft;
    m.torque({ on: wheel, torque: along(shaft, inertia * acceleration) });
    return DRIVEN;
  },
  drive: (shaft) => {
    driven(shaft);
    return DRIVEN;
  },
  driveFormula: ({ m, joint, rate, acceleration }) => {
    m.driveAngle({ joint, angle: `${rate} * t + ${acceleration / 2} * t^2` });
    return DRIVEN;
  },
  gear: (shaft) => geared(shaft, true),
  drivenGear: (shaft) => {
    driven(shaft);
    return geared(shaft, false);
  },
  rack: racked,
  screw: screwed,
  torsionSpring: ({ m, joint, stiffness }) => {
    m.torsionSpring({ joint, stiffness });
    return SPRING;
  },
  formula: ({ m, joint, stiffness }) => {
    m.torsionSpring({ joint, torque: `-${stiffness} * angle` });
    return SPRING;
  },
  userFunction: ({ m, joint, stiffness }) => {
    m.torsionSpring({ joint, torque: (angle) => -stiffness * angle });
    return SPRING;
  },
  loadFormula: (shaft) => {
    const { m, wheel, joint, stiffness } = shaft;
    const torque = along(shaft, -stiffness).map((x) => `${x} * angle('${joint.name}')`);
    m.userForce({ bodies: [wheel], loads: [{ torque }] });
    return SPRING;
  },
  userForce: (shaft) => {
    const { m, wheel, joint, stiffness } = shaft;
    m.userForce({
      bodies: [wheel],
      apply: (_motions, [load], _t, read) => {
        const felt = along(shaft, -stiffness * read.angle(joint));
        for (let i = 0; i < 3; i++) load!.torque[i]! += felt[i]!;
      },
    });
    return SPRING;
  },
  motor: ({ m, joint, stiffness }) => {
    m.motor({ joint, mode: "position", target: 0, stiffness, damping: 0 });
    return SPRING;
  },
  motorFunction: ({ m, joint, stiffness }) => {
    m.motor({ joint, mode: "torque", target: (_t, read) => -stiffness * read.angle(joint) });
    return SPRING;
  },
  stop: ({ m, joint, rate, stiffness }) => {
    const at = -Math.sign(rate);
    m.stop({ joint, [rate > 0 ? "upper" : "lower"]: at, stiffness, exponent: 1 });
    return { centre: at };
  },
  rigidStop: ({ m, joint, rate, step }) => {
    const at = 5.37 * rate * step;
    m.stop({ joint, [rate > 0 ? "upper" : "lower"]: at, restitution: 1 });
    return { bounce: at };
  },
  friction: ({ m, joint, inertia, rate, step }) => {
    const deceleration = Math.abs(rate) / (40 * step);
    m.friction({ joint, coulomb: inertia * deceleration, transitionSpeed: 1e-6 * Math.abs(rate) });
    return { deceleration };
  },
  states: ({ m, joint }) => {
    m.states({ name: "sum", names: ["angle"], rates: (_t, _y, read) => [read.angle(joint)] });
    return { sum: "sum" };
  },
} satisfies Record<string, (shaft: Shaft) => Law>;

export type TurningLaw = keyof typeof laws;
export const turningLaws = Object.keys(laws) as TurningLaw[];

function shaftOf(law: TurningLaw, given: TurningCase, turn: number, seed: number): Shaft {
  const signed = seeded(seed);
  const random = () => (signed() + 1) / 2;
  const step = 1e-3 * (0.5 + random());
  const rate = (random() < 0.5 ? -1 : 1) * (turn / step);
  const inertia = 0.1 + random();
  const direction = [random() - 0.5, random() - 0.5, 1] as const;
  const axis = direction.map((x) => x / Math.hypot(...direction));
  const at = [4 * random(), 4 * random(), 4 * random()] as const;
  const m = model({ name: law, gravity: [0, 0, 0] });
  const wheel = m.body({
    name: "wheel",
    mass: 1 + random(),
    inertia: [inertia, inertia, inertia],
    position: at,
    angularVelocity: [rate * axis[0]!, rate * axis[1]!, rate * axis[2]!],
  });
  const between = [m.ground, wheel] as const;
  const inboard = m.revolute({ name: "inboard", between, at, axis: direction });
  const beyond = [at[0] + axis[0]!, at[1] + axis[1]!, at[2] + axis[2]!] as const;
  const joint =
    given.bearing === "closing"
      ? m.revolute({ name: "outboard", between, at: beyond, axis: direction })
      : inboard;
  const acceleration = ((given.growth ?? 0) * rate) / step;
  const frequency = 0.01 / step;
  const stiffness = inertia * frequency * frequency;
  return { m, wheel, joint, axis, inertia, rate, step, acceleration, frequency, stiffness };
}

/** The angle at a time. */
function angleAt(t: number, { rate, acceleration, frequency }: Shaft, law: Law): number {
  const { centre, bounce, deceleration, isAccelerated } = law;
  if (centre !== undefined) {
    const [c, s] = [Math.cos(frequency * t), Math.sin(frequency * t)];
    return centre * (1 - c) + (rate / frequency) * s;
  }
  if (bounce !== undefined) return t < bounce / rate ? rate * t : 2 * bounce - rate * t;
  const a = deceleration === undefined ? 0 : -Math.sign(rate) * deceleration;
  return rate * t + ((isAccelerated ? acceleration : a) * t * t) / 2;
}

/** Runs a law of a seed with a given rotation in the first step, and compares readings with the closed form. */
export async function runTurning(
  name: TurningLaw,
  given: TurningCase,
  turn: number,
  seed: number,
  steps = 12,
): Promise<TurningOutcome> {
  const shaft = shaftOf(name, given, turn, seed);
  const { m, joint, step, rate } = shaft;
  const law: Law = laws[name](shaft);
  const isCut = given.bearing === "closing" && given.coordinates === "relative";
  const tree = isCut ? { tree: { keep: ["inboard"], cut: [joint.name] } } : {};
  try {
    const compiled = await compile(m, { coordinates: given.coordinates, ...tree });
    const simulation = compiled.simulate({ step });
    const loop = given.isLive ? realtime(simulation) : undefined;
    let [error, size, isLost] = [0, 1, false];
    for (let i = 0; i < steps; i++) {
      if (loop) loop.advance(step);
      else simulation.advance();
      const { time } = simulation;
      const expected = angleAt(time, shaft, law);
      size = Math.max(size, Math.abs(expected));
      const note = (read: number | undefined, value: number, scale = size) => {
        error = Math.max(error, Math.abs(read! - value) / scale);
      };
      const angle = simulation.joint(joint.name).angle as number;
      note(simulation.joint("inboard").angle, expected);
      note(angle, expected);
      isLost ||= Math.abs(angle - expected) > Math.PI;
      const { follower, sum } = law;
      if (follower) {
        const led = simulation.joint(follower.name)[follower.of] as number;
        note(led, follower.factor * expected);
        const leading = simulation.joint(follower.leader ?? joint.name).angle as number;
        isLost ||= Math.abs(led - follower.factor * leading) > 1e-9 * size;
      }
      if (sum) note(simulation.state(sum).angle, (rate * time * time) / 2, size * time);
    }
    return { outcome: error <= 1e-9 ? "right" : "wrong", error, isLost };
  } catch (error) {
    if (!(error instanceof NodriftError) || !("time" in error)) throw error;
    return { outcome: "refused", error: 0, isLost: false, message: error.message };
  }
}
