// Parameters set by controllers at run time. Dependent values are recomputed as in `set`: the model's calls are
// repeated with the new value, so every value is validated by its method. Only force constants may depend on such
// parameters: they are plain values in memory.

import { descriptionError, label } from "../base/checking/values.js";
import { differenceOf, same } from "./compare.js";
import type { ControllerParameterData, ModelData } from "./model-data.js";

/** Returns the model with the parameters its controllers set. `rebuild` builds it with other parameter values. */
export function withControllerParameters(
  data: ModelData,
  rebuild: (values: Readonly<Record<string, number>>) => ModelData,
): ModelData {
  const outputs = data.controllers.flatMap(({ name, sets = [] }, controller) =>
    sets.map((one) => ({ ...one, controller, name })),
  );
  if (outputs.length === 0) return data;
  const duplicate = outputs.find(
    ({ parameter }, i) => outputs.findIndex((one) => one.parameter === parameter) !== i,
  );
  if (duplicate) {
    throw descriptionError(
      label("controller", duplicate.name),
      `parameter "${duplicate.parameter}" is set by another output already`,
    );
  }
  const driven: ControllerParameterData = {
    outputs,
    constants(values) {
      const given = outputs.map(({ parameter }, i) => [parameter, values[i]!] as const);
      const changed = rebuild(Object.fromEntries(given));
      refuseOthers(data, changed, outputs[0]!.name);
      return new Map(changed.forces.map(({ name, constants }) => [name, constants]));
    },
  };
  // Report values that cannot be set at the description, not at the first sample.
  const start = outputs.map(
    ({ controller, output }) => data.controllers[controller]!.start[output]!,
  );
  tryNeighbours(start, driven.constants);
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
    "its parameter may only affect force constants, not masses, joints, rotors or bristles; in formulas, use output('...') instead of " +
      "the parameter",
  );
}

/** Tries slightly smaller values, or slightly larger ones if these are rejected. One side must be accepted. */
function tryNeighbours(
  values: readonly number[],
  take: (values: readonly number[]) => unknown,
): void {
  const neighbours = (side: 1 | -1) =>
    values.map((value) => (value === 0 ? side * PROBE_STEP : value * (1 + side * PROBE_STEP)));
  try {
    take(neighbours(-1));
  } catch {
    take(neighbours(1));
  }
}

const PROBE_STEP = 2 ** -20;
