/**
 * Returns the constants of a law or a row in layout order, given by slot. Slots that are not named are zero.
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
