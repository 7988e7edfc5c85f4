// The experiments of the tables, for other uses of their results.

export { type BasisCosts, basisCosts } from "./basis-costs.js";
export {
  bipedError,
  braunMethod,
  type ConstraintRun,
  comparisons,
  constraintErrors,
  constraintOrder,
  errorAfterTwoSteps,
  fourBarsOf,
  startsOffConstraints,
  uncorrected,
} from "./braun.js";
export { correctionShare } from "./correction-share.js";
export { cpuSeconds } from "./cpu.js";
export {
  type Maxima,
  type PendulumCase,
  pendulumCases,
  pendulumMaxima,
  pendulumReference,
  type SleighMaxima,
  sleighMaxima,
} from "./energy-control.js";
export {
  comparedFormulations,
  distanceFromSaddle,
  drift,
  formulationLevels,
  formulationOrder,
  type RunDrift,
  simulated,
  survives,
} from "./formulation-runs.js";
export { formulationProblems, type Problem, redundantProblem } from "./formulation-systems.js";
export {
  dominantEigenvalue,
  type Heights,
  hmmwvHeightsAt,
  hmmwvStepsAt,
  type Settled,
  settledHmmwv,
  type VehicleSteps,
} from "./hmmwv.js";
export { type Entrant, type HmmwvRace, HmmwvRaces, type RaceOptions } from "./hmmwv-race.js";
export { type JacobianErrors, jacobianErrors, jacobianErrorsOf } from "./jacobian-errors.js";
export {
  fasterFrequency,
  linearPendulum,
  longestStableStep,
  type Radii,
  spectralRadii,
} from "./linear-pendulum.js";
export { baumgarteHeun, inStateSpace, projectedRk4, welchAsPrinted } from "./methods.js";
export { ode45Angles } from "./ode45.js";
export { type OrderSystem, orderSystems } from "./order-systems.js";
export { type MeasuredOrder, measuredOrder } from "./orders.js";
export { type StiffOde, sdirkSteps, stiffOdes } from "./plain-odes.js";
export { type Acceleration, referenceMotion } from "./reference-motion.js";
export {
  type Comparison,
  type Errors,
  exactAngles,
  runAgainstReference,
  runMinimal,
} from "./reference-run.js";
export {
  orderResidual,
  stabilityAtInfinity,
  stabilityOnAxis,
  stageTimes,
} from "./sdirk-conditions.js";
export {
  exactStiffPendulum,
  type PendulumErrors,
  type PendulumSteps,
  type StiffPendulumStart,
  stiffPendulumEigenvalue,
  stiffPendulumEnd,
  stiffPendulumErrors,
  stiffPendulumSteps,
  stiffPendulumStepsOfBodies,
} from "./stiff-pendulum.js";
export { powersOfTen, type TrajectoryError, trajectoryError } from "./stiff-runs.js";
export { ThreeLinks } from "./three-links.js";
export {
  type Converged,
  convergedDoublePendulum,
  crankError,
  type MeasuredRow,
  measureTable1,
  measureTable2,
  table1Classes,
  table1Deviations,
  table2Methods,
} from "./welch.js";
export { type LinkStates, largestCentreDistance, threeLinksByScheme43 } from "./welch-43.js";
