import { model, type RowData } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import {
  ACROSS,
  AXIS,
  brief,
  JOINT_POINT,
  largest,
  lastOf,
  pair,
  rowsOf,
  solid,
} from "./joints-support.js";
import {
  add,
  markerIn,
  moved,
  phi,
  RowKind,
  SensorKind,
  scale,
  sensorIn,
  startOf,
} from "./support.js";

describe("lengths", () => {
  test("distance: as at the initial poses, or as given", () => {
    const { m, a, b } = pair();
    m.distance({ between: [a, b], atA: [0, 0, 0], atB: [3, 4, 0] });
    const [row] = rowsOf(lastOf(m));
    expect(row.prescribed).toBeCloseTo(5, 14);
    expect(row.constants).toEqual([1 / (row.prescribed as number)]);
    m.distance({ between: [a, b], length: 2 });
    expect(rowsOf(lastOf(m))[0]).toMatchObject({ prescribed: 2, constants: [1 / 2] });
  });

  test("driveLength: a function of time", () => {
    const { m, a, b } = pair();
    m.driveLength({ between: [a, b], length: { value: (t) => 2 + t, rate: () => 1 } });
    const [row] = rowsOf(lastOf(m));
    expect(row).toMatchObject({ kind: RowKind.DISTANCE, names: ["length"], constants: [0.5] });
    const { value, rate, acceleration } = row.prescribed as Exclude<
      RowData["prescribed"],
      number | undefined
    >;
    expect([value(1), rate?.(1), acceleration]).toEqual([3, 1, undefined]);
    expect(m.data().sensors[lastOf(m).sensors.length].kind).toBe(SensorKind.LENGTH);
  });
});

describe("couplings", () => {
  test("screw advances by its pitch per revolution", () => {
    const { m, a, b } = pair();
    m.screw({ between: [a, b], at: JOINT_POINT, axis: AXIS, pitch: 0.1 });
    const thread = rowsOf(lastOf(m)).at(-1) as RowData;
    expect(thread.prescribed).toBeUndefined();
    const start = startOf(m.data());
    const quarter = moved(start, b, scale(0.1 / 4, AXIS), AXIS, Math.PI / 2, JOINT_POINT);
    expect(largest(phi(m, quarter))).toBeLessThan(1e-14);
  });

  test("gear: the second rotates ratio times as far as the first", () => {
    const { m, a, b } = pair();
    const first = m.revolute({ between: [m.ground, a], at: JOINT_POINT, axis: AXIS });
    const second = m.cylindrical({ between: [m.ground, b], at: [0, 0, 0], axis: ACROSS });
    m.gear({ joints: [first, second], ratio: -0.5 });
    const joint = lastOf(m);
    expect(brief(joint)).toEqual(["mesh, COUPLE, 0, 0, torque"]);
    expect(joint.markers).toBeUndefined();
    const [row] = rowsOf(joint);
    expect([row.a, row.b, row.prescribed]).toEqual([0, 1, undefined]);
    const start = startOf(m.data());
    const turned = moved(
      moved(start, a, [0, 0, 0], AXIS, 0.6, JOINT_POINT),
      b,
      [0, 0, 0],
      ACROSS,
      -0.3,
    );
    expect(sensorIn(m.data(), turned, 0)).toBeCloseTo(0.6, 14);
    expect(largest(phi(m, turned))).toBeLessThan(1e-14);
  });

  test("rack and pinion: the rack moves by radius times angle", () => {
    const { m, a, b } = pair();
    const pinion = m.revolute({ between: [m.ground, a], at: JOINT_POINT, axis: AXIS });
    const rack = m.prismatic({ between: [m.ground, b], axis: ACROSS });
    m.rackAndPinion({ pinion, rack, radius: 0.2 });
    expect(brief(lastOf(m))).toEqual(["mesh, COUPLE, 0, 0, force"]);
    const start = startOf(m.data());
    const turned = moved(moved(start, a, [0, 0, 0], AXIS, 0.5, JOINT_POINT), b, scale(0.1, ACROSS));
    expect(largest(phi(m, turned))).toBeLessThan(1e-14);
  });

  test("drives follow the sensor of their joint", () => {
    const { m, a, b } = pair();
    const joint = m.cylindrical({ between: [a, b], at: JOINT_POINT, axis: AXIS });
    m.driveAngle({ joint, angle: (t) => 0.4 * t });
    expect(brief(lastOf(m))).toEqual(["angle, COUPLE, 0, 0, torque"]);
    expect(rowsOf(lastOf(m))[0]).toMatchObject({ a: 0, b: -1, constants: [1, 0] });
    m.driveDisplacement({ joint, displacement: 0.25, name: "feed" });
    expect(brief(lastOf(m))).toEqual(["displacement, COUPLE, 0, 0, force"]);
    expect(lastOf(m)).toMatchObject({ name: "feed", type: "driveDisplacement", markers: [0, 1] });
    const frames = moved(startOf(m.data()), b, scale(0.25, AXIS), AXIS, 0.8, JOINT_POINT);
    expect(largest(phi(m, frames, 2))).toBeLessThan(1e-14);
  });
});

describe("rolling and sliding contacts", () => {
  test("rollingDisk: a height and two velocities, on the ground", () => {
    const m = model();
    const coin = m.body({ ...solid, position: [1, 2, 0.3 * Math.cos(0.4)] });
    m.rollingDisk({ body: coin, radius: 0.3, axis: [0, Math.cos(0.4), Math.sin(0.4)] });
    const joint = lastOf(m);
    expect(joint.blocks.map((block) => block.holonomic)).toEqual([true, false]);
    expect(brief(joint)).toEqual([
      "height, WHEEL_HEIGHT, 0, 1, force",
      "rolling 1, ROLLING, 0, 1, force",
      "rolling 2, ROLLING, 1, 1, force",
    ]);
    expect(rowsOf(joint).map((row) => [row.a, row.b, row.constants])).toEqual(
      Array(3).fill([...(joint.markers ?? []), [0.3]]),
    );
    const [plane, wheel] = joint.markers ?? [-1, -1];
    expect(m.data().markers[plane]).toMatchObject({ body: -1, point: [0, 0, 0] });
    expect(m.data().markers[wheel].body).toBe(0);
    expect(largest(phi(m))).toBeLessThan(1e-15);
  });

  test("rollingSphere: on a plane of another body, or of a marker", () => {
    const { m, a, b } = pair();
    m.rollingSphere({ body: b, radius: 0.5, plane: { body: a, point: JOINT_POINT, normal: AXIS } });
    const joint = lastOf(m);
    expect(rowsOf(joint).map((row) => row.axisB)).toEqual([0, 0, 0]);
    const [plane] = joint.markers ?? [-1];
    const frame = markerIn(m.data(), startOf(m.data()), plane);
    expect(largest(add(frame.point, scale(-1, JOINT_POINT)))).toBeLessThan(1e-15);
    expect(largest(add(frame.axes[2], scale(-1, AXIS)))).toBeLessThan(1e-15);
    const marker = a.marker();
    m.rollingSphere({ body: b, radius: 0.5, plane: marker, centre: JOINT_POINT });
    expect(lastOf(m).markers?.[0]).toBe(marker.index);
  });

  test("knifeEdge: the row is along up x blade", () => {
    const m = model();
    const sleigh = m.body({ ...solid, orientation: { axis: [0, 0, 1], angle: 0.5 } });
    m.knifeEdge({ body: sleigh, at: [0.2, 0, 0], direction: [0, 2, 0], up: [0, 0.5, 1] });
    const joint = lastOf(m);
    expect(joint.blocks.map((block) => block.holonomic)).toEqual([false]);
    expect(brief(joint)).toEqual(["lateral, KNIFE_EDGE, 1, 0, force"]);
    const [row] = rowsOf(joint);
    const frame = markerIn(m.data(), startOf(m.data()), row.a);
    expect(largest(add(frame.axes[1], [1, 0, 0]))).toBeLessThan(1e-15);
    expect(largest(add(frame.axes[0], [0, -1, 0]))).toBeLessThan(1e-15);
    expect(m.data().markers[row.b].body).toBe(-1);
  });
});

describe("user-defined rows", () => {
  const pose = () => ({
    position: new Float64Array([2, 0, 3]),
    orientation: new Float64Array([1, 0, 0, 0]),
    rotation: new Float64Array(9),
  });

  test("form a separate block", () => {
    const { m, a, b } = pair();
    m.constraint({
      name: "parabola",
      bodies: [b, a],
      rows: ["height", "side"],
      unit: "torque",
      compliance: { side: 0.5 },
      value: ([{ position }], out) => {
        out[0] = position[2] - position[0] ** 2;
        out[1] = 0;
      },
    });
    const joint = lastOf(m);
    expect(joint).toMatchObject({ name: "parabola", type: "constraint", markers: undefined });
    expect(joint.compliance).toEqual({ side: 0.5 });
    const [{ holonomic, rows, user }] = joint.blocks;
    expect([holonomic, rows]).toEqual([true, []]);
    expect(user).toMatchObject({ names: ["height", "side"], bodies: [1, 0], unit: "torque" });
    const out = new Float64Array(2);
    expect(user?.value?.([pose(), pose()], out, 0)).toBeUndefined();
    expect([...out]).toEqual([-1, 0]);
    expect(user?.value?.length).toBe(2);
  });

  test("values may be returned", () => {
    const { m, a } = pair();
    m.constraint({
      bodies: [a],
      rows: ["x"],
      value: ([{ position }], _out, t) => [position[0] - t],
    });
    const user = lastOf(m).blocks[0].user;
    const out = new Float64Array(1);
    user?.value?.([pose()], out, 0.5);
    expect([...out]).toEqual([1.5]);
    expect(user?.value?.length).toBe(3);
  });
});

test("compliance: one number for all rows, or some by name", () => {
  const { m, a, b } = pair();
  m.spherical({ between: [a, b], at: JOINT_POINT, compliance: 1e-6 });
  expect(lastOf(m).compliance).toEqual({ x: 1e-6, y: 1e-6, z: 1e-6 });
  m.revolute({
    between: [a, b],
    at: JOINT_POINT,
    axis: AXIS,
    compliance: { axial: 0, "tilt 1": 2e-7 },
  });
  expect(lastOf(m).compliance).toEqual({ axial: 0, "tilt 1": 2e-7 });
  m.fixed({ between: [a, b] });
  expect(lastOf(m).compliance).toBeUndefined();
});
