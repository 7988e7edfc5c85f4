// ROS3w of Rang and Angermann (BIT 45 (2005) 761-787): three stages, of which the last two share their f, order 3, L-stable.
// gamma is the root of g^3 - 3 g^2 + 3/2 g - 1/6 = 0 that makes it so.
//
// With b, alpha_i and gamma_i, the sums of rows of its coefficients, and a matrix A in place of df/dy = J,
//
//   y1 = y + h f sum b_i + h^2 (J f sum b_i alpha_i + A f sum b_i gamma_i) + h^3 (...)
//
// A = J + h B, as a J of an earlier step is, leaves h^3 B f sum b_i gamma_i: the method stays of order 3 if that sum is zero. In
// the terms of h^3 the difference of A and J counts for h^4. f_t is a column of J for an unknown t' = 1. So one J serves
// two steps. With gamma_21 of the paper the others follow: sum b_i alpha_i = 1/2 and sum b_i alpha_i^2 = 1/3 give alpha = 2/3 and
// b_2 + b_3 = 3/4; b_3 gamma_32 (2/3 + gamma_21) = 1/6 - gamma + gamma^2; sum b_i gamma_i = 0.
//
// All solutions of order 2 that its stages have lie on a line. The estimate is the distance to the one that keeps half of what is
// infinitely stiff; that of the paper keeps 0.69, and tells 1.4 times as much of all errors.
//
// Rejected: ROS3 of Sandu et al. (Atmos. Environ. 31 (1997) 3459-3472), whose sum is not zero. On the HMMWV at 1/240 s it is off
// by 0.5 mm with a J in each step, ROS3w by 0.1 mm with one in two. ROS34PW2, of order 3 for any A: twice the evaluations.

import type { RosenbrockTableau } from "../rodas/rosenbrock.js";

export const ros3Tableau: RosenbrockTableau = {
  name: "ros3",
  gamma: 0.435866521508459,
  alpha: [0, 2 / 3, 2 / 3],
  gammaSums: [0.435866521508459, 0.7993733583985271, -0.6176199399534931],
  a: [
    [],
    [1.5295202401860277],
    [1.5295202401860277, 0],
    [2.12548994752803, 0.9783497673885093, 1.147140180139521],
  ],
  c: [[], [1.9133990695540375], [-4.060539249693559, -0.8095593546374978]],
  error: [0.04868758537003658, 0.436667549734604, 0.5995300187988952],
  // With three the springs of a vehicle, which turn on its way over a bump, are no longer damped in steps of 1/120 s.
  serves: 2,
  endCheck: "slope",
};
