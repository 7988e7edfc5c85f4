// Running statistics, updated case by case.

/** Mean and variance by B. P. Welford's recurrence, Technometrics 4 (1962) 419-420, which avoids the cancellation of a sum of squares. */
export class Running {
  count = 0;
  mean = 0;
  minimum = Number.POSITIVE_INFINITY;
  maximum = Number.NEGATIVE_INFINITY;
  #squares = 0;

  add(value: number): void {
    this.count++;
    const difference = value - this.mean;
    this.mean += difference / this.count;
    this.#squares += difference * (value - this.mean);
    if (value < this.minimum) this.minimum = value;
    if (value > this.maximum) this.maximum = value;
  }

  /** Sample variance, with the divisor n - 1. */
  get variance(): number {
    return this.count > 1 ? this.#squares / (this.count - 1) : Number.NaN;
  }

  get deviation(): number {
    return Math.sqrt(this.variance);
  }

  /** Standard error of the mean. */
  get standardError(): number {
    return Math.sqrt(this.variance / this.count);
  }
}
