// Values as printed in Welch et al. 2007, kept with the mechanisms they belong to.

import { rowsOf } from "../checks.js";

/**
 * One line of table 1: the value at t = 10 for three steps, their limit (eq. 70), and the
 * order they show.
 */
export interface WelchTable1Row {
  /** Name of the quantity. */
  readonly quantity: string;
  /** The three printed values, one for each step length. */
  readonly values: readonly [number, number, number];
  /** The printed exact value. */
  readonly exact: number;
  /** The printed order. */
  readonly order: number;
}

/** Steps of table 1. */
export const welchTable1Steps = [0.005, 0.0025, 0.00125] as const;

/**
 * Table 1, the double pendulum: coordinates, rates, multipliers in M a + J^T lambda = Q (ours with
 * the other sign) and constraints.
 */
export const welchTable1: readonly WelchTable1Row[] = /* @__PURE__ */ rowsOf(`
  x1       2.443655269310963      2.442965464018156      2.442790656734799       2.442731321386402       1.98
  y1       -5.277783191794895e-1  -5.30961275980072e-1   -5.317648207729833e-1   -0.5320361837114458     1.99
  theta1   1.783508081764363      1.784810820126253      1.785139755818101       1.785250865278673       1.99
  x2       6.711359930283763      6.713351016578483      6.713852953944924       6.714022138581226       1.99
  y2       -2.765194090434459     -2.767952427377098     -2.768646375692474      -2.768879647789623      1.99
  theta2   2.323828290259711      2.32185340891759       2.321353974979965       2.32118491828754        1.98
  x1'      -1.819273871586672e-1  -1.842799921770659e-1  -1.848738194541881e-1   -0.1850743171218459     1.99
  y1'      -8.425945695282319e-1  -8.479370879904063e-1  -8.49277386948345e-1    -0.8497262382156855     1.99
  theta1'  3.44804340604974e-1    3.470922208260153e-1   3.476665951459748e-1    0.3478591278120256      1.99
  x2'      8.358047330329132      8.34086644455984       8.336508225248394       8.335026936186582       1.98
  y2'      7.618758619232083      7.632854935537393      7.636424552087447       7.637635013353624       1.98
  theta2'  -5.100854444583235     -5.10489678279419      -5.10591213422529       -5.106252716660437      1.99
  lambda1  5.764615652238092e1    5.868436253318767e1    5.913991225254942e1     59.49608372080202       1.19
  lambda2  -3.734488926265648     -4.05223400911554      -4.179614438038763      -4.264849660744103      1.32
  lambda3  4.271195102102794e1    4.369108931718181e1    4.412375487226354e1     44.46631447036336       1.18
  lambda4  -2.543944405550502e1   -2.574329960311427e1   -2.586977170351205e1    -25.95994467303359      1.26
  phi1     2.012649042981707e-7   2.638058038684221e-8   3.369676981890279e-9    -1.167900624849836e-10  2.93
  phi2     -4.33734350657744e-8   -5.72747815841268e-9   -7.331477647198881e-10  3.077546804530299e-11   2.91
  phi3     2.580200099577823e-6   3.347781205587097e-7   4.257266783547209e-8    -1.141905255467523e-9   2.94
  phi4     -2.301799984172348e-6  -2.95487679213835e-7   -3.741255971689839e-8   6.84540526266495e-10    2.96
`).map(([quantity = "", ...cells]) => {
  const [coarse = 0, middle = 0, fine = 0, exact = 0, order = 0] = cells.map(Number);
  return { quantity, values: [coarse, middle, fine], exact, order };
});

/** Steps of table 2. */
export const welchTable2Steps = [0.02, 0.01] as const;

/** Table 2, the slider-crank over 10 s: mean |Phi| for two steps, and the order they show. */
export const welchTable2 = {
  baumgarte: { values: [1.0856e-4, 1.4877e-5], order: 2.87 },
  secondOrder: { values: [3.196e-5, 3.9802e-6], order: 3.01 },
  firstOrder: { values: [1.0038e-3, 2.5339e-4], order: 1.99 },
} as const;
