import { axesAlong, cross, scale, subtract, vectorOf } from "../../../src/base/algebra/vectors.js";
import { type Model, model } from "../../../src/model/mechanism.js";
import { requireNothing, requireNumbers } from "../checks.js";

const CRANK = 0.08;
const ROD = 0.3;
/** Offsets of the crank's bearing from the slider's line, sideways and upwards, m. */
const OFFSET_Y = 0.1;
const OFFSET_Z = 0.12;

/**
 * Haug's spatial slider-crank: the crank turns about x, at an offset from the line on which the slider
 * moves along x; the rod between them has a ball at the crank and a universal joint at the slider. One
 * degree of freedom. The crank stands up and turns with 6 rad/s at the start.
 *
 * @example
 * const simulation = (await compile(sliderCrank3d())).simulate({ step: 1e-3 });
 */
export function sliderCrank3d(...more: undefined[]): Model {
  requireNothing("sliderCrank3d", more);
  const m = model({ name: "slider-crank in space", gravity: [0, 0, -9.81] });
  const bearing = vectorOf(0, OFFSET_Y, OFFSET_Z);
  const pin = vectorOf(0, OFFSET_Y, OFFSET_Z + CRANK);
  const end = vectorOf(sliderCrank3dPosition(0), 0, 0);
  const along = subtract(end, pin);
  const crank = m.body({
    name: "crank",
    mass: 0.12,
    inertia: [1e-4, 1e-4, 1e-5],
    position: vectorOf(0, OFFSET_Y, OFFSET_Z + CRANK / 2),
    velocity: vectorOf(0, (-6 * CRANK) / 2, 0),
    angularVelocity: [6, 0, 0],
  });
  const rod = m.body({
    name: "rod",
    mass: 0.5,
    inertia: [4e-3, 4e-3, 4e-4],
    position: subtract(end, scale(0.5, along)),
    orientation: axesAlong(along),
  });
  const slider = m.body({
    name: "slider",
    mass: 2,
    inertia: [1e-4, 1e-4, 1e-4],
    position: end,
  });
  const up = vectorOf(0, 0, 1);
  m.revolute({ name: "bearing", between: [m.ground, crank], at: bearing, axis: [1, 0, 0] });
  m.spherical({ name: "ball", between: [crank, rod], at: pin });
  const axisA = cross(along, up);
  m.universal({ name: "cross", between: [rod, slider], at: end, axisA, axisB: up });
  m.prismatic({ name: "slide", between: [m.ground, slider], axis: [1, 0, 0] });
  return m;
}

/** Position of the slider for an angle of the crank, from the constant length of the rod. */
export function sliderCrank3dPosition(angle: number, ...more: undefined[]): number {
  requireNumbers("sliderCrank3dPosition", { angle }, more);
  const y = OFFSET_Y - CRANK * Math.sin(angle);
  const z = OFFSET_Z + CRANK * Math.cos(angle);
  return Math.sqrt(ROD ** 2 - y ** 2 - z ** 2);
}
