// Damping of Hunt and Crossley's law by the part e of the speed that a bounce leaves. For a mass that hits with v0,
// m x'' = -k x^n g(d x'), and with y = d x' and dx = x' dx' / x'':
//
//   y dy / g(y) = -(k d^2 / m) x^n dx
//
// whose right-hand side integrates to the same way in and way out: with z = d v0,
//
//   int_0^z y / g dy = int_{-e z}^0 -y / g dy,   g = 1 + y, and -1 / (4 y) below -1/2 (assembly/forces/stop.ts)
//   z - ln(1 + z) = -u - ln(1 - u)   for u = e z <= 1/2,   ln 2 - 1/2 + 4/3 (u^3 - 1/8) beyond
//
// So z is a function of e alone, neither mass nor stiffness nor exponent matter. Rejected: d = 3 (1 - e) / (2 v0), the
// first term of it for e near 1 (Hunt and Crossley), which bounces by 0.6 where 0.5 is asked for.

const HALVINGS = 200;

/** z for e in (0, 1]. */
export function hunt(e: number): number {
  const surplus = (z: number) => wayIn(z) - wayOut(e * z);
  if (e === 1) return 0;
  // For small z the difference is that of z^2 (1 - e^2) / 2, positive; for large z the cube wins.
  let [low, high] = [0, 1];
  while (surplus(high) > 0) high *= 2;
  for (let i = 0; i < HALVINGS && low < high; i++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (surplus(middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

function wayIn(z: number): number {
  return z - Math.log1p(z);
}

function wayOut(u: number): number {
  if (u <= 0.5) return -u - Math.log1p(-u);
  return Math.LN2 - 0.5 + (4 / 3) * (u ** 3 - 0.125);
}
