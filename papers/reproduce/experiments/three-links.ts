// Table 3 of Welch et al. 2007: three links in space. The model is that of an independent
// implementation.

import { type CompiledModel, compile } from "../../../src/bodies.js";
import type { CoupledMethod, Method } from "../../../src/index.js";
import { threeLinkPendulum } from "../../mechanisms/index.js";
import { baumgarteHeun, projectedRk4, welchAsPrinted } from "./methods.js";
import { distance } from "./numbers.js";

/** Time up to which the motion is predictable, s: after 6 s it is chaotic. */
const END = 4;

/**
 * Methods of table 3: the embedding as printed, and Heun with alpha = 0.5 / h or 1 / h, beta = 1 /
 * h.
 */
const METHODS = {
  secondOrder: welchAsPrinted,
  halfDamped: baumgarteHeun(0.5),
  critical: baumgarteHeun(1),
} satisfies Record<string, Method>;

/** The pendulum of three links, ready for all methods of table 3. */
export class ThreeLinks {
  readonly #compiled: CompiledModel;
  readonly #plain: CompiledModel;
  #converged: readonly number[] | undefined;

  private constructor(compiled: CompiledModel, plain: CompiledModel) {
    this.#compiled = compiled;
    this.#plain = plain;
  }

  /** Compiles the pendulum, with and without normalised Euler parameters. */
  static async compile(): Promise<ThreeLinks> {
    const model = threeLinkPendulum({ pin: "world" });
    // The reference does not normalise the Euler parameters in stages of Heun.
    const plain = await compile(model, { unnormalisedEulerParameters: true });
    return new ThreeLinks(await compile(model, { coordinates: "maximal" }), plain);
  }

  /** Mean |Phi| over all steps. */
  meanError(of: keyof typeof METHODS, step: number, until = END): number {
    const compiled = of === "secondOrder" ? this.#compiled : this.#plain;
    const simulation = compiled.simulate({ step, method: METHODS[of] });
    const count = Math.round(until / step);
    let sum = 0;
    for (let k = 0; k < count; k++) sum += Math.hypot(...simulation.advance().phi());
    return sum / count;
  }

  /** The centre of the third link after 4 s, converged. */
  lastCentre(): readonly number[] {
    this.#converged ??= this.#lastCentre(1e-4, projectedRk4);
    return this.#converged;
  }

  /** The order of that centre when the step is halved. */
  order(coupled: CoupledMethod): number {
    const [long, short] = [4e-4, 2e-4].map((step) =>
      distance(this.#lastCentre(step, { coupled }), this.lastCentre()),
    ) as [number, number];
    return Math.log2(long / short);
  }

  #lastCentre(step: number, method: Method): readonly number[] {
    return [...this.#compiled.simulate({ step, method }).runTo(END).q.subarray(14, 17)];
  }
}
