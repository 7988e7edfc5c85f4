// Matrices of all velocities as stored by kernels: column-major blocks of 6 x 6, here one for each pair of bodies.

/** The pattern with all blocks, as integers. */
export function fullPattern(bodies: number): number[] {
  const each = Array.from({ length: bodies }, (_, body) => body);
  return [
    bodies,
    ...each.map((body) => body * bodies),
    bodies * bodies,
    ...each.flatMap(() => each),
  ];
}

/** The matrix, dense and column-major. */
export function denseOf(blocks: Float64Array, bodies: number): Float64Array {
  const width = 6 * bodies;
  return Float64Array.from({ length: width * width }, (_, at) => {
    const [row, column] = [at % width, Math.floor(at / width)];
    const block = Math.floor(row / 6) * bodies + Math.floor(column / 6);
    return blocks[36 * block + (row % 6) + 6 * (column % 6)];
  });
}
