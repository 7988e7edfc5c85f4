// Runs of four-bars and loops that are compared with each other.

import { compile } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { crankRocker, fourBarHinges, fourBarMechanism } from "../reference/four-bar.js";
import { MAXIMUM_STEPS } from "../reference/judge.js";
import { LOOP_SECONDS } from "../reference/loops.js";
import type { Mechanism } from "../reference/mechanism.js";
import { modelOf } from "../reference/nodrift-model.js";
import type { Vector } from "../reference/vectors.js";

const OPTIONS = { tolerance: 1e-6, output: "ends", maximumSteps: MAXIMUM_STEPS } as const;

export const tiltMethods = ["simulate 1e-3", "solve 1e-6"] as const;

export type TiltMethod = (typeof tiltMethods)[number];

const TILTS = [1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5];

export interface TiltedRun {
  readonly hinge: string;
  readonly tilt: number;
  /** Difference of the crank angle after 2 s from the run without tilt; infinite if one did not finish. */
  readonly difference: number;
}

/** Each hinge tilted in turn. */
export async function tiltedRuns(method: TiltMethod, tilts = TILTS): Promise<TiltedRun[]> {
  const angle = (hinge: number, tilt: number) =>
    crankAngle(fourBarMechanism(crankRocker(), hinge, tilt), method).catch(() => undefined);
  const level = await angle(-1, 0);
  const runs: TiltedRun[] = [];
  for (const [i, hinge] of fourBarHinges.entries()) {
    for (const tilt of tilts) {
      const found = await angle(i, tilt);
      const known = found !== undefined && level !== undefined;
      const difference = known ? Math.abs(found - level) : Number.POSITIVE_INFINITY;
      runs.push({ hinge, tilt, difference });
    }
  }
  return runs;
}

async function crankAngle(mechanism: Mechanism, method: TiltMethod): Promise<number | undefined> {
  const compiled = await compile(modelOf(mechanism));
  if (method === "simulate 1e-3") {
    return compiled.simulate({ step: 1e-3 }).runTo(2).joint(fourBarHinges[0]).angle;
  }
  const { status, end } = solve(compiled, { ...OPTIONS, span: [0, 2] });
  return status === "finished" ? end.joint(fourBarHinges[0]).angle : undefined;
}

/** The end of a loop, with positions relative to a point; undefined if the run did not finish. */
export async function farEnd(
  mechanism: Mechanism,
  from: Vector,
): Promise<{ q: number[]; v: number[] } | undefined> {
  try {
    const compiled = await compile(modelOf(mechanism));
    const span = [0, LOOP_SECONDS] as const;
    const { status, end } = solve(compiled, { ...OPTIONS, span });
    if (status !== "finished") return undefined;
    const q = Array.from(end.q, (x, i) => (i % 7 < 3 ? x - from[i % 7] : x));
    return { q, v: [...end.v] };
  } catch {
    return undefined;
  }
}
