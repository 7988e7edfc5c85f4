/** One call of the work that is timed. Its result is kept, so that no engine can skip the work. */
export type Run = () => unknown;

/** m x n; square when there is one number. */
export type Size = readonly [m: number, n: number];

/** The same work done by several libraries on the same numbers. All keep their input intact. */
export interface Contest {
  readonly name: string;
  readonly sizes: readonly Size[];
  /** By name; "wasm" is ours. Each is given its numbers once, in the memory it likes best. */
  readonly entrants: Readonly<Record<string, (m: number, n: number) => Run>>;
}
