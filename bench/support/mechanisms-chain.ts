// The chain in JavaScript, made from a model of rods as the package has it.

import type { Model } from "nodrift/bodies";
import { ChainStepper } from "../baseline/chain.js";

/** The same chain for the baseline, at a state of a simulation. */
export function plainChain(
  model: Model,
  { q, v }: { readonly q: ArrayLike<number>; readonly v: ArrayLike<number> },
): ChainStepper {
  const { bodies, gravity, markers, joints } = model.data();
  const armOf = (joint: number, side: 0 | 1) => {
    const marker = joints[joint]?.markers?.[side];
    return marker === undefined ? [0, 0, 0] : [...markers[marker].point];
  };
  const chain = bodies.map(({ mass, inertia }, i) => ({
    mass,
    moments: [inertia[0], inertia[4], inertia[8]],
    first: armOf(i, 1),
    second: armOf(i + 1, 0),
  }));
  return new ChainStepper(chain, gravity, q, v);
}
