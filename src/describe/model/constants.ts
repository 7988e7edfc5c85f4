/**
 * Constants of a law or a row in the order of the layout, by the names of their slots; what is not named is zero.
 *
 * @example
 * constantsOf(SpringData.LENGTH, { [SpringData.STIFFNESS]: 2e4, [SpringData.DAMPING]: 1500 });
 */
export function constantsOf(
  length: number,
  values: Readonly<Record<number, number>>,
): readonly number[] {
  return Array.from({ length }, (_, slot) => values[slot] ?? 0);
}
