import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import {
  auxiliaryBodyOf,
  energeticBodies,
  stateCount,
} from "../../../systems/bodies/plan/carriers.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";

/** Velocities of auxiliary bodies, by their indices among all velocities of a mechanism. */
export interface CarriedStates {
  /**
   * All velocities of auxiliary bodies that carry states, and those of auxiliary bodies of rotors that are not rotors.
   */
  readonly all: readonly number[];
  /** Velocities that are states, in the order of the states. */
  readonly active: readonly number[];
  /** Unused velocities: neither states nor rotors. */
  readonly idle: readonly number[];
}

export function carriedStates({ model }: Plan): CarriedStates {
  const first = BODY_VELOCITIES * energeticBodies(model.bodies);
  const count = BODY_VELOCITIES * model.bodies.length - first;
  const loose = model.bodies.flatMap(({ isRotor, states }, body) =>
    isRotor
      ? Array.from({ length: BODY_VELOCITIES - states!.length }, (_, i) => {
          return BODY_VELOCITIES * body + states!.length + i;
        })
      : [],
  );
  const all = [...loose, ...Array.from({ length: count }, (_, i) => first + i)];
  const active = Array.from({ length: stateCount(model) }, (_, state) => {
    const [body, axis] = auxiliaryBodyOf(model, state);
    return BODY_VELOCITIES * body + axis;
  });
  return { all, active, idle: all.filter((slot) => !active.includes(slot)) };
}
