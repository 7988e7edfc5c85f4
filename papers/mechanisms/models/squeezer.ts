import { cosine, sine } from "../../../src/base/algebra/portable-trigonometry.js";
import type { Body } from "../../../src/model/handles.js";
import { type Model, model } from "../../../src/model/mechanism.js";
import { requireNothing } from "../checks.js";

// Seven bodies in a plane, three loops, one degree of freedom: W. Schiehlen (ed.), Multibody Systems Handbook (1990); data and end state
// as in E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, section VII.7, and the test set for initial
// value problems. The linkage is 10 cm wide and turns its crank two and a half times in 30 ms.

/** Angles of the seven coordinates at the start: crank, coupler, spring lever, and the two pairs of bars. */
const START = {
  beta: -0.06171389001427645,
  theta: 0,
  gamma: 0.45527981916307037,
  phi: 0.22266839016588588,
  delta: 0.48736497954384256,
  omega: -0.22266839016588588,
  epsilon: 1.2305474445498212,
};

/** Mass and moment of inertia about the centre, of K1 to K7. */
const BODIES = [
  [0.04325, 2.194e-6],
  [0.00365, 4.41e-7],
  [0.02373, 5.255e-6],
  [0.00706, 5.667e-7],
  [0.0705, 1.169e-5],
  [0.00706, 5.667e-7],
  [0.05498, 1.912e-5],
] as const;

const A = [-0.06934, -0.00227] as const;
const B = [-0.03635, 0.03273] as const;
const SPRING = { at: [0.014, 0.072, 0], stiffness: 4530, length: 0.07785 } as const;
const TORQUE = 0.033;

type Point = readonly [number, number];

/** From a point by `along` in the direction of an angle and by `across` to the left of it. */
function from([x, y]: Point, angle: number, along: number, across = 0): Point {
  const [c, s] = [cosine(angle), sine(angle)];
  return [x + along * c - across * s, y + along * s + across * c];
}

/**
 * Andrews' squeezing mechanism: a motor of constant torque drives seven bodies in three loops that share one pin, against a spring.
 * Without gravity. Angles of the joints "crank", "lever", "lower bar" and "upper bar" begin at zero.
 *
 * @example
 * const solution = solve(await compile(squeezer()), { span: [0, 0.03], tolerance: 1e-8 });
 */
export function squeezer(...more: undefined[]): Model {
  requireNothing("squeezer", more);
  const { beta, theta, gamma, phi, delta, omega, epsilon } = START;
  const crankPin = from([0, 0], beta, 0.007);
  const pin = from(crankPin, beta + theta, -0.028);
  const lowerEnd = from(A, delta, 0.04);
  const upperEnd = from(A, epsilon, 0, -0.04);
  const centres: readonly Point[] = [
    from([0, 0], beta, 0.00092),
    from(crankPin, beta + theta, -0.0115),
    from(B, gamma, 0.01043, -0.01874),
    from(lowerEnd, phi + delta, 0, -(0.02 - 0.01421)),
    from(A, delta, 0.02308, 0.00916),
    from(upperEnd, omega + epsilon, 0.02 - 0.01421),
    from(A, epsilon, -0.00449, -0.01228),
  ];
  const m = model({ name: "squeezing mechanism", gravity: [0, 0, 0] });
  const bodies = BODIES.map(([mass, moment], i) =>
    m.body({
      name: `K${i + 1}`,
      mass,
      inertia: [moment, moment, moment],
      position: [...centres[i]!, 0],
    }),
  );
  const [k1, k2, k3, k4, k5, k6, k7] = bodies as [Body, Body, Body, Body, Body, Body, Body];
  const hinge = (name: string, first: Body, second: Body, at: Point) =>
    m.revolute({ name, between: [first, second], at: [...at, 0], axis: [0, 0, 1] });
  hinge("crank", m.ground, k1, [0, 0]);
  hinge("crank pin", k1, k2, crankPin);
  hinge("lever", m.ground, k3, B);
  hinge("lower bar", m.ground, k5, A);
  hinge("lower pin", k5, k4, lowerEnd);
  hinge("upper bar", m.ground, k7, A);
  hinge("upper pin", k7, k6, upperEnd);
  for (const body of [k3, k4, k6]) hinge(`pin of ${body.name}`, k2, body, pin);
  const hook = from(B, gamma, 0.02, -0.018);
  m.spring({
    name: "spring",
    between: [m.ground, k3],
    atA: SPRING.at,
    atB: [...hook, 0],
    stiffness: SPRING.stiffness,
    length: SPRING.length,
  });
  m.torque({ name: "motor", on: k1, torque: [0, 0, TORQUE] });
  return m;
}

/** Angles that the joints of {@link squeezer} have passed through after 0.03 s: published angles less those of the start. */
export const squeezerReference: Readonly<Record<string, number>> = {
  crank: 15.81077119629904 - START.beta,
  lever: 0.04082224013073101 - START.gamma,
  "lower bar": 0.5244099658805303 - START.delta,
  "upper bar": 1.048080741042263 - START.epsilon,
};
