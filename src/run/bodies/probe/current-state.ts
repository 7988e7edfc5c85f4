import type { StateData } from "../../../interfaces/index.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";
import { continuationSlots } from "../../../systems/bodies/system/angle-continuation.js";

/** The present state of a simulation. */
export interface CurrentState {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
  /** Constants of the kernels, which include the angles counted so far. */
  readonly data: Float64Array;
  /** Unwrapped joint angles and offsets of couplings. */
  readonly unwrappedAngles: Float64Array;
  /** Joint coordinates; undefined unless the run integrates them. */
  readonly integrated: IntegratedState | undefined;
}

/** The integrated coordinates, if they differ from the public ones. */
export interface IntegratedState {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/** Creates a reader of a changing state. Constants with its unwrapped angles are computed only when read. */
export function currentState(
  plan: Plan,
  state: StateData,
  {
    integrated = () => undefined,
    readAngles = (out) => out.set(state.unwrappedAngles),
  }: {
    integrated?: () => IntegratedState | undefined;
    /** Writes the unwrapped angles; the property of a simulation allocates a new array on each access. */
    readAngles?: (out: Float64Array) => void;
  } = {},
): CurrentState {
  const constants = Float64Array.from(plan.data);
  const slots = continuationSlots(plan);
  const unwrappedAngles = new Float64Array(slots.length);
  return {
    get q() {
      return state.q;
    },
    get v() {
      return state.v;
    },
    get time() {
      return state.time;
    },
    get unwrappedAngles() {
      return state.unwrappedAngles;
    },
    get integrated() {
      return integrated();
    },
    get data() {
      readAngles(unwrappedAngles);
      for (let i = 0; i < slots.length; i++) constants[slots[i]!] = unwrappedAngles[i]!;
      return constants;
    },
  };
}
