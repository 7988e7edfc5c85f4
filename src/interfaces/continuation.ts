/** Unwrapped joint angles and the offsets held by couplings. */
export interface UnwrappedAngles {
  /** Number of values. */
  readonly count: number;
  /** Names of the joints with angles and of the coupling rows, in the order of the values. */
  readonly names: readonly string[];
  /** Copies the values of the accepted state to `out`. */
  read(out: Float64Array): void;
  /** Sets the values of the accepted state. */
  write(from: Float64Array): void;
}

/**
 * Data that a system carries from step to step in addition to q and v.
 *
 * A run calls {@link arrive} at the accepted state, {@link beginStep} before each attempt, and {@link finaliseState}
 * once a step is accepted and corrected. Members that a system does not need are absent.
 */
export interface Continuation {
  /** Prepares a step of length h from the accepted state. */
  beginStep?(t: number, h: number): void;
  /** Returns the longest step from or to the accepted state that still counts rotations correctly. */
  stepLimit?(): number;
  /**
   * Performs the actions due at the accepted state before a step begins, such as samples of controllers. Returns true
   * if the equations of motion change: slopes that methods have stored are then out of date.
   */
  arrive?(t: number): boolean;
  /** Declares fixed steps from now on, so that no error control limits their errors. */
  useFixedSteps?(): void;
  /** False if no action is ever due at a time: {@link arrive} and {@link nextBreak} need not be called. */
  readonly hasBreaks?: boolean;
  /** Returns the next time after t at which a step has to end. */
  nextBreak?(t: number): number;
  /** Completes the accepted state: normalises its coordinates and counts rotations. */
  finaliseState?(t: number): void;
  /** Components of a state other than q and v. */
  readonly unwrappedAngles?: UnwrappedAngles;
  /**
   * Continues from the state of another system with the same coordinates, under the constraints and forces of this
   * one. Copies by name the components of that state other than q and v.
   */
  continueFrom?(previous: Continuation, t: number): void;
  /** Doubts that comparisons of user functions have raised so far: full sentences, for the notes of a run. */
  readonly doubts?: readonly string[];
}
