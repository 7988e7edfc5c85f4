// Controllers in memory. Each has numbers among the constants of the kernels: how many samples it has taken, from which on,
// its outputs, its memory, and the outputs of samples that are under way. They belong to the state, like turns.

import type { ControllerData } from "../../../describe/model/model-data.js";
import type { QuantityReader } from "../../../describe/model/quantity-reader.js";
import { CONTROLLER_OUTPUTS, keptSamples } from "../plan/controller-slots.js";
import type { Plan } from "../plan/plan.js";

import { DrivenConstants } from "./driven-constants.js";

const NEXT = 0;
const FIRST = 1;

/** Times closer than this part of a period are the same. */
const SAME = 1e-9;

interface BoundController {
  readonly data: ControllerData;
  /** Views of its numbers. */
  readonly counts: Float64Array;
  readonly outputs: Float64Array;
  readonly memory: Float64Array;
  readonly kept: Float64Array;
  readonly scratch: Float64Array;
}

export class Controllers {
  #bound: readonly BoundController[] = [];

  #driven: DrivenConstants | undefined;

  attach({ model, controllerSlots: slots, ...plan }: Plan, constants: Float64Array): void {
    const { controllers } = model;
    this.#bound = controllers.map((data, i) => {
      const { start, memoryStart } = data;
      const at = slots[i]!;
      const memory = at + CONTROLLER_OUTPUTS + start.length;
      const kept = memory + memoryStart.length;
      return {
        data,
        counts: constants.subarray(at, at + CONTROLLER_OUTPUTS),
        outputs: constants.subarray(at + CONTROLLER_OUTPUTS, memory),
        memory: constants.subarray(memory, kept),
        kept: constants.subarray(kept, kept + keptSamples(data) * start.length),
        scratch: new Float64Array(start.length),
      };
    });
    const outputs = this.#bound.map((each) => each.outputs);
    this.#driven =
      model.driven && new DrivenConstants(model.driven, { ...plan, model }, outputs, constants);
  }

  /** Constants of forces are those for the parameters that outputs set. */
  drive(t: number): void {
    this.#driven?.settle(t);
  }

  /** Whether something is due at a time. */
  isDue(t: number): boolean {
    for (let i = 0; i < this.#bound.length; i++) {
      const { data, counts } = this.#bound[i]!;
      if (indexAt(data, t) + 1 !== counts[NEXT]) return true;
      if (data.delay > 0 && isAt(data, t - data.delay)) return true;
    }
    return false;
  }

  /** Takes the samples that are due, at the state that `read` reads, and lets those act whose time has come. */
  act(t: number, read: QuantityReader): boolean {
    let changed = false;
    for (const controller of this.#bound) {
      this.#sample(controller, t, read);
      changed = this.#apply(controller, t) || changed;
    }
    return changed;
  }

  /** The next time after t at which a sample is taken, or acts. */
  nextBreak(t: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#bound.length; i++) {
      const { data } = this.#bound[i]!;
      next = Math.min(next, timeAfter(data, t));
      if (data.delay > 0) next = Math.min(next, timeAfter(data, t - data.delay) + data.delay);
    }
    return next;
  }

  #sample(
    { data, counts, memory, kept, scratch }: BoundController,
    t: number,
    read: QuantityReader,
  ) {
    const index = indexAt(data, t);
    if (counts[NEXT] === index + 1) return;
    // Begins, or goes on after the state was set at another time: samples before it are not made up for.
    const goesOn = counts[NEXT] === index && counts[FIRST]! < index;
    counts[NEXT] = index + 1;
    if (!isAt(data, t)) {
      counts[FIRST] = index + 1;
      return;
    }
    if (!goesOn) counts[FIRST] = index;
    data.sample(t, read, memory, scratch);
    kept.set(scratch, slotOf(kept, scratch.length, index));
  }

  #apply({ data, counts, outputs, kept }: BoundController, t: number): boolean {
    const index = indexAt(data, t - data.delay);
    if (index < counts[FIRST]! || index >= counts[NEXT]!) return false;
    const from = slotOf(kept, outputs.length, index);
    let changed = false;
    for (let i = 0; i < outputs.length; i++) {
      changed ||= outputs[i] !== kept[from + i];
      outputs[i] = kept[from + i]!;
    }
    return changed;
  }
}

/** Where the outputs of a sample are kept. */
function slotOf(kept: Float64Array, count: number, index: number): number {
  const samples = kept.length / count;
  return count * (((index % samples) + samples) % samples);
}

/** The number of the last sample at or before a time. */
function indexAt({ every, offset }: ControllerData, t: number): number {
  const periods = (t - offset) / every;
  return Math.floor(periods + slack(periods));
}

function isAt(data: ControllerData, t: number): boolean {
  const periods = (t - data.offset) / data.every;
  return Math.abs(periods - indexAt(data, t)) <= slack(periods);
}

/** By how many periods times may differ that are the same: they are rounded. */
function slack(periods: number): number {
  return SAME + 4 * Number.EPSILON * Math.abs(periods);
}

function timeAfter(data: ControllerData, t: number): number {
  return data.offset + (indexAt(data, t) + 1) * data.every;
}
