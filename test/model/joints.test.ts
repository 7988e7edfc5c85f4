import { type Body, type Joint, type JointMethods, type Model, model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { addExample, freePair, jointCases } from "../support/joint-cases.js";
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
  jacobian,
  markerIn,
  moved,
  phi,
  RowKind,
  rank,
  scale,
  startOf,
  type V3,
} from "./support.js";

interface Case {
  make: (m: Model, a: Body, b: Body) => Joint;
  /** Motions of B that satisfy all rows: rotation about the axis, translation along it or across. */
  free: readonly ("turn" | "slide" | "across" | "twist")[];
}

/** Joints that couple other joints, rolling contacts, knife edges and user rows are in couplings.test.ts. */
const cases: Partial<Record<keyof JointMethods, Case>> = {
  fixed: {
    make: (m, a, b) => m.fixed({ between: [a, b], at: JOINT_POINT, axis: AXIS }),
    free: [],
  },
  revolute: {
    make: (m, a, b) => m.revolute({ between: [a, b], at: JOINT_POINT, axis: AXIS }),
    free: ["turn"],
  },
  prismatic: {
    make: (m, a, b) => m.prismatic({ between: [a, b], axis: AXIS }),
    free: ["slide"],
  },
  cylindrical: {
    make: (m, a, b) => m.cylindrical({ between: [a, b], at: JOINT_POINT, axis: AXIS }),
    free: ["turn", "slide"],
  },
  spherical: {
    make: (m, a, b) => m.spherical({ between: [a, b], at: JOINT_POINT }),
    free: ["turn", "twist"],
  },
  universal: {
    make: (m, a, b) =>
      m.universal({ between: [a, b], at: JOINT_POINT, axisA: AXIS, axisB: ACROSS }),
    free: ["turn", "twist"],
  },
  planar: {
    make: (m, a, b) => m.planar({ between: [a, b], at: JOINT_POINT, axis: AXIS }),
    free: ["turn", "across"],
  },
  parallel: {
    make: (m, a, b) => m.parallel({ between: [a, b], at: JOINT_POINT, axis: AXIS }),
    free: ["turn", "slide", "across"],
  },
  perpendicular: {
    make: (m, a, b) => m.perpendicular({ between: [a, b], axisA: AXIS, axisB: ACROSS }),
    free: ["turn", "slide", "across", "twist"],
  },
  screw: {
    make: (m, a, b) => m.screw({ between: [a, b], at: JOINT_POINT, axis: AXIS, pitch: 0.1 }),
    free: [],
  },
  distance: {
    make: (m, a, b) => m.distance({ between: [a, b], atB: JOINT_POINT }),
    free: ["turn", "twist"],
  },
  pointOnLine: {
    make: (m, a, b) => m.pointOnLine({ between: [a, b], at: JOINT_POINT, axis: AXIS }),
    free: ["turn", "slide", "twist"],
  },
  pointOnPlane: {
    make: (m, a, b) => m.pointOnPlane({ between: [a, b], at: JOINT_POINT, axis: AXIS }),
    free: ["turn", "across", "twist"],
  },
};

describe.each(Object.entries(jointCases))("%s", (type, { rows, sensors }) => {
  test("the joint has the rows and measures the quantities of its case", () => {
    const scene = freePair();
    addExample(type as keyof JointMethods, scene);
    expect(brief(lastOf(scene.m))).toEqual(rows);
    expect(Object.keys(lastOf(scene.m).sensors)).toEqual(sensors);
  });
});

describe("joints between bodies", () => {
  for (const [type, { make, free }] of Object.entries(cases)) {
    test(`${type}: rows, which hold at the start and do not depend on each other`, () => {
      const { m, a, b } = pair();
      const handle = make(m, a, b);
      expect(handle).toEqual({ kind: "joint", name: `${type} 1`, type, index: 0 });
      const joint = lastOf(m);
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
        turn: moved(start, b, [0, 0, 0], AXIS, 0.7, JOINT_POINT),
        slide: moved(start, b, scale(0.3, AXIS)),
        across: moved(start, b, scale(0.3, ACROSS)),
        twist: moved(start, b, [0, 0, 0], ACROSS, 0.7, JOINT_POINT),
      };
      for (const [motion, frames] of Object.entries(motions)) {
        const kept = largest(phi(m, frames)) < 1e-12;
        expect([motion, kept]).toEqual([motion, (free as readonly string[]).includes(motion)]);
      }
    });
  }

  test("create markers with the same frame in the world, z along the axis", () => {
    const { m, a, b } = pair();
    m.revolute({ between: [a, b], at: JOINT_POINT, axis: scale(7, AXIS) });
    const data = m.data();
    const [first, second] = [0, 1].map((i) => markerIn(data, startOf(data), i));
    expect(data.markers.map(({ name, body }) => [name, body])).toEqual([
      ["revolute 1 on body 1", 0],
      ["revolute 1 on body 2", 1],
    ]);
    for (const frame of [first, second]) {
      expect(largest(add(frame.point, scale(-1, JOINT_POINT)))).toBeLessThan(1e-15);
      expect(largest(add(frame.axes[2], scale(-1, AXIS)))).toBeLessThan(1e-15);
    }
    expect(largest(add(first.axes[0], scale(-1, second.axes[0])))).toBeLessThan(1e-15);
  });

  test("express markers in the axes of a body rotated by a quarter turn", () => {
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

  test("default to the second body, or to the first if the second is the ground", () => {
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
  test("use their frames unchanged, assembled or not", () => {
    const { m, a, b } = pair();
    const first = a.marker({ at: [1, 0, 0], axis: [0, 1, 0] });
    const second = b.marker({ at: [0, 1, 0], axis: [1, 0, 0] });
    m.revolute({ between: [first, second] });
    expect(lastOf(m).markers).toEqual([first.index, second.index]);
    expect(m.data().markers).toHaveLength(2);
    expect(largest(phi(m))).toBeGreaterThan(0.1);
  });

  test("use the marker's frame for a marker and a body", () => {
    const { m, a, b } = pair();
    m.revolute({ between: [a, b.marker({ at: [0, 1, 0], axis: [1, 0, 0] })] });
    expect(m.data().markers).toHaveLength(2);
    expect(largest(phi(m))).toBeLessThan(1e-14);
  });

  test("universal: the arms are the z axes of the markers", () => {
    const { m, a, b } = pair();
    const arm = a.marker({ at: JOINT_POINT, axis: AXIS, frame: "world" });
    m.universal({ between: [arm, b], axisB: ACROSS });
    const other = b.marker({ at: JOINT_POINT, axis: ACROSS, frame: "world" });
    m.universal({ between: [arm, other] });
    expect(largest(phi(m))).toBeLessThan(1e-14);
    expect(lastOf(m).markers).toEqual([arm.index, other.index]);
  });
});
