/** An element that is there. */
export const at = (values: Float64Array, index: number) => values[index] as number;

/**
 * Scaled divided differences as weights of the values they are made of:
 *
 *   rho_0 ... rho_(m-1) f[x_0, ..., x_m] = sum over i <= m of table[m width + i] f(x_i).
 *
 * Scales as large as the distances keep the weights of the order of binomials where the nodes are spaced
 * evenly. No terms are added, so every weight is right to a few roundings.
 */
export function scaledDifferences(
  nodes: Float64Array,
  scales: Float64Array,
  count: number,
  table: Float64Array,
  width: number,
): void {
  for (let m = 0; m < count; m++) {
    let own = 1;
    for (let i = 0; i < m; i++) {
      const distance = at(nodes, i) - at(nodes, m);
      table[m * width + i] = (at(table, (m - 1) * width + i) * at(scales, m - 1)) / distance;
      own *= at(scales, i) / -distance;
    }
    table[m * width + m] = own;
  }
}
