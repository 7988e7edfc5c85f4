import {
  argument,
  isRecord,
  needed,
  oneOf,
  options,
  type Rule,
  text,
  wrongValueError,
} from "../../base/checking/index.js";
import type { Dimension } from "../../model/measured/vocabulary.js";
import type { Units } from "../document/document.js";

const BASE = options<Exclude<Units, "SI">>({
  length: needed(text),
  mass: needed(text),
  time: needed(text),
});

const UNITS: Rule<Units> = {
  wants: '"SI", or { length, mass, time }',
  read(value, place) {
    if (value === "SI") return value;
    if (isRecord(value)) return BASE.read(value, place);
    throw wrongValueError(place, value, UNITS.wants);
  },
};

/** Unit of a quantity as text. Angles are in radians everywhere. */
export function unitOf(dimension: Dimension, units: Units): string {
  const known = Object.keys(SI) as Dimension[];
  argument("unitOf", "DESCRIPTION", "the dimension", dimension, oneOf(...known));
  argument("unitOf", "DESCRIPTION", "units", units, UNITS);
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
    power: `${mass} ${length}²/${time}³`,
    energy,
    ratio: "1",
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
  power: "W",
  energy: "J",
  ratio: "1",
};

/** Unit of time as text. */
export function timeUnit(units: Units): string {
  argument("timeUnit", "DESCRIPTION", "units", units, UNITS);
  return units === "SI" ? "s" : units.time;
}
