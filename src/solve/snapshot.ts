/** Everything a run knows between two steps; made by {@link Run.save}. */
export interface RunSnapshot {
  /** System and method it is of. */
  readonly of: string;
  readonly mode: string;
  readonly memory: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
  readonly numbers: {
    readonly time: number;
    readonly next: number;
    readonly last: number;
    readonly output: number;
    readonly controller: readonly number[];
    readonly tally: readonly number[];
    readonly events: readonly (readonly number[])[];
  };
}
