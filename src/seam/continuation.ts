/** Unwrapped joint angles and the offsets held by couplings. */
export interface Turns {
  /** How many numbers there are. */
  readonly count: number;
  /** Names of the joints that angles belong to, and of rows that couple. */
  readonly names: readonly string[];
  /** Copies the numbers of the accepted state to `out`. */
  read(out: Float64Array): void;
  /** Sets the numbers of the accepted state. */
  write(from: Float64Array): void;
}

/** What a system does from step to step, beyond q and v. */
export interface Continuation {
  /** Before a step of length h from the accepted state. */
  beginStep?(t: number, h: number): void;
  /** Longest step from or to the accepted state after which turns are still counted right. */
  stepLimit?(): number;
  /**
   * Does what is due at the accepted state before a step begins there: controllers take samples. True where the motion goes
   * on differently from then on: what methods know of its slopes is out of date.
   */
  arrive?(t: number): boolean;
  /** Steps are of a fixed length from now on: nothing else says how large their errors are. */
  useFixedSteps?(): void;
  /** False where nothing is ever due at a time: {@link arrive} and {@link nextBreak} need not be asked. */
  readonly hasBreaks?: boolean;
  /** The next time after t at which a step has to end. */
  nextBreak?(t: number): number;
  /** The accepted state is final: normalises its coordinates and counts turns. */
  finaliseState?(t: number): void;
  /** What belongs to a state besides q and v. */
  readonly turns?: Turns;
  /**
   * Goes on, with the constraints and forces of this system, from the state of another one, with the same coordinates:
   * takes over by name what belongs to that state besides q and v.
   */
  continueFrom?(previous: Continuation, t: number): void;
  /** What comparisons of user functions with each other have left in doubt so far: sentences, for notes of runs. */
  readonly doubts?: readonly string[];
}
