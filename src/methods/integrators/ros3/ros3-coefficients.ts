// ROS3 of Sandu, Verwer, Blom, Spee, Carmichael and Potra (Atmos. Environ. 31 (1997) 3459-3472): three stages, of which the
// last two share their f, order 3, L-stable. gamma is the root of g^3 - 3 g^2 + 3/2 g - 1/6 = 0 that makes it so.

import type { RosenbrockTableau } from "../rodas/rosenbrock.js";

const GAMMA = 0.43586652150845899941601945119356;

export const ros3Tableau: RosenbrockTableau = {
  name: "ros3",
  gamma: GAMMA,
  alpha: [0, GAMMA, GAMMA],
  gammaSums: [GAMMA, 0.24291996454816804366592249683314, 2.1851380027664058511513169485832],
  a: [[], [1], [1, 0], [1, 6.169794704382824559255361568973, -0.42772256543218573326238373806514]],
  c: [
    [],
    [-1.0156171083877702091975600115545],
    [4.0759956452537699824805835358067, 9.2076794298330791242156818474003],
  ],
  error: [0.5, -2.9079558716805469821718236208017, 0.22354069897811569627360909276199],
};
