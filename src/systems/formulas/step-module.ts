import type { ImportedKernel } from "../../describe/compiled/compile.js";
import type { DerivedEquations } from "../../describe/symbolic/derive.js";
import { I32 } from "../../ground/emit/module-writer.js";
import { embeddingFunctions } from "./embedding.js";
import { FormulaModule } from "./formula-module.js";
import { type FormulaMemory, phiFunction, shapeOf, solvePlaces } from "./formula-plan.js";
import { solveAtOnce } from "./solve-graph.js";
import { motionSlope, STAGE_KERNELS, stagesFunction } from "./stages.js";

const IMPORTS: readonly ImportedKernel[] = [
  ...STAGE_KERNELS,
  // Of the formulas' own module.
  { name: "evaluate", parameters: [] },
  { name: "jacobianTimes", parameters: [I32, I32], result: I32 },
];

/** Slopes, stages and steps of equations of motion, each in one call. For systems whose solves are written out. */
export function stepModule(equations: DerivedEquations, memory: FormulaMemory): FormulaModule {
  const n = equations.q.length;
  const trial = memory.trial.address;
  const places = {
    n,
    time: memory.numbers.address,
    velocities: trial + 8 * n,
    gamma: memory.gamma.address,
  };
  return new FormulaModule(
    [
      solveAtOnce(shapeOf(equations), solvePlaces(equations, memory)),
      phiFunction(equations, memory),
    ],
    memory.scratch,
    IMPORTS,
    [motionSlope(places), stagesFunction(2 * n, trial), ...embeddingFunctions(equations, memory)],
  );
}
