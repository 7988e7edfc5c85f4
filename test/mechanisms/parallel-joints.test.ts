import { type Body, type CompiledModel, compile, type Model, model } from "nodrift/bodies";
import { SparseTable } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";
import { vectorFrom } from "./support/scene.js";
import { plus, scaled, unit, type V3 } from "./support/vectors.js";

const at = (from: V3, along: V3, by: number): V3 => plus(from, scaled(by, along));

interface Place {
  readonly point: V3;
  readonly axis: V3;
}
type Between = Parameters<Model["revolute"]>[0]["between"];

/** Joints that connect two bodies repeatedly: creates the joint with an index, at a position of its own. */
const KINDS: Record<string, (m: Model, between: Between, i: number, place: Place) => void> = {
  hinges: (m, between, i, { point, axis }) => {
    m.revolute({ name: `j${i}`, between, at: at(point, axis, 0.03 * i), axis });
  },
  "balls on a line": (m, between, i, { point, axis }) => {
    m.spherical({ name: `j${i}`, between, at: at(point, axis, 0.05 * i) });
  },
  "hinges and balls on their axis": (m, between, i, place) => {
    KINDS[i % 3 === 0 ? "balls on a line" : "hinges"]!(m, between, i, place);
  },
  slides: (m, between, i, { point, axis }) => {
    m.prismatic({
      name: `j${i}`,
      between,
      at: at(point, [axis[1], axis[2], axis[0]], 0.02 * i),
      axis,
    });
  },
  cylinders: (m, between, i, { point, axis }) => {
    m.cylindrical({ name: `j${i}`, between, at: at(point, axis, 0.04 * i), axis });
  },
  "universal joints in one place": (m, between, i, { point, axis }) => {
    const [x, y, z] = axis;
    const other = unit(Math.abs(x) < 0.5 ? [0, z, -y] : [-z, 0, x]);
    m.universal({ name: `j${i}`, between, at: point, axisA: axis, axisB: other });
  },
};

/** A random chain of three bodies with many joints in the middle. */
function chain(kind: string, count: number, seed: number): Model {
  const random = seeded(seed);
  const m = model({ name: "chain" });
  const bodies = [0, 1, 2].map((i) =>
    m.body({
      name: `b${i}`,
      mass: 1 + 0.5 * random(),
      inertia: [0.1 + 0.02 * random(), 0.11, 0.12],
      position: at([i, 0, 0], vectorFrom(random), 0.2),
    }),
  );
  const [a, b, c] = bodies as [(typeof bodies)[0], (typeof bodies)[0], (typeof bodies)[0]];
  m.revolute({ between: [m.ground, a], at: [-0.5, 0, 0], axis: unit(vectorFrom(random)) });
  const place = { point: at([0.5, 0, 0], vectorFrom(random), 0.1), axis: unit(vectorFrom(random)) };
  for (let i = 0; i < count; i++) KINDS[kind]!(m, [a, b], i, place);
  m.spherical({ between: [b, c], at: at([1.5, 0, 0], vectorFrom(random), 0.1) });
  return m;
}

/**
 * A chain with 120 hinges in the middle, open by about the length of its bodies. Axes differ by less
 * than a right angle: beyond that hinges close in the opposite direction, one as well as 120.
 */
function openChain(seed: number): Model {
  const random = seeded(seed);
  const near = (point: V3) => plus(point, vectorFrom(random));
  const axis = () => unit(at([0, 1, 0], vectorFrom(random), 0.4));
  const m = model({ name: "open" });
  const [a, b, c] = [0.5, 1.5, 2.5].map((x) =>
    m.body({ mass: 1, inertia: [0.1, 0.1, 0.1], position: near([x, 0, 0]) }),
  ) as [Body, Body, Body];
  const end = a.marker({ at: [-0.5, 0, 0], axis: axis() });
  m.revolute({ between: [m.ground.marker({ axis: [0, 1, 0] }), end] });
  const [one, other] = [axis(), axis()];
  for (let i = 0; i < 120; i++) {
    const there = a.marker({ at: at([0.5, 0, 0], one, 0.01 * i), axis: one });
    const here = b.marker({ at: at([-0.5, 0, 0], other, 0.01 * i), axis: other });
    m.revolute({ between: [there, here] });
  }
  m.spherical({ between: [b.marker({ at: [0.5, 0, 0] }), c.marker({ at: [-0.5, 0, 0] })] });
  return m;
}

function hinges(count: number): Model {
  const m = model({ name: "hinges" });
  const body = m.body({ mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0] });
  for (let i = 0; i < count; i++)
    KINDS.hinges!(m, [m.ground, body], i, { point: [0, 0, 0], axis: [0, 0, 1] });
  return m;
}

/** Compiles, and counts solves and all other operations that pass a checkpoint. */
async function counted(m: Model): Promise<{ compiled: CompiledModel; turns: number }> {
  let turns = 0;
  const signal = {
    get aborted() {
      turns++;
      return false;
    },
  };
  const compiled = await compile(m, { signal });
  return { compiled, turns };
}

function productsOf({ plan }: CompiledModel): number {
  const { table } = plan.sparse;
  const updates = table.slice(table[SparseTable.UPDATES], table[SparseTable.INCIDENCES]);
  return updates.filter((slot) => slot >= 0).length;
}

describe("many joints between two bodies", () => {
  test("need linear memory and work, and solve correctly", async () => {
    const few = await counted(hinges(40));
    const many = await counted(hinges(80));
    expect(many.compiled.report.rank).toBe(5);
    const slots = ({ compiled }: typeof few) => compiled.plan.sparse.blockSlots;
    // All of these grow linearly. A dense factor has 4 times the slots and 8 times the products.
    expect(slots(many) / slots(few)).toBeLessThan(2.1);
    expect(productsOf(many.compiled) / productsOf(few.compiled)).toBeLessThan(2.1);
    expect(many.turns / few.turns).toBeLessThan(2.5);
  });

  test("produce the same report as few joints", async () => {
    const { report } = await compile(hinges(40));
    expect([report.rows, report.rank, report.degreesOfFreedom]).toEqual([200, 5, 1]);
    expect(report.redundant.map(({ text }) => text)).toEqual(
      Array.from(
        { length: 39 },
        (_, i) => `"j${i + 1}": transverse 1, transverse 2, axial, tilt 1, tilt 2 repeat "j0"`,
      ),
    );
    expect(report.unique("j0: axial")).toBe(false);
    expect(report.unique("j39: tilt 1")).toBe(false);
  });

  test.each(Object.keys(KINDS))("move like two of them: %s", async (kind) => {
    for (const seed of [1, 2, 3]) {
      const two = await compile(chain(kind, 2, seed));
      const many = await compile(chain(kind, 30, seed));
      expect(many.report.degreesOfFreedom).toBe(two.report.degreesOfFreedom);
      expect(many.plan.follows.filter((leaders) => leaders.length > 0).length).toBeGreaterThan(25);
      const [q, wanted] = [many, two].map((compiled) => {
        const state = compiled.simulate({ step: 1e-3 }).runTo(0.2);
        return ["b0", "b1", "b2"].flatMap((name) => [...state.body(name).position]);
      });
      q!.forEach((x, i) => {
        expect(Math.abs(x - wanted![i]!)).toBeLessThan(1e-10);
      });
    }
  });

  test("carry the same total load as one joint", async () => {
    const sums = [1, 30].map(async (count) => {
      const state = (await compile(chain("hinges", count, 5))).simulate({ step: 1e-3 }).runTo(0.1);
      const sum = [0, 0, 0];
      for (let i = 0; i < count; i++) {
        state
          .joint(`j${i}`)
          .force()
          .forEach((x, k) => {
            sum[k]! += x;
          });
      }
      return sum;
    });
    const [one, many] = await Promise.all(sums);
    for (const k of [0, 1, 2]) expect(many![k]).toBeCloseTo(one![k]!, 8);
  });

  test("close from initial states that are far open", async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const { assembly, report } = await compile(openChain(seed));
      expect(assembly.residual).toBeLessThan(1e-11);
      expect(assembly.moved).toBeGreaterThan(0.1);
      expect(report.degreesOfFreedom).toBe(5);
    }
  });

  test("differ from a joint that adds a constraint", async () => {
    const m = model({ name: "locked" });
    const body = m.body({ mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0] });
    for (let i = 0; i < 40; i++) {
      const axis = i === 23 ? ([0, 0.2, 1] as const) : ([0, 0, 1] as const);
      m.revolute({ between: [m.ground, body], at: [0, 0, 0], axis });
    }
    const { report } = await compile(m);
    expect([report.rank, report.degreesOfFreedom]).toEqual([6, 0]);
  });
});
