// Numbers of the vocabulary as functions of the user read them, at the state that is being evaluated: for rates of states, samples of
// controllers and targets of motors.

import { column, type Vector } from "../../ground/algebra/vectors.js";
import { forceMarkers } from "../model/kinds.js";
import type { ModelData } from "../model/model-data.js";
import type { QuantityReader } from "../model/quantity-reader.js";
import { FOLLOWS, NOT_WHOLE } from "./measured-formula.js";
import type { BodyPlace, Lists, Subject } from "./subjects.js";
import type { ForceMeasure, PointMeasure, SensorMeasure } from "./vocabulary.js";

type Read = (read: QuantityReader) => number;

/** What a model says about its sensors too. */
type SensedLists = Lists & Pick<ModelData, "sensors">;

/** How a quantity is read; or why it cannot be: it follows from what reads it. */
export function readingOf(subject: Subject, lists: SensedLists): Read | string {
  switch (subject.of) {
    case "point":
      return pointReading(subject.measure, subject.place);
    case "body": {
      const { measure, body } = subject;
      if (measure.kind === "acceleration") return FOLLOWS;
      return (read) => read.angularVelocity(body)[measure.axis]!;
    }
    case "joint":
      if (!("sensor" in subject.measure)) return FOLLOWS;
      return jointReading(subject.measure, subject.joint);
    case "force":
      return forceReading(subject.measure, subject.force, lists);
    case "set": {
      const { measure, set, own } = subject;
      return (read) => read[measure](set, own);
    }
    case "whole":
      return NOT_WHOLE;
  }
}

function pointReading(measure: PointMeasure, { body, point, axes }: BodyPlace): Read {
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

function jointReading({ sensor, isRate }: SensorMeasure, joint: string): Read {
  const name = isRate ? (`${sensor}Rate` as const) : sensor;
  return (read) => read[name](joint);
}

/** Lengths of springs, angles of torsion springs as their joints tell them, torque and power of motors. */
function forceReading(measure: ForceMeasure, name: string, lists: SensedLists): Read | string {
  const force = lists.forces.find((one) => one.name === name);
  if ("sensor" in measure) {
    if (force?.type === "torsionSpring" && measure.sensor === "angle") {
      const joint = lists.joints.find(({ sensors }) => sensors.angle === force.a)!;
      return jointReading(measure, joint.name);
    }
    if (force?.type === "spring" && measure.sensor === "length") {
      const [a, b] = forceMarkers(force, lists.sensors) as [number, number];
      return lengthReading(placeOf(a, lists), placeOf(b, lists), measure.isRate);
    }
    return `force "${name}" has no ${measure.sensor}`;
  }
  if (!("other" in measure) || measure.other === "energy" || force?.type !== "motor") {
    return FOLLOWS;
  }
  return measure.other === "power"
    ? (read) => read.motorPower(name)
    : (read) => read.motorTorque(name);
}

/** Body and point of a marker; no body for the ground. */
function placeOf(marker: number, { markers, bodies }: SensedLists) {
  const { body, point } = markers[marker]!;
  return { body: bodies[body]?.name, point };
}

type Place = ReturnType<typeof placeOf>;

function lengthReading(a: Place, b: Place, isRate: boolean): Read {
  const part = (read: QuantityReader, what: "position" | "velocity", i: number) => {
    const of = ({ body, point }: Place) => {
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
