// Models of the package on the JavaScript baseline.

import { type Method, type Simulation, simulate } from "nodrift";
import type { CompiledModel, Model } from "nodrift/bodies";
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
} from "../../test/reference/vectors.js";
import { kernelsIn } from "./bodies/index.js";
import { ChainStepper } from "./chain.js";
import { type HingedBody, HingeTree } from "./tree/index.js";

/** A simulation of a compiled model that uses the kernels of the JavaScript baseline for the complete step. */
export function simulateInJavaScript(
  compiled: CompiledModel,
  { method, step }: { method: Method; step: number },
): Simulation {
  const system = compiled.bodySystem();
  system.workspace.whenSealed((arena) => {
    const made = kernelsIn(arena.memory.buffer as ArrayBuffer, system.table);
    const core = withRefusals(arena.kernels, made.core);
    system.kernels = withRefusals(system.kernels, made.bodies);
    system.workspace.kernels = core;
    // The simulation copies and checks the state through its arena.
    Object.assign(arena, { kernels: core });
  });
  const { q, v, time } = compiled;
  return simulate({ system: () => system }, { method, step, q, v, time, start: "asGiven" });
}

/**
 * The existing kernels; every other name is a function that throws an error.
 */
function withRefusals<T extends object>(all: T, own: Partial<T>): T {
  const refusals = Object.keys(all).map((name) => [
    name,
    () => {
      throw new Error(`the JavaScript baseline has no kernel ${name}`);
    },
  ]);
  return Object.assign(Object.create(Object.fromEntries(refusals)), own);
}

/** The chain for the baseline, at a state of a simulation. */
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

const NO_ROTATION: Vector = [0, 0, 0];

/** The tree for the baseline, from bodies that are each hinged to an earlier one, in the order of the joints. */
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
  const turning = (body: number) =>
    body < 0 ? NO_ROTATION : (bodies[body].angularVelocity ?? NO_ROTATION);
  const rates = hinged.map(({ parent, axis }, i) =>
    dot(three(axis, 0), subtract(turning(i), turning(parent))),
  );
  return new HingeTree(hinged, gravity, rates);
}
