// Values as printed in Welch et al. 2007, kept with the mechanisms they belong to.

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
export const welchTable1: readonly WelchTable1Row[] = [
  {
    quantity: "x1",
    values: [2.443655269310963, 2.442965464018156, 2.442790656734799],
    exact: 2.442731321386402,
    order: 1.98,
  },
  {
    quantity: "y1",
    values: [-5.277783191794895e-1, -5.30961275980072e-1, -5.317648207729833e-1],
    exact: -0.5320361837114458,
    order: 1.99,
  },
  {
    quantity: "theta1",
    values: [1.783508081764363, 1.784810820126253, 1.785139755818101],
    exact: 1.785250865278673,
    order: 1.99,
  },
  {
    quantity: "x2",
    values: [6.711359930283763, 6.713351016578483, 6.713852953944924],
    exact: 6.714022138581226,
    order: 1.99,
  },
  {
    quantity: "y2",
    values: [-2.765194090434459, -2.767952427377098, -2.768646375692474],
    exact: -2.768879647789623,
    order: 1.99,
  },
  {
    quantity: "theta2",
    values: [2.323828290259711, 2.32185340891759, 2.321353974979965],
    exact: 2.32118491828754,
    order: 1.98,
  },
  {
    quantity: "x1'",
    values: [-1.819273871586672e-1, -1.842799921770659e-1, -1.848738194541881e-1],
    exact: -0.1850743171218459,
    order: 1.99,
  },
  {
    quantity: "y1'",
    values: [-8.425945695282319e-1, -8.479370879904063e-1, -8.49277386948345e-1],
    exact: -0.8497262382156855,
    order: 1.99,
  },
  {
    quantity: "theta1'",
    values: [3.44804340604974e-1, 3.470922208260153e-1, 3.476665951459748e-1],
    exact: 0.3478591278120256,
    order: 1.99,
  },
  {
    quantity: "x2'",
    values: [8.358047330329132, 8.34086644455984, 8.336508225248394],
    exact: 8.335026936186582,
    order: 1.98,
  },
  {
    quantity: "y2'",
    values: [7.618758619232083, 7.632854935537393, 7.636424552087447],
    exact: 7.637635013353624,
    order: 1.98,
  },
  {
    quantity: "theta2'",
    values: [-5.100854444583235, -5.10489678279419, -5.10591213422529],
    exact: -5.106252716660437,
    order: 1.99,
  },
  {
    quantity: "lambda1",
    values: [5.764615652238092e1, 5.868436253318767e1, 5.913991225254942e1],
    exact: 59.49608372080202,
    order: 1.19,
  },
  {
    quantity: "lambda2",
    values: [-3.734488926265648, -4.05223400911554, -4.179614438038763],
    exact: -4.264849660744103,
    order: 1.32,
  },
  {
    quantity: "lambda3",
    values: [4.271195102102794e1, 4.369108931718181e1, 4.412375487226354e1],
    exact: 44.46631447036336,
    order: 1.18,
  },
  {
    quantity: "lambda4",
    values: [-2.543944405550502e1, -2.574329960311427e1, -2.586977170351205e1],
    exact: -25.95994467303359,
    order: 1.26,
  },
  {
    quantity: "phi1",
    values: [2.012649042981707e-7, 2.638058038684221e-8, 3.369676981890279e-9],
    exact: -1.167900624849836e-10,
    order: 2.93,
  },
  {
    quantity: "phi2",
    values: [-4.33734350657744e-8, -5.72747815841268e-9, -7.331477647198881e-10],
    exact: 3.077546804530299e-11,
    order: 2.91,
  },
  {
    quantity: "phi3",
    values: [2.580200099577823e-6, 3.347781205587097e-7, 4.257266783547209e-8],
    exact: -1.141905255467523e-9,
    order: 2.94,
  },
  {
    quantity: "phi4",
    values: [-2.301799984172348e-6, -2.95487679213835e-7, -3.741255971689839e-8],
    exact: 6.84540526266495e-10,
    order: 2.96,
  },
];

/** Steps of table 2. */
export const welchTable2Steps = [0.02, 0.01] as const;

/** Table 2, the slider-crank over 10 s: mean |Phi| for two steps, and the order they show. */
export const welchTable2 = {
  baumgarte: { values: [1.0856e-4, 1.4877e-5], order: 2.87 },
  secondOrder: { values: [3.196e-5, 3.9802e-6], order: 3.01 },
  firstOrder: { values: [1.0038e-3, 2.5339e-4], order: 1.99 },
} as const;
