// Rooted trees and what Butcher's theory makes of them: a method has order p when for every tree t
// of at most p nodes its weights give sum_k b_k Phi_k(t) = 1 / gamma(t) (Hairer, Norsett and Wanner,
// Solving ODEs I, section II.2).

/** A rooted tree: the trees that hang on its root. */
export interface Tree {
  readonly branches: readonly Tree[];
  /** Number of nodes. */
  readonly order: number;
  /** Product of the orders of all trees that one finds by cutting off roots. */
  readonly gamma: number;
}

function grow(branches: readonly Tree[]): Tree {
  const order = 1 + branches.reduce((sum, tree) => sum + tree.order, 0);
  return { branches, order, gamma: branches.reduce((all, tree) => all * tree.gamma, order) };
}

/** All rooted trees of at most `most` nodes, by their number of nodes. */
export function treesUpTo(most: number): Tree[] {
  const trees: Tree[] = [];
  for (let order = 1; order <= most; order++) {
    trees.push(...forests(order - 1, trees, 0).map(grow));
  }
  return trees;
}

/** Ways to spend `nodes` on trees of a list, from one of them on: each multiset once. */
function forests(nodes: number, trees: readonly Tree[], from: number): Tree[][] {
  if (nodes === 0) return [[]];
  return trees
    .slice(from)
    .flatMap((tree, k) =>
      tree.order > nodes
        ? []
        : forests(nodes - tree.order, trees, from + k).map((rest) => [tree, ...rest]),
    );
}

/** Phi_k(tree) of all slopes: `rows[k]` holds the weights of slopes in the argument of slope k. */
export function elementaryWeights(tree: Tree, rows: readonly (readonly number[])[]): number[] {
  const factors = tree.branches.map((branch) => {
    const inner = elementaryWeights(branch, rows);
    return rows.map((row) => row.reduce((sum, weight, l) => sum + weight * inner[l], 0));
  });
  return rows.map((_, k) => factors.reduce((product, factor) => product * factor[k], 1));
}
