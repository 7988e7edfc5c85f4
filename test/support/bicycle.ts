import { type Model, model } from "nodrift/bodies";

// The Whipple bicycle with the benchmark parameters of Meijaard, Papadopoulos, Ruina and Schwab, "Linearized
// dynamics equations for the balance and steer of a bicycle", Proc. R. Soc. A 463 (2007), table 1. There z is
// down and y to the right; here z is up, so that products of inertia with x and z change their signs.

const [WHEELBASE, TRAIL, TILT] = [1.02, 0.08, Math.PI / 10];
const [REAR, FRONT] = [0.3, 0.35];
const AXLE = [0, 1, 0] as const;

/** The bicycle upright, straight ahead along x. */
export function bicycle(speed: number): Model {
  const m = model({ name: "bicycle", gravity: [0, 0, -9.81] });
  const velocity = [speed, 0, 0] as const;
  const rear = m.body({
    name: "rear wheel",
    mass: 2,
    inertia: [0.0603, 0.12, 0.0603],
    position: [0, 0, REAR],
    velocity,
    angularVelocity: [0, speed / REAR, 0],
  });
  const frame = m.body({
    name: "frame",
    mass: 85,
    inertia: [9.2, 0, -2.4, 0, 11, 0, -2.4, 0, 2.8],
    position: [0.3, 0, 0.9],
    velocity,
  });
  const fork = m.body({
    name: "fork",
    mass: 4,
    inertia: [0.05892, 0, 0.00756, 0, 0.06, 0, 0.00756, 0, 0.00708],
    position: [0.9, 0, 0.7],
    velocity,
  });
  const front = m.body({
    name: "front wheel",
    mass: 3,
    inertia: [0.1405, 0.28, 0.1405],
    position: [WHEELBASE, 0, FRONT],
    velocity,
    angularVelocity: [0, speed / FRONT, 0],
  });
  const steering = [-Math.sin(TILT), 0, Math.cos(TILT)] as const;
  m.revolute({ name: "rear axle", between: [frame, rear], at: [0, 0, REAR], axis: AXLE });
  m.revolute({
    name: "steering",
    between: [frame, fork],
    at: [WHEELBASE + TRAIL, 0, 0],
    axis: steering,
  });
  m.revolute({ name: "front axle", between: [fork, front], at: [WHEELBASE, 0, FRONT], axis: AXLE });
  m.rollingDisk({ name: "rear contact", body: rear, radius: REAR, axis: AXLE });
  m.rollingDisk({ name: "front contact", body: front, radius: FRONT, axis: AXLE });
  return m;
}

/**
 * Coefficients of the characteristic polynomial, of s^0 to s^4, by the matrices that the authors print (section 5):
 * det(M s^2 + v C1 s + g K0 + v^2 K2) in lean and steer.
 */
export function bicyclePolynomial(v: number): number[] {
  const M = [80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686];
  const K0 = [-80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618];
  const K2 = [0, 76.59734589573222, 0, 2.65431523794604];
  const C1 = [0, 33.86641391492494, -0.85035641456978, 1.6854039739756];
  const entry = (i: number) => [9.81 * K0[i]! + v * v * K2[i]!, v * C1[i]!, M[i]!];
  const [a, b, c, d] = [0, 1, 2, 3].map(entry);
  const product = (x: number[], y: number[]) =>
    [0, 1, 2, 3, 4].map((n) => x.reduce((sum, xi, i) => sum + xi * (y[n - i] ?? 0), 0));
  const [plus, minus] = [product(a!, d!), product(b!, c!)];
  return plus.map((x, i) => x - minus[i]!);
}
