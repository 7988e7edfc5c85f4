/** One call of the work that is timed. Its result is kept, so that no engine can skip the work. */
export type Run = () => unknown;

/** m x n; square if there is only one value. */
export type Size = readonly [m: number, n: number];

/** The same computation by several libraries on the same input, which all keep intact. */
export interface Contest {
  readonly name: string;
  readonly sizes: readonly Size[];
  /** By name; "wasm" is ours. Each receives its input once, in its preferred layout. */
  readonly entrants: Readonly<Record<string, (m: number, n: number) => Run>>;
}
