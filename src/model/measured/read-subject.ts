// Quantities of the vocabulary through a {@link QuantityReader}, at the state being evaluated: for rates of states,
// samples of controllers and targets of motors.

import { column, type Vector } from "../../base/algebra/vectors.js";
import { forceMarkers } from "../kinds.js";
import type { ModelData } from "../model-data.js";
import type { QuantityReader } from "../quantity-reader.js";
import { CIRCULAR_REASON, NOT_A_SYSTEM_QUANTITY } from "./measured-formula.js";
import type { BodyPlace, ModelLists, Subject } from "./subjects.js";
import type { ForceMeasure, PointMeasure, SensorMeasure } from "./vocabulary.js";

export type Measurement = (read: QuantityReader) => number;

/** Lists of a model, with its sensors. */
type SensedLists = ModelLists & Pick<ModelData, "sensors">;

/** Returns the function that reads a quantity, or the reason why it cannot be read there. */
export function readingOf(subject: Subject, lists: SensedLists): Measurement | string {
  switch (subject.of) {
    case "point":
      return pointReading(subject.measure, subject.place);
    case "body": {
      const { measure, body } = subject;
      if (measure.kind === "acceleration") return CIRCULAR_REASON;
      return (read) => read.angularVelocity(body)[measure.axis]!;
    }
    case "joint":
      if (!("sensor" in subject.measure)) return CIRCULAR_REASON;
      return jointReading(subject.measure, subject.joint);
    case "force":
      return forceReading(subject.measure, subject.force, lists);
    case "set": {
      const { measure, set, own } = subject;
      return (read) => read[measure](set, own);
    }
    case "whole":
      return NOT_A_SYSTEM_QUANTITY;
  }
}

function pointReading(measure: PointMeasure, { body, point, axes }: BodyPlace): Measurement {
  switch (measure.kind) {
    case "position":
    case "velocity": {
      const { kind, axis } = measure;
      return (read) => read[kind](body, point)[axis]!;
    }
    case "speed":
      return (read) => {
        const v = read.velocity(body, point);
        return Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!);
      };
    case "direction": {
      const { axis } = measure;
      const [x, y, z] = column(axes, measure.of) as Vector;
      return (read) => {
        const r = read.rotation(body);
        return r[axis]! * x + r[3 + axis]! * y + r[6 + axis]! * z;
      };
    }
  }
}

function jointReading({ sensor, isRate }: SensorMeasure, joint: string): Measurement {
  const name = isRate ? (`${sensor}Rate` as const) : sensor;
  return (read) => read[name](joint);
}

/** Reads lengths of springs, angles of torsion springs (from their joints), torque and power of motors. */
function forceReading(
  measure: ForceMeasure,
  name: string,
  lists: SensedLists,
): Measurement | string {
  const force = lists.forces.find((one) => one.name === name);
  if ("sensor" in measure) {
    if (force?.type === "torsionSpring" && measure.sensor === "angle") {
      const joint = lists.joints.find(({ sensors }) => sensors.angle === force.a)!;
      return jointReading(measure, joint.name);
    }
    if (force?.type === "spring" && measure.sensor === "length") {
      const [a, b] = forceMarkers(force, lists.sensors) as [number, number];
      return lengthReading(bodyPointOf(a, lists), bodyPointOf(b, lists), measure.isRate);
    }
    return `force "${name}" has no ${measure.sensor}`;
  }
  if (!("other" in measure) || measure.other === "energy" || force?.type !== "motor") {
    return CIRCULAR_REASON;
  }
  return measure.other === "power"
    ? (read) => read.motorPower(name)
    : (read) => read.motorTorque(name);
}

/** Returns the body and point of a marker; the body is undefined for the ground. */
function bodyPointOf(marker: number, { markers, bodies }: SensedLists) {
  const { body, point } = markers[marker]!;
  return { body: bodies[body]?.name, point };
}

type BodyPoint = ReturnType<typeof bodyPointOf>;

function lengthReading(a: BodyPoint, b: BodyPoint, isRate: boolean): Measurement {
  const part = (read: QuantityReader, what: "position" | "velocity", i: number) => {
    const of = ({ body, point }: BodyPoint) => {
      if (body !== undefined) return read[what](body, point)[i]!;
      return what === "position" ? point[i]! : 0;
    };
    return of(b) - of(a);
  };
  return (read) => {
    let [square, rate] = [0, 0];
    for (let i = 0; i < 3; i++) {
      const d = part(read, "position", i);
      square += d * d;
      if (isRate) rate += d * part(read, "velocity", i);
    }
    const length = Math.sqrt(square);
    return isRate ? rate / length : length;
  };
}
