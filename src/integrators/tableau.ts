/** An explicit Runge-Kutta method as data. */
export interface Tableau {
  readonly name: string;
  readonly reference: string;
  readonly order: number;
  /** Row s: weights of the slopes before stage s. */
  readonly a: readonly (readonly number[])[];
  readonly b: readonly number[];
  readonly c: readonly number[];
}
