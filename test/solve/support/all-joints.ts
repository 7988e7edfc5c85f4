// One mechanism with most joints that hold positions, driven in time, and every law of force; and each joint of the
// registry alone.

import {
  type Body,
  type Joint,
  type JointMethods,
  joints,
  type Model,
  model,
} from "nodrift/bodies";
import { randomBody, vectorFrom } from "../../mechanisms/support/scene.js";
import { cross, minus, norm, plus, unit, type V3 } from "../../mechanisms/support/vectors.js";
import { addExample, freePair } from "../../support/joint-cases.js";
import { seeded } from "../../support/random.js";

const drive = (t: number) => 0.3 * Math.sin(3 * t);

/** Two bodies with one joint, and the joints that needs, on springs. */
function alone(type: keyof JointMethods): Model {
  const pair = freePair(type);
  const { m, a, b } = pair;
  addExample(type, pair);
  m.spring({ between: [m.ground, a], atA: [0.3, 1, 2], stiffness: 60, damping: 4 });
  m.bushing({
    between: [a, b],
    at: [0.5, 0.2, 1],
    stiffness: { translation: 90, rotation: 30 },
    damping: { translation: 9, rotation: 3 },
  });
  return m;
}

/** Every joint alone that holds positions by rows of ours, and the degrees of freedom it leaves. */
export const eachJoint = (Object.keys(joints) as (keyof JointMethods)[])
  .map((type) => ({ type, make: () => alone(type), blocks: blocksOf(alone(type)) }))
  .filter(({ blocks }) => blocks.every(({ holonomic, user }) => holonomic && !user))
  .map(({ type, make, blocks }) => {
    const rows = blocks.flatMap((block) => block.rows.flatMap(({ names }) => names)).length;
    return { type, make, freedom: 12 - rows };
  });

function blocksOf(m: Model) {
  return m.data().joints.flatMap(({ blocks }) => blocks);
}

export function allJoints(): Model {
  const random = seeded(12);
  const vector = () => vectorFrom(random);
  const m = model({ name: "all joints", gravity: [0.3, -0.4, -9.81] });
  const body = (): Body => m.body(randomBody(random));
  const place = () => ({ at: vector(), axis: vector() });
  const arm = body();
  const hinge = m.revolute({ between: [m.ground, arm], ...place() });
  m.driveAngle({ joint: hinge, angle: drive });
  const carriage = body();
  const slide = m.prismatic({ between: [arm, carriage], ...place() });
  const shaft = body();
  const sleeve = m.cylindrical({ between: [carriage, shaft], ...place() });
  const fork = body();
  const first = unit(vector());
  const axes = { axisA: first, axisB: unit(cross(first, vector())) };
  m.universal({ between: [shaft, fork], at: vector(), ...axes });
  const plate = body();
  m.fixed({ between: [fork, plate], at: vector() });
  const puck = body();
  m.planar({ between: [plate, puck], ...place() });
  const drawing = body();
  m.parallel({ between: [m.ground, drawing], axis: vector() });
  const nut = body();
  m.screw({ between: [m.ground, nut], ...place(), pitch: 0.6 });
  const bob = body();
  m.spherical({ between: [nut, bob], at: vector() });
  couple(m, body(), body(), arm, sleeve, slide, place);
  closeLoops(m, { puck, drawing, bob, nut, plate }, vector);
  load(m, { carriage, shaft, puck, drawing, bob, hinge: sleeve }, vector);
  return m;
}

type Place = { readonly at: V3; readonly axis: V3 };

/** A gear, a rack and pinion, and a slide that is driven. */
function couple(
  m: Model,
  wheel: Body,
  pinion: Body,
  arm: Body,
  sleeve: Joint,
  slide: Joint,
  place: () => Place,
): void {
  const turn = m.revolute({ between: [arm, wheel], ...place() });
  m.gear({ joints: [turn, sleeve], ratio: -1.7 });
  const axle = m.revolute({ between: [m.ground, pinion], ...place() });
  m.rackAndPinion({ pinion: axle, rack: slide, radius: 0.2 });
  m.torsionSpring({ joint: axle, stiffness: 30, damping: 2, angle: 0.3 });
  const sled = m.body(randomBody(seeded(13)));
  const rail = m.prismatic({ between: [wheel, sled], ...place() });
  m.driveDisplacement({ joint: rail, displacement: (t) => drive(t) / 2 });
}

function closeLoops(
  m: Model,
  { puck, drawing, bob, nut, plate }: Record<"puck" | "drawing" | "bob" | "nut" | "plate", Body>,
  vector: () => V3,
): void {
  m.distance({ between: [puck, drawing], atA: vector(), atB: vector() });
  const [atA, atB] = [vector(), plus(vector(), [2, 0, 0])];
  const length = norm(minus(atB, atA));
  m.driveLength({ between: [drawing, bob], atA, atB, length: (t) => length + drive(t) / 3 });
  m.pointOnLine({ between: [plate, drawing], at: vector(), axis: vector() });
  m.pointOnPlane({ between: [nut, puck], at: vector(), axis: vector() });
}

function load(
  m: Model,
  {
    carriage,
    shaft,
    puck,
    drawing,
    bob,
    hinge,
  }: Record<"carriage" | "shaft" | "puck" | "drawing" | "bob", Body> & { hinge: Joint },
  vector: () => V3,
): void {
  m.pointForce({ on: puck, at: vector(), force: [3, -8, 5], frame: "body" });
  m.pointForce({ on: shaft, at: vector(), force: [2, 4, -3] });
  m.torque({ on: carriage, torque: [1, 2, -2] });
  m.torque({ on: bob.marker({ axis: vector() }), torque: [1, 0, 2], frame: "marker" });
  const ends = { atA: vector(), atB: plus(vector(), [0, 2, 0]) };
  m.spring({ between: [shaft, bob], ...ends, stiffness: 80, damping: 5, length: 0.7, force: 4 });
  m.torsionSpring({ joint: hinge, stiffness: 20, damping: 3, angle: 0.2, torque: 2 });
  m.bushing({
    between: [puck, bob],
    at: vector(),
    axis: vector(),
    stiffness: [300, 200, 100, 30, 20, 10],
    damping: [9, 8, 7, 6, 5, 4],
  });
  m.drag({ on: drawing, linear: 2, quadratic: 3, angular: 0.4, angularQuadratic: 0.2 });
  m.tyre({
    wheel: drawing,
    road: carriage,
    at: vector(),
    normal: [0.1, -0.2, 1],
    stiffness: 400,
    damping: 20,
    radius: 0.5,
    bilateral: true,
    height: (x, y, t) => 0.05 * Math.sin(2 * x + t) * Math.cos(y),
    slope: (x, y, t) => [
      0.1 * Math.cos(2 * x + t) * Math.cos(y),
      -0.05 * Math.sin(2 * x + t) * Math.sin(y),
    ],
  });
}
