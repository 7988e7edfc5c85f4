import { Status } from "../../../../assembly/layout.js";
import type { ModelData } from "../../../describe/model/model-data.js";
import { SimulationError } from "../../../ground/errors.js";
import { statusCode, statusIndex } from "../../../ground/wasm/status.js";
import { BLOWN_UP, stiffAdvice } from "../../bodies/system/solve-errors.js";

/** Data searched to find the cause of a failed solve. */
export interface TreeErrorContext {
  readonly time: number;
  readonly bodies: {
    readonly name: string;
    readonly plan: { readonly model: ModelData };
    errorFor(status: number, advice: string): Error;
  };
  readonly positions: number;
  readonly positionNames: readonly string[];
  readonly velocityNames: readonly string[];
  readonly trialNumbers: Float64Array;
}

/** The error for a failed kernel of a tree: names the coordinate or the row, the time, and what to try. */
export function treeSolveError(
  system: TreeErrorContext,
  status: number,
  advice: string,
): SimulationError {
  const { time, bodies } = system;
  const at = `at t = ${time}`;
  const diverged = divergedCoordinate(system);
  if (diverged !== undefined) {
    return new SimulationError(
      "STEP",
      time,
      `${bodies.name}: ${diverged} ${at}: the motion diverged. Try a shorter step${stiffAdvice(bodies.plan.model)}`,
    );
  }
  const code = statusCode(status);
  if (code === Status.NOT_POSITIVE) {
    const name = system.velocityNames[statusIndex(status)];
    return new SimulationError(
      "MASS",
      time,
      `${bodies.name}: nothing with mass moves along "${name}" ${at}: give the bodies beyond that joint mass and ` +
        'moments of inertia, or compile with coordinates: "maximal"',
    );
  }
  return bodies.errorFor(status, advice) as SimulationError;
}

/** A coordinate or velocity of the trial state that has left all bounds. */
function divergedCoordinate(system: TreeErrorContext): string | undefined {
  const names = [...system.positionNames, ...system.velocityNames];
  const values = system.trialNumbers;
  const index = names.findIndex((_, i) => !(Math.abs(values[i]!) < BLOWN_UP));
  if (index < 0) return undefined;
  const what = index < system.positions ? "position" : "velocity";
  return `the ${what} "${names[index]}" is ${values[index]}`;
}
