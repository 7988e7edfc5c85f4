// Trees on hinges in JavaScript, made from a model as the package has it.

import type { Model } from "nodrift/bodies";
import { type HingedBody, HingeTree } from "../baseline/tree/index.js";
import {
  add,
  dot,
  product,
  rotation,
  subtract,
  three,
  times,
  transposed,
  type Vector,
} from "../reference/vectors.js";

const STILL: Vector = [0, 0, 0];

/** The same tree for the baseline, from bodies that are each hinged to one before it, in the order of the joints. */
export function plainTree(model: Model): HingeTree {
  const { bodies, gravity, markers, joints } = model.data();
  if (joints.length !== bodies.length) throw new Error("a tree has a hinge for each body");
  const hinged = joints.map(({ name, type, markers: ends }, i): HingedBody => {
    const [a, b] = (ends ?? []).map((marker) => markers[marker]);
    if (type !== "revolute" || b?.body !== i) throw new Error(`${name} is no hinge of body ${i}`);
    const { mass, inertia, centre, position, orientation } = bodies[i];
    const r = rotation(orientation);
    const own = transposed([three(inertia, 0), three(inertia, 3), three(inertia, 6)]);
    return {
      parent: a.body,
      at: add(position, times(r, b.point)),
      axis: times(r, three(b.axes, 6)),
      mass,
      centre: add(position, times(r, centre)),
      inertia: product(r, product(own, transposed(r))).flat(),
    };
  });
  const turning = (body: number) => (body < 0 ? STILL : (bodies[body].angularVelocity ?? STILL));
  const rates = hinged.map(({ parent, axis }, i) =>
    dot(three(axis, 0), subtract(turning(i), turning(parent))),
  );
  return new HingeTree(hinged, gravity, rates);
}
