import {
  coupledMethods,
  type Formulation,
  formulations,
  integrators,
  type Method,
  NodriftError,
  none,
  rk4,
  stabilisations,
  udwadiaKalaba,
} from "nodrift";
import { compile, jointSpace, model, type QuantityReader, rod } from "nodrift/bodies";
import {
  directFormulations,
  directMethods,
  radau5,
  realtime,
  solve,
  stateSpace,
} from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { explicit, implicit } from "../support/integrators.js";
import { controlled, controlledReference } from "./support/controlled.js";

const SPAN = 0.1;
const STEP = 1 / 400;

type Source = Awaited<ReturnType<typeof controlled>>;

/** Largest errors of angle and states after some steps. */
function errorOf(system: Source, method: Method, step = STEP): number {
  const simulation = system.simulate({ step, method }).advance(Math.round(SPAN / step));
  const { integral, rate } = simulation.state("pi");
  const found = [simulation.joint("hinge").angle!, integral!, rate!];
  const [angle, , z, f] = controlledReference(SPAN);
  const decay = Math.abs(simulation.state("decay").x! - Math.exp(-2 * simulation.time));
  return Math.max(decay, ...[angle!, z!, f!].map((exact, i) => Math.abs(found[i]! - exact)));
}

/** Error of a method; undefined if it is not supported for mechanisms. */
function attempt(system: Source, method: Method): number | undefined {
  try {
    return errorOf(system, method);
  } catch (error) {
    if (error instanceof NodriftError && error.code === "METHOD") return undefined;
    throw error;
  }
}

describe.each(["maximal", "relative"] as const)("model.states in %s coordinates", (coordinates) => {
  const compiled = controlled({ coordinates });
  const free: readonly Formulation[] = [...formulations, stateSpace()];

  test.each(free)("$name integrates them", async (formulation) => {
    const error = attempt(await compiled, {
      formulation,
      stabilisation: none(),
      integrator: rk4(),
    });
    // Penalty formulations open the hinge slightly.
    const allowed = formulation.name.startsWith("penalty") ? 1e-2 : 1e-6;
    if (error !== undefined) expect(error).toBeLessThan(allowed);
  });

  test.each(stabilisations)("$name leaves them unchanged", async (stabilisation) => {
    const method = { formulation: udwadiaKalaba(), stabilisation, integrator: rk4() };
    // A multiplier of the energy disturbs a motion that starts at rest, as its comment explains.
    const allowed = stabilisation.name.startsWith("energyMultiplier") ? 1e-4 : 1e-6;
    expect(attempt(await compiled, method)).toBeLessThan(allowed);
  });

  test.each(Object.values(integrators).map((make) => make()))(
    "$name integrates them",
    async (integrator) => {
      const system = await compiled;
      const method = { formulation: udwadiaKalaba(), stabilisation: none(), integrator };
      const [long, short] = [STEP, STEP / 2].map((step) => errorOf(system, method, step));
      expect(Math.log2(long! / short!)).toBeGreaterThan(integrator.order - 0.3);
    },
  );

  test.each([...coupledMethods, ...directMethods])("$name integrates them", async (coupled) => {
    const error = attempt(await compiled, { coupled });
    if (error !== undefined) expect(error).toBeLessThan(0.02);
  });

  test.each([...explicit, ...implicit])("$name keeps to its tolerance", async (integrator) => {
    const tolerance = 1e-6;
    const formulation = integrator.isImplicit ? stateSpace() : udwadiaKalaba();
    const method = { formulation, integrator };
    const found = solve(await compiled, { span: [0, 0.5], tolerance, method });
    expect(found.status, found.reason).toBe("finished");
    const [angle, , z, f] = controlledReference(0.5);
    const { integral, rate } = found.end.state("pi");
    expect(Math.abs(found.end.joint("hinge").angle! - angle!)).toBeLessThan(20 * tolerance);
    expect(Math.abs(integral! - z!)).toBeLessThan(20 * tolerance);
    expect(Math.abs(rate! - f!)).toBeLessThan(100 * tolerance);
  });

  test.each(directFormulations)("$name with radau5 integrates them", async (formulation) => {
    const method = { formulation, integrator: radau5() };
    const found = solve(await compiled, { span: [0, 0.2], tolerance: 1e-6, method });
    expect(found.status, found.reason).toBe("finished");
    const [, , z, f] = controlledReference(0.2);
    const { integral, rate } = found.end.state("pi");
    expect(Math.abs(integral! - z!)).toBeLessThan(2e-5);
    expect(Math.abs(rate! - f!)).toBeLessThan(2e-4);
  });

  test("do not contribute to momentum and kinetic energy", async () => {
    const system = await compiled;
    const simulation = system.simulate({ step: STEP });
    expect(system.report.degreesOfFreedom).toBe(1);
    expect(simulation.degreesOfFreedom()).toBe(1);
    expect(system.report.notes.join()).not.toContain("states");
    expect(simulation.bodies).toEqual(["arm"]);
    expect(simulation.rigidBodies).toHaveLength(1);
    expect(system.assembly.bodies.map(({ name }) => name)).toEqual(["arm"]);
    // At rest with nonzero states.
    expect(simulation.energy().kinetic).toBe(0);
    expect(simulation.momentum()).toEqual([0, 0, 0]);
    expect(jointSpace(simulation).velocityNames).toEqual(["hinge angle"]);
    expect(Object.keys(simulation.coordinates().velocities)).toEqual(["hinge angle"]);
  });

  test("survive save, restore, replay and named states bit for bit", async () => {
    const system = await compiled;
    const simulation = system.simulate({ step: STEP });
    simulation.advance(10);
    const recording = simulation.record({ every: 5 });
    const snapshot = simulation.save();
    const named = simulation.namedState();
    const at = simulation.advance(10).state("pi");
    simulation.restore(snapshot);
    expect(simulation.advance(10).state("pi")).toEqual(at);
    recording.rewind(STEP * 20);
    const other = system.simulate({ step: STEP });
    other.replay(recording.stop());
    expect(other.state("pi")).toEqual(at);
    const third = system.simulate({ step: STEP });
    third.setNamedState(named);
    const { integral, rate } = third.advance(10).state("pi");
    expect(Math.abs(integral! - at.integral!)).toBeLessThan(1e-14);
    expect(Math.abs(rate! - at.rate!)).toBeLessThan(1e-14);
  });

  test("appear in realtime, runs and events", async () => {
    const system = await compiled;
    const loop = realtime(system, { step: STEP });
    loop.advance(SPAN);
    const [, , z] = controlledReference(SPAN);
    expect(Math.abs(loop.simulation.state("pi").integral! - z!)).toBeLessThan(1e-5);
    const found = solve(system, {
      span: [0, 0.5],
      tolerance: 1e-9,
      events: [
        { name: "half", when: (state) => state.state("pi").integral! - 0.06, terminal: true },
      ],
    });
    expect(found.end.state("pi").integral).toBeCloseTo(0.06, 8);
    expect(controlledReference(found.end.time)[2]).toBeCloseTo(0.06, 7);
  });

  test("continue after set as after a fresh compilation", async () => {
    const system = await compiled;
    const simulation = system.simulate({ step: STEP }).advance(7);
    simulation.set("arm", { mass: 2 });
    const fresh = system.with("arm", { mass: 2 }).simulate({ step: STEP });
    fresh.setState(simulation.q, simulation.v, {
      time: simulation.time,
      unwrappedAngles: simulation.unwrappedAngles,
    });
    const [found, expected] = [simulation.advance(20).state("pi"), fresh.advance(20).state("pi")];
    // Joint angles are found from poses in maximal coordinates, which rounds.
    if (coordinates === "maximal") expect(found).toEqual(expected);
    expect(Math.abs(found.integral! - expected.integral!)).toBeLessThan(1e-15);
    expect(Math.abs(found.rate! - expected.rate!)).toBeLessThan(1e-14);
  });
});

describe("model.states with wrong input", () => {
  const given = (options: object) => () => model().states(options as never);
  const rates = () => [0];

  test.each([
    [{ rates }, "names is missing"],
    [{ names: [], rates }, "names must be a list of texts"],
    [{ names: ["a", "a"], rates }, 'names has "a" twice'],
    [{ names: ["a"] }, "rates is missing"],
    [{ names: ["a"], rates: 3 }, "rates must be a function"],
    [{ names: ["a"], rates, start: [1, 2] }, "start must be 1 numbers"],
    [{ names: ["a"], rates, begin: [1] }, "begin"],
    [{ names: ["a"], rates, name: "" }, "name must be non-empty"],
  ])("rejects %o", (options, message) => {
    expect(given(options)).toThrow(message);
  });

  test.each([
    [() => [Number.NaN], 'states "s": rates gave NaN for "a" at t = 0'],
    [() => [1, 2], "give 1 numbers"],
    [() => undefined, 'rates gave NaN for "a"'],
    [
      (_t: number, _y: Float64Array, read: QuantityReader) => [read.angle("hing")],
      "did you mean hinge",
    ],
    [
      (_t: number, _y: Float64Array, read: QuantityReader) => [read.length("hinge")],
      "it has angle",
    ],
    [(_t: number, _y: Float64Array, read: QuantityReader) => [read.state("t")], 'no states "t"'],
  ])("reports invalid rates with the name of the state", async (wrong, message) => {
    const m = model();
    const arm = m.body({ mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
    m.revolute({ name: "hinge", between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
    m.states({ name: "s", names: ["a"], rates: wrong as never });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    expect(() => simulation.advance()).toThrow(message);
  });
});
