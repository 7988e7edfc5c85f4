// Choice of the coordinates of a method, if a system has two kinds.

import type { CoordinateChoice, Method, System } from "../../interfaces/index.js";
import { isNamed } from "../../methods/names/method-rule.js";
import { methodName, stabilisationsOf } from "./compatibility.js";

/** Returns the system itself, or the same mechanism in maximal coordinates if the method needs these. */
export function systemFor(method: Method, system: System): System {
  const { publicState } = system;
  if (publicState === undefined || whyMaximal(method, system) === undefined) return system;
  return publicState.maximal();
}

/**
 * Returns the choice made by {@link systemFor}, with its reason; undefined if a source has no choice. `own` is that
 * of the source.
 */
export function choiceFor(
  method: Method,
  system: System,
  own: CoordinateChoice | undefined,
): CoordinateChoice | undefined {
  const why = system.publicState && whyMaximal(method, system);
  if (why !== undefined) return { kind: "maximal", why };
  const idle = own && idleNote(method, system);
  return idle === undefined ? own : { kind: own!.kind, why: `${own!.why}; ${idle}` };
}

/** Returns a note that a method was named for constraints, and none are left; undefined otherwise. */
export function idleNote(method: Method, { publicState, constraints }: System): string | undefined {
  if (publicState === undefined || constraints.rows > 0 || !isNamed(method)) return undefined;
  const named = stabilisationsOf(method).map(({ name }) => name);
  const idle = named.filter((name) => name !== "none");
  const parts =
    idle.length > 0 ? idle : ["coupled" in method ? method.coupled.name : method.formulation.name];
  return `no constraint is left in joint coordinates, so that ${parts.join(" and ")} had nothing to do`;
}

/** Returns the reason why a method needs maximal coordinates of a system that has others; undefined if it does not. */
export function whyMaximal(
  method: Method,
  { matrices, coordinates, publicState }: System,
): string | undefined {
  const part = "coupled" in method ? method.coupled : method.formulation;
  const { name, needs } = part;
  if (needs === "bodies") return `${name} is a scheme for free bodies and their joints`;
  const has = needs === "operators" || matrices.dense || (needs === "matrices" && matrices.sparse);
  if (!has) return `${name} works on matrices, which relative coordinates do not have`;
  if (needs === "matrices" && publicState?.isAutomatic && matrices.costly !== "") {
    return `${name}: ${matrices.costly}`;
  }
  const dense = stabilisationsOf(method).find(({ needsDense }) => needsDense);
  if (dense && !matrices.dense) {
    return `${dense.name} works on matrices, which relative coordinates do not have`;
  }
  const { positionNames = [] } = coordinates;
  const named = "namedPositions" in part ? part.namedPositions : undefined;
  const other = named?.find(
    (position) => typeof position === "number" || !positionNames.includes(position),
  );
  if (other !== undefined) return `${name} is to use "${other}", of the bodies`;
  // A tree has no constraint in joint coordinates: methods that are compared on it would all be the same.
  const isForced = publicState?.isAutomatic && isNamed(method);
  return isForced
    ? `${methodName(method)} is named, and gets the constraints of all joints`
    : undefined;
}
