// Couplings that turn by many radians in a step, with closed forms: nothing but gears, racks, threads and drives acts,
// so all rates are constant.

import { NodriftError } from "nodrift";
import { compile, type Joint, type Model, model } from "nodrift/bodies";
import { seeded } from "./random.js";

export type Coupling = "gear" | "rack" | "screw" | "drive" | "drivenGear";
export const couplings: readonly Coupling[] = ["gear", "rack", "screw", "drive", "drivenGear"];

/** What a run did: "right", "refused" by a typed error, or "wrong" without a word. */
export interface TurningOutcome {
  readonly outcome: "right" | "refused" | "wrong";
  readonly error: number;
  readonly message?: string;
}

/** A wheel in a bearing whose axis points anywhere. */
function wheelIn(m: Model, name: string, random: () => number, rate: number): Joint {
  const direction = [random() - 0.5, random() - 0.5, 1] as const;
  const length = Math.hypot(...direction);
  const at = [4 * random(), 4 * random(), 4 * random()] as const;
  const wheel = m.body({
    name,
    mass: 1 + random(),
    inertia: [0.1, 0.1, 0.1],
    position: at,
    angularVelocity: [
      (rate * direction[0]) / length,
      (rate * direction[1]) / length,
      (rate * direction[2]) / length,
    ],
  });
  return m.revolute({ name: `${name} bearing`, between: [m.ground, wheel], at, axis: direction });
}

/** Runs a coupling of a seed at a turn per step, and compares angles and displacements with their closed forms. */
export async function runTurning(
  coupling: Coupling,
  coordinates: "relative" | "maximal",
  turn: number,
  seed: number,
  steps = 12,
): Promise<TurningOutcome> {
  const signed = seeded(seed);
  const random = () => (signed() + 1) / 2;
  const step = 1e-3 * (0.5 + random());
  const rate = (random() < 0.5 ? -1 : 1) * (turn / step);
  const m = model({ name: coupling, gravity: [0, 0, 0] });
  const ratio = 0.2 + 0.8 * random();
  const angle = {
    value: (t: number) => rate * t,
    rate: () => rate,
    acceleration: () => 0,
  };
  /** Displacement or angle of the second joint for a radian of the first. */
  let factor = 0;
  const first = coupling === "screw" ? undefined : wheelIn(m, "wheel", random, rate);
  let second: Joint | undefined;
  if (coupling === "screw") {
    const nut = m.body({
      name: "nut",
      mass: 1,
      inertia: [0.1, 0.1, 0.1],
      velocity: [0, 0, (ratio * rate) / (2 * Math.PI)],
      angularVelocity: [0, 0, rate],
    });
    second = m.screw({
      name: "guide",
      between: [m.ground, nut],
      at: [0, 0, 0],
      axis: [0, 0, 1],
      pitch: ratio,
    });
    factor = ratio / (2 * Math.PI);
  } else if (coupling === "rack") {
    const rack = m.body({
      name: "rack",
      mass: 1,
      inertia: [0.1, 0.1, 0.1],
      velocity: [ratio * rate, 0, 0],
    });
    second = m.prismatic({ name: "guide", between: [m.ground, rack], axis: [1, 0, 0] });
    m.rackAndPinion({ pinion: first!, rack: second, radius: ratio });
    factor = ratio;
  } else if (coupling !== "drive") {
    second = wheelIn(m, "follower", random, -ratio * rate);
    m.gear({ joints: [first!, second], ratio: -ratio });
    factor = -ratio;
  }
  if (coupling === "drive" || coupling === "drivenGear") m.driveAngle({ joint: first!, angle });
  try {
    const simulation = (await compile(m, { coordinates })).simulate({ step });
    const isDriven = coupling === "drive" || coupling === "drivenGear";
    let [error, before] = [0, 0];
    for (let i = 1; i <= steps; i++) {
      simulation.advance();
      const turned = simulation.joint((first ?? second!).name).angle as number;
      // Steps of orientations have truncation errors in maximal coordinates, and only a revolution is lost or not.
      if (coordinates === "relative" || isDriven) {
        error = Math.max(
          error,
          Math.abs(turned - rate * simulation.time) / Math.max(1, Math.abs(turned)),
        );
      } else if (Math.abs(turned - before - rate * step) > Math.PI)
        error = Number.POSITIVE_INFINITY;
      before = turned;
      if (second === undefined) continue;
      const reading = simulation.joint(second.name);
      const follows = (
        coupling === "gear" || coupling === "drivenGear" ? reading.angle : reading.displacement
      ) as number;
      error = Math.max(error, Math.abs(follows - factor * turned) / Math.max(1, Math.abs(turned)));
    }
    return { outcome: error <= 1e-9 ? "right" : "wrong", error };
  } catch (error) {
    if (!(error instanceof NodriftError) || !("time" in error)) throw error;
    return { outcome: "refused", error: 0, message: error.message };
  }
}
