import fc from "fast-check";
import { box, cylinder, model, rod, type Shape, sphere } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { matrixOf, rotated, turned, type V3 } from "./support.js";

/** Compares two lists entry by entry. */
function near(actual: readonly number[], expected: readonly number[], digits = 12): void {
  expect(actual).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) expect(actual[i]).toBeCloseTo(value, digits);
}

function inertiaOf(shape: Shape, mass: number): readonly number[] {
  const m = model();
  m.body({ mass, shape });
  return m.data().bodies[0].inertia;
}

/** Inertia as a sum over mass points of equal weight. */
function summed(points: readonly V3[], mass: number): number[] {
  const out = new Array(9).fill(0);
  for (const p of points) {
    const square = p[0] ** 2 + p[1] ** 2 + p[2] ** 2;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        out[i + 3 * j] += ((i === j ? square : 0) - p[i] * p[j]) * (mass / points.length);
      }
    }
  }
  return out;
}

/** Midpoints of n cells across -1/2 .. 1/2. */
const cells = (n: number) => Array.from({ length: n }, (_, i) => (i + 0.5) / n - 0.5);

describe("shapes", () => {
  test("box: against a sum over cells", () => {
    const edge: V3 = [0.7, 1.3, 0.4];
    const points = cells(60).flatMap((x) =>
      cells(60).flatMap((y) => cells(60).map((z): V3 => [x * edge[0], y * edge[1], z * edge[2]])),
    );
    near(inertiaOf(box({ x: 0.7, y: 1.3, z: 0.4 }), 3), summed(points, 3), 3);
  });

  test("cylinder: against a sum over cells of equal volume, also about a skew axis", () => {
    const [radius, length] = [0.4, 0.9];
    const axis: V3 = [0, Math.sin(0.3), Math.cos(0.3)];
    const points = cells(40).flatMap((r) =>
      cells(40).flatMap((a) =>
        cells(40).map((z): V3 => {
          const rho = radius * Math.sqrt(r + 0.5);
          const p: V3 = [
            rho * Math.cos(2 * Math.PI * a),
            rho * Math.sin(2 * Math.PI * a),
            z * length,
          ];
          return turned(p, [1, 0, 0], -0.3);
        }),
      ),
    );
    near(inertiaOf(cylinder({ radius, length, axis }), 2), summed(points, 2), 3);
  });

  test("sphere, solid and shell: closed forms", () => {
    const solid = 0.4 * 5 * 0.04;
    near(inertiaOf(sphere({ radius: 0.2 }), 5), [solid, 0, 0, 0, solid, 0, 0, 0, solid]);
    const shell = (2 / 3) * 5 * 0.04;
    near(inertiaOf(sphere({ radius: 0.2, shell: true }), 5), [
      shell,
      0,
      0,
      0,
      shell,
      0,
      0,
      0,
      shell,
    ]);
  });

  test("rod: m l^2 / 12 across, and a little about itself", () => {
    const tensor = inertiaOf(rod({ length: 2, axis: [3, 0, 0] }), 6);
    near(tensor, [6 * 0.02 ** 2 * 0.5, 0, 0, 0, 2, 0, 0, 0, 2]);
  });

  test("density determines the mass", () => {
    const m = model();
    m.body({ density: 10, shape: box({ x: 1, y: 2, z: 3 }) });
    m.body({ density: 10, shape: sphere({ radius: 1 }) });
    m.body({ density: 10, shape: cylinder({ radius: 1, length: 2 }) });
    near(
      m.data().bodies.map((body) => body.mass),
      [60, (40 * Math.PI) / 3, 20 * Math.PI],
    );
  });
});

describe("inertia", () => {
  const tensor = [0.5, -0.1, 0.02, -0.1, 0.6, 0.03, 0.02, 0.03, 0.4];

  test("accepts three moments, nine numbers, three rows, or an object with them", () => {
    const m = model();
    m.body({ mass: 1, inertia: [0.5, 0.6, 0.4] });
    m.body({ mass: 1, inertia: tensor });
    m.body({
      mass: 1,
      inertia: [
        [0.5, -0.1, 0.02],
        [-0.1, 0.6, 0.03],
        [0.02, 0.03, 0.4],
      ],
    });
    m.body({ mass: 1, inertia: { tensor } });
    m.body({ mass: 1, inertia: new Float64Array([0.5, 0.6, 0.4]) });
    const diagonal = [0.5, 0, 0, 0, 0.6, 0, 0, 0, 0.4];
    const given = m.data().bodies.map((body) => body.inertia);
    expect(given).toEqual([diagonal, tensor, tensor, tensor, diagonal]);
  });

  test("accepts principal moments in rotated axes", () => {
    fc.assert(
      fc.property(fc.double({ min: -3, max: 3, noNaN: true }), (angle) => {
        const m = model();
        const axes = { axis: [1, 2, 2] as V3, angle };
        m.body({ mass: 1, inertia: { principal: [0.5, 0.6, 0.4], axes } });
        const [x, y, z] = [0, 1, 2].map((j) =>
          turned([+(j === 0), +(j === 1), +(j === 2)], [1 / 3, 2 / 3, 2 / 3], angle),
        );
        const expected = [0, 1, 2].flatMap((j) =>
          [0, 1, 2].map((i) => 0.5 * x[i] * x[j] + 0.6 * y[i] * y[j] + 0.4 * z[i] * z[j]),
        );
        near(m.data().bodies[0].inertia, expected, 14);
      }),
    );
  });

  test("shifts a tensor about the origin by parallel axes", () => {
    const m = model();
    const centre: V3 = [0.5, -0.2, 0.1];
    const points: V3[] = [
      [0.1, 0, 0.4],
      [-0.3, 0.2, 0],
      [0.2, 0.1, -0.2],
      [0, -0.3, -0.2],
    ];
    const shifted = points.map((p): V3 => [p[0] + centre[0], p[1] + centre[1], p[2] + centre[2]]);
    m.body({ mass: 2, centre, inertia: { tensor: summed(shifted, 2), about: "origin" } });
    near(m.data().bodies[0].inertia, summed(points, 2), 14);
  });

  test("returns an exactly symmetric tensor", () => {
    const m = model();
    const axes = { axis: [0.3, 0.5, -0.7] as V3, angle: 1.1 };
    m.body({ mass: 1, inertia: { principal: [0.5, 0.6, 0.4], axes } });
    const i = m.data().bodies[0].inertia;
    expect([i[1], i[2], i[5]]).toEqual([i[3], i[6], i[7]]);
  });

  test("accepts a flat plate, whose largest moment is the sum of the others", () => {
    const m = model();
    expect(() => m.body({ mass: 1, inertia: [0.1, 0.2, 0.1 + 0.2] })).not.toThrow();
  });
});

describe("pose", () => {
  const solid = { mass: 1, shape: sphere({ radius: 1 }) };

  test("defaults to the origin, no rotation and open velocities", () => {
    const m = model();
    m.body(solid);
    expect(m.data().bodies[0]).toMatchObject({
      name: "body 1",
      centre: [0, 0, 0],
      position: [0, 0, 0],
      orientation: [1, 0, 0, 0],
      velocity: undefined,
      angularVelocity: undefined,
    });
  });

  test("quaternion, axis with angle, and matrix are equivalent", () => {
    fc.assert(
      fc.property(
        fc.tuple(...[1, 2, 3].map(() => fc.double({ min: -1, max: 1, noNaN: true }))),
        fc.double({ min: -3.1, max: 3.1, noNaN: true }),
        ([x, y, z], angle) => {
          const length = Math.hypot(x, y, z);
          fc.pre(length > 1e-3);
          const [s, c] = [Math.sin(angle / 2) / length, Math.cos(angle / 2)];
          const e = [c, s * x, s * y, s * z] as const;
          const [a, b, d] = matrixOf(e);
          const m = model();
          m.body({ ...solid, orientation: e });
          m.body({ ...solid, orientation: { axis: [x, y, z], angle } });
          m.body({ ...solid, orientation: [...a, ...b, ...d] });
          const row = (i: number) => [a[i], b[i], d[i]] as const;
          m.body({ ...solid, orientation: [row(0), row(1), row(2)] });
          const [first, ...others] = m.data().bodies.map((body) => body.orientation);
          for (const other of others) {
            const sign = Math.sign(other.reduce((sum, v, i) => sum + v * first[i], 0));
            near(
              other,
              first.map((v) => sign * v),
              12,
            );
          }
        },
      ),
    );
  });

  test("half turns survive the conversion through a matrix", () => {
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, 1, 0],
    ] as V3[]) {
      const m = model();
      m.body({ ...solid, orientation: { axis, angle: Math.PI } });
      const [x, y, z] = matrixOf(m.data().bodies[0].orientation);
      m.body({ ...solid, orientation: [...x, ...y, ...z] });
      const back = matrixOf(m.data().bodies[1].orientation);
      near(back.flat(), [x, y, z].flat(), 12);
    }
  });

  test("a nearly normalised quaternion is normalised", () => {
    const m = model();
    m.body({ ...solid, orientation: [0.6 + 1e-8, 0.8, 0, 0] });
    expect(Math.hypot(...m.data().bodies[0].orientation)).toBeCloseTo(1, 15);
  });

  test("angular velocity in the body's axes is converted to the world's", () => {
    const m = model();
    const orientation = [0.5, 0.5, 0.5, 0.5] as const;
    m.body({ ...solid, orientation, velocity: [1, 2, 3], angularVelocity: { body: [1, 2, 3] } });
    const body = m.data().bodies[0];
    near(body.angularVelocity ?? [], rotated(orientation, [1, 2, 3]));
    expect(body.velocity).toEqual([1, 2, 3]);
  });
});

describe("markers", () => {
  const solid = { mass: 1, shape: sphere({ radius: 1 }) };
  const quarter = { axis: [0, 0, 1] as V3, angle: Math.PI / 2 };

  test("accepts a point and axis in the body's frame", () => {
    const m = model();
    const body = m.body({ ...solid, position: [5, 6, 7], orientation: quarter });
    const marker = body.marker({ name: "tip", at: [1, 2, 3], axis: [2, 0, 0] });
    expect(marker).toMatchObject({ kind: "marker", name: "tip", index: 0, body });
    expect(m.data().markers[0]).toEqual({
      name: "tip",
      body: 0,
      point: [1, 2, 3],
      axes: [0, 1, 0, 0, 0, 1, 1, 0, 0],
    });
  });

  test("accepts a point and axis in the world", () => {
    const m = model();
    const body = m.body({ ...solid, position: [5, 6, 7], orientation: quarter });
    body.marker({ at: [5, 7, 7], axis: [0, 1, 0], x: [1, 5, 0], frame: "world" });
    body.marker({ frame: "world" });
    const [tip, origin] = m.data().markers;
    near(tip.point, [1, 0, 0]);
    near(tip.axes, [0, -1, 0, 0, 0, -1, 1, 0, 0]);
    near(origin.point, [0, 0, 0]);
    near(origin.axes, [0, -1, 0, 1, 0, 0, 0, 0, 1]);
  });

  test("the ground has markers too, and names are per body", () => {
    const m = model();
    const body = m.body(solid);
    m.ground.marker();
    m.ground.marker({ at: [1, 0, 0] });
    body.marker();
    const names = m.data().markers.map(({ name, body: owner }) => [name, owner]);
    expect(names).toEqual([
      ["marker 1", -1],
      ["marker 2", -1],
      ["marker 1", 0],
    ]);
  });

  test("get right-handed orthonormal axes for every axis", () => {
    const number = fc.double({ min: -1e3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(number, number, number), (axis) => {
        fc.pre(Math.hypot(...axis) > 0);
        const m = model();
        m.ground.marker({ axis });
        const a = m.data().markers[0].axes;
        const [x, y, z] = [0, 3, 6].map((i) => a.slice(i, i + 3) as unknown as V3);
        const product = (p: V3, q: V3) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        near([product(x, x), product(y, y), product(z, z)], [1, 1, 1], 13);
        near([product(x, y), product(y, z), product(z, x)], [0, 0, 0], 13);
        near([x[1] * y[2] - x[2] * y[1]], [z[0]], 13);
      }),
    );
  });
});

describe("model", () => {
  test("model() has a name, gravity and a ground", () => {
    const m = model();
    expect(m.data()).toMatchObject({ name: "model", gravity: [0, 0, -9.81] });
    expect(m.ground).toMatchObject({ kind: "body", name: "ground", index: -1 });
    expect(model({ name: "moon", gravity: [0, -1.6, 0] }).data().gravity).toEqual([0, -1.6, 0]);
  });

  test("names unnamed parts by type and number, avoiding names in use", () => {
    const m = model();
    const solid = { mass: 1, shape: sphere({ radius: 1 }) };
    m.body({ ...solid, name: "crank" });
    m.body(solid);
    m.body({ ...solid, name: "body 3" });
    const last = m.body(solid);
    expect(m.data().bodies.map(({ name }) => name)).toEqual([
      "crank",
      "body 2",
      "body 3",
      "body 4",
    ]);
    m.spherical({ between: [m.ground, last], at: [0, 0, 0] });
    m.fixed({ between: [m.ground, last] });
    m.spherical({ between: [m.ground, last], at: [0, 0, 0] });
    const names = m.data().joints.map(({ name }) => name);
    expect(names).toEqual(["spherical 1", "fixed 1", "spherical 2"]);
  });

  test("data() is frozen, and unaffected by later additions", () => {
    const m = model();
    const before = m.data();
    m.body({ mass: 1, shape: sphere({ radius: 1 }) });
    expect(before.bodies).toHaveLength(0);
    const { bodies } = m.data();
    expect([m, before, bodies, bodies[0], bodies[0].inertia].every(Object.isFrozen)).toBe(true);
  });

  test("owns() accepts only its own handles", () => {
    const [m, other] = [model(), model()];
    expect(m.owns(m.ground)).toBe(true);
    expect(m.owns(other.ground)).toBe(false);
  });

  test("remains unchanged after a mistake", () => {
    const m = model();
    const arm = m.body({ mass: 1, shape: sphere({ radius: 1 }) });
    const before = m.data();
    const bad = { between: [m.ground, arm], at: [0, 0, 0], axis: [0, 0, 1], pitch: 1 } as const;
    expect(() => m.screw({ ...bad, compliance: -1 })).toThrow("negative");
    expect(m.data()).toEqual(before);
    m.screw(bad);
    expect(m.data().joints[0].name).toBe("screw 1");
  });
});
