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
 * once a step is accepted and corrected. A system defines what it needs and takes the rest from {@link NoContinuation}.
 */
export interface Continuation {
  /** Prepares a step of length h from the accepted state. */
  beginStep(t: number, h: number): void;
  /** Returns the longest step from or to the accepted state that still counts rotations correctly. */
  stepLimit(): number;
  /**
   * Performs the actions due at the accepted state before a step begins, such as samples of controllers. Returns true
   * if the equations of motion change: slopes that methods have stored are then out of date.
   */
  arrive(t: number): boolean;
  /** Declares fixed steps from now on, so that no error control limits their errors. */
  useFixedSteps(): void;
  /** False if no action is ever due at a time: {@link arrive} and {@link nextBreak} need not be called. */
  readonly hasBreaks: boolean;
  /** Returns the next time after t at which a step has to end; infinity if there is none. */
  nextBreak(t: number): number;
  /** Completes the accepted state: normalises its coordinates and counts rotations. */
  finaliseState(t: number): void;
  /** False if nothing is done between steps, neither {@link arrive} nor {@link finaliseState}, and no step is too long. */
  readonly actsBetweenSteps: boolean;
  /** Components of a state other than q and v. */
  readonly unwrappedAngles: UnwrappedAngles;
  /**
   * Continues from the state of another system with the same coordinates, under the constraints and forces of this
   * one. Copies by name the components of that state other than q and v.
   */
  continueFrom(previous: Continuation, t: number): void;
  /** Doubts that comparisons of user functions have raised so far: full sentences, for the notes of a run. */
  readonly doubts: readonly string[];
}

/** The continuation of a system whose state is q and v. */
export class NoContinuation implements Continuation {
  readonly actsBetweenSteps: boolean = false;
  readonly unwrappedAngles: UnwrappedAngles = { count: 0, names: [], read() {}, write() {} };
  readonly doubts: readonly string[] = [];

  get hasBreaks(): boolean {
    return false;
  }

  beginStep(_t: number, _h: number): void {}

  stepLimit(): number {
    return Number.POSITIVE_INFINITY;
  }

  arrive(_t: number): boolean {
    return false;
  }

  useFixedSteps(): void {}

  nextBreak(_t: number): number {
    return Number.POSITIVE_INFINITY;
  }

  finaliseState(_t: number): void {}

  continueFrom(_previous: Continuation, _t: number): void {}
}
