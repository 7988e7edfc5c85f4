import { ORDER_4, ORDER_6 } from "../../ground/algebra/differences.js";

/** Writes a function's values at x. */
export type Sampled = (x: Float64Array, value: Float64Array) => void;

/**
 * Both derivatives of a function by one of its arguments, of order 6, and by how much those of order 4 are others: how
 * fast the function varies, and how much of it is rounding.
 */
export class TwoOrders {
  /** Where. */
  readonly x: Float64Array<ArrayBuffer>;
  /** f' and f'', and how far off those of order 4 are, by rows. */
  readonly first: Float64Array<ArrayBuffer>;
  readonly second: Float64Array<ArrayBuffer>;
  readonly firstOff: Float64Array<ArrayBuffer>;
  readonly secondOff: Float64Array<ArrayBuffer>;
  readonly #sample: Sampled;
  readonly #middle: Float64Array<ArrayBuffer>;
  readonly #ahead: Float64Array<ArrayBuffer>;
  readonly #behind: Float64Array<ArrayBuffer>;

  constructor(count: number, rows: number, sample: Sampled) {
    const values = () => new Float64Array(rows);
    this.#sample = sample;
    this.x = new Float64Array(count);
    this.first = values();
    this.second = values();
    this.firstOff = values();
    this.secondOff = values();
    this.#middle = values();
    this.#ahead = values();
    this.#behind = values();
  }

  /** Sets the base point; it may have more entries than arguments. With its value, which second derivatives need. */
  stand(x: ArrayLike<number>, withValue: boolean): void {
    for (let i = 0; i < this.x.length; i++) this.x[i] = x[i] as number;
    if (withValue) this.#sample(this.x, this.#middle);
  }

  /** Quotients are by what was really added to x. */
  derive(argument: number, h: number): void {
    const { x } = this;
    const at = x[argument] as number;
    this.first.fill(0);
    this.second.fill(0);
    this.firstOff.fill(0);
    this.secondOff.fill(0);
    try {
      for (let k = 1; k <= ORDER_6.length; k++) {
        const ahead = at + k * h;
        const behind = at - k * h;
        x[argument] = ahead;
        this.#sample(x, this.#ahead);
        x[argument] = behind;
        this.#sample(x, this.#behind);
        this.#add(k, ahead - at, at - behind);
      }
    } finally {
      x[argument] = at;
    }
  }

  #add(k: number, forward: number, backward: number): void {
    const weight = ORDER_6[k - 1] as number;
    const off = (ORDER_4[k - 1] ?? 0) - weight;
    const width = forward + backward;
    for (let row = 0; row < this.first.length; row++) {
      const ahead = this.#ahead[row] as number;
      const behind = this.#behind[row] as number;
      const middle = this.#middle[row] as number;
      const first = (ahead - behind) / width;
      const second = (2 * ((ahead - middle) / forward - (middle - behind) / backward)) / width;
      this.first[row] = (this.first[row] as number) + weight * first;
      this.second[row] = (this.second[row] as number) + weight * second;
      this.firstOff[row] = (this.firstOff[row] as number) + off * first;
      this.secondOff[row] = (this.secondOff[row] as number) + off * second;
    }
  }
}
