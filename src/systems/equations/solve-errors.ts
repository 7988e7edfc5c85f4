import { Status } from "../../../assembly/layout.js";
import { SimulationError } from "../../base/errors.js";
import { describeStatus, statusCode, statusIndex } from "../../base/wasm/status.js";

/** Data that are searched for the cause of a failed solve. */
export interface ErrorContext {
  readonly name: string;
  readonly time: number;
  readonly coordinateNames: readonly string[];
  readonly rowNames: readonly string[];
  readonly holonomicRows: number;
  /** Returns whether a quantity was evaluated at this state; others are from an earlier state. */
  isKnown(part: (typeof FUNCTIONS)[number]): boolean;
  readonly views: Readonly<
    Record<"q" | "v" | "mass" | "forces" | "jacobian" | "gamma" | "phiDot" | "phi", Float64Array>
  >;
}

/**
 * Returns the error for a failed solve. A state that is not finite, or soon will not be, comes first, since it spoils
 * all else; then the functions in the order they are used; then the matrices.
 */
export function equationSolveError(
  system: ErrorContext,
  status: number,
  advice: string,
): SimulationError {
  return (
    badState(system) ??
    badFunction(system) ??
    new SimulationError(codeOf(status), system.time, reason(system, status, advice))
  );
}

/**
 * Above this magnitude, products of coordinates overflow: user functions are not the cause of results at such a state.
 */
export const MAX_COORDINATE = 1e50;

function badState({
  name,
  time,
  views,
  coordinateNames,
}: ErrorContext): SimulationError | undefined {
  for (const [part, words] of [
    ["q", "position"],
    ["v", "velocity"],
  ] as const) {
    const index = views[part].findIndex((value) => !(Math.abs(value) < MAX_COORDINATE));
    if (index >= 0) {
      return new SimulationError(
        "STEP",
        time,
        `${name}: the ${words} of "${coordinateNames[index]}" is ${views[part][index]} at t = ${time}: ` +
          "the motion diverged. Try a shorter step",
      );
    }
  }
  return undefined;
}

const FUNCTIONS = ["mass", "forces", "jacobian", "gamma", "phiDot", "phi"] as const;

function badFunction(system: ErrorContext): SimulationError | undefined {
  for (const part of FUNCTIONS) {
    if (!system.isKnown(part)) continue;
    const index = system.views[part].findIndex((value) => !Number.isFinite(value));
    if (index < 0) continue;
    const { name, time, views } = system;
    return new SimulationError(
      "EVALUATION",
      time,
      `${name}: ${functionName(system, part, index)} gave ${views[part][index]} for ` +
        `${placeName(system, part, index)} at t = ${time}`,
    );
  }
  return undefined;
}

function functionName(
  { holonomicRows, coordinateNames }: ErrorContext,
  part: (typeof FUNCTIONS)[number],
  index: number,
): string {
  if (part === "mass" || part === "forces") return part;
  const row = part === "jacobian" ? Math.floor(index / coordinateNames.length) : index;
  const holonomic = row < holonomicRows;
  if (part === "phi") return "holonomic.value";
  if (part === "phiDot") return holonomic ? "holonomic.timeDerivative" : "nonholonomic.value";
  return `${holonomic ? "holonomic" : "nonholonomic"}.${part}`;
}

function placeName(
  { coordinateNames, rowNames, views }: ErrorContext,
  part: (typeof FUNCTIONS)[number],
  index: number,
): string {
  const n = coordinateNames.length;
  if (part === "forces") return `"${coordinateNames[index]}"`;
  if (part === "mass") {
    return views.mass.length === n
      ? `"${coordinateNames[index]}"`
      : `"${coordinateNames[Math.floor(index / n)]}", "${coordinateNames[index % n]}"`;
  }
  if (part === "jacobian") {
    return `"${rowNames[Math.floor(index / n)]}", "${coordinateNames[index % n]}"`;
  }
  return `"${rowNames[index]}"`;
}

function codeOf(status: number): "MASS" | "SINGULAR" | "STEP" {
  if (statusCode(status) === Status.NOT_POSITIVE) return "MASS";
  return statusCode(status) === Status.SINGULAR ? "SINGULAR" : "STEP";
}

function reason(
  { name, time, coordinateNames, rowNames }: ErrorContext,
  status: number,
  advice: string,
): string {
  const index = statusIndex(status);
  const row = rowNames[index - coordinateNames.length];
  switch (statusCode(status)) {
    case Status.NOT_POSITIVE:
      return (
        `${name}: the mass matrix is not positive definite at t = ${time}: ` +
        `no positive pivot for "${coordinateNames[index]}"`
      );
    case Status.SINGULAR:
      return (
        `${name}: the constraints depend on each other at t = ${time}` +
        `${row === undefined ? "" : ` ("${row}" repeats others)`}: ${advice}`
      );
    default:
      return `${name}: the solve ${describeStatus(status)} at t = ${time}`;
  }
}
