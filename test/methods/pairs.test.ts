import {
  ab3,
  baumgarte,
  type CoupledMethod,
  driftElimination,
  equations,
  type Formulation,
  type Method,
  none,
  projection,
  rk4,
  type Stabilisation,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { describe, expect, test } from "vitest";
import { error, everything, START } from "../support/skate.js";

const formulation = udwadiaKalaba();
const integrator = rk4();

/** Mock methods with declared properties only; none of these takes a step. */
const onVelocities: Formulation = { ...formulation, name: "onVelocities", level: "velocity" };
const onPositions: Formulation = { ...formulation, name: "onPositions", level: "position" };
const changing: Formulation = { ...formulation, name: "changing", changesUnknowns: true };
const energyControl: Stabilisation = {
  ...none(),
  name: "energyControl",
  actsOn: "rates",
  needsEnergy: true,
};
const coupled: CoupledMethod = {
  name: "coupled",
  reference: "-",
  order: 2,
  stages: 2,
  level: "position",
  survivesSingularPoses: false,
  survivesRedundantRows: false,
  needs: "operators",
  variableSteps: "projected",
  errorOrder: 0,
  bind: () => ({ attempt() {}, accept() {}, commit() {}, reset() {}, accelerations() {} }),
};

const CALL = "is a function: call it, as in";
const MISSING = "is missing; give a formulation like udwadiaKalaba()";
const INSIDE =
  "cannot be combined with coupled: that method enforces the constraints inside its own step and has no " +
  "rates to change; only corrections after the step, like projection(), fit";
const LEVEL = (level: string) =>
  `enforces the constraints on the level of ${level} and does not integrate them: use projection(), or a ` +
  "formulation on the level of accelerations";

const refused: [string, Record<string, unknown>, string][] = [
  [
    "a formulation not called",
    { formulation: udwadiaKalaba, integrator },
    `simulate: method.formulation ${CALL} udwadiaKalaba()`,
  ],
  [
    "an integrator not called",
    { formulation, integrator: rk4 },
    `simulate: method.integrator ${CALL} rk4()`,
  ],
  [
    "a coupled method not called",
    { coupled: () => coupled },
    `simulate: method.coupled ${CALL} welch()`,
  ],
  [
    "an integrator alone",
    { integrator },
    `simulate: method is an integrator alone; give a whole method: parseMethod("udwadiaKalaba + projection + ${integrator.name}")`,
  ],
  [
    "no formulation",
    { integrator, stabilisation: none() },
    `simulate: method.formulation ${MISSING}`,
  ],
  [
    "no integrator",
    { formulation },
    "simulate: method.integrator is missing; give an integrator like rk4()",
  ],
  ["an empty coupled method", { coupled: undefined }, `simulate: method.formulation ${MISSING}`],
  [
    "a stabilisation not called",
    { formulation, integrator, stabilisation: [none(), projection] },
    `simulate: method.stabilisation[1] ${CALL} projection()`,
  ],
  [
    "a coupled method with terms in the accelerations",
    { coupled, stabilisation: baumgarte() },
    `baumgarte ${INSIDE}`,
  ],
  [
    "a coupled method with terms in the rates",
    { coupled, stabilisation: [projection(), energyControl] },
    `energyControl ${INSIDE}`,
  ],
  [
    "memory of unknowns that change",
    { formulation: changing, integrator: ab3() },
    "ab3 is a multistep method, but changing redefines its unknowns at each " +
      "step: use a one-step method like rk4()",
  ],
  [
    "accelerations that are not integrated (velocities)",
    { formulation: onVelocities, stabilisation: baumgarte(), integrator },
    `baumgarte changes accelerations, but onVelocities ${LEVEL("velocities")}`,
  ],
  [
    "accelerations that are not integrated (positions)",
    { formulation: onPositions, stabilisation: energyControl, integrator },
    `energyControl changes accelerations, but onPositions ${LEVEL("positions")}`,
  ],
  [
    "a correction over one step with a memory",
    { formulation, stabilisation: driftElimination(), integrator: ab3() },
    "driftElimination removes the constraint error over one step, but the multistep method ab3 would " +
      "reuse that correction: use a one-step method like rk4()",
  ],
  [
    "two corrections of the constraints",
    { formulation, stabilisation: [baumgarte(), driftElimination()], integrator },
    "baumgarte and driftElimination would both correct the same constraint errors: use one of them",
  ],
  [
    "two corrections of the energy",
    {
      formulation,
      stabilisation: [energyControl, { ...energyControl, name: "other" }],
      integrator,
    },
    "energyControl and other would both correct the same energy error: use one of them",
  ],
];

describe("simulate rejects", () => {
  test.each(refused)("%s", (_, method, message) => {
    const options = { ...START, method: method as unknown as Method };
    expect(() => simulate(equations(everything()), options)).toThrow(error("METHOD", message));
  });

  test("energy control without an energy", () => {
    const { potential: _, potentialGradient: __, ...silent } = everything();
    const method = { formulation, stabilisation: energyControl, integrator };
    expect(() => simulate(equations(silent), { ...START, method })).toThrow(
      error(
        "METHOD",
        "energyControl controls the energy, but the system has no potential: give `potential`",
      ),
    );
  });
});

test.each<[string, Method]>([
  ["udwadiaKalaba + rk4", { formulation, integrator }],
  [
    "udwadiaKalaba + baumgarte + projection + rk4",
    { formulation, stabilisation: [baumgarte(), projection()], integrator },
  ],
  [
    "udwadiaKalaba + projection + ab3",
    { formulation, stabilisation: projection(), integrator: ab3() },
  ],
  [
    "onPositions + projection + rk4",
    { formulation: onPositions, stabilisation: projection(), integrator },
  ],
  ["coupled + projection", { coupled, stabilisation: projection() }],
])("what makes sense is taken: %s", (name, method) => {
  expect(simulate(equations(everything()), { ...START, method }).method).toBe(name);
});
