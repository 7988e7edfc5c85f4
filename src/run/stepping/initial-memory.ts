/** Integers of a piece of memory that is kept or not: 64 kB. */
const PIECE = 16_384;

/**
 * Memory as it was when it was made, to be used for another run. Only the pieces that are not zero are kept: the scratch
 * of large systems is hundreds of megabytes of zeros, and copying it took longer than some runs.
 */
export class InitialMemory {
  readonly #all: Int32Array;
  readonly #pieces: readonly { readonly at: number; readonly values: Int32Array }[];

  constructor(buffer: ArrayBuffer) {
    const all = new Int32Array(buffer);
    this.#all = all;
    const pieces: { at: number; values: Int32Array }[] = [];
    for (let at = 0; at < all.length; at += PIECE) {
      if (!isZero(all, at, Math.min(at + PIECE, all.length))) {
        pieces.push({ at, values: all.slice(at, at + PIECE) });
      }
    }
    this.#pieces = pieces;
  }

  /** Restores the initial bytes. */
  restore(): void {
    this.#all.fill(0);
    for (let i = 0; i < this.#pieces.length; i++) {
      const { at, values } = this.#pieces[i]!;
      this.#all.set(values, at);
    }
  }
}

/** By integers: of floating-point numbers -0 is zero, too. */
function isZero(values: Int32Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (values[i] !== 0) return false;
  return true;
}
