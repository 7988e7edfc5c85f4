import type { State } from "../../interfaces/index.js";

/** The part of a state that reports read, for mechanisms and equations. */
export interface RunState extends State {
  energy(): { readonly kinetic: number; readonly potential: number; readonly total: number };
  constraintError(): { readonly position: number; readonly velocity: number };
}
