// Calls of `nodrift/reproduce`: only invalid ones, since experiments take minutes.

import * as experiments from "nodrift/reproduce";
import { type Call, exported, functionsOf } from "./call.js";

/** Arguments of functions that have some; all are invalid. */
const COUNTS: Readonly<Record<string, number>> = {
  fourBarsOf: 1,
  bipedError: 2,
  constraintErrors: 2,
  correctionShare: 1,
  basisCosts: 2,
  judgedWith: 2,
  constraintOrder: 2,
  cpuSeconds: 1,
  pendulumReference: 1,
  pendulumMaxima: 3,
  sleighMaxima: 1,
  simulated: 3,
  drift: 2,
  survives: 3,
  formulationOrder: 4,
  distanceFromSaddle: 3,
  dominantEigenvalue: 2,
  hmmwvHeightsAt: 2,
  hmmwvStepsAt: 2,
  longestStableStep: 1,
  baumgarteHeun: 1,
  inStateSpace: 1,
  measuredOrder: 2,
  sdirkSteps: 3,
  referenceMotion: 5,
  exactAngles: 2,
  runAgainstReference: 4,
  runMinimal: 3,
  orderResidual: 1,
  stageTimes: 1,
  stabilityAtInfinity: 1,
  stabilityOnAxis: 1,
  stiffPendulumSteps: 1,
  stiffPendulumStepsOfBodies: 2,
  exactStiffPendulum: 1,
  stiffPendulumErrors: 2,
  powersOfTen: 2,
  trajectoryError: 3,
  table1Deviations: 1,
  measureTable2: 1,
  crankError: 1,
};

export function reproduceCalls(): Call[] {
  return functionsOf(experiments).flatMap(([name, value]) => {
    const count = COUNTS[name];
    if (count === undefined) return [];
    const make = () => Array.from({ length: count }, () => Symbol("wrong"));
    // Errors may come from the functions they call.
    return [exported("nodrift/reproduce", name, value, make, ["simulate: ", "solve: "])];
  });
}
