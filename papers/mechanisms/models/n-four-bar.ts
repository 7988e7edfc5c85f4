import { multiply, rotationOf, times, vectorOf } from "../../../src/base/algebra/vectors.js";
import {
  argument,
  finite,
  optionsOf,
  plain,
  type Shape,
  whole,
} from "../../../src/base/checking/index.js";
import type { Body } from "../../../src/model/handles.js";
import { type Model, model } from "../../../src/model/mechanism.js";
import type { Vector } from "../../../src/model/model-data.js";
import type { Orientation } from "../../../src/model/orientation.js";
import { orientation } from "../../../src/model/orientation.js";
import { rod } from "../../../src/model/shapes.js";
import { requireNumbers } from "../checks.js";
import type { ReferenceRow } from "./benchmark-model.js";

/** Options of {@link nFourBar}. */
export interface NFourBarOptions {
  /** Angle of the uprights from the vertical at the start, towards +x. Default: 0. */
  readonly psi0?: number;
  /** Rotation of the mechanism in the world, including gravity. Default: none. */
  readonly tilt?: Orientation;
}

const SHAPE: Shape<NFourBarOptions> = {
  psi0: finite,
  tilt: {
    wants: "an orientation",
    read: (value, place) => plain(place, value) as Orientation,
  },
};

/**
 * The N-four-bar of IFToMM's library: n + 1 uprights on the ground, joined at their tops by n links, all rods
 * of 1 m and 1 kg, with three-dimensional hinges. It moves with one degree of freedom, momentarily with
 * n + 1 when all links are in line, and passes there ten times in 10 s. The uprights turn with
 * -1 rad/s at the start.
 *
 * @example
 * const simulation = (await compile(nFourBar(2))).simulate({ step: 1e-3 });
 */
export function nFourBar(n: number, options: NFourBarOptions = {}, ...more: undefined[]): Model {
  argument("nFourBar", "DESCRIPTION", "n", n, whole(1, 10_000));
  const read = optionsOf("nFourBar", "DESCRIPTION", options, SHAPE, more);
  const { psi0 = 0, tilt = [1, 0, 0, 0] } = read;
  const frame = rotationOf(orientation("nFourBar", "tilt", tilt));
  const turned = (x: number, y: number, z = 0) => times(frame, vectorOf(x, y, z));
  const m = model({ name: `${n}-four-bar`, gravity: turned(0, -9.81) });
  const axis = turned(0, 0, 1);
  const [sine, cosine] = [Math.cos(psi0), Math.sin(psi0)];
  // Its x along the rod.
  const upright = multiply(frame, [cosine, sine, 0, -sine, cosine, 0, 0, 0, 1]);
  const shape = rod({ length: 1, axis: [1, 0, 0] });
  const hinge = (name: string, a: Body, b: Body, at: Vector) =>
    m.revolute({ name, between: [a, b], at, axis });
  let before: Body | undefined;
  for (let i = 0; i <= n; i++) {
    const link = m.body({
      name: `upright ${i}`,
      mass: 1,
      shape,
      position: turned(i + cosine / 2, sine / 2),
      orientation: upright,
      velocity: turned(sine / 2, -cosine / 2),
      angularVelocity: turned(0, 0, -1),
    });
    hinge(`ground ${i}`, m.ground, link, turned(i, 0));
    if (before !== undefined) hinge(`right ${i}`, before, link, turned(i + cosine, sine));
    if (i === n) break;
    before = m.body({
      name: `top ${i}`,
      mass: 1,
      shape,
      position: turned(i + cosine + 0.5, sine),
      orientation: frame,
      velocity: turned(sine, -cosine),
      angularVelocity: [0, 0, 0],
    });
    hinge(`left ${i}`, link, before, turned(i + cosine, sine));
  }
  return m;
}

/**
 * The motion is that of one angle theta, of the uprights from +x: with n + 1 uprights turning about their
 * ends and n links that only translate, I theta'' = -W cos theta, I = (n + 1) / 3 + n and
 * W = ((n + 1) / 2 + n) g. Returns W / I.
 */
export function nFourBarStiffness(n: number, ...more: undefined[]): number {
  requireNumbers("nFourBarStiffness", { n }, more);
  return (9.81 * ((n + 1) / 2 + n)) / ((n + 1) / 3 + n);
}

/** The top of the first upright for n = 2 and 40 without psi0 and tilt: t, x, y, x', y'. */
export const nFourBarReference: Readonly<Record<2 | 40, readonly ReferenceRow[]>> = {
  2: [
    [1, -0.1950203019494697, -0.9807992056621669, -6.676678036881053, 1.3275783251607112],
    [2, 0.05781579576794403, 0.9983272678634594, 1.0172601366201734, -0.0589122487133615],
    [4, 0.1176161023765487, 0.9930591384513558, 1.0690392650283573, -0.12661504916636415],
    [5, -0.8113104610039753, -0.5846155453505466, -3.5691173972044887, 4.953105171308758],
    [10, 0.32845811153904897, 0.9445185381792153, 1.4230514702030312, -0.494868845482699],
  ],
  40: [
    [1, -0.11535688063215872, -0.9933241113004445, -6.669987523941689, 0.7746000986626661],
    [2, 0.03446630730032553, 0.9994058603295658, 1.005951172813818, -0.03469203416506945],
    [4, 0.06934203222773129, 0.9975929443247523, 1.0238043879873002, -0.07116397251061292],
    [5, -0.5401900506737095, -0.8415430524656092, -5.4363691125877, 3.48962836518664],
    [10, 0.1805122266857324, 0.9835727405824943, 1.148441277467696, -0.2107700667779065],
  ],
};
