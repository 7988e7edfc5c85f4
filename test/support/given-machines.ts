// Random machines with some given velocities: trees, loops, gears, drives, wheels. Masses are 1e-6 to 1e6 kg.

import { type Model, model, type Vector } from "nodrift/bodies";
import { loopClasses, loopClassNames } from "../reference/loops.js";
import { GROUND, type JointType } from "../reference/mechanism.js";
import { modelOf } from "../reference/nodrift-model.js";
import {
  between,
  mechanismOf,
  placed,
  randomDirection,
  randomPoint,
  randomTurn,
  type SketchJoint,
} from "../reference/sketch.js";
import { add, scale } from "../reference/vectors.js";
import { anyMasses } from "./mass-ratios.js";
import { type Random, seeded } from "./random.js";

/** Given velocities of a body, by its index. */
export type Given = (body: number) => {
  readonly velocity?: Vector;
  readonly angularVelocity?: Vector;
};

/** A machine that can be rebuilt with other velocities. */
export type Machine = (given: Given) => Model;

type Handle = ReturnType<Model["body"]>;
type Hinge = ReturnType<Model["revolute"]>;

const TREE_JOINTS: readonly JointType[] = [
  "revolute",
  "prismatic",
  "cylindrical",
  "spherical",
  "universal",
  "fixed",
  "distance",
];

const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(between(random, 0, list.length))];

/** Generators by kind, from a seed. */
const KINDS: Record<string, (seed: number) => Machine> = {
  trees: (seed) => sketched(seed, tree),
  loops: (seed) => {
    const { make } = loopClasses[loopClassNames[seed % loopClassNames.length]];
    return sketched(seed, (random) => make(random).joints);
  },
  gears: (seed) => (given) => gears(new Workshop(seed, given)),
  drives: (seed) => (given) => drives(new Workshop(seed, given)),
  wheels: (seed) => (given) => wheels(new Workshop(seed, given)),
};

export const machineKinds = Object.keys(KINDS);

/** The machine of a seed; kinds alternate. */
export function machineOf(seed: number): { kind: string; machine: Machine } {
  const kind = machineKinds[seed % machineKinds.length];
  return { kind, machine: KINDS[kind](Math.floor(seed / machineKinds.length)) };
}

function sketched(seed: number, joints: (random: Random) => readonly SketchJoint[]): Machine {
  const random = seeded(7e6 + seed);
  const sketch = placed(random, { joints: joints(random) });
  const mechanism = mechanismOf("machine", random, sketch, anyMasses);
  return (given) => modelOf(mechanism, given);
}

/** Each body is joined to an earlier one, or to the ground. */
function tree(random: Random): SketchJoint[] {
  const count = Math.floor(between(random, 1, 9));
  return Array.from({ length: count }, (_, body): SketchJoint => {
    const type = pick(random, TREE_JOINTS);
    const a = body === 0 ? GROUND : Math.floor(between(random, GROUND, body));
    const at = scale(3, randomPoint(random));
    return {
      type,
      a,
      b: body,
      at,
      ...(type === "distance" && { atB: add(at, randomDirection(random)) }),
      ...(type !== "distance" && type !== "spherical" && { axis: randomDirection(random) }),
      ...(type === "universal" && { axisB: randomDirection(random) }),
    };
  });
}

/** A model in the making: bodies of any mass, anywhere. */
class Workshop {
  readonly m = model({ name: "machine" });
  readonly random: Random;
  readonly #given: Given;
  #count = 0;

  constructor(seed: number, given: Given) {
    this.random = seeded(9e6 + seed);
    this.#given = given;
  }

  /** The centre of mass lies near the origin of the body. */
  body(position: Vector): Handle {
    const { random } = this;
    const mass = anyMasses(random, 0);
    const moment = (between(random, 0.1, 0.5) * anyMasses(random, 0)) / 3;
    const given = this.#given(this.#count++);
    return this.m.body({
      mass,
      inertia: [moment, 1.1 * moment, 1.2 * moment],
      centre: scale(0.2, randomPoint(random)),
      position,
      orientation: randomTurn(random),
      ...given,
    });
  }

  /** A shaft in bearings of a carrier. */
  shaft(carrier: Handle): Hinge {
    const at = scale(2, randomPoint(this.random));
    return this.m.revolute({
      between: [carrier, this.body(add(at, randomPoint(this.random)))],
      at,
      axis: randomDirection(this.random),
    });
  }

  /** A body joined to another one. */
  hung(on: Handle): Handle {
    const at = scale(2, randomPoint(this.random));
    const body = this.body(add(at, randomPoint(this.random)));
    const axis = randomDirection(this.random);
    if (this.random() < 0) this.m.spherical({ between: [on, body], at });
    else this.m.revolute({ between: [on, body], at, axis });
    return body;
  }
}

/** Shafts on the ground or on a rotating carrier, one gear after the other; a rack at the end of some. */
function gears(shop: Workshop): Model {
  const { m, random } = shop;
  let carrier: Handle = m.ground;
  if (random() < 0) {
    carrier = shop.body(randomPoint(random));
    m.revolute({ between: [m.ground, carrier], at: [0, 0, 0], axis: randomDirection(random) });
  }
  let last = shop.shaft(carrier);
  const count = Math.floor(between(random, 1, 5));
  for (let i = 0; i < count; i++) {
    const next = shop.shaft(carrier);
    m.gear({ joints: [last, next], ratio: (random() < 0 ? -1 : 1) * between(random, 0.05, 20) });
    last = next;
  }
  if (random() < 0) {
    const slide = shop.body(randomPoint(random));
    const rack = m.prismatic({ between: [carrier, slide], axis: randomDirection(random) });
    m.rackAndPinion({ pinion: last, rack, radius: between(random, 0.1, 1) });
    shop.hung(slide);
  }
  return m;
}

/** A motor or an actuator, the body it moves, and attached bodies. */
function drives(shop: Workshop): Model {
  const { m, random } = shop;
  const rate = 5 * random();
  const prescribed = (t: number) => rate * t;
  let moved = shop.body(randomPoint(random));
  const axis = randomDirection(random);
  if (random() < 0) {
    const joint = m.revolute({ between: [m.ground, moved], at: [0, 0, 0], axis });
    m.driveAngle({ joint, angle: prescribed });
  } else {
    const joint = m.prismatic({ between: [m.ground, moved], axis });
    m.driveDisplacement({ joint, displacement: prescribed });
  }
  const count = Math.floor(between(random, 1, 4));
  for (let i = 0; i < count; i++) moved = shop.hung(moved);
  return m;
}

/** A disk or a ball on the floor, and attached bodies. */
function wheels(shop: Workshop): Model {
  const { m, random } = shop;
  const radius = between(random, 0.1, 1);
  const lean = between(random, -0.8, 0.8);
  const upright = Math.sqrt(1 - lean * lean);
  const isBall = random() < 0;
  const height = isBall ? radius : radius * upright;
  let hub = shop.body([random(), random(), height]);
  if (isBall) m.rollingSphere({ body: hub, radius });
  else m.rollingDisk({ body: hub, radius, axis: [0, upright, lean] });
  const count = Math.floor(between(random, 0, 3));
  for (let i = 0; i < count; i++) hub = shop.hung(hub);
  return m;
}
