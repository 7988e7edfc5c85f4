// Height of a road at a wheel, and its rate along the motion of the wheel.

import { TyreData } from "../../../assembly/layout-bodies.js";
import { COMPARED_CALLS, compareMatrix } from "../../base/algebra/derivative-check.js";
import { show, wrongDerivative } from "../../base/checking/values.js";
import type { ForceUpdate, MarkerMotion } from "../model-data.js";
import type { ForceBuilder } from "./force-builder.js";

/** Height above the plane of the road, at x and y in its axes. */
export type RoadHeight = (x: number, y: number, t: number) => number;

/** Derivatives of the height by x and by y. */
export type RoadSlope = (x: number, y: number, t: number) => readonly [number, number];

/** Cube root of the rounding error, the step of least error of central differences. */
const STEP = 6e-6;
/** Fourth root of the rounding error, the step of least error of second differences. */
const SECOND_STEP = 1.2e-4;

/** Writes dh/dx and dh/dy. */
type Slopes = (x: number, y: number, t: number, out: Float64Array) => void;

/**
 * Writes h(x, y, t) and its derivative along the motion, dh/dx x' + dh/dy y' + dh/dt. Without slopes that
 * derivative is one central difference, h(x + x' s, y + y' s, t + s) minus the value at -s. The step s is a time in
 * which the wheel moves by a small fraction of its radius.
 */
export function followRoad(
  height: RoadHeight,
  slope: RoadSlope | undefined,
  radius: number,
  builder: ForceBuilder,
): { readonly update: ForceUpdate; readonly derive: ForceUpdate } {
  if (slope !== undefined && typeof slope !== "function") {
    throw builder.error(`slope must be a function of x, y and t, not ${show(slope)}`);
  }
  const place = new Float64Array(4);
  const slopes = new Float64Array(2);
  const at = (x: number, y: number, t: number) => builder.number("height", height(x, y, t), t);
  const extent = radius > 0 ? radius : 1;
  let calls = builder.store.check ? 0 : Number.POSITIVE_INFINITY;
  /** Compares slopes with finite differences of the height at the first call and at a later one. */
  const compare = (x: number, y: number, t: number) => {
    const [wrong] = compareMatrix({
      rows: 1,
      columns: 2,
      given: (_, j) => slopes[j]!,
      x: [x, y],
      at: (to, out) => {
        out[0] = at(to[0]!, to[1]!, t);
      },
    }).filter(({ isWrong }) => isWrong);
    if (wrong === undefined) return;
    const found = Number(wrong.found.toPrecision(6));
    throw wrongDerivative(builder.where, `slope[${wrong.column}]`, t, wrong.given, found);
  };
  const update: ForceUpdate = (constants, motion, _measured, t) => {
    locate(motion[0]!, motion[1]!, place);
    const x = place[0]!;
    const y = place[1]!;
    const u = place[2]!;
    const w = place[3]!;
    constants[TyreData.HEIGHT] = at(x, y, t);
    const s = STEP * Math.min(1, extent / Math.sqrt(u * u + w * w));
    if (slope === undefined) {
      constants[TyreData.RATE] =
        (at(x + u * s, y + w * s, t + s) - at(x - u * s, y - w * s, t - s)) / (2 * s);
      return;
    }
    builder.write("slope", slope(x, y, t), slopes, 2, t);
    if (COMPARED_CALLS.includes(calls++)) compare(x, y, t);
    const local = (at(x, y, t + s) - at(x, y, t - s)) / (2 * s);
    constants[TyreData.RATE] = slopes[0]! * u + slopes[1]! * w + local;
  };
  const derive =
    slope === undefined
      ? deriveRoad(differencedSlopes(at, SECOND_STEP * extent), SECOND_STEP, extent)
      : deriveRoad(
          (x, y, t, out) => builder.write("slope", slope(x, y, t), out, 2, t),
          STEP,
          extent,
        );
  return { update, derive };
}

function differencedSlopes(at: RoadHeight, step: number): Slopes {
  return (x, y, t, out) => {
    out[0] = (at(x + step, y, t) - at(x - step, y, t)) / (2 * step);
    out[1] = (at(x, y + step, t) - at(x, y - step, t)) / (2 * step);
  };
}

/**
 * Writes the slopes of the height and of its rate: d/dx (dh/dx x' + dh/dy y' + dh/dt) is the derivative of dh/dx
 * along the motion, a difference of the slopes ahead and behind. The slope itself is their mean.
 */
function deriveRoad(slopesAt: Slopes, step: number, extent: number): ForceUpdate {
  const place = new Float64Array(4);
  const before = new Float64Array(2);
  const behind = new Float64Array(2);
  return (constants, motion, _measured, t) => {
    locate(motion[0]!, motion[1]!, place);
    const x = place[0]!;
    const y = place[1]!;
    const u = place[2]!;
    const w = place[3]!;
    const s = step * Math.min(1, extent / Math.sqrt(u * u + w * w));
    slopesAt(x + u * s, y + w * s, t + s, before);
    slopesAt(x - u * s, y - w * s, t - s, behind);
    for (let i = 0; i < 2; i++) {
      constants[TyreData.SLOPES + i] = (before[i]! + behind[i]!) / 2;
      constants[TyreData.RATE_SLOPES + i] = (before[i]! - behind[i]!) / (2 * s);
    }
  };
}

/**
 * Writes x, y and their rates in the axes of the road, which rotate with its body: x = a . d and
 * x' = a . (d' - omega x d) for an axis a of the road and d from its marker to the wheel.
 */
function locate(road: MarkerMotion, wheel: MarkerMotion, place: Float64Array): void {
  const d0 = wheel.point[0]! - road.point[0]!;
  const d1 = wheel.point[1]! - road.point[1]!;
  const d2 = wheel.point[2]! - road.point[2]!;
  const o0 = road.angularVelocity[0]!;
  const o1 = road.angularVelocity[1]!;
  const o2 = road.angularVelocity[2]!;
  const u0 = wheel.velocity[0]! - road.velocity[0]! - (o1 * d2 - o2 * d1);
  const u1 = wheel.velocity[1]! - road.velocity[1]! - (o2 * d0 - o0 * d2);
  const u2 = wheel.velocity[2]! - road.velocity[2]! - (o0 * d1 - o1 * d0);
  for (let i = 0; i < 2; i++) {
    const a0 = road.axes[3 * i]!;
    const a1 = road.axes[3 * i + 1]!;
    const a2 = road.axes[3 * i + 2]!;
    place[i] = a0 * d0 + a1 * d1 + a2 * d2;
    place[2 + i] = a0 * u0 + a1 * u1 + a2 * u2;
  }
}
