import type { StateData } from "../../../seam/index.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";
import { turnSlots } from "../../../systems/bodies/system/angle-continuation.js";

/** The present state of a simulation. */
export interface CurrentState {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
  /** Constants of the kernels: angles are counted from what is kept there. */
  readonly data: Float64Array;
  /** Unwrapped joint angles and what couplings hold. */
  readonly turns: Float64Array;
  /** Joint coordinates, where the run integrates these. */
  readonly integrated: IntegratedState | undefined;
}

/** The numbers that a method integrates, where users see others. */
export interface IntegratedState {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/** What readings need of a state whose numbers change: constants with its turns are made only when they are read. */
export function currentState(
  plan: Plan,
  state: StateData,
  {
    integrated = () => undefined,
    readTurns = (out) => out.set(state.turns),
  }: {
    integrated?: () => IntegratedState | undefined;
    /** Writes the turns: those of a simulation are a new array each time they are asked for. */
    readTurns?: (out: Float64Array) => void;
  } = {},
): CurrentState {
  const constants = Float64Array.from(plan.data);
  const slots = turnSlots(plan);
  const turns = new Float64Array(slots.length);
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
    get turns() {
      return state.turns;
    },
    get integrated() {
      return integrated();
    },
    get data() {
      readTurns(turns);
      for (let i = 0; i < slots.length; i++) constants[slots[i]!] = turns[i]!;
      return constants;
    },
  };
}
