/** What limits the accuracy of user functions, at the accepted state. */
export interface Accuracy {
  /**
   * The function whose differences are worst, and the relative error of accelerations they cause. Undefined where no
   * differences are used.
   */
  worstDifference(t: number): { readonly name: string; readonly error: number } | undefined;
  /** How noisy the functions are. */
  estimateNoise(t: number): NoiseReport;
}

/** A lower limit of the error due to noise in user functions. */
export interface NoiseReport {
  /** The function whose noise, that of differences of it included, matters most. */
  readonly noisiest: string;
  /** Noise of positions that satisfy the constraints, in their units. */
  readonly positions: number;
  /** Noise of accelerations, in parts of their size. */
  readonly accelerations: number;
}
