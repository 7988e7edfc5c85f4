import { type ForceData, type MarkerMotion, type Model, model, sphere } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { ForceKind, markerIn, startOf, type V3 } from "./support.js";

const solid = { mass: 1, shape: sphere({ radius: 1 }) };

function pair() {
  const m = model();
  const a = m.body({ ...solid, position: [1, 0, 0], centre: [0, 0.5, 0] });
  const b = m.body({ ...solid, position: [1, 3, 4], orientation: [0, 0, 0, 1] });
  return { m, a, b };
}

const lastOf = (m: Model): ForceData => m.data().forces.at(-1) as ForceData;
const frameOf = (m: Model, marker: number) => markerIn(m.data(), startOf(m.data()), marker);

/** A marker at a point, in motion. */
const motionOf = (point: V3, velocity: V3 = [0, 0, 0], turning: V3 = [0, 0, 0]): MarkerMotion => ({
  point: new Float64Array(point),
  velocity: new Float64Array(velocity),
  angularVelocity: new Float64Array(turning),
  axes: new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1]),
});

/** The constants after an update. */
function updated(
  force: ForceData,
  motion: readonly MarkerMotion[],
  t = 0,
  measured: readonly number[] = [],
): number[] {
  const constants = new Float64Array(force.constants);
  force.update?.(constants, motion, new Float64Array(measured), t);
  return [...constants];
}

describe("pointForce and torque", () => {
  test("pointForce and torque act at the centre of mass, a point or a marker", () => {
    const { m, a } = pair();
    const handle = m.pointForce({ on: a, force: [1, 2, 3] });
    expect(handle).toEqual({ kind: "force", name: "pointForce 1", type: "pointForce", index: 0 });
    const force = lastOf(m);
    expect(force).toMatchObject({ kind: ForceKind.FORCE, b: -1, flag: 0, constants: [1, 2, 3] });
    expect(frameOf(m, force.a).point).toEqual([1, 0.5, 0]);
    m.pointForce({ on: a, at: [7, 8, 9], force: [1, 2, 3] });
    expect(frameOf(m, lastOf(m).a).point).toEqual([7, 8, 9]);
    const marker = a.marker({ axis: [1, 0, 0] });
    m.pointForce({ on: marker, force: [1, 2, 3], frame: "marker" });
    expect(lastOf(m)).toMatchObject({ a: marker.index, flag: 1 });
  });

  test("loads may be in the body's axes, even on a rotated marker", () => {
    const { m, b } = pair();
    m.pointForce({
      on: b.marker({ at: [1, 0, 0], axis: [1, 0, 0] }),
      force: [1, 0, 0],
      frame: "body",
    });
    const { a, flag } = lastOf(m);
    expect(flag).toBe(1);
    expect(m.data().markers[a]).toMatchObject({ axes: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
    m.torque({ on: b, torque: [0, 0, 1], frame: "body" });
    expect(lastOf(m)).toMatchObject({ kind: ForceKind.TORQUE, flag: 1, constants: [0, 0, 1] });
    expect(m.data().markers[lastOf(m).a].axes).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });

  test("loads may be laws of time and motion", () => {
    const { m, a } = pair();
    m.pointForce({ on: a, force: (t, { velocity }) => [t, -velocity[1], 0] });
    expect(updated(lastOf(m), [motionOf([0, 0, 0], [0, 5, 0])], 2)).toEqual([2, -5, 0]);
    m.torque({ on: a, torque: (_t, { angularVelocity }) => angularVelocity as Float64Array });
    expect(updated(lastOf(m), [motionOf([0, 0, 0], [0, 0, 0], [1, 2, 3])])).toEqual([1, 2, 3]);
  });
});

describe("springs", () => {
  test("spring: stiffness, free length, damping and force", () => {
    const { m, a, b } = pair();
    m.spring({ between: [a, b], stiffness: 10, damping: 2 });
    expect(lastOf(m)).toMatchObject({ kind: ForceKind.SPRING, constants: [10, 5, 2, 0] });
    m.spring({ between: [a, b], atB: [1, 1, 0], stiffness: 10, length: 0.25, force: 7 });
    expect(lastOf(m).constants).toEqual([10, 0.25, 0, 7]);
    expect(lastOf(m).update).toBeUndefined();
  });

  test("spring: a law of length, rate and time", () => {
    const { m, a, b } = pair();
    m.spring({
      between: [a, b],
      length: 1,
      force: (length, rate, t) => 100 * length + 10 * rate + t,
    });
    expect(updated(lastOf(m), [], 3, [2, 4])).toEqual([0, 1, 0, 243]);
  });

  test("torsionSpring: about the angle of a joint", () => {
    const { m, a, b } = pair();
    m.prismatic({ between: [m.ground, a], axis: [1, 0, 0] });
    const joint = m.revolute({ between: [a, b], at: [0, 0, 0], axis: [0, 1, 0] });
    m.torsionSpring({ joint, stiffness: 3, angle: 0.1, damping: 0.5, torque: (angle) => -angle });
    const force = lastOf(m);
    expect(force).toMatchObject({ kind: ForceKind.SENSOR_SPRING, a: 1, b: -1 });
    expect(updated(force, [], 0, [2, 0])).toEqual([3, 0.1, 0.5, -2]);
  });

  test("bushing: translation, then rotation, stiffness before damping", () => {
    const { m, a, b } = pair();
    m.bushing({
      between: [a, b],
      at: [0, 0, 1],
      stiffness: [1, 2, 3, 4, 5, 6],
      damping: [7, 8, 9],
    });
    expect(lastOf(m)).toMatchObject({
      kind: ForceKind.BUSHING,
      constants: [1, 2, 3, 7, 8, 9, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    });
    const first = frameOf(m, lastOf(m).a);
    expect(frameOf(m, lastOf(m).b)).toEqual(first);
    const both = { translation: 2, rotation: 3 };
    m.bushing({ between: [a, b], at: [0, 0, 1], axis: [1, 0, 0], stiffness: both });
    expect(lastOf(m).constants).toEqual([2, 2, 2, 0, 0, 0, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    m.bushing({ between: [a, b], at: [0, 0, 1], force: [1, "x", 2], torque: [3, 4, "zTurn"] });
    expect(lastOf(m).constants).toEqual([...new Array(12).fill(0), 1, 0, 2, 3, 4, 0]);
    expect(lastOf(m).formulas?.map(({ slot }) => slot)).toEqual([13, 17]);
  });
});

test("drag: four coefficients, at the centre of mass or a marker", () => {
  const { m, a } = pair();
  m.drag({ on: a, quadratic: 2, angular: 3 });
  expect(lastOf(m)).toMatchObject({ kind: ForceKind.DRAG, constants: [0, 2, 3, 0] });
  expect(frameOf(m, lastOf(m).a).point).toEqual([1, 0.5, 0]);
  const marker = a.marker();
  m.drag({ on: marker, linear: 1 });
  expect(lastOf(m).a).toBe(marker.index);
});

describe("tyre", () => {
  test("needs no update on a level road", () => {
    const { m, a } = pair();
    m.tyre({ wheel: a, stiffness: 100, damping: 5, radius: 0.3, height: 0.1, bilateral: true });
    const force = lastOf(m);
    expect(force).toMatchObject({
      kind: ForceKind.TYRE,
      constants: [100, 5, 0.3, 0.1, 0, 0, 0, 0, 0, 0],
    });
    expect(force.update).toBeUndefined();
    expect(m.data().markers[force.a]).toMatchObject({ body: -1, point: [0, 0, 0] });
    expect(frameOf(m, force.b).point).toEqual([1, 0, 0]);
  });

  test("follows the road, with finite differences or slopes", () => {
    const { m, a } = pair();
    const height = (x: number, y: number, t: number) => Math.sin(x) * Math.cos(2 * y) + t * x;
    const slope = (x: number, y: number, t: number) =>
      [Math.cos(x) * Math.cos(2 * y) + t, -2 * Math.sin(x) * Math.sin(2 * y)] as const;
    const motion = [motionOf([1, 1, 0]), motionOf([1.7, 1.4, 2], [3, -2, 1])];
    const rate = slope(0.7, 0.4, 0.5)[0] * 3 + slope(0.7, 0.4, 0.5)[1] * -2 + 0.7;
    for (const options of [{ height }, { height, slope }]) {
      m.tyre({ wheel: a, stiffness: 100, radius: 0.3, ...options });
      const constants = updated(lastOf(m), motion, 0.5);
      expect([constants[0], constants[2], constants[5]]).toEqual([100, 0.3, 1]);
      expect(constants[3]).toBeCloseTo(height(0.7, 0.4, 0.5), 14);
      expect(constants[4]).toBeCloseTo(rate, 8);
    }
  });

  test("writes derivatives of road height and rate, with finite differences or slopes", () => {
    const { m, a } = pair();
    const height = (x: number, y: number, t: number) => Math.sin(x) * Math.cos(2 * y) + t * x;
    const slope = (x: number, y: number, t: number) =>
      [Math.cos(x) * Math.cos(2 * y) + t, -2 * Math.sin(x) * Math.sin(2 * y)] as const;
    const [sx, cx, sy, cy] = [Math.sin(0.7), Math.cos(0.7), Math.sin(0.8), Math.cos(0.8)];
    const byX = -sx * cy * 3 - 2 * cx * sy * -2 + 1;
    const byY = -2 * cx * sy * 3 - 4 * sx * cy * -2;
    const motion = [motionOf([1, 1, 0]), motionOf([1.7, 1.4, 2], [3, -2, 1])];
    for (const options of [{ height }, { height, slope }]) {
      m.tyre({ wheel: a, stiffness: 100, radius: 0.3, ...options });
      const { derive, constants } = lastOf(m);
      const slots = Float64Array.from(constants);
      derive?.(slots, motion, new Float64Array(2), 0.5);
      const expected = [...slope(0.7, 0.4, 0.5), byX, byY];
      for (const [i, value] of expected.entries()) expect(slots[6 + i]).toBeCloseTo(value, 6);
    }
  });

  test("measures motion in the axes of a moving road", () => {
    const { m, a, b } = pair();
    m.tyre({ wheel: a, road: b, stiffness: 100, height: (x) => 3 * x });
    const road = motionOf([0, 0, 0], [1, 1, 0], [0, 0, 2]);
    const carried = motionOf([1, 2, 0], [1 - 4, 1 + 2, 0]);
    expect(updated(lastOf(m), [road, carried])[4]).toBeCloseTo(0, 9);
    const resting = updated(lastOf(m), [motionOf([0, 0, 0]), motionOf([1, 2, 0])]);
    expect([resting[3], resting[4]]).toEqual([3, 0]);
  });
});

describe("user functions that return no number", () => {
  const { m, a, b } = pair();
  const joint = m.revolute({ between: [a, b], at: [0, 0, 0], axis: [0, 1, 0] });
  const still = [motionOf([0, 0, 0]), motionOf([0, 0, 0])];
  const nan = () => Number.NaN;
  const cases: [() => unknown, string][] = [
    [
      () => m.pointForce({ on: a, force: () => [0, Number.NaN, 0] }),
      "pointForce 1: force gave [0, NaN, 0] at t = 1.5",
    ],
    [
      () => m.pointForce({ name: "wind", on: a, force: () => [0, 0] as never }),
      'pointForce "wind": force gave [0, 0] at t = 1.5',
    ],
    [() => m.torque({ on: a, torque: nan as never }), "torque 1: torque gave NaN at t = 1.5"],
    [() => m.spring({ between: [a, b], force: nan }), "spring 1: force gave NaN at t = 1.5"],
    [
      () => m.torsionSpring({ joint, torque: () => undefined as never }),
      "torsionSpring 1: torque gave undefined at t = 1.5",
    ],
    [
      () => m.tyre({ wheel: a, stiffness: 1, height: () => Number.POSITIVE_INFINITY }),
      "tyre 1: height gave Infinity at t = 1.5",
    ],
    [
      () => m.tyre({ wheel: a, stiffness: 1, height: () => 0, slope: () => [0, Number.NaN] }),
      "tyre 2: slope gave [0, NaN] at t = 1.5",
    ],
  ];
  for (const [make, message] of cases) {
    test(message, () => {
      make();
      const run = () => updated(lastOf(m), still, 1.5, [1, 0]);
      expect(run).toThrow(expect.objectContaining({ code: "EVALUATION", message }));
    });
  }

  test("user forces, user rows and drives report NaN", () => {
    m.userForce({
      bodies: [b],
      apply: (_motions, [{ force }]) => {
        force[1] += Number.NaN;
      },
    });
    const loads = [{ force: new Float64Array(3), torque: new Float64Array(3) }];
    expect(() => m.data().userForces[0].apply?.([], loads, 2)).toThrow(
      'userForce 1: apply gave "body 2" the force [0, NaN, 0] and the torque [0, 0, 0] at t = 2',
    );
    m.constraint({
      bodies: [b],
      rows: ["p", "q"],
      value: (_poses, out) => {
        out[0] = 1;
      },
    });
    m.constraint({ bodies: [b], rows: ["p", "q"], value: () => [1] });
    const [first, second] = m.data().joints.slice(-2);
    const run = (data: typeof first) => data.blocks[0].user?.value?.([], new Float64Array(2), 3);
    expect(() => run(first)).toThrow('constraint 1: row "q" is NaN at t = 3');
    expect(() => run(second)).toThrow("constraint 2: value gave [1] instead of 2 numbers at t = 3");
    m.driveAngle({ joint, angle: { value: () => 0, rate: () => Number.NaN } });
    const drive = m.data().joints.at(-1)?.blocks[0].rows[0].prescribed as {
      rate(t: number): number;
    };
    expect(() => drive.rate(4)).toThrow("driveAngle 1: angle.rate gave NaN at t = 4");
  });
});

test("userForce: adds on the bodies it names", () => {
  const { m, a, b } = pair();
  const handle = m.userForce({
    name: "magnet",
    bodies: [b, a],
    apply: (_motions, loads, t) => {
      loads[1].force[2] += t;
    },
  });
  expect(handle).toEqual({ kind: "force", name: "magnet", type: "userForce", index: 0 });
  const [force] = m.data().userForces;
  expect(force).toMatchObject({ name: "magnet", bodies: [1, 0] });
  const load = () => ({ force: new Float64Array(3), torque: new Float64Array(3) });
  const loads = [load(), load()];
  force.apply?.([], loads, 4);
  expect([...loads[1].force]).toEqual([0, 0, 4]);
});
