// Sessions message by message, with a manual clock.

import { NodriftError } from "nodrift";
import { compile, model, rod } from "nodrift/bodies";
import { readDocument } from "nodrift/files";
import { realtime } from "nodrift/solve";
import { type SpawnOptions, spawn } from "nodrift/worker";
import { describe, expect, it } from "vitest";
import { pendulumFile } from "./support/files.js";
import { ManualClock, WorkerHere } from "./support/session.js";

function pendulum() {
  const m = model({ name: "pendulum" });
  const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
  m.revolute({ name: "hinge", between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
  return m;
}

async function spawned(options: SpawnOptions = {}, document: object = pendulumFile()) {
  const clock = new ManualClock();
  const worker = new WorkerHere(clock, () => readDocument(document));
  const live = await spawn(worker, { timeout: Number.POSITIVE_INFINITY, ...options });
  return { clock, worker, live };
}

/** Returns the same motion computed without a worker, frame by frame. */
async function twin(frames: number, rate = 60) {
  const loop = realtime(await compile(pendulum()), { step: 1 / 240 });
  for (let i = 0; i < frames; i++) loop.advance(1 / rate);
  return loop;
}

describe("rigid stops in a worker", () => {
  it("bounce and come to rest under fixed steps", async () => {
    const file = pendulumFile();
    const forces = [{ type: "stop", name: "anvil", joint: "hinge", upper: 0.5, restitution: 0.3 }];
    const { clock, live } = await spawned(
      { values: { angle: "angle('hinge')" } },
      { ...file, forces },
    );
    let highest = 0;
    live.on("frame", () => {
      highest = Math.max(highest, live.value("angle"));
    });
    clock.pass(4000);
    expect(live.droppedTime).toBe(0);
    expect(highest).toBeLessThanOrEqual(0.5 + 1e-11);
    expect(live.value("angle")).toBeCloseTo(0.5, 11);
    expect(live.v.every((each) => Math.abs(each) < 1e-11)).toBe(true);
  });
});

describe.each([
  ["transferred buffers", false],
  ["shared memory", true],
])("frames in %s", (_, shared) => {
  it("match a realtime loop in the page bitwise", async () => {
    const { clock, live } = await spawned({
      shared,
      values: { e: "energy()", angle: "angle('hinge')" },
    });
    expect(live.shared).toBe(shared);
    clock.pass(1000 * (30 / 60) + 0.01);
    const loop = await twin(30);
    expect(live.frame).toBe(31);
    expect(live.time).toBe(loop.time);
    expect([...live.q]).toEqual([...loop.q]);
    expect([...live.v]).toEqual([...loop.v]);
    expect(live.steps).toBe(Math.round(loop.simulation.time * 240));
    const out = () => new Float64Array(20);
    expect(live.matrix("arm", out(), 4)).toEqual(loop.matrix("arm", out(), 4));
    expect(live.value("e")).toBeCloseTo(0, 6);
    expect(live.value("angle")).toBe(loop.simulation.joint("hinge").angle);
    expect(() => live.value("f")).toThrow("those passed to spawn are e, angle");
    expect(live.bodies).toEqual(["arm"]);
    expect(live.joints).toEqual(["hinge"]);
  });

  it("catch up after short delays, and are skipped after long ones without dropping simulated time", async () => {
    const { clock, live } = await spawned({ shared });
    const times: number[] = [];
    live.on("frame", () => times.push(live.time));
    clock.pass(100.01);
    clock.pass(50, true);
    expect(live.skippedFrames).toBe(0);
    expect(live.frame).toBe(10);
    const loop = await twin(9);
    expect(live.time).toBe(loop.time);
    expect([...live.q]).toEqual([...loop.q]);
    for (const [i, time] of times.entries()) expect(time).toBeCloseTo((4 * i + 3) / 240, 12);
    clock.pass(1000, true);
    expect(live.skippedFrames).toBe(45);
    expect(live.frame).toBe(25);
    // Steps for 0.1 s and fourteen frames; the time of the others is dropped.
    expect(live.droppedTime).toBeGreaterThan(0.6);
    expect(live.time + live.droppedTime).toBeCloseTo(loop.time + 1, 9);
  });

  it("show the due times if timers are late by less than a frame", async () => {
    const { clock, live } = await spawned({ shared });
    for (let i = 0; i < 30; i++) {
      clock.pass(4, true);
      clock.pass(1000 / 60 - 4 + (i === 29 ? 0.01 : 0), true);
    }
    expect([...live.q]).toEqual([...(await twin(30)).q]);
    expect(live.skippedFrames).toBe(0);
  });

  it("use a pool of sixteen, and wait for a page that does not return them", async () => {
    const { clock, worker, live } = await spawned({ shared });
    worker.held = [];
    clock.pass(1000.01);
    expect(worker.held.length).toBe(16);
    const late = worker.held;
    worker.held = undefined;
    for (const frame of late) worker.postMessage(frame, shared ? [] : [frame]);
    clock.pass(20);
    // Sixty frames were due; those without a returned buffer are skipped.
    expect(live.skippedFrames).toBe(44);
    expect(live.time).toBeGreaterThan(0.99);
  });

  it("are sent for a command even if the page has returned none, and all buffers are reused", async () => {
    const { clock, worker, live } = await spawned({ shared, paused: true });
    worker.held = [];
    for (let i = 0; i < 20; i++) {
      await live.step(1);
      expect(live.reached).toBeCloseTo((i + 1) / 240, 12);
    }
    const late = worker.held;
    worker.held = undefined;
    for (const frame of late)
      worker.postMessage(frame, frame instanceof ArrayBuffer ? [frame] : []);
    await live.resume();
    const before = live.frame;
    clock.pass(500.01);
    expect(live.frame - before).toBeGreaterThanOrEqual(30);
    expect(live.skippedFrames).toBe(0);
  });
});

describe("commands of a live model", () => {
  it("run in order, and the next frame shows them", async () => {
    const { clock, live } = await spawned();
    const done: string[] = [];
    const all = [
      live.set({ load: 2 }).then(() => done.push("set")),
      live.push("arm", { force: [0, 0, 100], for: 0.1 }).then(() => done.push("push")),
      live.set("arm", { mass: -1 }).catch((error) => done.push(error.message)),
      live.speed(0.5).then(() => done.push("speed")),
    ];
    clock.pass(17);
    await Promise.all(all);
    expect(done).toEqual(["set", "push", expect.stringContaining("mass"), "speed"]);
    expect(live.shownCommands).toBe(4);
    expect(live.commands).toBe(4);
    const loop = realtime(await compile(pendulum()), { step: 1 / 240, speed: 0.5 });
    loop.simulation.set("arm", { mass: 2 });
    loop.simulation.push("arm", { force: [0, 0, 100], for: 0.1 });
    loop.advance(1 / 60);
    expect([...live.q]).toEqual([...loop.q]);
  });

  it("resolve after the frame that shows them: pause, step, save, restore and rewind", async () => {
    const { clock, live } = await spawned({ record: { every: 10, snapshots: 100 } });
    clock.pass(500.01);
    await live.pause();
    const saved = await live.save();
    const there = live.reached;
    await live.step(24);
    expect(live.paused).toBe(true);
    expect(live.time).toBeCloseTo(there + 0.1, 12);
    const [q, time] = [[...live.q], live.time];
    await live.restore(saved);
    expect(live.time).toBe(there);
    await live.step(24);
    expect([...live.q]).toEqual(q);
    await live.step(24);
    await live.rewind(time);
    expect(live.time).toBe(time);
    expect([...live.q]).toEqual(q);
    clock.pass(500);
    expect(live.time).toBe(time);
    await live.resume();
    clock.pass(500);
    expect(live.time).toBeGreaterThan(time + 0.4);
    const again = (await compile(pendulum())).simulate({ step: 1 / 240 });
    const run = await live.recorded();
    expect(run.commands.length).toBeGreaterThan(0);
    expect(() => again.replay(run)).not.toThrow();
    expect(again.time).toBeCloseTo(live.reached, 12);
  });

  it("carry a state over to a changed model, by names", async () => {
    const { clock, live } = await spawned();
    clock.pass(700);
    await live.pause();
    const state = await live.namedState();
    await live.setNamedState(state);
    const [time, angle] = [live.time, state.unwrappedAngles.hinge];
    const extra = { name: "extra", mass: 1, inertia: [1, 1, 1], position: [0, 5, 0] };
    const { bodies } = pendulumFile();
    const changed = pendulumFile({ bodies: [extra, ...bodies] });
    const other = await spawned(
      { state, paused: true, values: { angle: "angle('hinge')" } },
      changed,
    );
    expect(other.live.time).toBe(time);
    expect(other.live.value("angle")).toBeCloseTo(angle!, 12);
    const matrixOf = (of: typeof live) => [...of.matrix("arm", new Float64Array(16))];
    for (const [i, value] of matrixOf(other.live).entries()) {
      expect(value).toBeCloseTo(matrixOf(live)[i]!, 12);
    }
    await expect(spawned({ state: {} as never })).rejects.toThrow("time");
  });

  it("drag bodies", async () => {
    const { clock, live } = await spawned();
    const grip = await live.grab("arm", [0.5, 0, 0], { frequency: 5 });
    await grip.moveTo([0, 0, 1]);
    clock.pass(2000);
    const [x, z] = [live.q[0]!, live.q[2]!];
    expect(Math.hypot(x, z)).toBeCloseTo(0.5, 9);
    expect(z).toBeGreaterThan(0.45);
    await grip.release();
    await expect(grip.moveTo([0, 0, 0])).rejects.toMatchObject({ code: "STEP" });
  });

  it("delay no frame when sent by the thousand", async () => {
    const { clock, live } = await spawned();
    const all: Promise<void>[] = [];
    for (let i = 0; i < 5000; i++) {
      all.push(i % 100 === 0 ? live.push("arm", { torque: [0, 1, 0] }) : live.speed(1));
      // Only messages: the clock advances, but no timer fires.
      clock.time += 0.1;
    }
    await Promise.all(all);
    expect(live.frame).toBeGreaterThan(28);
    expect(live.time).toBeGreaterThan(0.45);
  });

  it.each<
    [string, (live: Awaited<ReturnType<typeof spawned>>["live"]) => Promise<unknown>, RegExp]
  >([
    ["set NaN", (live) => live.set({ load: Number.NaN }), /load/],
    ["set an unknown name", (live) => live.set("elbow", { mass: 1 }), /elbow/],
    ["push an unknown body", (live) => live.push("elbow", { force: [1, 0, 0] }), /body "elbow"/],
    ["push without a force", (live) => live.push("arm", {}), /force or torque/],
    ["grab at an invalid point", (live) => live.grab("arm", [0, 0] as never), /point/],
    ["a speed below 0", (live) => live.speed(-1), /speed/],
    ["half a step", (live) => live.step(0.5), /count/],
    ["a broken snapshot", (live) => live.restore({} as never), /restore/],
    ["rewind without a recording", (live) => live.rewind(0), /record: true/],
    ["a state of the wrong size", (live) => live.setState([1], [1]), /q/],
  ])("reject invalid input and change nothing: %s", async (_, ask, message) => {
    const { clock, live } = await spawned();
    clock.pass(100);
    const asked = (async () => ask(live))();
    await expect(asked).rejects.toThrow(message);
    await expect(asked).rejects.toBeInstanceOf(NodriftError);
    clock.pass(400.01);
    expect([...live.q]).toEqual([...(await twin(30)).q]);
  });

  it("reject arguments that cannot be cloned", async () => {
    const { live } = await spawned();
    await expect(live.set({ load: (() => 1) as never })).rejects.toThrow(/only plain data/);
    await live.set({ load: 2 });
  });
});

describe("errors and ends of a session", () => {
  it("reports an invalid model with its error class and problems", async () => {
    const bad = spawned({}, pendulumFile({ gravity: [1] }));
    await expect(bad).rejects.toMatchObject({
      name: "ModelFileError",
      code: "DESCRIPTION",
      problems: [{ pointer: "/gravity" }],
    });
  });

  it("reports a failed worker with the last state, and rejects commands", async () => {
    const { clock, worker, live } = await spawned();
    clock.pass(500);
    const errors: Error[] = [];
    live.on("error", (error) => errors.push(error));
    const [q, time] = [[...live.q], live.time];
    worker.postMessage = () => {};
    const lost = live.pause();
    worker.emit("error", { message: "out of memory" });
    await expect(lost).rejects.toMatchObject({ code: "WORKER", name: "WorkerError" });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: "WORKER", last: { time } });
    expect(errors[0]!.message).toContain("out of memory");
    expect([...(errors[0] as never as { last: { q: number[] } }).last.q]).toEqual(q);
    expect(live.isAlive).toBe(false);
    await expect(live.resume()).rejects.toThrow("out of memory");
  });

  it("ends at a time, and continues after being moved back", async () => {
    const { clock, live } = await spawned({ until: 0.5 });
    const saved = await live.save();
    const ends: number[] = [];
    live.on("end", ({ time, reason }) => {
      expect(reason).toBe("until");
      ends.push(time);
    });
    clock.pass(2000);
    expect(ends).toEqual([0.5]);
    await live.restore(saved);
    clock.pass(2000);
    expect(ends).toEqual([0.5, 0.5]);
  });
});

describe("adaptive runs in a worker", () => {
  it("advance a model with steps of varying length", async () => {
    const { clock, live } = await spawned({ tolerance: 1e-8 });
    clock.pass(500.01);
    expect(live.time).toBeCloseTo(0.5, 9);
    const exact = (await compile(pendulum())).simulate({ step: 1e-3 }).runTo(0.5);
    expect(live.q[0]).toBeCloseTo(exact.q[0]!, 4);
    await live.set({ gravity: [0, 0, 0] });
    await expect(live.push("arm", { force: [1, 0, 0] })).rejects.toThrow("pass a step to spawn");
    const saved = await live.save();
    const from = live.reached;
    clock.pass(500);
    const q = live.q[0]!;
    await live.restore(saved);
    expect(live.time).toBe(from);
    clock.pass(500);
    expect(live.q[0]).toBeCloseTo(q, 1);
    expect(live.stepLength).toBeGreaterThan(0);
  });

  it("handle the events of a file", async () => {
    // A rod hits the wall at the bottom and rebounds with half the speed: it stays on its side.
    const document = pendulumFile({
      events: [{ when: "x('arm')", direction: "falling", action: { bounce: 0.5 } }],
      solve: { span: [0, 1] },
    });
    const { clock, live } = await spawned({}, document);
    let lowest = 1;
    live.on("frame", () => {
      lowest = Math.min(lowest, live.q[0]!);
    });
    clock.pass(1500);
    expect(lowest).toBeGreaterThan(-1e-6);
    expect(live.time).toBeGreaterThan(1.4);
    await expect(spawned({ step: 0.01 }, document)).rejects.toThrow("has events");
  });
});

describe("asynchronous loops over frames", () => {
  it("receive the last frame, and end on dispose", async () => {
    const { clock, live } = await spawned();
    const times: number[] = [];
    const loop = (async () => {
      for await (const { time } of live) times.push(time);
      return "over";
    })();
    for (let i = 0; i < 5; i++) {
      clock.pass(50);
      await new Promise((resolve) => setTimeout(resolve));
    }
    live.dispose();
    expect(await loop).toBe("over");
    expect(times).toHaveLength(5);
    expect(times[4]).toBeGreaterThan(0.22);
    await expect(live.pause()).rejects.toMatchObject({ code: "WORKER" });
  });

  it("throw when the worker fails", async () => {
    const { worker, live } = await spawned();
    const loop = (async () => {
      for await (const _ of live);
    })();
    worker.emit("error", { message: "gone" });
    await expect(loop).rejects.toThrow("gone");
  });
});
