import type { State } from "../../../seam/index.js";

/** What reports read of a state, of a mechanism or of equations. */
export interface RunState extends State {
  energy(): { readonly kinetic: number; readonly potential: number; readonly total: number };
  constraintError(): { readonly position: number; readonly velocity: number };
}
