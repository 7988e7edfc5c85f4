import { NodriftError } from "../../ground/errors.js";
import type { Body, Force } from "../model/handles.js";
import type { BodyMotion } from "../model/model-data.js";
import { show } from "../model/option-checks.js";
import type { QuantityReader } from "../model/quantity-reader.js";
import type { Store } from "../model/store.js";
import { ForceBuilder } from "./force-builder.js";

/** Options of `userForce`. */
export interface UserForceOptions {
  /** For messages, readings and files. Default: the type with a number. */
  readonly name?: string | undefined;
  /** Whose motion the function gets and on which it acts, in this order. */
  readonly bodies: readonly Body[];
  /**
   * Adds to the force (world, at the origin of the body's frame) and the torque (world) of each body. What it
   * is given are views that the next evaluation overwrites. A fourth parameter, if it declares one, is a reader of the mechanism.
   */
  readonly apply: (
    motions: readonly BodyMotion[],
    loads: readonly { readonly force: Float64Array; readonly torque: Float64Array }[],
    t: number,
    read: QuantityReader,
  ) => void;
}

/** Parameters of a function that does not read the mechanism. */
const PLAIN = 3;

/** Adds a force that a function of the user applies to bodies. NaN is told with the body and the time. */
export function addUserForce(store: Store, options: UserForceOptions): Force {
  const builder = new ForceBuilder(store, "userForce", options);
  builder.check(options, ["bodies", "apply"], []);
  const bodies = builder.bodies(options.bodies);
  const { apply } = options;
  if (typeof apply !== "function") {
    throw builder.error(`apply must be a function of motions, not ${show(apply)}`);
  }
  const names = bodies.map((body) => store.bodies[body]!.name);
  return store.addUserForce({
    name: builder.name,
    bodies,
    reads: apply.length > PLAIN,
    apply: (motions, loads, t, read) => {
      const returned: unknown = apply(motions, loads, t, read!);
      if (returned instanceof Promise) {
        throw builder.error("apply must be synchronous, but returned a promise");
      }
      for (let i = 0; i < loads.length; i++) {
        const { force, torque } = loads[i]!;
        if (isFinite3(force) && isFinite3(torque)) continue;
        throw new NodriftError(
          "EVALUATION",
          `${builder.where}: apply gave "${names[i]}" the force ${show(force)} and the torque ` +
            `${show(torque)} at t = ${t}`,
        );
      }
    },
  });
}

function isFinite3(v: Float64Array): boolean {
  return Number.isFinite(v[0]) && Number.isFinite(v[1]) && Number.isFinite(v[2]);
}
