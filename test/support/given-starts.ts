// Checks that given velocities are kept in the initial state, to the last bit.

import { type CompiledModel, compile, type Vector } from "nodrift/bodies";
import { between, randomDirection } from "../reference/sketch.js";
import { add, cross, length, scale, subtract, three } from "../reference/vectors.js";
import { type Given, type Machine, machineOf } from "./given-machines.js";
import { type Random, seeded } from "./random.js";

/** Motion of a body: velocity of its origin and angular velocity, in the world. */
interface Twist {
  readonly velocity: Vector;
  readonly angularVelocity: Vector;
}

/**
 * Given velocities: some of a consistent motion; all of them with one changed; or two motions mixed, consistent or not.
 */
export type Asked = "fitting" | "contradicting" | "mixed";

export interface GivenCase {
  readonly name: string;
  readonly asked: Asked;
  readonly machine: Machine;
  readonly given: Given;
  /** Joints on the body whose velocity contradicts those of the others. */
  readonly guilty: readonly string[];
}

/** The case of a seed: the same bits in every engine. */
export async function givenCase(seed: number): Promise<GivenCase> {
  const random = seeded(11e6 + seed);
  const { kind, machine } = machineOf(seed);
  const asked = (["fitting", "fitting", "contradicting", "mixed"] as const)[
    Math.floor(between(random, 0, 4))
  ];
  const moving = await wandering(machine, random);
  const motion = twistsOf(moving);
  const culprit = Math.floor(between(random, 0, motion.length));
  const given = GIVERS[asked](random, motion, culprit);
  const guilty = jointsOn(moving, culprit);
  return { name: `${kind} ${seed}, ${asked}`, asked, machine, given: (i) => given[i], guilty };
}

/** A random consistent motion: the nearest to random velocities. */
function wandering(machine: Machine, random: Random): Promise<CompiledModel> {
  const wild = machine(() => ({
    velocity: [random(), random(), random()],
    angularVelocity: [random(), random(), random()],
  }));
  return compile(wild, { hold: [] });
}

function twistsOf({ q, v, data }: CompiledModel): Twist[] {
  return data.bodies.map(({ centre }, body) => {
    const R = axesOf(q, body);
    const angularVelocity = combined(R, three(v, 6 * body + 3));
    const arm = combined(R, centre);
    return {
      velocity: subtract(three(v, 6 * body), cross(angularVelocity, arm)),
      angularVelocity,
    };
  });
}

type Giver = (random: Random, motion: readonly Twist[], culprit: number) => Partial<Twist>[];

const GIVERS: Record<Asked, Giver> = {
  fitting: (random, motion, culprit) =>
    motion.map((twist, body) => part(random, twist, body === culprit)),
  contradicting(random, motion, culprit) {
    const speed = Math.max(...motion.flatMap((twist) => Object.values(twist).map(length)), 1);
    const size = speed * [1, 1e-3, 1e-6][Math.floor(between(random, 0, 3))];
    return motion.map((twist, body) =>
      body === culprit
        ? { ...twist, velocity: add(twist.velocity, scale(size, randomDirection(random))) }
        : twist,
    );
  },
  mixed: (random, motion) =>
    motion.map((twist) => {
      const factor = between(random, -2, 2);
      return part(random, {
        velocity: scale(factor, twist.velocity),
        angularVelocity: scale(factor, twist.angularVelocity),
      });
    }),
};

/** None, half or all of a motion. */
function part(random: Random, twist: Twist, something = false): Partial<Twist> {
  const { velocity, angularVelocity } = twist;
  const parts = [twist, { velocity }, { angularVelocity }, {}];
  return parts[Math.floor(between(random, 0, something ? 3 : 4))];
}

/** Bodies whose initial velocities differ from the given ones in any bit. */
export function changedBodies({ q, v, data }: CompiledModel): string[] {
  const changed = data.bodies.filter(({ centre, velocity, angularVelocity }, body) => {
    const R = axesOf(q, body);
    const own = three(v, 6 * body + 3);
    const turning = angularVelocity ? (R.map((axis) => dotOf(axis, angularVelocity)) as V) : own;
    const arm = combined(R, centre);
    const moving = velocity ? add(velocity, cross(combined(R, turning), arm)) : three(v, 6 * body);
    return [...moving, ...turning].some((x, i) => x !== v[6 * body + i]);
  });
  return changed.map(({ name }) => name);
}

type V = [number, number, number];

const dotOf = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** A linear combination of axes. */
const combined = ([x, y, z]: readonly Vector[], [a, b, c]: Vector): Vector => {
  const sum = (i: number) => x[i] * a + y[i] * b + z[i] * c;
  return [sum(0), sum(1), sum(2)];
};

/** Axes of a body in the world, by the formula for unit Euler parameters that the package has. */
function axesOf(q: Float64Array, body: number): readonly Vector[] {
  const [w, x, y, z] = q.subarray(7 * body + 3, 7 * body + 7);
  return [
    [2 * (w * w + x * x) - 1, 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 2 * (w * w + y * y) - 1, 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 2 * (w * w + z * z) - 1],
  ];
}

/** Largest error of the joints' velocities, relative to the fastest body, or 1, the size of motions. */
export function velocityError(system: CompiledModel): number {
  const speed = system.v.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
  return system.simulate({ step: 1e-3 }).constraintError().velocity / speed;
}

/** Outcome of a case. */
export interface GivenVerdict {
  readonly system: CompiledModel | undefined;
  /** Reason of the rejection, if any. */
  readonly reason: string;
  /** The joints that the reason names. */
  readonly named: readonly string[];
}

export async function judgeGiven({ machine, given }: GivenCase): Promise<GivenVerdict> {
  const model = machine(given);
  try {
    return { system: await compile(model), reason: "", named: [] };
  } catch (error) {
    const reason = (error as Error).message;
    const names = model.data().joints.map(({ name }) => name);
    return { system: undefined, reason, named: names.filter((name) => isNamed(reason, name)) };
  }
}

/** Joints are quoted, with their errors. */
const isNamed = (reason: string, name: string) =>
  reason.includes(`"${name}" (by `) || reason.includes(`"${name}" by `);

/** Names of the joints of a body. */
function jointsOn({ plan, data }: CompiledModel, body: number): string[] {
  const blocks = plan.blocks.filter(({ bodies }) => bodies.includes(body));
  return blocks.map(({ joint }) => data.joints[joint].name);
}
