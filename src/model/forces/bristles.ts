// Friction by bristles that bend: z is their deflection, and
//
//   F = s0 z + s1 z' + c v,    z' = v (1 - a z sign(v) / z_s),    z_s = (F_C + (F_S - F_C) / (1 + (v / v_s)^2)) / s0
//
// a = 0 while |z| < z_b or z is bent the other way: the bristles are springs, so resting bodies do not creep. From
// z_b to z_s a grows smoothly to 1, at which they slip (Dupont, Hayward, Armstrong and Altpeter, IEEE Trans.
// Automatic Control 47 (2002) 787, whose law is that of LuGre for a = 1). Rejected: LuGre, which creeps under a load
// that vibrates; Stribeck's exponential in z_s, whose last bits differ between engines.

/** z_b as a fraction of F_C / s0. */
const BREAKAWAY_FRACTION = 0.7;

/** Constants of the law. */
export interface BristleLaw {
  readonly coulomb: number;
  readonly breakaway: number;
  readonly speed: number;
  readonly stiffness: number;
  readonly damping: number;
  readonly viscous: number;
}

/** Returns z'. */
export function bristleRate(law: BristleLaw, z: number, v: number): number {
  const { coulomb, breakaway, speed, stiffness } = law;
  const drop = (breakaway - coulomb) / (1 + (v / speed) ** 2);
  const slips = (coulomb + drop) / stiffness;
  const bends = z * v > 0;
  if (!bends || slips === 0) return slips === 0 ? 0 : v;
  const u =
    (Math.abs(z) - (BREAKAWAY_FRACTION * coulomb) / stiffness) /
    (slips - (BREAKAWAY_FRACTION * coulomb) / stiffness);
  const part = u <= 0 ? 0 : u >= 1 ? 1 : u * u * (3 - 2 * u);
  return v * (1 - (part * Math.abs(z)) / slips);
}

/** Returns F, opposed to v. */
export function bristleForce(law: BristleLaw, z: number, v: number): number {
  const { stiffness, damping, viscous, breakaway } = law;
  // An open brake leaves its bristles unchanged.
  if (breakaway === 0) return -viscous * v;
  return -(stiffness * z + damping * bristleRate(law, z, v) + viscous * v);
}

/** Returns the name of the states of a friction element with bristles. */
export function bristlesOf(friction: string): string {
  return `${friction} bristles`;
}
