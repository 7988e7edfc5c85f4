import { vectorOf } from "../../../src/base/algebra/vectors.js";
import { finite, flag, optionsOf, type Shape } from "../../../src/base/checking/index.js";
import type { Body } from "../../../src/model/handles.js";
import { type Model, model } from "../../../src/model/mechanism.js";
import type { Vector } from "../../../src/model/model-data.js";
import * as data from "./hmmwv-data.js";

/** Options of {@link hmmwv}. */
export interface HmmwvOptions {
  /** Whether there is a bump on the road. Default: true. */
  readonly bump?: boolean;
  /** Initial speed along x in m/s. Default: 16 km/h. */
  readonly speed?: number;
}

const AHEAD = vectorOf(1, 0, 0);
const ACROSS = vectorOf(0, 1, 0);

const REACH = data.tyre.radius + data.bump.radius;
/** Half the length over which a wheel is in contact with the bump. */
const HALF = Math.sqrt(REACH * REACH - data.tyre.radius * data.tyre.radius);

/**
 * The road as seen by a wheel: height of the centre of a wheel that rolls over a half cylinder,
 * less its radius. With the radii R and r and the distance u from the cylinder's axis this is
 * sqrt((R + r)^2 - u^2) - R while they touch.
 *
 * @example
 * hmmwvRoad.height(hmmwvRoad.centre); // 0.05, on top of the bump
 */
export const hmmwvRoad = {
  /** Position of the bump along x, and half its contact length. */
  centre: data.bump.x,
  half: HALF,

  height(x: number): number {
    const u = x - data.bump.x;
    return Math.abs(u) < HALF ? Math.sqrt(REACH * REACH - u * u) - data.tyre.radius : 0;
  },

  /** Returns the derivative of the height, which jumps where a wheel meets the bump. */
  slope(x: number): number {
    const u = x - data.bump.x;
    return Math.abs(u) < HALF ? -u / Math.sqrt(REACH * REACH - u * u) : 0;
  },
} as const;

const SHAPE: Shape<HmmwvOptions> = { bump: flag, speed: finite };

/**
 * The HMMWV of Negrut et al. on its way over a bump: chassis, four double wishbones, spindles, and
 * a locked steering rack. 18 degrees of freedom. Bushings make it stiff: RK4 needs steps of 1e-5 s.
 *
 * @example
 * const { end } = solve(await compile(hmmwv()), { span: [0, 5], integrator: rodas(), tolerance: 1e-4 });
 * console.log(end.body("chassis").position);
 * const level = hmmwv({ bump: false, speed: 0 });
 */
export function hmmwv(options: HmmwvOptions = {}, ...more: undefined[]): Model {
  const read = optionsOf("hmmwv", "DESCRIPTION", options, SHAPE, more);
  const { speed = data.speed, bump: hasBump = true } = read;
  const m = model({ name: "HMMWV", gravity: [0, 0, -9.81] });
  const body: AddBody = (name, { mass, inertia, centre }, side = 1) =>
    m.body({
      name,
      mass,
      inertia,
      position: mirrored(centre, side),
      velocity: [speed, 0, 0],
      angularVelocity: [0, 0, 0],
    });
  const chassis = body("chassis", data.chassis);
  const rack = body("rack", data.rack);
  m.prismatic({ name: "rack", between: [chassis, rack], at: data.rack.centre, axis: ACROSS });
  m.pointOnPlane({
    name: "steering lock",
    between: [chassis, rack],
    at: data.rack.centre,
    axis: ACROSS,
  });
  const road = hasBump ? bumpyRoad() : { height: 0 };
  for (const axle of ["front", "rear"] as const) {
    for (const [word, side] of SIDES) {
      const place: Place = { name: `${axle} ${word}`, side, corner: data.corners[axle] };
      const arms = addSuspension(m, place, body, chassis, axle === "front" ? rack : chassis);
      addForces(m, place, chassis, arms, road);
    }
  }
  return m;
}

type AddBody = (name: string, part: data.Part, side?: number) => Body;

const SIDES = [
  ["right", -1],
  ["left", 1],
] as const;

interface Place {
  readonly name: string;
  /** 1 on the left, -1 on the right. */
  readonly side: number;
  readonly corner: data.Corner;
}

interface Suspension {
  readonly upper: Body;
  readonly lower: Body;
  readonly spindle: Body;
}

function addSuspension(
  m: Model,
  { name, side, corner }: Place,
  body: AddBody,
  chassis: Body,
  steering: Body,
): Suspension {
  const at = (point: Vector) => mirrored(point, side);
  const upper = body(`upper arm ${name}`, corner.upperArm, side);
  const lower = body(`lower arm ${name}`, corner.lowerArm, side);
  const spindle = body(`spindle ${name}`, corner.spindle, side);
  m.revolute({
    name: `lower arm ${name}`,
    between: [chassis, lower],
    at: at(corner.hinge),
    axis: AHEAD,
  });
  const ball = (what: string, between: readonly [Body, Body], point: Vector) =>
    m.spherical({ name: `${what} ${name}`, between, at: at(point) });
  ball("upper arm", [chassis, upper], corner.upperPivot);
  ball("lower ball", [lower, spindle], corner.lowerBall);
  ball("upper ball", [upper, spindle], corner.upperBall);
  const [inner, outer] = corner.tieRod;
  m.distance({
    name: `tie rod ${name}`,
    between: [steering, spindle],
    atA: at(inner),
    atB: at(outer),
  });
  return { upper, lower, spindle };
}

function addForces(
  m: Model,
  { name, side, corner }: Place,
  chassis: Body,
  { upper, lower, spindle }: Suspension,
  road: Road,
): void {
  const strut = (what: string, arm: Body, { atA, atB, ...law }: data.Strut) =>
    m.spring({
      name: `${what} ${name}`,
      between: [chassis, arm],
      atA: mirrored(atA, side),
      atB: mirrored(atB, side),
      ...law,
    });
  strut("bushing", upper, { atA: corner.bushing, atB: corner.upperBall, ...data.bushing });
  strut("spring", lower, corner.spring);
  strut("shock", lower, corner.shock);
  m.tyre({
    name: `tyre ${name}`,
    wheel: spindle,
    at: mirrored(corner.wheel, side),
    ...data.tyre,
    ...road,
    bilateral: true,
  });
}

type Road = ReturnType<typeof bumpyRoad> | { readonly height: number };

/** Road function with one pair of slopes for all calls, so that a step allocates nothing. */
function bumpyRoad() {
  const slopes: [number, number] = [0, 0];
  return {
    height: (x: number) => hmmwvRoad.height(x),
    slope: (x: number) => {
      slopes[0] = hmmwvRoad.slope(x);
      return slopes;
    },
  };
}

function mirrored([x, y, z]: Vector, side: number): Vector {
  return vectorOf(x, side * y, z);
}
