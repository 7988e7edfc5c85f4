import type { FunctionResult, InputArray, OutputArray } from "../equations/description.js";

/** A plain ordinary differential equation y' = f(t, y). */
export interface OdeDescription {
  /** For messages. Default: "ode". */
  readonly name?: string;
  /** Names of the unknowns, or how many there are: they are y0, y1, ... then. */
  readonly names: number | readonly string[];
  /** f(t, y): writes it into `out`, all of it, or returns it as an array (slower). */
  readonly rate: (t: number, y: InputArray, out: OutputArray) => FunctionResult;
  /**
   * df/dy, n x n by columns: writes the derivative of rate i by unknown j to out[i + n j], and returns nothing. What is
   * not written is zero. Implicit methods use it. Default: differences of `rate`.
   */
  readonly jacobian?: (t: number, y: InputArray, out: OutputArray) => void;
  /**
   * Compares `jacobian` with differences of `rate` where it is first used and once more later, and refuses contradictions.
   * Default: true.
   */
  readonly check?: boolean;
  /** The start of runs that give none. */
  readonly y?: ArrayLike<number>;
}
