import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { carrierOf, energeticBodies, stateCount } from "../../../systems/bodies/plan/carriers.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";

/** Where states are among the velocities of a mechanism. */
export interface CarriedStates {
  /** All velocities of their carriers, and what of carriers of rotors no rotor is. */
  readonly all: readonly number[];
  /** Those that are states, in their order. */
  readonly active: readonly number[];
  /** Those that are nothing: neither states nor rotors. */
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
    const [body, axis] = carrierOf(model, state);
    return BODY_VELOCITIES * body + axis;
  });
  return { all, active, idle: all.filter((slot) => !active.includes(slot)) };
}
