// Predefined models of rigid bodies, with references for their motion: one line each.

import type { BenchmarkModel } from "./benchmark-model.js";
import { bennett } from "./bennett.js";
import { chain3d } from "./chain3d.js";
import { door } from "./door.js";
import { heavyTop } from "./heavy-top.js";
import { hmmwv } from "./hmmwv.js";
import { nFourBar } from "./n-four-bar.js";
import { rollingDisk } from "./rolling-disk.js";
import { simplePendulum } from "./simple-pendulum.js";
import { sliderCrank3d } from "./slider-crank3d.js";
import { squeezer } from "./squeezer.js";
import { stiffPendulum } from "./stiff-pendulum.js";
import { threeLinkPendulum } from "./three-link-pendulum.js";

export type { BenchmarkModel, ReferenceRow, StateReference } from "./benchmark-model.js";
export { type BennettOptions, bennett } from "./bennett.js";
export { type ChainOptions, chain3d } from "./chain3d.js";
export { chain3dReference3 } from "./chain3d-reference-3.js";
export { chain3dReference10 } from "./chain3d-reference-10.js";
export { door } from "./door.js";
export { heavyTop, heavyTopReaction, heavyTopReference } from "./heavy-top.js";
export { type HmmwvOptions, hmmwv, hmmwvRoad } from "./hmmwv.js";
export {
  hmmwvEigenvalues,
  hmmwvExplicitSteps,
  hmmwvHeights,
  hmmwvPartition,
  hmmwvPeak,
  hmmwvSettledHeight,
  hmmwvSteps,
} from "./hmmwv-reference.js";
export {
  type NFourBarOptions,
  nFourBar,
  nFourBarReference,
  nFourBarStiffness,
} from "./n-four-bar.js";
export { rollingDisk, rollingDiskCentre } from "./rolling-disk.js";
export {
  simplePendulum,
  simplePendulumPeriod,
  simplePendulumReference,
} from "./simple-pendulum.js";
export { sliderCrank3d, sliderCrank3dPosition } from "./slider-crank3d.js";
export { squeezer, squeezerReference } from "./squeezer.js";
export { stiffPendulum } from "./stiff-pendulum.js";
export {
  type ThreeLinkOptions,
  threeLinkErrors,
  threeLinkPendulum,
  threeLinkPosition,
} from "./three-link-pendulum.js";

const LIBRARY = "IFToMM library of computational benchmark problems";
const NEGRUT = "Negrut, Haug and German, Multibody System Dynamics 9 (2003)";

/** Every predefined model. */
export const models: readonly BenchmarkModel[] = [
  {
    name: "chain of 3 rods",
    description: "Square rods on spherical joints, turning as one body at the start.",
    reference: "found in minimal and in maximal coordinates; they agree to 2e-12",
    build: () => chain3d(3),
  },
  {
    name: "chain of 10 rods",
    description: "The same with ten rods.",
    reference: "found in minimal and in maximal coordinates; they agree to 1.4e-11",
    build: () => chain3d(10),
  },
  {
    name: "heavy top",
    description: "A fast top on a spherical joint.",
    reference: "Brüls and Cardona, J. Comput. Nonlinear Dyn. 5 (2010); Géradin and Cardona 2001",
    build: heavyTop,
  },
  {
    name: "simple pendulum",
    description: "A ball on a hinge that swings as a point mass at 1 m does.",
    reference: `A01 of the ${LIBRARY}; elliptic integral`,
    build: simplePendulum,
  },
  {
    name: "2-four-bar",
    description: "Two four-bars side by side: redundant rows, and singular poses on the way.",
    reference: `A02 of the ${LIBRARY}; exact reduction to one angle`,
    build: () => nFourBar(2),
  },
  {
    name: "Bennett linkage",
    description: "Four hinges in space that move only because of their geometry.",
    reference: "Bennett, Engineering 76 (1903) 777-778",
    build: () => bennett(),
  },
  {
    name: "door",
    description: "Two hinges with one axis: every row twice.",
    reference: "energy and constraints; one angle",
    build: door,
  },
  {
    name: "three links of Welch et al.",
    description: "Two spherical joints and a hinge, pulled askew.",
    reference: "Welch et al. 2007, table 3 in magnitude and order",
    build: () => threeLinkPendulum(),
  },
  {
    name: "slider-crank in space",
    description: "Hinge, ball, universal joint and slide in one loop.",
    reference: "Haug, Computer Aided Kinematics and Dynamics (1989); geometry of the loop",
    build: sliderCrank3d,
  },
  {
    name: "squeezing mechanism",
    description:
      "Seven bodies in three loops that share a pin; the crank turns 2.5 times in 30 ms.",
    reference: "Schiehlen, Multibody Systems Handbook (1990); Hairer and Wanner II, section VII.7",
    stiff: true,
    build: squeezer,
  },
  {
    name: "rolling disk",
    description: "A coin that rolls in a circle: rows on velocities.",
    reference: "steady rolling in closed form",
    build: rollingDisk,
  },
  {
    name: "stiff double pendulum",
    description: "Two rods with a soft and a very stiff, damped hinge.",
    reference: `${NEGRUT}, section 5.1`,
    stiff: true,
    build: stiffPendulum,
  },
  {
    name: "HMMWV",
    description: "A vehicle of 14 bodies with stiff bushings drives over a bump.",
    reference: `${NEGRUT}, section 5.2; public data of Project Chrono`,
    stiff: true,
    build: () => hmmwv(),
  },
];
