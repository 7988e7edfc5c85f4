/** A body of a chain; vectors in its principal axes. */
export interface ChainBody {
  readonly mass: number;
  readonly moments: readonly number[];
  /** From its centre of mass to the joint before it, and to the one behind it. */
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** Numbers of a chain that steps share. Strides are in the names of what fills them. */
export interface ChainData {
  readonly n: number;
  readonly inverseMass: Float64Array;
  readonly moments: Float64Array;
  readonly inverseMoments: Float64Array;
  readonly arms: Float64Array;
  readonly gravity: Float64Array;
  /** For both arms of each body: C by rows, then R s. */
  readonly turning: Float64Array;
  /** Angular accelerations without constraints. */
  readonly free: Float64Array;
  /** Residuals, then multipliers. */
  readonly right: Float64Array;
  readonly factor: Float64Array;
}
