import { locationOf, numbers } from "../../../src/base/checking/index.js";
import { type Equations, equations } from "../../../src/systems/equations/equations.js";
import { requireNumbers } from "../checks.js";
import { BRAUN_GRAVITY } from "./braun-pendulum.js";
import type { Mechanism } from "./mechanism.js";
import { link, type PlanarBody, PlanarChains } from "./planar-chains.js";

/** Length of both rods, m. */
const LENGTH = 1;
/** Mass of each rod, uniform, kg. */
const ROD = 1;
/** Mass of the slider, a point, kg. */
const SLIDER = 1;
/** Torque on the crank, N m. */
const TORQUE = 20;
/** Damping of the crank, N m s. */
const DAMPING = 5;
const INERTIA = (ROD * LENGTH ** 2) / 12;

const CRANK = 2;
const COUPLER = 3;
const crankEnd = link(CRANK, LENGTH);
const BODIES: readonly PlanarBody[] = [
  { mass: ROD, inertia: INERTIA, angle: CRANK, centre: [link(CRANK, LENGTH / 2)] },
  { mass: ROD, inertia: INERTIA, angle: COUPLER, centre: [crankEnd, link(COUPLER, LENGTH / 2)] },
  { mass: SLIDER, inertia: 0, angle: COUPLER, centre: [crankEnd, link(COUPLER, LENGTH)] },
];
const SLIDER_POINT = [crankEnd, link(COUPLER, LENGTH)];

/** A floating pair of rods, held at one end and guided at the other. */
function sliderCrank(): Equations {
  const chains = new PlanarChains(4, BODIES, BRAUN_GRAVITY);
  return equations({
    name: "slider-crank of Braun and Goldfarb",
    coordinates: ["x1", "y1", "theta1", "theta2"],
    prepare: (q, v) => chains.prepare(q, v),
    mass: { full: (_, out) => chains.mass(out) },
    forces: (_, v, out) => {
      chains.forces(out);
      out[CRANK] = (out[CRANK] as number) + TORQUE - DAMPING * (v[CRANK] as number);
    },
    holonomic: {
      rows: ["bearing x", "bearing y", "guide"],
      value: (q, out) => {
        out[0] = q[0] as number;
        out[1] = q[1] as number;
        out[2] = chains.position(SLIDER_POINT, 1);
      },
      jacobian: (_, out) => {
        out.fill(0);
        out[0] = 1;
        out[5] = 1;
        chains.gradient(SLIDER_POINT, 1, out, 8);
      },
      gamma: (_, __, out) => {
        out[0] = 0;
        out[1] = 0;
        out[2] = chains.bias(SLIDER_POINT, 1);
      },
    },
    potential: () => chains.potential(),
    power: (_, v) => {
      const rate = v[CRANK] as number;
      return (TORQUE - DAMPING * rate) * rate;
    },
  });
}

/**
 * A slider-crank with rods of equal length, driven round and round: the rank drops from 3 to 2 each time
 * the rods stand vertical, folded on each other.
 */
export const braunSliderCrank: Mechanism = {
  name: "braun-slider-crank",
  description: "A slider-crank with rods of equal length that turns through its singular pose.",
  reference: "Braun and Goldfarb, CMAME 198 (2009) 3151-3160, section 5.2",
  equations: sliderCrank(),
  q: [0, 0, 0, 0],
  v: [0, 0, 0, 0],
};

/** An initial state off the constraints. */
export const braunSliderCrankInconsistentStart = {
  q: [1e-3, 1e-2, 1e-3, 1e-2],
  v: [1e-3, 1e-2, 1e-3, 1e-2],
} as const;

/** Position of the slider. */
export function braunSliderPosition(q: ArrayLike<number>, ...more: undefined[]): number {
  requireNumbers("braunSliderPosition", {}, more);
  numbers.read(q, locationOf("braunSliderPosition", "DESCRIPTION", "q"));
  return (
    (q[0] as number) + LENGTH * (Math.cos(q[CRANK] as number) + Math.cos(q[COUPLER] as number))
  );
}

/**
 * The motion in the angle of the crank (the coupler mirrors it): angle'' from
 * E angle'' + E' angle'^2 / 2 = torque - damping angle' - m g l cos angle, with the kinetic energy
 * E(angle) angle'^2 / 2. The slider is at 2 l cos angle.
 */
export function braunSliderCrankAcceleration(
  angle: number,
  rate: number,
  ...more: undefined[]
): number {
  requireNumbers("braunSliderCrankAcceleration", { angle, rate }, more);
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const inertia =
    LENGTH ** 2 *
    (ROD * (5 / 12 + (9 / 4) * sine * sine + (1 / 4) * cosine * cosine) + 4 * SLIDER * sine * sine);
  const slope = LENGTH ** 2 * (4 * ROD + 8 * SLIDER) * sine * cosine;
  const weight = ROD * BRAUN_GRAVITY * LENGTH * cosine;
  return (TORQUE - DAMPING * rate - weight - (slope * rate * rate) / 2) / inertia;
}
