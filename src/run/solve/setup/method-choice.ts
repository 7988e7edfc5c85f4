import { NodriftError } from "../../../base/errors.js";
import type { CoordinateChoice, Integrator, Method, System } from "../../../interfaces/index.js";
import { pseudoinverse } from "../../../methods/formulations/acceleration-level.js";
import { firstOrder } from "../../../methods/formulations/first-order.js";
import { dop853, dp5, radau5, sdirk4 } from "../../../methods/integrators/adaptive.js";
import { chosenMethod } from "../../../methods/names/method-rule.js";
import { nearestProjection } from "../../../methods/stabilisations/projection.js";
import { stagedProjection } from "../../../methods/stabilisations/staged-projection.js";
import { stateSpace } from "../../../methods/state-space/state-space.js";
import { methodName, stabilisationsOf } from "../../stepping/compatibility.js";
import type { Tolerance } from "./options.js";

/** From this tolerance up, a method of order 5 needs less work. */
const LOOSE_TOLERANCE = 1e-2;

/** A method, and the reason for choosing it. */
export interface Choice {
  readonly method: Method;
  readonly why: string;
  /** Steps have the length that the user gave. */
  readonly hasFixedSteps?: boolean;
  /** The coordinates it works in, if there is a choice. */
  readonly coordinates?: CoordinateChoice | undefined;
}

/**
 * From this tolerance up, a method of order 4 solves stiff motion with less work. For ODEs, from a smaller one up:
 * unknowns far below the tolerance are common there, as in chemical reactions, and the iterations of radau5, three
 * stages together and to two thirds of the digits, then converge to spurious solutions.
 */
const COARSE_TOLERANCE = 1e-3;
const COARSE_ODE_TOLERANCE = 1e-4;

/** Whether the tolerance is loose, on which the choice of an explicit method depends. */
export function isLoose({ relative, positions }: Tolerance): boolean {
  return Math.max(relative, positions) >= LOOSE_TOLERANCE;
}

/** Whether the tolerance is coarse, on which the choice of a method for stiff motion depends. */
export function isCoarse({ relative, positions }: Tolerance, isOde: boolean): boolean {
  return Math.max(relative, positions) >= (isOde ? COARSE_ODE_TOLERANCE : COARSE_TOLERANCE);
}

/** Chooses the method for stiff motion if no method was requested. */
export function chooseStiff(system: System, tolerance: Tolerance): Choice {
  const integrator = isCoarse(tolerance, system.ode !== undefined) ? sdirk4() : radau5();
  const method = implicitMethod(system, integrator);
  return { method, why: `${methodName(method)}: implicit, because the motion is stiff` };
}

/** Returns an implicit method. Implicit integrators solve for all unknowns together: the fewer there are the better. */
export function implicitMethod(system: System, integrator: Integrator): Method {
  if (system.ode) return chosenMethod({ formulation: firstOrder(), integrator });
  return chosenMethod(
    system.constraints.rows === system.constraints.holonomicRows
      ? { formulation: stateSpace(), integrator }
      : { formulation: pseudoinverse(), stabilisation: nearestProjection(), integrator },
  );
}

interface RequestedMethod {
  readonly method: Method | undefined;
  readonly integrator: Integrator | undefined;
  readonly step: number | undefined;
}

/** Returns the method of a run: as given, or the best for the system and the tolerance. */
export function chooseMethod(
  system: System,
  { method, integrator, step }: RequestedMethod,
  tolerance: Tolerance,
): Choice {
  if (method !== undefined) {
    return step === undefined ? forVariableSteps(method) : { method, why: "as given" };
  }
  if (integrator?.isImplicit) {
    const made = implicitMethod(system, integrator);
    return { method: made, why: `${methodName(made)}: ${integrator.name} as given` };
  }
  const loose = isLoose(tolerance);
  const chosen = integrator ?? (loose ? dp5() : dop853());
  const stabilisation = system.loops ? stagedProjection() : nearestProjection();
  const made = chosenMethod(
    system.ode
      ? { formulation: firstOrder(), integrator: chosen }
      : { formulation: pseudoinverse(), stabilisation, integrator: chosen },
  );
  const reasons = [
    integrator
      ? `${integrator.name} as given`
      : `explicit, order ${chosen.order} for ${loose ? "a loose" : "this"} tolerance`,
    system.constraints.rows === 0
      ? system.ode
        ? "a plain differential equation"
        : "no constraints"
      : system.loops
        ? "loops may pass singular poses, so every stage is projected"
        : "no loops, so only the ends of steps are projected",
  ];
  return { method: made, why: `${methodName(made)}: ${reasons.join("; ")}` };
}

/**
 * Returns a coupled method adapted to variable steps. Coupled methods leave residuals of O(h^2), in the velocity with
 * a sign that changes with each step. With equal steps they stay small; a shorter step interprets them as larger
 * accelerations, residual / h^2, and they grow.
 */
function forVariableSteps(method: Method): Choice {
  const list = stabilisationsOf(method);
  const { variableSteps } = "coupled" in method ? method.coupled : { variableSteps: "projected" };
  if (variableSteps === "refused") {
    throw new NodriftError(
      "METHOD",
      `solve: ${methodName(method)} is accurate only with a fixed step: give \`step\`, or use its stabilised form`,
    );
  }
  if (
    !("coupled" in method) ||
    variableSteps === "asTheyAre" ||
    list.some(({ actsOn }) => actsOn === "afterStep" || actsOn === "nothing")
  ) {
    return { method, why: "as given" };
  }
  const made: Method = { ...method, stabilisation: [...list, nearestProjection()] };
  const why =
    "as given, with projection: what these methods leave of the constraints grows with variable steps";
  return { method: made, why };
}

/** Whether the method factors complex matrices in addition to real ones. */
export function isComplex({ method }: Choice): boolean {
  return "formulation" in method && method.integrator.name === "radau5";
}
