// ROS3 of Sandu, Verwer, Blom, Spee, Carmichael and Potra (Atmos. Environ. 31 (1997) 3459-3472): three stages, of which the
// last two share their f, order 3, L-stable. gamma is the root of g^3 - 3 g^2 + 3/2 g - 1/6 = 0 that makes it so.

import type { RosenbrockTableau } from "../rodas/rosenbrock.js";

const GAMMA = 0.435866521508459;

export const ros3Tableau: RosenbrockTableau = {
  name: "ros3",
  gamma: GAMMA,
  alpha: [0, GAMMA, GAMMA],
  gammaSums: [GAMMA, 0.24291996454816805, 2.185138002766406],
  a: [[], [1], [1, 0], [1, 6.1697947043828245, -0.42772256543218573]],
  c: [[], [-1.0156171083877703], [4.07599564525377, 9.20767942983308]],
  error: [0.5, -2.907955871680547, 0.2235406989781157],
};
