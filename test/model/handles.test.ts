// Handles and names are equivalent wherever a part of a model is given; handles of other models are rejected.

import {
  type Body,
  type CompiledModel,
  compile,
  type Handle,
  type JointReading,
  jointSpace,
  type Model,
  model,
  rod,
} from "nodrift/bodies";
import { writeModel } from "nodrift/files";
import { report } from "nodrift/report";
import { realtime, solve, start } from "nodrift/solve";
import { describe, expect, expectTypeOf, test } from "vitest";
import { forceCases } from "../support/force-cases.js";
import { freePair, jointCases, type Pair } from "../support/joint-cases.js";

const isHandle = (value: unknown): value is Handle =>
  typeof (value as { kind?: unknown } | null)?.kind === "string";

const nameOf = (handle: Handle) =>
  handle.kind === "marker" ? `${handle.body.name}:${handle.name}` : handle.name;

/** Replaces every handle in options. */
function replaced(value: unknown, other: (handle: Handle) => unknown): unknown {
  if (isHandle(value)) return other(value);
  if (Array.isArray(value)) return value.map((one) => replaced(one, other));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, other)]));
}

type Add = (options: unknown) => Handle;
const examples = Object.entries({ ...jointCases, ...forceCases }).map(([type, { example }]) => [
  type,
  example,
]) as [string, (pair: Pair) => object][];

/** A pair of bodies with an example on it, whose handles are replaced. */
function made(type: string, options: (pair: Pair) => object, other: (handle: Handle) => unknown) {
  const pair = freePair();
  const add = (pair.m as unknown as Record<string, Add>)[type]!;
  const handle = add(replaced(options(pair), other));
  return { ...pair, handle };
}

const plain = (m: Model) =>
  JSON.stringify(m.data(), (_, value) => (typeof value === "function" ? "function" : value));

describe("every joint and force", () => {
  test.each(examples)("%s accepts names instead of handles", (type, options) => {
    const byHandle = made(type, options, (handle) => handle);
    const byName = made(type, options, nameOf);
    expect(plain(byName.m)).toBe(plain(byHandle.m));
    if (type !== "constraint" && !["driveDisplacement", "tyre"].includes(type)) {
      expect(writeModel(byName.m)).toEqual(writeModel(byHandle.m));
    }
  });

  test.each(examples)("%s rejects unknown names and handles of another model", (type, options) => {
    expect(() => made(type, options, (handle) => `${nameOf(handle)}x`)).toThrow(
      /has no (body|joint|body or marker) ".+x": (did you mean|there are) /,
    );
    const strange = made(type, options, (handle) => handle);
    const twin = (handle: Handle) =>
      handle.kind === "joint"
        ? strange.m.calls().find(({ made: one }) => one.name === handle.name)!.made
        : handle.name === "a"
          ? strange.a
          : strange.b;
    expect(() => made(type, options, twin)).toThrow("of another model");
  });

  test.each(examples)("%s is read equally by its handle and by its name", async (type, options) => {
    const { m, a, handle } = made(type, options, (one) => one);
    const system = await compile(m, { start: "asGiven" });
    const simulation = system.simulate({ step: 1e-6 });
    const { state } = start(system, { span: [0, 1] });
    expect(simulation.body(a)).toBe(simulation.body("a"));
    for (const from of [simulation, state]) {
      if (handle.kind === "joint") expect(from.joint(handle)).toBe(from.joint(handle.name));
      if (handle.kind === "force") expect(from.force(handle)).toBe(from.force(handle.name));
    }
    const other = made(type, options, (one) => one);
    expect(() => simulation.body(other.a)).toThrow('bench: body "a" is of another model');
    const read = handle.kind === "joint" ? "joint" : "force";
    expect(() => simulation[read](other.handle as never)).toThrow("of another model");
    expect(() => simulation[read](a as never)).toThrow(`body "a" is not a ${read}`);
    // Every reading in the types exists.
    if (handle.kind === "joint") {
      const joint = m.data().joints.at(-1)!;
      const reading = simulation.joint(handle);
      for (const what of ["angle", "displacement", "length"] as const) {
        expect(reading[what] !== undefined).toBe(joint.sensors[what] !== undefined);
      }
      expect(reading.driveForce !== undefined).toBe(type.startsWith("drive"));
    }
  });
});

test("markers are named with their bodies", () => {
  const build = (ends: (marker: Handle) => never) => {
    const m = model();
    const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0, 0, 2] });
    const [top, tip] = [
      m.ground.marker({ name: "top" }),
      arm.marker({ name: "tip", at: [0, 0, -2] }),
    ];
    m.revolute({ name: "hinge", between: [ends(top), ends(tip)] });
    const wheel = m.body({
      name: "wheel",
      mass: 1,
      shape: rod({ length: 1 }),
      position: [1, 0, 1],
    });
    m.rollingDisk({ body: ends(wheel), plane: ends(top), radius: 1, axis: [0, 1, 0] });
    m.pointForce({ on: ends(tip), force: [1, 0, 0] });
    m.motor({ joint: "hinge", mode: "torque", target: 1 });
    return m;
  };
  const [byHandle, byName] = [build((one) => one as never), build((one) => nameOf(one) as never)];
  expect(plain(byName)).toBe(plain(byHandle));
  expect(writeModel(byName)).toEqual(writeModel(byHandle));
});

/** An arm with one part of every readable kind. */
function machine() {
  const m = model({ name: "machine" });
  const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
  const hinge = m.revolute({
    name: "hinge",
    between: [m.ground, arm],
    at: [0, 0, 0],
    axis: [0, 1, 0],
  });
  const motor = m.motor({ name: "motor", joint: "hinge", mode: "torque", target: 0.5 });
  const coil = m.torsionSpring({ name: "coil", joint: "hinge", stiffness: 3 });
  const filter = m.states({
    name: "filter",
    names: ["y"],
    rates: (_t, y, read) => [read.angle(hinge) - y[0]!],
  });
  const k = m.parameter("k", 1);
  const pid = m.controller({
    name: "pid",
    every: 0.1,
    outputs: ["u", "stiffness"],
    sets: { stiffness: k },
    sample: (_t, read) => [read.angleRate(hinge) + read.quantity("x", arm), 2],
  });
  m.torsionSpring({ name: "soft", joint: hinge, stiffness: k });
  return { m, arm, hinge, motor, coil, filter, pid };
}

type Machine = ReturnType<typeof machine>;
/** The parts by handle or by name. */
type Parts = { readonly [Part in keyof Omit<Machine, "m">]: Machine[Part] | string };

/** Every call that takes a part, with its result. */
const places: Readonly<Record<string, (system: CompiledModel, parts: Parts) => unknown>> = {
  body: (system, { arm }) => stepped(system).body(arm).position,
  joint: (system, { hinge }) => (stepped(system).joint(hinge) as JointReading).angle,
  "reaction on": (system, { arm, hinge }) => stepped(system).joint(hinge).force({ on: arm }),
  "reaction frame": (system, { arm }) => stepped(system).joint("hinge").force({ frame: arm }),
  "force on": (system, { arm }) => stepped(system).force("coil").torque({ on: arm, frame: arm }),
  force: (system, { coil }) => stepped(system).force(coil).power,
  motor: (system, { motor }) => stepped(system).motor(motor as "motor").torque,
  states: (system, { filter }) => stepped(system).state(filter),
  output: (system, { pid }) => stepped(system).output(pid),
  lock: (system, { hinge }) => stepped(system).lock(hinge),
  unlock: (system, { hinge }) => {
    const simulation = stepped(system);
    simulation.lock("hinge");
    simulation.unlock(hinge);
    return simulation.joints;
  },
  push: (system, { arm }) => {
    const simulation = stepped(system);
    simulation.push(arm, { force: [1, 0, 0] });
    return simulation.advance(3).q;
  },
  grab: (system, { arm }) => {
    const simulation = stepped(system);
    simulation.grab(arm, [0, 0, 0.1]).moveTo([0, 0, 1]);
    return simulation.advance(3).q;
  },
  set: (system, { arm }) => stepped(system).set(arm as Body, { mass: 2 }).data.bodies[0]!.mass,
  matrix: (system, { arm }) => realtime(stepped(system)).matrix(arm, new Float64Array(16)),
  "matrix of a run": (system, { arm }) =>
    realtime(start(system, { span: [0, 1] })).matrix(arm, new Float64Array(16)),
  pointJacobian: (system, { arm }) => jointSpace(stepped(system)).pointJacobian(arm).values,
  without: (system, { coil }) => system.without(coil).data.forces.map(({ name }) => name),
  "follow and traces": (system, { arm }) => {
    const view = { follow: arm, traces: [{ body: arm, point: [0, 0, 1] }] } as const;
    return /"traces":.*?"extremes"/.exec(report(solved(system), { view }))?.[0];
  },
  "columns of a body": (system, { arm }) => solved(system).body(arm).position,
  "columns of a joint": (system, { hinge }) => solved(system).joint(hinge).torque,
  "columns of a force": (system, { coil }) => solved(system).force(coil).power,
  "lock of a run": (system, { hinge }) => start(system, { span: [0, 1] }).lock(hinge),
  "lock in an event": (system, { hinge, arm }) => {
    const { events, cause } = solve(system, {
      span: [0, 0.4],
      events: [
        {
          when: (state) => state.body(arm).position[2]! + 0.01,
          action: (event) => event.lock(hinge),
        },
      ],
    });
    if (cause) throw cause;
    return events.map(({ impulses }) => impulses);
  },
};

const stepped = (system: CompiledModel) => system.simulate({ step: 1e-3 }).advance(5);
const solved = (system: CompiledModel) => solve(system, { span: [0, 0.1], tolerance: 1e-6 });

describe("every call that takes a part of a compiled model", () => {
  test.each(Object.entries(places))("%s", async (_, place) => {
    const { m, ...handles } = machine();
    const names = Object.fromEntries(
      Object.entries(handles).map(([key, { name }]) => [key, name]),
    ) as unknown as Parts;
    const system = await compile(m);
    const byName = place(system, names);
    expect(place(system, handles)).toEqual(byName);
    // Settings and locks create other data, but handles remain valid.
    expect(() => place(system.with({ gravity: [0, 0, -1] }), handles)).not.toThrow();
    expect(place(await compile(m, { reuse: system }), handles)).toEqual(byName);
    const { m: __, ...strange } = machine();
    expect(() => place(system, strange)).toThrow(/of another model|not of this model/);
  });

  test("options of compile accept handles of the model only", async () => {
    const { m, hinge, arm } = machine();
    const cut = await compile(m, { tree: { cut: [hinge] }, hold: [arm] });
    expect(cut.report.tree).toEqual(
      (await compile(m, { tree: { cut: ["hinge"] }, hold: ["arm"] })).report.tree,
    );
    const other = machine();
    await expect(compile(m, { tree: { keep: [other.hinge] } })).rejects.toThrow("another model");
    await expect(compile(m, { hold: [other.arm] })).rejects.toThrow("another model");
    await expect(compile(m, { tree: { free: [hinge as never] } })).rejects.toThrow(
      'joint "hinge" is not a body',
    );
  });

  test("user functions reject handles of another model", async () => {
    const other = machine();
    const m = model({ name: "reader" });
    const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }) });
    m.revolute({ name: "hinge", between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
    m.states({ names: ["y"], rates: (_t, _y, read) => [read.angle(other.hinge)] });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    expect(() => simulation.advance()).toThrow('joint "hinge" is of another model');
  });

  test("columns of modes from several models are found by the handles of each", async () => {
    const [one, two] = [machine(), machine()];
    const solution = solve(await compile(one.m), {
      span: [0, 0.2],
      modes: { later: await compile(two.m) },
      events: [{ when: ({ time }) => time - 0.1, action: (event) => event.switchTo("later") }],
    });
    const byName = solution.joint("hinge").angle;
    expect(solution.joint(one.hinge).angle).toEqual(byName);
    expect(solution.joint(two.hinge).angle).toEqual(byName);
    expect(byName?.every(Number.isFinite)).toBe(true);
    expect(() => solution.joint(machine().hinge)).toThrow("of another model");
  });
});

test("readings are typed by handles", async () => {
  const { m, hinge, coil, motor } = machine();
  const slide = m.prismatic({ between: ["ground", "arm"], axis: [1, 0, 0] });
  const drive = m.driveAngle({ joint: "hinge", angle: 0 });
  const read = (simulation: ReturnType<CompiledModel["simulate"]>) => {
    expectTypeOf(simulation.joint(hinge).angle).toEqualTypeOf<number>();
    expectTypeOf(simulation.joint(hinge).angleRate).toEqualTypeOf<number>();
    expectTypeOf(simulation.joint(hinge).displacement).toEqualTypeOf<number | undefined>();
    expectTypeOf(simulation.joint(slide).displacement).toEqualTypeOf<number>();
    expectTypeOf(simulation.joint(drive).driveForce).toEqualTypeOf<number>();
    expectTypeOf(simulation.joint("hinge").angle).toEqualTypeOf<number | undefined>();
    expectTypeOf(simulation.force(coil).angle).toEqualTypeOf<number>();
    expectTypeOf(simulation.force(motor).driveForce).toEqualTypeOf<number>();
    expectTypeOf(simulation.force(coil).length).toEqualTypeOf<number | undefined>();
    // @ts-expect-error: a body is not a joint
    simulation.joint(m.ground);
    // @ts-expect-error: a spring is not a motor
    simulation.motor(coil);
  };
  const columns = (solution: ReturnType<typeof solved>) => {
    expectTypeOf(solution.joint(hinge).angle).toEqualTypeOf<Float64Array>();
    expectTypeOf(solution.joint("hinge").angle).toEqualTypeOf<Float64Array | undefined>();
    expectTypeOf(solution.force(coil).angle).toEqualTypeOf<Float64Array>();
  };
  expect([read, columns]).toHaveLength(2);
});
