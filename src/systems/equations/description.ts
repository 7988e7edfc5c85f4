/** Array to which a function writes. A matrix is row-major. */
export type OutputArray = Float64Array;
/** A state, read-only. */
export type InputArray = Readonly<ArrayLike<number>> & Float64Array;
/** Result of a function: it writes into the view it receives and returns nothing, or returns an array (slower). */
// biome-ignore lint/suspicious/noConfusingVoidType: what a function that only writes returns is void
export type FunctionResult = void | ArrayLike<number> | readonly (readonly number[])[];

/** Functions of positions and of states, which may depend on time. */
export type OfPosition = (q: InputArray, out: OutputArray, t: number) => FunctionResult;
export type OfState = (q: InputArray, v: InputArray, out: OutputArray, t: number) => FunctionResult;

/** M(q, t). */
export type MassFunction = (q: InputArray, out: OutputArray, t: number) => FunctionResult;

/** Constraints on positions: Phi(q, t) = 0. */
export interface HolonomicConstraints {
  /** Number of rows, or their names. */
  readonly rows: number | readonly string[];
  /**
   * Phi. A function that does not declare its third parameter cannot depend on time, and is not
   * differentiated with respect to it.
   */
  readonly value: (q: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** dPhi/dq, row-major. Default: finite differences of `value`. */
  readonly jacobian?: (q: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** dPhi/dt. Default: zero if `value` does not take t, else finite differences of `value`. */
  readonly timeDerivative?: (q: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** gamma in J a = gamma, the second derivative of Phi at zero acceleration, negated. Default: finite differences. */
  readonly gamma?: (q: InputArray, v: InputArray, out: OutputArray, t: number) => FunctionResult;
}

/** Constraints on velocities: Pi(q, v, t) = 0, usually linear in v. */
export interface NonholonomicConstraints {
  readonly rows: number | readonly string[];
  readonly value: (q: InputArray, v: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** dPi/dv, row-major. Default: finite differences of `value`. */
  readonly jacobian?: (q: InputArray, v: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** gamma in J a = gamma: -(dPi/dq v + dPi/dt). Default: finite differences. */
  readonly gamma?: (q: InputArray, v: InputArray, out: OutputArray, t: number) => FunctionResult;
}

/**
 * Constraints whose forces do work, like dry friction in a joint. The constraint forces are J^T lambda + C, where C
 * does the work C . dq in every displacement dq that the constraints allow (Udwadia and Kalaba 2002).
 */
export interface NonIdealConstraints {
  /**
   * Writes C, which may depend on the multipliers lambda: holonomic rows first. For dry friction, C is -mu |lambda|
   * |J^T| against the sliding. The component of C that the constraints absorb changes lambda and nothing else. C must
   * be continuous: smooth a friction force that changes its sign at rest.
   */
  readonly force: (
    q: InputArray,
    v: InputArray,
    multipliers: InputArray,
    out: OutputArray,
    t: number,
  ) => FunctionResult;
  /** Maximum number of iterations of lambda and C. A law without multipliers needs two. Default: 100. */
  readonly iterations?: number;
}

/**
 * A value whose sign determines whether a row acts, at a state. `multipliers` are those of all rows, holonomic ones
 * first, zero for rows that do not act; they are computed only if the function declares this parameter. `prepare` is
 * not called for it.
 */
export type RowCondition = (
  q: InputArray,
  v: InputArray,
  t: number,
  multipliers: InputArray,
) => number;

/** Conditions of a row that begins and ends by different conditions. */
export interface RowConditions {
  /** While the row does not act: it begins to act when this becomes positive. */
  readonly begin: RowCondition;
  /** While the row acts: it ends when this becomes positive. */
  readonly end: RowCondition;
}

/**
 * A system in generalised coordinates: M(q, t) a = Q(q, v, t) + J^T lambda with its constraints. Functions write into
 * `out`, or return an array. t is the last parameter and may be omitted.
 */
export interface EquationsDescription {
  /** Name, for messages. */
  readonly name?: string;
  /** Number of coordinates, or their names. */
  readonly coordinates: number | readonly string[];
  /** Diagonal, a full constant matrix, row-major, or a function that writes either. */
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
   * Conditions by row name: a row acts while its condition is positive. Rows without a condition always act. When a
   * row begins to act, an impulse changes the velocities to satisfy it; when it ends, velocities are continuous. For
   * `solve` and `start`.
   *
   * @example
   * const when = { rope: ([x, y]) => x * x + y * y - 1 };
   */
  readonly when?: Readonly<Record<string, RowCondition | RowConditions>>;
  /** Forces of the constraints that do work. */
  readonly nonIdeal?: NonIdealConstraints;
  /** Potential energy, for the energy and its control. */
  readonly potential?: (q: InputArray, t: number) => number;
  /** dV/dq. Default: finite differences of `potential`. */
  readonly potentialGradient?: (q: InputArray, out: OutputArray, t: number) => FunctionResult;
  /** Power of the forces that `potential` does not cover. Default: zero. */
  readonly power?: (q: InputArray, v: InputArray, t: number) => number;
  /**
   * Compares given derivatives with finite differences of their functions, at the start of a run and at a later state,
   * and rejects contradictions. Default: true.
   */
  readonly check?: boolean;
  /** Called once per state before the other functions: compute shared terms here. */
  readonly prepare?: (q: InputArray, v: InputArray, t: number) => void;
}

/**
 * Returns whether only errors change the energy, as far as the description shows: it has no `power`, its constraints
 * are ideal, and no function declares its parameter t, which comes last.
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
  return functions.every(
    ([declared, withTime]) => declared === undefined || declared.length < withTime,
  );
}
