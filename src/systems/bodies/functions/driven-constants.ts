import type { DrivenData } from "../../../describe/model/model-data.js";
import { NodriftError } from "../../../ground/errors.js";
import { NOT_APPLIED } from "../plan/controller-slots.js";
import type { Plan } from "../plan/plan.js";

/**
 * Constants of forces in memory that follow outputs of controllers. Outputs belong to the state; constants are found anew wherever they are not those of the outputs:
 * after a sample, and where a state was set, restored or is read in another memory. So snapshots, replays and readings need nothing more. For which outputs they
 * have been found is in memory too.
 */
export class DrivenConstants {
  readonly #driven: DrivenData;
  readonly #outputs: readonly Float64Array[];
  readonly #applied: Float64Array;
  readonly #forces: readonly { readonly name: string; readonly constants: Float64Array }[];
  readonly #names: readonly string[];

  /** `outputs` are views of those of each controller, `constants` of all. */
  constructor(
    driven: DrivenData,
    { model, forceSlots, drivenSlot }: Pick<Plan, "model" | "forceSlots" | "drivenSlot">,
    outputs: readonly Float64Array[],
    constants: Float64Array,
  ) {
    this.#driven = driven;
    this.#outputs = outputs;
    this.#names = model.controllers.map(({ name }) => name);
    this.#applied = constants.subarray(drivenSlot, drivenSlot + driven.outputs.length);
    this.#applied.fill(NOT_APPLIED);
    this.#forces = model.forces.map(({ name, constants: own }, i) => ({
      name,
      constants: constants.subarray(forceSlots[i]!, forceSlots[i]! + own.length),
    }));
  }

  settle(t: number): void {
    if (this.#isSettled()) return;
    const values = this.#driven.outputs.map(
      ({ controller, output }) => this.#outputs[controller]![output]!,
    );
    const found = this.#found(values, t);
    for (const { name, constants } of this.#forces) {
      const next = found.get(name);
      if (next) constants.set(next);
    }
    this.#applied.set(values);
  }

  #isSettled(): boolean {
    const { outputs } = this.#driven;
    for (let i = 0; i < outputs.length; i++) {
      const { controller, output } = outputs[i]!;
      if (this.#outputs[controller]![output] !== this.#applied[i]) return false;
    }
    return true;
  }

  #found(values: readonly number[], t: number) {
    try {
      return this.#driven.constants(values);
    } catch (cause) {
      if (!(cause instanceof NodriftError)) throw cause;
      const name = this.#names[this.#driven.outputs[0]!.controller];
      throw new NodriftError(
        cause.code,
        `controller "${name}": what it sets at t = ${t} is refused: ${cause.message}`,
        { cause },
      );
    }
  }
}
