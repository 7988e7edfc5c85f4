// How far one marker is turned against another, as bushings measure it: z = 2 (e1, e2, e3), with the Euler parameters e of the axes
// of B in those of A. As assembly/forces/bushing-turn.ts finds them: sums of elements of P are products 4 e_i e_j; four that have a
// large e_i in common, scaled to length one, are e without cancellation. The sign is that of e0 >= 0.
//
// With the angular velocity w of B relative to A in the axes of A, z' = e0 w + w x (e1, e2, e3).
//
// Rejected for z': the derivative of z along the motion, which also differentiates the scaling, and is three times as long.

import type { Calculus } from "../compiled/calculus.js";
import type { Graph, Node } from "../expressions/graph.js";
import { Operation } from "../expressions/operations.js";
/** Three nodes: a point or a direction. */
export type Three = readonly [Node, Node, Node];

/** What is asked of frames. */
interface Frames {
  readonly graph: Graph;
  readonly calculus: Calculus;
  dot(a: Three, b: Three): Node;
  cross(a: Three, b: Three): Three;
  markerAxis(marker: number, axis: number): Three;
  markerOmega(marker: number): Three;
}

type Four = readonly [Node, Node, Node, Node];

/** z, or its rate. */
export function turned(frames: Frames, a: number, b: number, isRate: boolean): Three {
  const [e0, e1, e2, e3] = parameters(frames, a, b);
  const { algebra } = frames.calculus;
  if (!isRate) return [algebra.scaled(2, e1), algebra.scaled(2, e2), algebra.scaled(2, e3)];
  const [own, other] = [frames.markerOmega(a), frames.markerOmega(b)];
  const part = (i: number) => algebra.difference(other[i]!, own[i]!);
  const between: Three = [part(0), part(1), part(2)];
  const about = (i: number) => frames.dot(frames.markerAxis(a, i), between);
  const w: Three = [about(0), about(1), about(2)];
  const across = frames.cross(w, [e1, e2, e3]);
  const rate = (i: number) => algebra.sum(algebra.product(e0, w[i]!), across[i]!);
  return [rate(0), rate(1), rate(2)];
}

function parameters(frames: Frames, a: number, b: number): Four {
  const { algebra } = frames.calculus;
  const { graph } = frames;
  const one = graph.constant(1);
  const zero = graph.constant(0);
  const p = (i: number, j: number) => frames.dot(frames.markerAxis(a, i), frames.markerAxis(b, j));
  const sum = (...nodes: Node[]) => nodes.reduce((left, right) => algebra.sum(left, right));
  const less = (x: Node, y: Node) => graph.apply(Operation.Less, x, y);
  const either = (condition: Node, yes: Four, no: Four): Four => {
    const part = (i: number) => graph.apply(Operation.Select, condition, yes[i]!, no[i]!);
    return [part(0), part(1), part(2), part(3)];
  };
  const diagonal = [p(0, 0), p(1, 1), p(2, 2)] as const;
  const trace = sum(one, ...diagonal);
  const [x, y, z] = [
    algebra.difference(p(2, 1), p(1, 2)),
    algebra.difference(p(0, 2), p(2, 0)),
    algebra.difference(p(1, 0), p(0, 1)),
  ];
  const [xy, xz, yz] = [sum(p(1, 0), p(0, 1)), sum(p(2, 0), p(0, 2)), sum(p(2, 1), p(1, 2))];
  /** 1 + twice an element of the diagonal - their sum. */
  const large = (i: number) => {
    const others = diagonal.filter((_, j) => j !== i);
    return others.reduce((left, one) => algebra.difference(left, one), sum(one, diagonal[i]!));
  };
  const [first, second, third] = diagonal;
  const byFirst: Four = [x, large(0), xy, xz];
  const bySecond: Four = [y, xy, large(1), yz];
  const byThird: Four = [z, xz, yz, large(2)];
  const byLater = either(less(second, third), byThird, bySecond);
  // The first is taken where neither of the others is larger: Less has no "and".
  const bySmall = either(
    less(first, second),
    byLater,
    either(less(first, third), byLater, byFirst),
  );
  const e = either(less(trace, one), bySmall, [trace, x, y, z]);
  const squares = e.map((part) => algebra.product(part, part));
  const length = graph.apply(Operation.SquareRoot, sum(...squares));
  const signed = graph.apply(Operation.Select, less(e[0], zero), algebra.negative(length), length);
  const scaled = (i: number) => graph.apply(Operation.Divide, e[i]!, signed);
  return [scaled(0), scaled(1), scaled(2), scaled(3)];
}
