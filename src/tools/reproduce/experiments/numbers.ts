/** A state with three coordinates: the compiler does not see that its numbers are there. */
export function three(state: ArrayLike<number>): readonly [number, number, number] {
  return state as unknown as readonly [number, number, number];
}
