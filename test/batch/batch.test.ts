import { ab3, baumgarte, NodriftError, rk4, udwadiaKalaba } from "nodrift";
import { type Batch, batch } from "nodrift/batch";
import {
  type BodySimulation,
  compile,
  defaultMethod,
  type Joint,
  type Model,
  model,
} from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { hingeChain } from "../support/relative-trees.js";

const LENGTH = 0.8;
const GRAVITY = 9.81;

/** A point mass on a rod without mass, except for a rest of inertia. */
function pendulum(more: (m: Model, hinge: Joint) => void = () => {}): Model {
  const m = model({ name: "pendulum", gravity: [0, 0, -GRAVITY] });
  const bob = m.body({
    name: "bob",
    mass: 1,
    inertia: [1e-9, 1e-9, 1e-9],
    position: [0, 0, -LENGTH],
  });
  const hinge = m.revolute({
    name: "hinge",
    between: [m.ground, bob],
    at: [0, 0, 0],
    axis: [0, 1, 0],
  });
  more(m, hinge);
  return m;
}

const wild = (simulation: BodySimulation, i: number) =>
  simulation.setCoordinates({ "hinge 2": { angle: 1, angleRate: i === 2 ? 1e30 : 1 } });

describe("a batch", () => {
  test("swings with the period of a pendulum for each gravity", async () => {
    const small = 1e-3;
    const gravities = [1.62, 3.71, 9.81, 24.8];
    const swings = batch(await compile(pendulum()), gravities.length, {
      step: 1e-3,
      prepare: (simulation, i) => {
        simulation.set({ gravity: [0, 0, -gravities[i]!] }).setCoordinates({ hinge: small });
      },
    });
    swings.advanceTo(2);
    const angles = swings.positions("hinge angle");
    const rates = swings.velocities("hinge angle");
    for (const [i, gravity] of gravities.entries()) {
      const omega = Math.sqrt(gravity / LENGTH);
      expect(Math.abs(angles[i]! - small * Math.cos(2 * omega))).toBeLessThan(1e-8);
      expect(Math.abs(rates[i]! + small * omega * Math.sin(2 * omega))).toBeLessThan(1e-8);
    }
    expect(Array.from(swings.times)).toEqual([2, 2, 2, 2]);
  });

  test("an instance that fails keeps its error and its last state, and the others go on", async () => {
    const system = await compile(hingeChain(3));
    const instances = batch(system, 5, { step: 1e-3, prepare: wild });
    const before = instances.states.slice(6 * 2, 6 * 3);
    instances.advance(10).advance(10);
    expect(instances.failures).toHaveLength(1);
    const [{ instance, time, error }] = instances.failures as [(typeof instances.failures)[0]];
    expect([instance, time]).toEqual([2, 0]);
    expect([error.name, error.code]).toEqual(["SimulationError", "STEP"]);
    const single = system.simulate({ step: 1e-3 });
    wild(single, 2);
    const message = messageOf(() => single.advance(10));
    expect(error.message).toBe(message);
    expect(instances.states.slice(6 * 2, 6 * 3)).toEqual(before);
    // Its neighbour in the other lane.
    const neighbour = system.simulate({ step: 1e-3 });
    wild(neighbour, 3);
    neighbour.advance(20);
    const { positions, velocities } = neighbour.coordinates();
    const own = [...Object.values(positions), ...Object.values(velocities)];
    expect(Array.from(instances.states.slice(6 * 3, 6 * 4))).toEqual(own);
    expect(instances.times[3]).toBe(neighbour.time);
    instances.reset(2, (simulation) => wild(simulation, 0)).advance(20);
    expect(instances.failures).toEqual([]);
    expect(instances.times[2]).toBe(20 * 1e-3);
  });

  test("reads what single simulations read, after any number of turns", async () => {
    const system = await compile(pendulum());
    const prepare = (simulation: BodySimulation, i: number) => {
      simulation.set("bob", { mass: 1 + i }).setCoordinates({ hinge: { angle: 0, angleRate: 40 } });
    };
    const instances = batch(system, 3, { step: 1e-3, prepare });
    instances.advance(700);
    const singles = [0, 1, 2].map((i) => {
      const single = system.simulate({ step: 1e-3 });
      prepare(single, i);
      return single.advance(700);
    });
    const reader = (simulation: BodySimulation) => [
      simulation.joint("hinge").angle!,
      simulation.energy().total,
      ...simulation.body("bob").position,
      ...simulation.joint("hinge").force(),
    ];
    const found = instances.read(reader);
    expect(Array.from(found)).toEqual(singles.flatMap(reader));
    expect(found[0]).toBeGreaterThan(20);
    const out = new Float64Array(3);
    expect(instances.read(({ time }) => time, out)).toBe(out);
    expect(instances.positions("hinge angle", out)).toBe(out);
  });

  test("an instance whose change is refused stays as it was", async () => {
    const instances = batch(await compile(pendulum()), 2, { step: 1e-3 }).advance(5);
    const states = instances.states.slice();
    expect(() =>
      instances.change(1, (simulation) => {
        simulation.setCoordinates({ hinge: 1 });
        throw new Error("mine");
      }),
    ).toThrow("mine");
    expect(instances.states).toEqual(states);
    expect(instances.advance(1).failures).toEqual([]);
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(NodriftError);
    return (error as Error).message;
  }
  throw new Error("nothing was thrown");
}

describe("messages", () => {
  test("name what a batch does not support", async () => {
    const system = await compile(pendulum());
    const stopped = await compile(
      pendulum((m, hinge) => m.stop({ name: "anvil", joint: hinge, upper: 1, restitution: 0.5 })),
    );
    const make = (options: object) => () => batch(system, 2, { step: 1e-3, ...options });
    const method = defaultMethod();
    expect(() => batch(stopped, 2, { step: 1e-3 })).toThrow(/the rigid stop "anvil"/);
    expect(make({ method: { ...method, integrator: ab3() } })).toThrow(/batch: ab3 keeps more/);
    const baumgartes = {
      formulation: udwadiaKalaba(),
      stabilisation: baumgarte(),
      integrator: rk4(),
    };
    expect(make({ method: baumgartes })).toThrow(/batch: baumgarte keeps more/);
    expect(make({ prepare: (s: BodySimulation) => s.lock("hinge") })).toThrow(
      /instance 0: this set/,
    );
    const push = (s: BodySimulation) => s.push("bob", { force: [1, 0, 0] });
    expect(make({ prepare: push })).toThrow(/instance 0: pushes and grips/);
    expect(make({ prepare: (s: BodySimulation) => s.setStep(1) })).toThrow(/have the step/);
    expect(make({ prepare: (s: BodySimulation) => s.record() })).toThrow(/can be recorded/);
  });

  test("say what is wrong with arguments", async () => {
    const system = await compile(pendulum());
    const wrong = batch as (...given: unknown[]) => Batch;
    expect(() => wrong({}, 2, { step: 1 })).toThrow(/give a compiled model/);
    expect(() => wrong(system, 0, { step: 1 })).toThrow(/the number of instances is 0/);
    expect(() => wrong(system, 2, {})).toThrow(/"step" is missing|step/);
    expect(() => wrong(system, 2, { step: 1e-3, prepair: () => {} })).toThrow(/prepair.*prepare/s);
    const two = batch(system, 2, { step: 1e-3 });
    expect(() => two.advance(-1)).toThrow(/the number of steps is -1/);
    expect(() => two.advance(1, [1])).toThrow(/give a list of 2 entries/);
    expect(() => two.positions("hinge angel")).toThrow(/hinge angle/);
    expect(() => two.positions("hinge angle", new Float64Array(1))).toThrow(/length 2/);
    expect(() => two.reset(2)).toThrow(/the instance is 2/);
    expect(() => two.advance(5).advanceTo(1e-3)).toThrow(/lies before/);
    expect(() =>
      two.read(({ time }) => new Float64Array(time === 0 ? 1 : 2).fill(0), new Float64Array(1)),
    ).toThrow(/length 4/);
    expect(() => two.read(() => two.advance(1).count)).toThrow(/read/);
    expect(() => two.read(() => two.change(0, () => {}).count)).toThrow(/read/);
    expect(() => two.read(() => undefined as never)).toThrow(/instance 0 gave undefined/);
  });
});
