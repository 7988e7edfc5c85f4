import {
  add,
  IDENTITY,
  multiply,
  scale,
  times,
  vectorOf,
  ZERO,
} from "../../../src/base/algebra/vectors.js";
import { finite, number, optionsOf, type Shape } from "../../../src/base/checking/index.js";
import { type Model, model } from "../../../src/model/mechanism.js";
import type { Matrix, Vector } from "../../../src/model/model-data.js";
import { rod } from "../../../src/model/shapes.js";

// Four hinges closed to a loop have no degree of freedom, 4 x 5 rows on 3 x 6 coordinates, unless their axes lie
// as Bennett found in 1903: opposite links are alike, and lengths and twists satisfy
// a / sin alpha = b / sin beta. Then three rows follow from the others, at every pose.

const ALPHA = Math.PI / 3;
const BETA = Math.PI / 4;
const A = 1;
const B = (A * Math.sin(BETA)) / Math.sin(ALPHA);

/** A rod between two hinges: its length, and the angle between them about the rod. */
interface Link {
  readonly length: number;
  readonly twist: number;
}
const LONG_LINK: Link = { length: A, twist: ALPHA };
const SHORT_LINK: Link = { length: B, twist: BETA };

/** Frame of a link: in its first hinge, z along that, x along the rod. */
interface Frame {
  readonly point: Vector;
  readonly axes: Matrix;
}

/** Options of {@link bennett}. */
export interface BennettOptions {
  /** Angle of the first hinge at the start. Default: 1 rad. */
  readonly angle?: number;
  /** Its rate. Default: 3 rad/s. */
  readonly rate?: number;
  /**
   * Lengths, and points at 1 m on the axes, are rounded to multiples of this in the frame of their link:
   * the linkage then closes exactly at no pose. Default: 0, not rounded.
   */
  readonly rounding?: number;
}

const SHAPE: Shape<BennettOptions> = {
  angle: finite,
  rate: finite,
  rounding: number("a number from 0 to 0.1", (value) => value >= 0 && value <= 0.1),
};

/**
 * The Bennett linkage: four hinges whose axes neither meet nor are parallel, 20 rows of rank 17, one degree of
 * freedom. Links are rods of 1 kg along the common normals of the axes; the fourth is the ground.
 *
 * @example
 * const simulation = (await compile(bennett())).simulate({ step: 1e-3 });
 */
export function bennett(options: BennettOptions = {}, ...more: undefined[]): Model {
  const read = optionsOf("bennett", "DESCRIPTION", options, SHAPE, more);
  const { angle = 1, rate = 3, rounding = 0 } = read;
  const rounded = (x: number) => (rounding > 0 ? Math.round(x / rounding) * rounding : x);
  const m = model({ name: "Bennett linkage", gravity: [0, 0, -9.81] });
  const farEnd = ({ length, twist }: Link) => ({
    name: "far hinge",
    at: vectorOf(rounded(length), 0, 0),
    axis: vectorOf(0, rounded(-Math.sin(twist)), rounded(Math.cos(twist))),
  });
  let before = m.ground.marker(farEnd(SHORT_LINK));
  linkFrames(angle).forEach(({ link, point, axes }, i) => {
    const body = m.body({
      name: `link ${i + 1}`,
      mass: 1,
      shape: rod({ length: link.length, axis: [1, 0, 0] }),
      centre: [link.length / 2, 0, 0],
      position: point,
      orientation: axes,
      // The velocities of the other links follow.
      ...(i === 0 && { velocity: ZERO, angularVelocity: { body: [0, 0, rate] } }),
    });
    m.revolute({ name: `hinge ${i + 1}`, between: [before, body.marker({ name: "near hinge" })] });
    before = body.marker(farEnd(link));
  });
  const last = m.ground.marker({ name: "near hinge" });
  m.revolute({ name: "hinge 4", between: [before, last] });
  return m;
}

/**
 * Frames of the three moving links. From one link to the next: along its rod, by its twist about that, and
 * by the angle of the hinge. Angles satisfy theta3 = -theta1, theta4 = -theta2 and
 * tan(theta1 / 2) tan(theta2 / 2) = sin((beta + alpha) / 2) / sin((beta - alpha) / 2).
 */
function linkFrames(theta1: number): (Frame & { readonly link: Link })[] {
  const ratio = Math.sin((BETA + ALPHA) / 2) / Math.sin((BETA - ALPHA) / 2);
  const theta2 = 2 * Math.atan(ratio / Math.tan(theta1 / 2));
  const links = [SHORT_LINK, LONG_LINK, SHORT_LINK, LONG_LINK];
  let frame: Frame = { point: ZERO, axes: IDENTITY };
  return [theta1, theta2, -theta1].map((theta, i) => {
    frame = next(frame, links[i]!, theta);
    return { ...frame, link: links[i + 1]! };
  });
}

function next({ point, axes }: Frame, { length, twist }: Link, theta: number): Frame {
  const [c, s] = [Math.cos(twist), Math.sin(twist)];
  const [ct, st] = [Math.cos(theta), Math.sin(theta)];
  const turned = multiply([1, 0, 0, 0, c, s, 0, -s, c], [ct, st, 0, -st, ct, 0, 0, 0, 1]);
  return {
    point: add(point, scale(length, times(axes, vectorOf(1, 0, 0)))),
    axes: multiply(axes, turned),
  };
}
