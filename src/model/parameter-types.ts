// Types of parameters, separate from their implementation because handles refer to them.

/**
 * A named parameter of a model, which can replace a number in any number of options. Created by `model().parameter`.
 */
export interface Parameter {
  /** Distinguishes parameters from handles. */
  readonly kind: "parameter";
  /** Name by which it is set. */
  readonly name: string;
  /** Value unless it is set. */
  readonly value: number;
}

/** Any function. */
export type Callable = (...given: never[]) => unknown;

/** Handles and shapes, in which no number can be replaced by a parameter. */
type Indivisible =
  | { readonly kind: string; readonly name: string }
  | { readonly description: object; readonly inertia: readonly number[] };

/** Options in which every number, at any depth, may be a parameter. */
export type Parametric<T> = T extends number
  ? number | Parameter
  : T extends string | boolean | undefined | null | Float64Array | Indivisible | Callable
    ? T
    : { readonly [Key in keyof T]: Parametric<T[Key]> };
