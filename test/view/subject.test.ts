// Drawn matrices, spring lengths and arrows of views, against the simulation. Runs without a page.

import { readFileSync } from "node:fs";
import { compile, model, rod, sphere } from "nodrift/bodies";
import { readDocument } from "nodrift/files";
import { models } from "nodrift/mechanisms";
import { realtime, solve, start } from "nodrift/solve";
import { spawn } from "nodrift/worker";
import { describe, expect, test } from "vitest";
import { models as gallery } from "../../site/models/index.js";
import { LIGHT, tintsOf } from "../../src/draw/colours.js";
import type { ViewSource } from "../../src/view/feed.js";
import { feedOf } from "../../src/view/feeds.js";
import { Picture } from "../../src/view/picture.js";
import { ViewSubject } from "../../src/view/subject.js";
import { ManualClock, WorkerHere } from "../worker/support/session.js";

const SHOWN = { joints: true, frames: true, masses: true, grid: true };

function drawn(source: ViewSource, drives = true) {
  const subject = new ViewSubject(feedOf(source, undefined, drives), {});
  const picture = new Picture(tintsOf(LIGHT, subject.scene.bodies.length));
  const update = () => {
    subject.read();
    picture.build(subject.scene, subject.table, (name) => subject.kindOf(name));
    picture.update(subject.table, 0.01, SHOWN);
    picture.space.updateMatrixWorld();
  };
  update();
  return { subject, picture, update };
}

/** A weight on a rod at rest, and a spring next to it. */
function hanging() {
  const m = model({ name: "hanging" });
  const arm = m.body({ name: "arm", mass: 2, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
  const ball = m.body({
    name: "ball",
    mass: 3,
    shape: sphere({ radius: 0.1 }),
    position: [1, 0, -1],
  });
  m.revolute({ name: "hinge", between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
  m.prismatic({ name: "guide", between: [m.ground, ball], axis: [0, 0, 1], at: [1, 0, 0] });
  m.spring({
    name: "coil",
    between: [m.ground, ball],
    atA: [1, 0, 0],
    stiffness: 50,
    length: 0.8,
  });
  return m;
}

describe("feedOf a simulation writes its body matrices", () => {
  test.each(models.map(({ name, build }) => [name, build] as const))("%s", async (_, build) => {
    const system = await compile(build());
    const simulation = system.simulate({ step: 1e-6 });
    const { picture, update } = drawn(simulation, false);
    simulation.advance(20);
    update();
    // The realtime loop writes matrices from q independently.
    const loop = realtime(simulation);
    for (const [i, name] of simulation.bodies.entries()) {
      const expected = loop.matrix(name, new Float64Array(16));
      const found = picture.matrixOf(i);
      for (let k = 0; k < 16; k++) expect(found[k]).toBeCloseTo(expected[k], 12);
    }
  });
});

test("preview restores a simulation bitwise", async () => {
  const system = await compile(hanging());
  const simulation = system.simulate({ step: 1e-3 });
  simulation.push("arm", { force: [5, 0, 0], for: 0.05 });
  const before = { q: [...simulation.q], v: [...simulation.v], time: simulation.time };
  drawn(simulation);
  expect({ q: [...simulation.q], v: [...simulation.v], time: simulation.time }).toEqual(before);
  const other = system.simulate({ step: 1e-3 });
  other.push("arm", { force: [5, 0, 0], for: 0.05 });
  expect([...simulation.advance(50).q]).toEqual([...other.advance(50).q]);
});

test("Picture draws a spring with its length", async () => {
  const simulation = (await compile(hanging())).simulate({ step: 1e-3 });
  const { picture, update } = drawn(simulation);
  simulation.advance(300);
  update();
  const coils: number[] = [];
  picture.space.traverse((object) => {
    if (object.userData.name !== "coil" || object.userData.kind !== "force") return;
    const e = object.matrixWorld.elements;
    coils.push(Math.hypot(e[8], e[9], e[10]));
  });
  const { length } = simulation.force("coil");
  expect(length).toBeGreaterThan(1.01);
  expect(coils.some((each) => Math.abs(each - length!) < 1e-12)).toBe(true);
});

test("Arrows scale with the forces and start at their points of application", async () => {
  const simulation = (await compile(hanging())).simulate({ step: 1e-3 });
  const { subject, picture } = drawn(simulation);
  const arrows = subject.arrows(["reactions", "forces", "velocities"]);
  const hinge = arrows.find(({ name }) => name === "hinge")!;
  // A rod of 2 kg at rest: its hinge carries its weight.
  expect(hinge.vector[2]).toBeCloseTo(2 * 9.81, 9);
  expect(Math.hypot(...hinge.at)).toBeLessThan(1e-12);
  const coil = arrows.find(({ name }) => name === "coil")!;
  expect(coil.vector[2]).toBeCloseTo(50 * (1 - 0.8), 9);
  expect(coil.at[2]).toBeCloseTo(-1, 12);
  // All velocities are zero.
  expect(arrows.every(({ kind }) => kind !== "velocities")).toBe(true);
  picture.point(arrows, subject.scales, subject.size, 0.01);
  const full = subject.scales.full("reactions");
  expect(full).toBe(20);
  for (const { name, from, to } of picture.arrows) {
    const length = Math.hypot(...[0, 1, 2].map((i) => to[i] - from[i]));
    const { vector } = arrows.find((arrow) => arrow.name === name)!;
    expect(length).toBeCloseTo((0.3 * subject.size * Math.hypot(...vector)) / full, 9);
  }
});

describe("feedOf a solution", () => {
  test("seeks in time and matches the stored states", async () => {
    const m = hanging();
    const solution = solve(await compile(m), { span: [0, 2], output: { rate: 50 } });
    const { subject, picture, update } = drawn(solution);
    const { feed } = subject;
    for (const index of [0, 7, 60, 100]) {
      feed.seek?.(solution.time[index]);
      update();
      const { position, rotation } = solution.state(index).body("ball");
      const found = picture.matrixOf(1);
      for (let k = 0; k < 3; k++) expect(found[12 + k]).toBeCloseTo(position[k], 12);
      for (let k = 0; k < 9; k++) {
        expect(found[4 * Math.floor(k / 3) + (k % 3)]).toBeCloseTo(rotation[k], 12);
      }
    }
    feed.seek?.(0.5);
    feed.step?.(1);
    expect(feed.time).toBeCloseTo(0.52, 12);
    feed.seek?.(0.51);
    feed.step?.(-1);
    expect(feed.time).toBeCloseTo(0.5, 12);
  });

  test("hides parts that the mode lacks", async () => {
    const system = await compile(hanging());
    const solution = solve(system, {
      span: [0, 1],
      output: { rate: 20 },
      modes: { free: system.without("hinge") },
      events: [
        { name: "cut", when: ({ time }) => time - 0.5, action: (event) => event.switchTo("free") },
      ],
    });
    const { subject } = drawn(solution);
    subject.feed.seek?.(0.2);
    expect([...subject.absent()]).toEqual([]);
    subject.feed.seek?.(0.7);
    expect([...subject.absent()]).toEqual(["hinge"]);
  });
});

test("feedOf a live run reports parts that the mode lacks as absent", async () => {
  const system = await compile(hanging());
  const run = start(system, {
    span: [0, 5],
    maximumStep: 0.02,
    modes: { free: system.without("hinge") },
    events: [
      { when: ({ time }) => time - 0.5, action: (event) => event.switchTo("free") },
      { when: ({ time }) => time - 1, action: (event) => event.switchTo("start") },
    ],
  });
  const loop = realtime(run);
  const { subject } = drawn(loop);
  const absent = (seconds: number) => {
    for (let i = 0; i < 60 * seconds; i++) subject.feed.advance(1 / 60);
    return [...subject.absent()];
  };
  expect(absent(0.25)).toEqual([]);
  expect(absent(0.5)).toEqual(["hinge"]);
  expect(absent(0.5)).toEqual([]);
});

/** Whether a point lies over a floor: a plane, or a road along x. */
function isOver(
  items: ViewSubject["scene"]["items"],
  point: readonly number[],
  radius: number,
): boolean {
  return items.some((item) => {
    if (item.kind === "road") {
      const along = item.edges.map(([x]) => x);
      return Math.min(...along) <= point[0] && point[0] <= Math.max(...along);
    }
    if (item.kind !== "plane") return false;
    const from = point.map((x, i) => x - item.corner[i]);
    return [item.u, item.v].every((side) => {
      const length = Math.hypot(...side);
      const along = side.reduce((sum, x, i) => sum + x * from[i], 0) / length;
      return along >= -radius / 2 && along <= length + radius / 2;
    });
  });
}

test.each([
  ["bicycle", gallery.bicycle(), 20, ["rear wheel", "front wheel"], 0.35],
  ["rolling-coin", gallery["rolling-coin"](), 8, undefined, 0.02],
  ["hmmwv", JSON.parse(readFileSync("examples/hmmwv.json", "utf8")), 3, undefined, 0.5],
] as const)(
  "the floor of %s is extended while it moves",
  async (_, document, seconds, wheels, radius) => {
    const { model: m } = readDocument(document);
    const system = await compile(m);
    const loop = realtime(system, { step: 1 / 240 });
    const { subject } = drawn(loop);
    const names = wheels ?? loop.simulation.bodies;
    for (let i = 0; i < 60 * seconds; i++) {
      subject.feed.advance(1 / 60);
      subject.read();
      subject.refresh();
      for (const name of names) {
        const { position } = loop.simulation.body(name);
        expect([name, loop.time, isOver(subject.scene.items, position, radius)]).toEqual([
          name,
          loop.time,
          true,
        ]);
      }
    }
  },
);

test("feedOf a live source uses its matrices", async () => {
  const m = hanging();
  const simulation = (await compile(m)).simulate({ step: 1e-3 });
  const loop = realtime(simulation);
  const grabbed: unknown[] = [];
  const live = {
    bodies: simulation.bodies,
    data: m.data(),
    get time() {
      return loop.time;
    },
    matrix: loop.matrix.bind(loop),
    grab: (...given: unknown[]) => {
      grabbed.push(given);
      return { moveTo: () => {}, release: () => {} };
    },
  };
  const { subject, picture } = drawn(live);
  expect([...picture.matrixOf(1)]).toEqual([...loop.matrix("ball", new Float64Array(16))]);
  expect(subject.feed.step).toBeUndefined();
  subject.feed.grab?.("ball", [0, 0, 0]);
  expect(grabbed).toHaveLength(1);
  expect(() => drawn({ ...live, bodies: ["ball"] })).toThrow(/has 1 bodies and the model 2/);
});

test("feedOf a model shows its initial poses", async () => {
  const m = hanging();
  const system = await compile(m);
  for (const source of [m, system]) {
    const { picture } = drawn(source);
    expect(picture.matrixOf(1).slice(12, 15)).toEqual([1, 0, -1]);
  }
});

test("feedOf rejects other sources with a list of valid ones", () => {
  expect(() => feedOf({} as never, undefined, true)).toThrow(/give a simulation, a realtime loop/);
  const bare = { bodies: [], time: 0, matrix: () => {} };
  expect(() => feedOf(bare, undefined, true)).toThrow(/pass it as the option `model`/);
});

test("feedOf a live model of a worker pauses, sets the speed, steps and rewinds by commands", async () => {
  const document = JSON.parse(readFileSync("examples/pendulum.json", "utf8"));
  const worker = new WorkerHere(new ManualClock(), () => readDocument(document));
  const live = await spawn(worker, { step: 1e-3, timeout: Number.POSITIVE_INFINITY });
  try {
    const feed = feedOf(live, readDocument(document).model, true);
    expect(feed.isPlaying).toBe(true);
    feed.isPlaying = false;
    expect(feed.isPlaying).toBe(false);
    // Commands run in order: after this one all previous ones are done.
    await live.step(100);
    const before = live.reached;
    feed.step?.(1);
    await live.step(1);
    expect(live.reached - before).toBeCloseTo(2e-3, 12);
    feed.speed = 2;
    expect(feed.speed).toBe(2);
    feed.rewind?.();
    await new Promise((resolve) => setTimeout(resolve));
    await live.step(1);
    expect(live.reached).toBeLessThan(before);
    const grip = await feed.grab!("rod", [0.5, 0, 0]);
    await grip.release();
    const out = new Float64Array(16);
    feed.matrices(out, 0);
    expect(Math.hypot(out[0]!, out[1]!, out[2]!)).toBeCloseTo(1, 9);
  } finally {
    live.dispose();
  }
});
