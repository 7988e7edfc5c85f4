import { Sensor } from "../../../../assembly/layout-bodies.js";
import type { BodyAccess } from "../../../seam/index.js";
import { AT, beyondLimit } from "../../held/contact.js";
import type { Limit } from "../../held/limits.js";
import type { Mechanism } from "./mechanism.js";
import type { Height } from "./touch.js";

/** How far a mechanism is beyond each of some limits, where it was looked at last. Made once: steps make nothing. */
export class LimitHeights {
  readonly #limits: readonly Limit[];
  readonly #heights: { beyond: number; rate: number }[];

  constructor(limits: readonly Limit[]) {
    this.#limits = limits;
    this.#heights = limits.map(() => ({ beyond: 0, rate: 0 }));
  }

  /** Measures the accepted state of a mechanism. */
  look({ system }: Mechanism, t: number): void {
    system.load(t);
    const records = (system.bodies as BodyAccess).sensors(false);
    for (let i = 0; i < this.#limits.length; i++) {
      const { side, sensor, value } = this.#limits[i]!;
      const at = Sensor.LENGTH * sensor;
      const height = this.#heights[i]!;
      height.beyond = side * (records[at + Sensor.VALUE]! - value);
      height.rate = side * records[at + Sensor.RATE]!;
    }
  }

  /** Of the limit with an index. The object is used again. */
  at(index: number): Height {
    return this.#heights[index]!;
  }

  /** Takes those of another. */
  take(other: LimitHeights): void {
    for (let i = 0; i < this.#heights.length; i++) {
      const height = this.#heights[i]!;
      height.beyond = other.at(i).beyond;
      height.rate = other.at(i).rate;
    }
  }

  /** Copies of all. */
  all(): Height[] {
    return this.#heights.map((height) => ({ ...height }));
  }

  /** Throws where a limit has been passed. */
  refuseBeyond(t: number): void {
    for (let i = 0; i < this.#limits.length; i++) {
      const limit = this.#limits[i]!;
      const { beyond } = this.#heights[i]!;
      if (beyond > AT * (1 + Math.abs(limit.value))) throw beyondLimit(limit, beyond, t);
    }
  }
}
