import { NodriftError } from "../errors.js";

/** A gain, or how it follows from the step. */
export type Gain = number | ((h: number) => number);

/** A gain as a function of the step. What is negative or not finite is refused by name. */
export function gainOf(method: string, name: string, given: Gain): (h: number) => number {
  const checked = (value: number) => {
    if (!Number.isFinite(value) || value < 0) {
      throw new NodriftError("METHOD", `${method}: ${name} is ${value}; give a number >= 0`);
    }
    return value;
  };
  if (typeof given === "function") return (h) => checked(given(h));
  const value = checked(given);
  return () => value;
}
