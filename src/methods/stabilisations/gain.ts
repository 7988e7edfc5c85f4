import { callback, notNegative, type Rule, wrongValueError } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";

/** A gain, or a function of the step length. */
export type Gain = number | ((h: number) => number);

const follows = callback<(h: number) => number>();

/** Rule of options that are gains. Negative or non-finite values are rejected by name. */
export const gain: Rule<Gain> = {
  wants: "a number >= 0",
  read(value, place) {
    if (typeof value === "function") return follows.read(value, place);
    if (typeof value === "number") return notNegative.read(value, place);
    throw wrongValueError(place, value, "a number >= 0, or a function of the step");
  },
};

/** Returns a gain as a function of the step length. Negative or non-finite values are rejected by name. */
export function gainOf(method: string, name: string, given: Gain): (h: number) => number {
  if (typeof given === "number") return () => given;
  return (h) => {
    const value = given(h);
    if (Number.isFinite(value) && value >= 0) return value;
    throw new NodriftError("METHOD", `${method}: ${name} is ${value}; give a number >= 0`);
  };
}
