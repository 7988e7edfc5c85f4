/** The present state of a simulation. */
export interface CurrentState {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
  /** Constants of the kernels: angles are counted from what is kept there. */
  readonly data: Float64Array;
}
