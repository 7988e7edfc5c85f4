/**
 * Relative size below which a constraint counts as dependent on the others. Far above what rounding
 * leaves of a repeated row (a few eps) and far below what matters: on the examples of Braun and Goldfarb
 * everything up to 1e-6 gives the same motion.
 */
export const RANK_TOLERANCE = 1e-12;
