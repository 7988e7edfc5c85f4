/** A state with three coordinates as a tuple, since the compiler does not know its length. */
export function three(state: ArrayLike<number>): readonly [number, number, number] {
  return state as unknown as readonly [number, number, number];
}
