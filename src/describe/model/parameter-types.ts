// What parameters are to the compiler: apart from what makes them, as handles refer to it.

/** A named number of a model: stands wherever a number can, in as many places as you like. Made by `model().parameter`. */
export interface Parameter {
  /** Tells parameters from handles. */
  readonly kind: "parameter";
  /** By which it is set. */
  readonly name: string;
  /** What it is unless it is set. */
  readonly value: number;
}

/** Any function at all. */
export type Callable = (...given: never[]) => unknown;

/** Bodies, markers, joints and forces; and shapes: what stays what it is. */
type Made =
  | { readonly kind: string; readonly name: string }
  | { readonly description: object; readonly inertia: readonly number[] };

/** Options whose numbers, wherever they stand, may be parameters. */
export type Parametric<T> = T extends number
  ? number | Parameter
  : T extends string | boolean | undefined | null | Float64Array | Made | Callable
    ? T
    : { readonly [Key in keyof T]: Parametric<T[Key]> };
