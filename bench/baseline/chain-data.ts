/** A body of a chain; vectors in its principal axes. */
export interface ChainBody {
  readonly mass: number;
  readonly moments: readonly number[];
  /** Vectors from its centre of mass to the previous and to the next joint. */
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** Arrays of a chain shared by all steps. Their strides follow from the functions that fill them. */
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
