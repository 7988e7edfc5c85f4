/** Size of a piece of memory that is stored or skipped, in integers: 64 kB. */
const PIECE_LENGTH = 16_384;

/**
 * The initial memory of a system, for another run. Only pieces that are not zero are stored: the scratch memory of
 * large systems is hundreds of megabytes of zeros, and copying it took longer than some runs.
 */
export class InitialMemory {
  readonly #all: Int32Array;
  readonly #pieces: readonly { readonly at: number; readonly values: Int32Array }[];

  constructor(buffer: ArrayBuffer) {
    const all = new Int32Array(buffer);
    this.#all = all;
    const pieces: { at: number; values: Int32Array }[] = [];
    for (let at = 0; at < all.length; at += PIECE_LENGTH) {
      if (!isZero(all, at, Math.min(at + PIECE_LENGTH, all.length))) {
        pieces.push({ at, values: all.slice(at, at + PIECE_LENGTH) });
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

/** Compares integers, because the floating-point -0 equals zero. */
function isZero(values: Int32Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (values[i] !== 0) return false;
  return true;
}
