import { ArenaPlan, type Kernels } from "nodrift/kernels";

/** An array for kernels: its address and its values. */
export interface Piece {
  readonly address: number;
  readonly view: Float64Array;
}

/**
 * Memory with named arrays, and its kernels.
 *
 * @example
 * const { kernels, a, x } = scratch({ a: [1, 2, 3], x: 3 }); // numbers to start with, or a length
 */
export function scratch<T extends Record<string, number | ArrayLike<number>>>(
  pieces: T,
): { [K in keyof T]: Piece } & { kernels: Kernels } {
  const plan = new ArenaPlan();
  const reserved = Object.entries(pieces).map(([name, content]) => ({
    content,
    segment: plan.reserve(name, typeof content === "number" ? content : content.length),
  }));
  const arena = plan.seal();
  const made: Record<string, unknown> = { kernels: arena.kernels };
  for (const { segment, content } of reserved) {
    const view = arena.floats(segment);
    if (typeof content !== "number") view.set(content);
    made[segment.name] = { address: segment.address, view };
  }
  return made as { [K in keyof T]: Piece } & { kernels: Kernels };
}
