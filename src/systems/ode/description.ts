import type { FunctionResult, InputArray, OutputArray } from "../equations/description.js";

/** A plain ordinary differential equation y' = f(t, y). */
export interface OdeDescription {
  /** Name, for messages. Default: "ode". */
  readonly name?: string;
  /** Names of the unknowns, or their number; they are then named y0, y1, ... */
  readonly names: number | readonly string[];
  /** f(t, y): writes it into `out`, all of it, or returns it as an array (slower). */
  readonly rate: (t: number, y: InputArray, out: OutputArray) => FunctionResult;
  /**
   * df/dy, n x n, column-major: writes the derivative of rate i by unknown j to out[i + n j], and returns nothing.
   * Entries that are not written are zero. Implicit methods use it. Default: finite differences of `rate`.
   */
  readonly jacobian?: (t: number, y: InputArray, out: OutputArray) => void;
  /**
   * Compares `jacobian` with finite differences of `rate` at the first call and at a later one, and rejects
   * contradictions. Default: true.
   */
  readonly check?: boolean;
  /** Initial values of runs that specify none. */
  readonly y?: ArrayLike<number>;
}
