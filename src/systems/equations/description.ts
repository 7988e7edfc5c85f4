/** Numbers a function writes. Row-major where it is a matrix. */
export type OutputArray = Float64Array;
/** A state, to be read. */
export type InputArray = Readonly<ArrayLike<number>> & Float64Array;
/** A function writes into the view it is given and returns nothing, or returns an array (slower). */
// biome-ignore lint/suspicious/noConfusingVoidType: what a function that only writes returns is void
export type FunctionResult = void | ArrayLike<number> | readonly (readonly number[])[];

/** M(q, t). */
export type MassFunction = (q: InputArray, out: OutputArray, t: number) => FunctionResult;

/** Constraints on positions: Phi(q, t) = 0. */
export interface HolonomicConstraints {
  /** Their number, or their names. */
  readonly rows: number | readonly string[];
  /**
   * Phi. A function that does not declare its third parameter cannot depend on time, and is not
   * differentiated with respect to it.
   */
  readonly value: (q: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** dPhi/dq, row by row. Default: differences of `value`. */
  readonly jacobian?: (q: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** dPhi/dt. Default: zero when `value` does not take t, else differences of `value`. */
  readonly timeDerivative?: (q: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** gamma in J a = gamma, the second derivative of Phi at zero acceleration, negated. Default: differences. */
  readonly gamma?: (q: InputArray, v: InputArray, out: OutputArray, t: number) => FunctionResult;
}

/** Constraints on velocities: Pi(q, v, t) = 0, usually linear in v. */
export interface NonholonomicConstraints {
  readonly rows: number | readonly string[];
  readonly value: (q: InputArray, v: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** dPi/dv, row by row. Default: differences of `value`. */
  readonly jacobian?: (q: InputArray, v: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** gamma in J a = gamma: -(dPi/dq v + dPi/dt). Default: differences. */
  readonly gamma?: (q: InputArray, v: InputArray, out: OutputArray, t: number) => FunctionResult;
}

/**
 * Constraints whose forces do work, like dry friction in a joint: the forces of constraint are J^T lambda + C, where C is what
 * they do besides holding the constraints, a work C . dq in every displacement dq that the constraints allow (Udwadia and
 * Kalaba 2002).
 */
export interface NonIdealConstraints {
  /**
   * C, which may depend on the multipliers lambda: holonomic rows first. Of dry friction, C is -mu |lambda| |J^T| against the
   * sliding. The part of C that the constraints themselves take up changes lambda and nothing else. C must be continuous: make
   * a friction force that changes its sign at rest smooth there.
   */
  readonly force: (
    q: InputArray,
    v: InputArray,
    multipliers: InputArray,
    out: OutputArray,
    t: number,
  ) => FunctionResult;
  /** Iterations of lambda and C at most. Those of a law without multipliers need two. Default: 100. */
  readonly iterations?: number;
}

/**
 * Says by its sign whether a row acts, at a state. `multipliers` are those of all rows, holonomic ones first, zero for
 * rows that do not act; they are found only if the function declares this parameter. `prepare` is not called for it.
 */
export type RowCondition = (
  q: InputArray,
  v: InputArray,
  t: number,
  multipliers: InputArray,
) => number;

/** Conditions of a row that ends by another condition than it begins by. */
export interface RowConditions {
  /** While the row does not act: it begins to when this becomes positive. */
  readonly begin: RowCondition;
  /** While the row acts: it ends when this becomes positive. */
  readonly end: RowCondition;
}

/**
 * A system in generalised coordinates: M(q, t) a = Q(q, v, t) + J^T lambda with its constraints. Functions write into
 * `out`, or return an array. t is the last parameter and may be omitted.
 */
export interface EquationsDescription {
  /** For messages. */
  readonly name?: string;
  /** Their number, or their names. */
  readonly coordinates: number | readonly string[];
  /** Diagonal numbers, a full constant matrix by rows, or a function that writes either. */
  readonly mass:
    | readonly number[]
    | readonly (readonly number[])[]
    | { readonly diagonal: MassFunction }
    | { readonly full: MassFunction };
  /** Applied forces Q, including velocity-dependent inertia terms, excluding constraint forces. */
  readonly forces: (q: InputArray, v: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** Constraints on positions: Phi(q, t) = 0. */
  readonly holonomic?: HolonomicConstraints;
  /** Constraints on velocities: Pi(q, v, t) = 0. */
  readonly nonholonomic?: NonholonomicConstraints;
  /**
   * When rows act, by their names: a row is in force while its condition is positive. Rows that are not named always act. When a
   * row begins to act, velocities jump onto it by an impulse; when it ends nothing jumps. For `solve` and `start`.
   *
   * @example
   * const when = { rope: ([x, y]) => x * x + y * y - 1 };
   */
  readonly when?: Readonly<Record<string, RowCondition | RowConditions>>;
  /** Forces of the constraints that do work. */
  readonly nonIdeal?: NonIdealConstraints;
  /** Potential energy, for the energy and its control. */
  readonly potential?: (q: InputArray, t: number) => number;
  /** dV/dq. Default: differences of `potential`. */
  readonly potentialGradient?: (q: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** Power of the forces that `potential` does not cover. Default: zero. */
  readonly power?: (q: InputArray, v: InputArray, t: number) => number;
  /**
   * Compares derivatives that are given with differences of the functions they belong to, at the start of a run and at
   * a later state, and refuses contradictions. Default: true.
   */
  readonly check?: boolean;
  /** Called once per state before the other functions: compute shared terms here. */
  readonly prepare?: (q: InputArray, v: InputArray, t: number) => void;
}

/**
 * Whether nothing but errors changes the energy, as far as a description tells: it has no `power`, constraints that are
 * ideal, and nothing that declares its parameter t, which comes last.
 */
export function isConservative(description: EquationsDescription): boolean {
  const { mass, potential, power, holonomic, nonholonomic, nonIdeal } = description;
  const inertia = mass as { readonly diagonal?: MassFunction; readonly full?: MassFunction };
  const functions = [
    [inertia.diagonal ?? inertia.full, 3],
    [potential, 2],
    [holonomic?.value, 3],
    [holonomic?.timeDerivative, 0],
    [nonholonomic?.value, 4],
    [power, 0],
    [nonIdeal?.force, 0],
  ] as const;
  return functions.every(([told, withTime]) => told === undefined || told.length < withTime);
}
