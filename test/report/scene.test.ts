import { compile, cylinder, model, rod, sphere } from "nodrift/bodies";
import { hmmwv, hmmwvRoad, models, simplePendulum } from "nodrift/mechanisms";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import {
  type Drawing,
  type Frames,
  framesOf,
  renderPage,
  type Scene,
  sceneOf,
} from "../../src/report/index.js";
import { dataOf } from "./support.js";

type Model = ReturnType<typeof model>;

/** Frames of the initial poses, once, or repeated while a body moves along x. */
function given(m: Model, times: readonly number[] = [0], speed = 0): Frames {
  const { bodies } = m.data();
  return {
    times,
    positions: times.flatMap((t) =>
      bodies.flatMap(({ position: [x, y, z] }) => [x + speed * t, y, z]),
    ),
    orientations: times.flatMap(() => bodies.flatMap(({ orientation }) => orientation)),
    lengthUnit: "m",
    timeUnit: "s",
  };
}

function bodiesOf(item: Drawing): number[] {
  if ("body" in item) return [item.body];
  if ("a" in item) return [item.a[0], item.b[0]];
  return [];
}

function kinds({ items }: Scene): string[] {
  return items.map((item) => (item.kind === "joint" ? `joint ${item.symbol}` : item.kind));
}

describe.each(models)("$name", ({ build }) => {
  const m = build();
  const data = m.data();
  const scene = sceneOf(data, given(m));

  test("draws something for each body", () => {
    expect(scene.bodies.map(({ name }) => name)).toEqual(data.bodies.map(({ name }) => name));
    const drawn = new Set(scene.items.flatMap(bodiesOf));
    expect(data.bodies.map((_, i) => drawn.has(i))).toEqual(data.bodies.map(() => true));
  });

  test("contains only finite numbers, and has a size", () => {
    const numbers = JSON.stringify({ ...scene, frames: undefined });
    expect(numbers).not.toContain("null");
    expect(scene.view.detail).toBeGreaterThan(0);
    expect(Math.hypot(...scene.view.from)).toBeCloseTo(1, 12);
  });
});

describe("items of sceneOf", () => {
  test("show wheels, springs, tie rods and the bumpy road of a vehicle", () => {
    const m = hmmwv();
    const times = Array.from({ length: 31 }, (_, i) => i / 10);
    const scene = sceneOf(m.data(), given(m, times, 16 / 3.6));
    const all = kinds(scene);
    const count = (kind: string) => all.filter((each) => each === kind).length;
    expect(count("wheel")).toBe(4);
    expect(count("spring")).toBe(12);
    expect(count("bar")).toBe(4);
    expect(count("joint ball")).toBe(12);
    const [road] = scene.items.filter((item) => item.kind === "road");
    const heights = road.edges.map(([, , z]) => z);
    expect(Math.max(...heights)).toBeCloseTo(hmmwvRoad.height(hmmwvRoad.centre), 3);
    expect(Math.min(...heights)).toBe(0);
    // Level sections need few points.
    expect(road.edges.length).toBeLessThan(100);
    expect(scene.view.follow).toBe(0);
    for (const wheel of scene.items.filter((item) => item.kind === "wheel")) {
      expect(Math.abs(wheel.axis[1])).toBeCloseTo(1, 12);
      expect(wheel.turns).toBe(false);
    }
  });

  test("show a moving plate under a wheel on a moving road", () => {
    const m = model({ name: "shaker" });
    const wheel = m.body({ name: "wheel", mass: 1, inertia: [1, 2, 1], position: [0, 0, 0.3] });
    m.tyre({ wheel, stiffness: 1e5, radius: 0.3, height: (_x, _y, t) => 0.1 * t });
    const { frames, items } = sceneOf(m.data(), given(m, [0, 1, 2]));
    expect(items.some(({ kind }) => kind === "plane")).toBe(true);
    // The frames have two bodies: the wheel and the plate.
    expect(frames.positions.length).toBe(3 * 2 * 3);
    expect([5, 11, 17].map((i) => frames.positions[i])).toEqual([0, 0.1, 0.2]);
  });

  test("omit a road whose function throws", () => {
    const m = model({ name: "refusing" });
    const wheel = m.body({ name: "wheel", mass: 1, inertia: [1, 2, 1], position: [0, 0, 0.3] });
    const height = (x: number) => (x > 0.5 ? Number.NaN : 0);
    m.tyre({ wheel, stiffness: 1e5, radius: 0.3, height });
    expect(kinds(sceneOf(m.data(), given(m)))).not.toContain("road");
  });

  test("show joint symbols, rails as long as the travel, and bases on the ground", () => {
    const m = model({ name: "joints" });
    const cart = m.body({ name: "cart", mass: 1, inertia: [1, 1, 2] });
    const ball = m.body({
      name: "ball",
      mass: 1,
      shape: sphere({ radius: 0.1 }),
      position: [0, 0, -1],
    });
    const slide = m.prismatic({ name: "slide", between: [m.ground, cart], axis: [1, 0, 0] });
    const hinge = m.revolute({ between: [cart, ball], at: [0, 0, 0], axis: [0, 1, 0] });
    m.torsionSpring({ joint: hinge, stiffness: 1 });
    m.driveDisplacement({ joint: slide, displacement: (t) => t });
    m.spring({
      name: "spring",
      between: [m.ground, cart],
      atA: [-2, 0, 0],
      stiffness: 1,
      damping: 1,
    });
    const scene = sceneOf(m.data(), given(m, [0, 1, 2], 1), { follow: false });
    expect(kinds(scene)).toEqual(
      expect.arrayContaining(["sphere", "bar", "joint pin", "rail", "spiral", "spring", "ground"]),
    );
    const [rail] = scene.items.filter((item) => item.kind === "rail");
    expect(rail.from).toBeLessThan(0);
    expect(rail.to).toBeGreaterThan(2);
    const [spring] = scene.items.filter((item) => item.kind === "spring");
    expect([spring.coil, spring.damper, spring.actuator]).toEqual([true, true, false]);
  });

  test("show the inertia of a body without joints as a solid", () => {
    const m = model({ name: "free" });
    m.body({ name: "disk", mass: 2, shape: cylinder({ radius: 0.3, length: 0.1 }) });
    const { inertia } = m.data().bodies[0];
    m.body({ name: "like it", mass: 2, inertia: [inertia[0], inertia[4], inertia[8]] });
    const [given1, found] = sceneOf(m.data(), given(m)).items;
    expect(found).toMatchObject({ kind: "cylinder", body: 1 });
    const both = [given1, found] as Extract<Drawing, { kind: "cylinder" }>[];
    expect(both[1].radius).toBeCloseTo(both[0].radius, 12);
    expect(both[1].length).toBeCloseTo(both[0].length, 12);
  });

  test("carry the names of joints and forces; a page keeps those that are absent at times", () => {
    const m = models[0].build();
    const [first, ...others] = m.data().joints;
    const absences = [{ name: first.name, from: 0.5, to: 1 }];
    const scene = sceneOf(m.data(), { ...given(m, [0, 1]), absences });
    const marked = new Set(scene.items.flatMap(({ of }) => of ?? []));
    expect(marked).toContain(first.name);
    expect(others.length === 0 || others.some(({ name }) => marked.has(name))).toBe(true);
    const page = renderPage({ title: "", blocks: [{ kind: "animation", scene }] });
    const [written] = dataOf(page).scenes;
    const names = written.items.flatMap((item) => (item as { of?: string }).of ?? []);
    // Identified by its index among the absent parts.
    expect(new Set(names)).toEqual(new Set(["0"]));
  });

  test("stay large when a body is thrown away", () => {
    const m = model();
    const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
    const stone = m.body({
      name: "stone",
      mass: 1,
      shape: sphere({ radius: 0.1 }),
      position: [0, 0, -1],
    });
    m.revolute({ name: "axle", between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
    m.spherical({ name: "hand", between: [arm, stone], at: [0, 0, -1] });
    const times = [0, 1, 2, 3];
    const positions = times.flatMap((t) => [0, 0, -0.5, 30 * Math.max(0, t - 1), 0, -1]);
    const frames: Frames = { ...given(m, times), positions };
    const width = (scene: Scene) => Math.max(...scene.view.extremes.map(([x]) => x));
    expect(width(sceneOf(m.data(), frames, { follow: false }))).toBeCloseTo(60.1, 9);
    const absences = [{ name: "hand", from: 1, to: 3 }];
    expect(width(sceneOf(m.data(), { ...frames, absences }, { follow: false }))).toBeLessThan(1);
  });
});

test("framesOf reads the states of a run", async () => {
  const m = simplePendulum();
  const solution = solve(await compile(m), { span: [0, 1], output: { rate: 10 } });
  const frames = framesOf(solution.states(), m.data(), { events: solution.events });
  expect(frames.times).toEqual(solution.time);
  const { position, orientation } = solution.end.body("ball");
  expect(Array.from(frames.positions).slice(-3)).toEqual([...position]);
  expect(Array.from(frames.orientations).slice(-4)).toEqual([...orientation]);
  const { view } = sceneOf(m.data(), frames);
  expect(view.extremes.some(([x]) => x > 0.9)).toBe(true);
});

describe("view of sceneOf", () => {
  const build = Object.fromEntries(models.map((ready) => [ready.name, ready.build]));
  const view = (name: string) => {
    const m = build[name]();
    return sceneOf(m.data(), given(m)).view;
  };

  test("looks along the hinges of a planar mechanism, with gravity downwards", () => {
    expect(view("2-four-bar")).toMatchObject({ up: [0, 1, 0], from: [0, 0, 1] });
    expect(view("stiff double pendulum")).toMatchObject({ up: [0, 1, 0], from: [0, 0, 1] });
  });

  test("looks at a spatial mechanism from above and from the side", () => {
    for (const name of ["Bennett linkage", "HMMWV", "slider-crank in space"]) {
      const { up, from } = view(name);
      expect(up, name).toEqual([0, 0, 1]);
      expect(Math.min(...from.map(Math.abs)), name).toBeGreaterThan(0.3);
    }
  });

  test("follows the options", () => {
    const m = build.door();
    const scene = sceneOf(m.data(), given(m), { from: "top", up: [0, 1, 0], follow: "leaf" });
    expect(scene.view).toMatchObject({ from: [0, 1, 0], up: [0, 1, 0], follow: 0 });
    const { traces, labels } = sceneOf(m.data(), given(m), {
      traces: [{ body: "leaf" }, { body: "ground", point: [1, 2, 3] }],
      labels: true,
    });
    expect(traces).toEqual([
      [0, 0, 0, 0],
      [-1, 1, 2, 3],
    ]);
    expect(labels).toBe(true);
  });

  test("rejects invalid options", () => {
    const m = build.door();
    const attempt = (options: object) => () => sceneOf(m.data(), given(m), options);
    expect(attempt({ follow: "leafs" })).toThrow('unknown body "leafs": did you mean leaf?');
    expect(attempt({ from: "below" })).toThrow("there are: front, side, top, isometric");
    expect(() => sceneOf(m.data(), { ...given(m), times: [0, 1] })).toThrow("frames must have");
  });
});
