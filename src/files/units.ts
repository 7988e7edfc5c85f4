import type { Units } from "./document.js";
import type { Dimension } from "./quantities.js";

/** The unit of a quantity, as it is written beside numbers. Angles are in radians everywhere. */
export function unitOf(dimension: Dimension, units: Units): string {
  if (units === "SI") return SI[dimension];
  const { length, mass, time } = units;
  const energy = `${mass} ${length}²/${time}²`;
  return {
    length,
    velocity: `${length}/${time}`,
    acceleration: `${length}/${time}²`,
    angle: "rad",
    "angular velocity": `rad/${time}`,
    force: `${mass} ${length}/${time}²`,
    torque: energy,
    energy,
  }[dimension];
}

const SI: Readonly<Record<Dimension, string>> = {
  length: "m",
  velocity: "m/s",
  acceleration: "m/s²",
  angle: "rad",
  "angular velocity": "rad/s",
  force: "N",
  torque: "N m",
  energy: "J",
};

/** The unit of time. */
export function timeUnit(units: Units): string {
  return units === "SI" ? "s" : units.time;
}
