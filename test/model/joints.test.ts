import {
  type Body,
  type Joint,
  type JointData,
  type Model,
  model,
  type RowData,
  sphere,
} from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import {
  add,
  jacobian,
  markerIn,
  moved,
  phi,
  RowKind,
  rank,
  SensorKind,
  scale,
  sensorIn,
  startOf,
  type V3,
} from "./support.js";

const solid = { mass: 1, shape: sphere({ radius: 1 }) };
const AT: V3 = [0.3, -0.2, 0.5];
const AXIS: V3 = [2 / 3, 1 / 3, 2 / 3];
const ACROSS: V3 = [1 / Math.sqrt(2), 0, -1 / Math.sqrt(2)];

/** Two bodies that are turned and off the origin. */
function pair(): { m: Model; a: Body; b: Body } {
  const m = model();
  const a = m.body({ ...solid, position: [1, 2, 3], orientation: [0.5, 0.5, -0.5, 0.5] });
  const b = m.body({
    ...solid,
    position: [-1, 0.5, 2],
    orientation: { axis: [1, -2, 0.5], angle: 1.2 },
  });
  return { m, a, b };
}

const lastOf = (m: Model): JointData => m.data().joints.at(-1) as JointData;
const rowsOf = (joint: JointData): RowData[] => joint.blocks.flatMap((block) => block.rows);
/** "transverse 1: 2 0 0" for each row: names, kind and axes. */
const brief = (joint: JointData) =>
  rowsOf(joint).map(({ names, kind, axisA, axisB, unit }) =>
    [names.join(" "), RowKind[kind], axisA, axisB, unit].join(", "),
  );
const largest = (values: readonly number[]) => Math.max(...values.map(Math.abs));

const TRANSVERSE = ["transverse 1, DOT2, 0, 0, force", "transverse 2, DOT2, 1, 0, force"];
const AXIAL = "axial, DOT2, 2, 0, force";
const TILTS = ["tilt 1, DOT1, 0, 2, torque", "tilt 2, DOT1, 1, 2, torque"];
const TURNS = [
  "turn x, DOT1, 1, 2, torque",
  "turn y, DOT1, 2, 0, torque",
  "turn z, DOT1, 0, 1, torque",
];
const THREE = "x y z, COINCIDE, 0, 0, force";

interface Case {
  make: (m: Model, a: Body, b: Body) => Joint;
  rows: readonly string[];
  sensors: readonly string[];
  /** Motions of B that keep all rows: turns about the axis, slides along it or across. */
  free: readonly ("turn" | "slide" | "across" | "twist")[];
}

const cases: Record<string, Case> = {
  fixed: {
    make: (m, a, b) => m.fixed({ between: [a, b], at: AT, axis: AXIS }),
    rows: ["x, DOT2, 0, 0, force", "y, DOT2, 1, 0, force", "z, DOT2, 2, 0, force", ...TURNS],
    sensors: [],
    free: [],
  },
  revolute: {
    make: (m, a, b) => m.revolute({ between: [a, b], at: AT, axis: AXIS }),
    rows: [...TRANSVERSE, AXIAL, ...TILTS],
    sensors: ["angle"],
    free: ["turn"],
  },
  prismatic: {
    make: (m, a, b) => m.prismatic({ between: [a, b], axis: AXIS }),
    rows: [...TRANSVERSE, ...TURNS],
    sensors: ["displacement"],
    free: ["slide"],
  },
  cylindrical: {
    make: (m, a, b) => m.cylindrical({ between: [a, b], at: AT, axis: AXIS }),
    rows: [...TRANSVERSE, ...TILTS],
    sensors: ["angle", "displacement"],
    free: ["turn", "slide"],
  },
  spherical: {
    make: (m, a, b) => m.spherical({ between: [a, b], at: AT }),
    rows: [THREE],
    sensors: [],
    free: ["turn", "twist"],
  },
  universal: {
    make: (m, a, b) => m.universal({ between: [a, b], at: AT, axisA: AXIS, axisB: ACROSS }),
    rows: [THREE, "cross, DOT1, 2, 2, torque"],
    sensors: [],
    free: ["turn", "twist"],
  },
  planar: {
    make: (m, a, b) => m.planar({ between: [a, b], at: AT, axis: AXIS }),
    rows: [AXIAL, ...TILTS],
    sensors: ["angle"],
    free: ["turn", "across"],
  },
  screw: {
    make: (m, a, b) => m.screw({ between: [a, b], at: AT, axis: AXIS, pitch: 0.1 }),
    rows: [...TRANSVERSE, ...TILTS, "thread, COUPLE, 0, 0, force"],
    sensors: ["angle", "displacement"],
    free: [],
  },
  distance: {
    make: (m, a, b) => m.distance({ between: [a, b], atB: AT }),
    rows: ["length, DISTANCE, 0, 0, force"],
    sensors: ["length"],
    free: ["turn", "twist"],
  },
  pointOnLine: {
    make: (m, a, b) => m.pointOnLine({ between: [a, b], at: AT, axis: AXIS }),
    rows: TRANSVERSE,
    sensors: ["displacement"],
    free: ["turn", "slide", "twist"],
  },
  pointOnPlane: {
    make: (m, a, b) => m.pointOnPlane({ between: [a, b], at: AT, axis: AXIS }),
    rows: [AXIAL],
    sensors: [],
    free: ["turn", "across", "twist"],
  },
};

describe("joints between bodies", () => {
  for (const [type, { make, rows, sensors, free }] of Object.entries(cases)) {
    test(`${type}: rows, which hold at the start and do not depend on each other`, () => {
      const { m, a, b } = pair();
      const handle = make(m, a, b);
      expect(handle).toEqual({ kind: "joint", name: `${type} 1`, type, index: 0 });
      const joint = lastOf(m);
      expect(brief(joint)).toEqual(rows);
      expect(Object.keys(joint.sensors)).toEqual(sensors);
      expect(largest(phi(m))).toBeLessThan(1e-14);
      const count = rowsOf(joint).flatMap((row) => row.names).length;
      expect(rank(jacobian(m, b))).toBe(count);
      expect(rank(jacobian(m, a))).toBe(count);
      for (const { a: first, b: second, kind } of rowsOf(joint)) {
        if (kind !== RowKind.COUPLE) expect([first, second]).toEqual(joint.markers);
      }
    });

    test(`${type}: what stays free`, () => {
      const { m, a, b } = pair();
      make(m, a, b);
      const start = startOf(m.data());
      const motions = {
        turn: moved(start, b, [0, 0, 0], AXIS, 0.7, AT),
        slide: moved(start, b, scale(0.3, AXIS)),
        across: moved(start, b, scale(0.3, ACROSS)),
        twist: moved(start, b, [0, 0, 0], ACROSS, 0.7, AT),
      };
      for (const [motion, frames] of Object.entries(motions)) {
        const kept = largest(phi(m, frames)) < 1e-12;
        expect([motion, kept]).toEqual([motion, (free as readonly string[]).includes(motion)]);
      }
    });
  }

  test("have markers with the same frame in the world, z along the axis", () => {
    const { m, a, b } = pair();
    m.revolute({ between: [a, b], at: AT, axis: scale(7, AXIS) });
    const data = m.data();
    const [first, second] = [0, 1].map((i) => markerIn(data, startOf(data), i));
    expect(data.markers.map(({ name, body }) => [name, body])).toEqual([
      ["revolute 1 on body 1", 0],
      ["revolute 1 on body 2", 1],
    ]);
    for (const frame of [first, second]) {
      expect(largest(add(frame.point, scale(-1, AT)))).toBeLessThan(1e-15);
      expect(largest(add(frame.axes[2], scale(-1, AXIS)))).toBeLessThan(1e-15);
    }
    expect(largest(add(first.axes[0], scale(-1, second.axes[0])))).toBeLessThan(1e-15);
  });

  test("in the coordinates of a body that is turned by a quarter", () => {
    const m = model();
    const arm = m.body({
      ...solid,
      position: [1, 0, 0],
      orientation: { axis: [0, 0, 1], angle: Math.PI / 2 },
    });
    m.revolute({ between: [m.ground, arm], at: [1, 2, 0], axis: [1, 0, 0] });
    const [ground, body] = m.data().markers;
    expect(ground).toMatchObject({ body: -1, point: [1, 2, 0], axes: [0, 1, 0, 0, 0, 1, 1, 0, 0] });
    const expected = [2, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0];
    for (const [i, value] of [...body.point, ...body.axes].entries()) {
      expect(value).toBeCloseTo(expected[i], 15);
    }
  });

  test("without a point sit at the second body, or at the first if that is the ground", () => {
    const { m, a, b } = pair();
    m.fixed({ between: [a, b] });
    m.prismatic({ between: [a, m.ground], axis: AXIS });
    const data = m.data();
    const points = [0, 1, 2, 3].map((i) => markerIn(data, startOf(data), i).point);
    for (const [i, point] of [
      [-1, 0.5, 2],
      [-1, 0.5, 2],
      [1, 2, 3],
      [1, 2, 3],
    ].entries()) {
      expect(largest(add(points[i], scale(-1, point as V3)))).toBeLessThan(1e-15);
    }
  });
});

describe("joints between markers", () => {
  test("take their frames as they are, closed or not", () => {
    const { m, a, b } = pair();
    const first = a.marker({ at: [1, 0, 0], axis: [0, 1, 0] });
    const second = b.marker({ at: [0, 1, 0], axis: [1, 0, 0] });
    m.revolute({ between: [first, second] });
    expect(lastOf(m).markers).toEqual([first.index, second.index]);
    expect(m.data().markers).toHaveLength(2);
    expect(largest(phi(m))).toBeGreaterThan(0.1);
  });

  test("a marker and a body share the marker's frame", () => {
    const { m, a, b } = pair();
    m.revolute({ between: [a, b.marker({ at: [0, 1, 0], axis: [1, 0, 0] })] });
    expect(m.data().markers).toHaveLength(2);
    expect(largest(phi(m))).toBeLessThan(1e-14);
  });

  test("universal: the arms are their z", () => {
    const { m, a, b } = pair();
    const arm = a.marker({ at: AT, axis: AXIS, frame: "world" });
    m.universal({ between: [arm, b], axisB: ACROSS });
    const other = b.marker({ at: AT, axis: ACROSS, frame: "world" });
    m.universal({ between: [arm, other] });
    expect(largest(phi(m))).toBeLessThan(1e-14);
    expect(lastOf(m).markers).toEqual([arm.index, other.index]);
  });
});

describe("lengths", () => {
  test("distance: as far as at the start, or as told", () => {
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
  test("screw advances by its pitch in a turn", () => {
    const { m, a, b } = pair();
    m.screw({ between: [a, b], at: AT, axis: AXIS, pitch: 0.1 });
    const thread = rowsOf(lastOf(m)).at(-1) as RowData;
    expect(thread.prescribed).toBeUndefined();
    const start = startOf(m.data());
    const quarter = moved(start, b, scale(0.1 / 4, AXIS), AXIS, Math.PI / 2, AT);
    expect(largest(phi(m, quarter))).toBeLessThan(1e-14);
  });

  test("gear: the second turns ratio times as far as the first", () => {
    const { m, a, b } = pair();
    const first = m.revolute({ between: [m.ground, a], at: AT, axis: AXIS });
    const second = m.cylindrical({ between: [m.ground, b], at: [0, 0, 0], axis: ACROSS });
    m.gear({ joints: [first, second], ratio: -0.5 });
    const joint = lastOf(m);
    expect(brief(joint)).toEqual(["mesh, COUPLE, 0, 0, torque"]);
    expect(joint.markers).toBeUndefined();
    const [row] = rowsOf(joint);
    expect([row.a, row.b, row.prescribed]).toEqual([0, 1, undefined]);
    const start = startOf(m.data());
    const turned = moved(moved(start, a, [0, 0, 0], AXIS, 0.6, AT), b, [0, 0, 0], ACROSS, -0.3);
    expect(sensorIn(m.data(), turned, 0)).toBeCloseTo(0.6, 14);
    expect(largest(phi(m, turned))).toBeLessThan(1e-14);
  });

  test("rack and pinion: the rack moves by radius times angle", () => {
    const { m, a, b } = pair();
    const pinion = m.revolute({ between: [m.ground, a], at: AT, axis: AXIS });
    const rack = m.prismatic({ between: [m.ground, b], axis: ACROSS });
    m.rackAndPinion({ pinion, rack, radius: 0.2 });
    expect(brief(lastOf(m))).toEqual(["mesh, COUPLE, 0, 0, force"]);
    const start = startOf(m.data());
    const turned = moved(moved(start, a, [0, 0, 0], AXIS, 0.5, AT), b, scale(0.1, ACROSS));
    expect(largest(phi(m, turned))).toBeLessThan(1e-14);
  });

  test("drives follow the sensor of their joint", () => {
    const { m, a, b } = pair();
    const joint = m.cylindrical({ between: [a, b], at: AT, axis: AXIS });
    m.driveAngle({ joint, angle: (t) => 0.4 * t });
    expect(brief(lastOf(m))).toEqual(["angle, COUPLE, 0, 0, torque"]);
    expect(rowsOf(lastOf(m))[0]).toMatchObject({ a: 0, b: -1, constants: [1, 0] });
    m.driveDisplacement({ joint, displacement: 0.25, name: "feed" });
    expect(brief(lastOf(m))).toEqual(["displacement, COUPLE, 0, 0, force"]);
    expect(lastOf(m)).toMatchObject({ name: "feed", type: "driveDisplacement", markers: [0, 1] });
    const frames = moved(startOf(m.data()), b, scale(0.25, AXIS), AXIS, 0.8, AT);
    expect(largest(phi(m, frames, 2))).toBeLessThan(1e-14);
  });
});

describe("rolling and gliding", () => {
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
    m.rollingSphere({ body: b, radius: 0.5, plane: { body: a, point: AT, normal: AXIS } });
    const joint = lastOf(m);
    expect(rowsOf(joint).map((row) => row.axisB)).toEqual([0, 0, 0]);
    const [plane] = joint.markers ?? [-1];
    const frame = markerIn(m.data(), startOf(m.data()), plane);
    expect(largest(add(frame.point, scale(-1, AT)))).toBeLessThan(1e-15);
    expect(largest(add(frame.axes[2], scale(-1, AXIS)))).toBeLessThan(1e-15);
    const marker = a.marker();
    m.rollingSphere({ body: b, radius: 0.5, plane: marker, centre: AT });
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

describe("the user's own rows", () => {
  const pose = () => ({
    position: new Float64Array([2, 0, 3]),
    orientation: new Float64Array([1, 0, 0, 0]),
    rotation: new Float64Array(9),
  });

  test("are a block of their own", () => {
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
    expect(user?.value([pose(), pose()], out, 0)).toBeUndefined();
    expect([...out]).toEqual([-1, 0]);
    expect(user?.value.length).toBe(2);
  });

  test("may be returned", () => {
    const { m, a } = pair();
    m.constraint({
      bodies: [a],
      rows: ["x"],
      value: ([{ position }], _out, t) => [position[0] - t],
    });
    const user = lastOf(m).blocks[0].user;
    const out = new Float64Array(1);
    user?.value([pose()], out, 0.5);
    expect([...out]).toEqual([1.5]);
    expect(user?.value.length).toBe(3);
  });
});

test("compliance: one number for all rows, or some by name", () => {
  const { m, a, b } = pair();
  m.spherical({ between: [a, b], at: AT, compliance: 1e-6 });
  expect(lastOf(m).compliance).toEqual({ x: 1e-6, y: 1e-6, z: 1e-6 });
  m.revolute({ between: [a, b], at: AT, axis: AXIS, compliance: { axial: 0, "tilt 1": 2e-7 } });
  expect(lastOf(m).compliance).toEqual({ axial: 0, "tilt 1": 2e-7 });
  m.fixed({ between: [a, b] });
  expect(lastOf(m).compliance).toBeUndefined();
});
