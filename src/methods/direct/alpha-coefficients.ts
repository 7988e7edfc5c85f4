/** Coefficients of a generalised-alpha method. */
export interface AlphaCoefficients {
  readonly alphaM: number;
  readonly alphaF: number;
  readonly beta: number;
  readonly gamma: number;
}

/**
 * Chung and Hulbert (J. Appl. Mech. 60 (1993) 371-375): of order 2, with the spectral radius rho at infinite
 * frequency, and the least damping of low frequencies for it.
 */
export function chungHulbert(rho: number): AlphaCoefficients {
  return withBeta((2 * rho - 1) / (rho + 1), rho / (rho + 1));
}

/** Hilber, Hughes and Taylor (Earthquake Eng. Struct. Dyn. 5 (1977) 283-292), alpha between -1/3 and 0. */
export function hilberHughesTaylor(alpha: number): AlphaCoefficients {
  return withBeta(0, -alpha);
}

function withBeta(alphaM: number, alphaF: number): AlphaCoefficients {
  const gamma = 0.5 + alphaF - alphaM;
  return { alphaM, alphaF, beta: ((gamma + 0.5) * (gamma + 0.5)) / 4, gamma };
}

/**
 * a_n is v' at t_n + shift h. This follows from (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} +
 * alpha_f v'_n, with an error of O(h^2).
 */
export function shiftOf({ alphaM, alphaF }: AlphaCoefficients): number {
  return alphaM - alphaF;
}

/**
 * Local errors over h^3: of q in units of v'', by 1/6 - shift / 2 - beta, and of v in units of v''', by
 * 1/6 - ((1 - gamma) shift^2 + gamma (1 + shift)^2) / 2. Both from the Taylor series of the two updates with
 * a_n = v'(t_n + shift h).
 */
export function errorsOf(coefficients: AlphaCoefficients): { position: number; velocity: number } {
  const { beta, gamma } = coefficients;
  const shift = shiftOf(coefficients);
  return {
    position: 1 / 6 - shift / 2 - beta,
    velocity: 1 / 6 - ((1 - gamma) * shift * shift + gamma * (1 + shift) * (1 + shift)) / 2,
  };
}
