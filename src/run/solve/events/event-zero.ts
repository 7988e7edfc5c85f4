/** The zero where an event happened, as long as its value has not left it. */
export class EventZero {
  /** The value there, by rounding hardly ever zero; NaN when it has been left. */
  value = Number.NaN;
  /** Uncertainty of values: the rate times the error of the time. */
  noise = 0;
  /** An action has put the value elsewhere. */
  moved = false;

  get isLeft(): boolean {
    return Number.isNaN(this.value);
  }

  leave(): void {
    this.value = Number.NaN;
  }

  /** Whether a value equals that of the event, up to noise. */
  holds(value: number): boolean {
    return Math.abs(value - this.value) <= this.noise;
  }
}
