// A change of the energy is reported as an error only if nothing else could have changed it.

import { equations } from "nodrift";
import { compile, type Model, model } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";

type Extra = (
  m: Model,
  rod: ReturnType<Model["body"]>,
  hinge: ReturnType<Model["revolute"]>,
) => void;

/** A rod on a hinge, and something that acts on it. */
function rodWith(extra: Extra): Model {
  const m = model({ gravity: [0, 0, -9.81] });
  const rod = m.body({ name: "rod", mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0] });
  const hinge = m.revolute({ between: [m.ground, rod], at: [0, 0, 0], axis: [0, 1, 0] });
  extra(m, rod, hinge);
  return m;
}

const ends = { atA: [0, 0, 1], atB: [1, 0, 0] } as const;

const CONSERVATIVE: Readonly<Record<string, Extra>> = {
  "gravity alone": () => undefined,
  "a spring": (m, rod) =>
    m.spring({ between: [m.ground, rod], ...ends, stiffness: 20, damping: 0 }),
  "a torsion spring": (m, _rod, joint) => m.torsionSpring({ joint, stiffness: 3 }),
  "a bushing": (m, rod) =>
    m.bushing({ between: [m.ground, rod], at: [0.2, 0, 0], stiffness: { translation: 50 } }),
  "a constraint of the user's own": (m, rod) =>
    m.constraint({
      bodies: [rod],
      rows: ["y"],
      value: ([pose], out) => {
        out[0] = pose!.position[1]!;
      },
    }),
};

const WORKING: Readonly<Record<string, Extra>> = {
  "a spring that pushes": (m, rod) =>
    m.spring({ between: [m.ground, rod], ...ends, stiffness: 20, force: 3 }),
  "a motor of constant torque": (m, _rod, joint) => m.torsionSpring({ joint, torque: 2 }),
  "a damper": (m, rod) => m.spring({ between: [m.ground, rod], ...ends, damping: 2 }),
  "a bushing that damps": (m, rod) =>
    m.bushing({ between: [m.ground, rod], at: [0.2, 0, 0], damping: { rotation: 0.3 } }),
  "a load": (m, rod) => m.pointForce({ on: rod, force: [0, 0, 4] }),
  drag: (m, rod) => m.drag({ on: rod, linear: 0.5 }),
  "a tyre without a damper": (m, wheel) => m.tyre({ wheel, stiffness: 100, radius: 0.3 }),
  "a drive": (m, _rod, joint) => m.driveAngle({ joint, angle: (t) => t * t }),
  "a constraint that moves": (m, rod) =>
    m.constraint({
      bodies: [rod],
      rows: ["moves"],
      value: ([pose], out, t) => {
        out[0] = pose!.position[2]! + 0.1 * t * t;
      },
    }),
};

describe("energy of mechanisms", () => {
  test.each(Object.entries(CONSERVATIVE))("energy with %s is conserved", async (_what, extra) => {
    const { statistics } = solve(await compile(rodWith(extra)), { span: [0, 1], tolerance: 1e-9 });
    expect(statistics.energyError).toBe(statistics.energyChange);
    expect(statistics.energyError).toBeLessThan(1e-6);
  });

  test.each(Object.entries(WORKING))(
    "energy with %s changes, which is no error",
    async (_what, extra) => {
      const { statistics } = solve(await compile(rodWith(extra)), {
        span: [0, 1],
        tolerance: 1e-9,
      });
      expect(statistics.energyError).toBeUndefined();
      expect(statistics.energyChange).toBeGreaterThan(1e-3);
    },
  );

  test("energy lost in a braking mode is no error from then on", async () => {
    const [free, braked] = await Promise.all(
      [CONSERVATIVE["gravity alone"]!, WORKING.drag!].map((extra) => compile(rodWith(extra))),
    );
    const { statistics } = solve(free!, {
      span: [0, 1],
      modes: { braked: braked! },
      events: [
        {
          name: "brake",
          when: ({ time }) => time - 0.5,
          action: ({ switchTo }) => switchTo("braked"),
        },
      ],
    });
    expect(statistics.energyError).toBeUndefined();
  });
});

describe("energy of equations", () => {
  const falling = { coordinates: ["z"], mass: [1], potential: (q: ArrayLike<number>) => 9 * q[0]! };
  const run = (more: object, drag = 0) => {
    const forces = (_q: unknown, v: ArrayLike<number>, out: Float64Array) => {
      out[0] = -9 - drag * v[0]!;
    };
    const system = equations({ ...falling, forces, ...more } as never);
    return solve(system, { span: [0, 1], q: [0] }).statistics;
  };

  test("energy changes with declared power or with time", () => {
    expect(run({}).energyError).toBeLessThan(1e-9);
    const power = (_q: unknown, v: ArrayLike<number>) => -2 * v[0]! * v[0]!;
    const braked = run({ power }, 2);
    expect(braked.energyError).toBeUndefined();
    expect(braked.energyChange).toBeGreaterThan(1);
    const potential = (q: ArrayLike<number>, t: number) => (9 + t) * q[0]!;
    expect(run({ potential }).energyError).toBeUndefined();
  });
});
