// Rows of the user by formulas.

import { isConstant } from "../expressions/graph.js";
import { type FormulaText, sourceOf } from "../measured/formula-source.js";
import { FrameGraph } from "../measured/frame-graph.js";
import { bodiesRead, readsVelocities, usedInputs } from "../measured/measured-formula.js";
import { recipeFormula, TIME } from "../measured/recipe-formula.js";
import type { MeasuredFormula } from "../model/formula-data.js";
import { show } from "../model/option-checks.js";
import type { JointBuilder } from "./joint-builder.js";

/** What rows by formulas are: the formulas, the bodies they read, and whether they are on positions. */
export interface RowFormulas {
  readonly formulas: readonly MeasuredFormula[];
  readonly bodies: readonly number[];
  readonly holonomic: boolean;
  readonly areNonlinear: boolean;
}

/** Reads the formulas of rows, each zero where its row holds. */
export function rowFormulas(
  names: readonly string[],
  given: readonly FormulaText[],
  builder: JointBuilder,
): RowFormulas {
  if (given.length !== names.length) {
    throw builder.error(`value has ${given.length} formulas for ${names.length} rows`);
  }
  const formulas = given.map((text, i) => {
    const source = sourceOf(text);
    if (!source) throw builder.error(`value[${i}] must be a formula, not ${show(text)}`);
    return recipeFormula(builder, `value[${i}]`, source, { t: TIME });
  });
  const { store } = builder;
  formulas.forEach((formula, i) => {
    if (usedInputs(formula).some(({ kind }) => kind === "state")) {
      throw builder.error(
        `value[${i}], "${formula.text}", reads a state: rows hold bodies alone; give a force instead`,
      );
    }
    if (bodiesRead(formula, store.markers).length > 0) return;
    throw builder.error(`value[${i}], "${formula.text}", reads no body: no motion can change it`);
  });
  const moving = formulas.filter(readsVelocities);
  if (moving.length > 0 && moving.length < formulas.length) {
    throw builder.error(
      "some rows are on velocities and some on positions: give each kind a constraint of its own",
    );
  }
  const holonomic = moving.length === 0;
  const bodies = [...new Set(formulas.flatMap((one) => bodiesRead(one, store.markers)))];
  return {
    formulas: Object.freeze(formulas),
    bodies: Object.freeze(bodies),
    holonomic,
    areNonlinear: !holonomic && areNonlinear(formulas, builder),
  };
}

/** Whether rows on velocities have a Jacobian that changes with velocities: their second derivatives are not all zero. */
function areNonlinear(formulas: readonly MeasuredFormula[], builder: JointBuilder): boolean {
  const { parameters, markers } = builder.store;
  const graph = new FrameGraph(builder.store, {
    frames: 0,
    time: -8,
    reference: (sensor) => -16 - 16 * sensor,
    // Nothing is read: addresses only tell numbers apart.
    parameter: (name) => -24 - 16 * parameters.findIndex((one) => one.name === name),
  });
  return formulas.some((formula) => {
    const node = graph.formula(formula);
    const directions = bodiesRead(formula, markers).flatMap((body) =>
      [0, 1, 2, 3, 4, 5].map((j) => graph.velocity(body, j)),
    );
    const slopes = directions.map((along) => graph.calculus.along([node], along)[0]!);
    const bends = directions.flatMap((along) => graph.calculus.along(slopes, along));
    return !bends.every((bend) => isConstant(bend, 0));
  });
}
