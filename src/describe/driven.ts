// Parameters that controllers set while a mechanism runs. What follows from a parameter is found as `set` finds it: by making the calls
// of the model again with its new value, so that every number goes through the checks of its method. Only constants of forces may
// follow: they are numbers in memory.

import { differenceOf, same } from "./model/compare.js";
import type { DrivenData, ModelData } from "./model/model-data.js";
import { descriptionError, label } from "./model/option-checks.js";

/** Values of parameters by name. */
type Values = Readonly<Record<string, number>>;

/** The model with what its controllers set. `made` makes it anew with other values of parameters. */
export function withDriven(data: ModelData, made: (values: Values) => ModelData): ModelData {
  const outputs = data.controllers.flatMap(({ name, sets = [] }, controller) =>
    sets.map((one) => ({ ...one, controller, name })),
  );
  if (outputs.length === 0) return data;
  const twice = outputs.find(
    ({ parameter }, i) => outputs.findIndex((one) => one.parameter === parameter) !== i,
  );
  if (twice) {
    throw descriptionError(
      label("controller", twice.name),
      `parameter "${twice.parameter}" is set by another output already`,
    );
  }
  const driven: DrivenData = {
    outputs,
    constants(values) {
      const given = outputs.map(({ parameter }, i) => [parameter, values[i]!] as const);
      const next = made(Object.fromEntries(given));
      refuseOthers(data, next, outputs[0]!.name);
      return new Map(next.forces.map(({ name, constants }) => [name, constants]));
    },
  };
  // What cannot be set is told where it is described, not at the first sample.
  const start = outputs.map(
    ({ controller, output }) => data.controllers[controller]!.start[output]!,
  );
  tryBeside(start, driven.constants);
  return Object.freeze({ ...data, driven });
}

function refuseOthers(before: ModelData, after: ModelData, controller: string): void {
  const inputs = ({ forces, userForces, states }: ModelData) => [
    forces.map(({ formulas }) => formulas?.map(({ formula }) => formula.inputs)),
    userForces.map(({ formulas }) => formulas?.map((formula) => formula.inputs)),
    states.map(({ formulas }) => formulas?.map((formula) => formula.inputs)),
  ];
  if (differenceOf(before, after) === "forces" && same(inputs(before), inputs(after))) return;
  throw descriptionError(
    label("controller", controller),
    "what it sets is more than constants of forces: masses, joints, rotors and bristles cannot follow it, and formulas read output('...') in place of " +
      "the parameter",
  );
}

/** Values a little smaller, or larger where these are refused: on one side of each there must be some that can be set. */
function tryBeside(values: readonly number[], take: (values: readonly number[]) => unknown): void {
  const beside = (side: 1 | -1) =>
    values.map((value) => (value === 0 ? side * BESIDE : value * (1 + side * BESIDE)));
  try {
    take(beside(-1));
  } catch {
    take(beside(1));
  }
}

const BESIDE = 2 ** -20;
