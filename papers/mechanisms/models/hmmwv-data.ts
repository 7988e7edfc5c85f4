import type { Vector } from "../../../src/model/model-data.js";

// A vehicle like the HMMWV of Negrut, Haug and German. Their paper lists bodies, joints, rates of
// bushings and tyres, the bump and the speed. Hardpoints, masses, inertias, and rates of springs
// and shock absorbers are the public ones of Project Chrono's HMMWV with double wishbones, rounded.
// The heights of suspensions and chassis, centres of the upper arms, lines of the bushings, lumped
// spindles, inertia of the rack and free lengths of the springs were chosen so that it settles at the
// height of the paper.
//
// x is forward, y to the left, z up. Points are those of the left side in the world, in the design
// position.

/** Mass, principal moments about the axes of the world, and centre of mass. */
export interface Part {
  readonly mass: number;
  readonly inertia: Vector;
  readonly centre: Vector;
}

/** A spring or a damper, from the chassis to an arm. */
export interface Strut {
  readonly atA: Vector;
  readonly atB: Vector;
  readonly stiffness?: number;
  readonly damping?: number;
  readonly length?: number;
}

/** Half an axle. */
export interface Corner {
  readonly upperArm: Part;
  readonly lowerArm: Part;
  /** Spindle including the wheel. */
  readonly spindle: Part;
  /** Hinge of the lower arm on the chassis; its axis is along x. */
  readonly hinge: Vector;
  /** Pivot of the upper arm on the chassis. */
  readonly upperPivot: Vector;
  /** Ball joints of the spindle on the arms. */
  readonly upperBall: Vector;
  readonly lowerBall: Vector;
  /** Ends of the tie rod: on the rack (front axle) or the chassis (rear axle), and on the spindle. */
  readonly tieRod: readonly [Vector, Vector];
  /** Point of the bushing spring on the chassis; its other end is at the upper ball. */
  readonly bushing: Vector;
  readonly spring: Strut;
  readonly shock: Strut;
  readonly wheel: Vector;
}

const upperArm = { mass: 5.813, inertia: [0.03, 0.03, 0.06276] } as const;
const lowerArm = { mass: 23.965, inertia: [0.4, 0.4, 0.8938] } as const;
const spindle = { mass: 43, inertia: [0.5, 0.24, 0.4] } as const;

export const chassis: Part = {
  mass: 2086.52,
  inertia: [1078.52, 2955.66, 3570.2],
  centre: [0.056, 0, 0.708],
};

export const rack: Part = {
  mass: 9.072,
  inertia: [1, 0.2, 1],
  centre: [1.438965, 0, 0.529],
};

export const corners: Readonly<Record<"front" | "rear", Corner>> = {
  front: {
    upperArm: { ...upperArm, centre: [1.638465, 0.581, 0.685] },
    lowerArm: { ...lowerArm, centre: [1.688965, 0.547, 0.416] },
    spindle: { ...spindle, centre: [1.648965, 0.83808, 0.449] },
    hinge: [1.688965, 0.307, 0.475],
    upperPivot: [1.640965, 0.446, 0.72],
    upperBall: [1.635965, 0.716, 0.69],
    lowerBall: [1.652965, 0.787, 0.357],
    tieRod: [
      [1.438965, 0.448, 0.529],
      [1.512965, 0.821, 0.459],
    ],
    bushing: [1.385965, 0.716, 0.69],
    spring: {
      atA: [1.792965, 0.51, 0.672],
      atB: [1.785965, 0.543, 0.428],
      stiffness: 167062,
      length: 0.32,
    },
    shock: { atA: [1.792965, 0.498, 0.798], atB: [1.785965, 0.543, 0.428], damping: 19015.5692 },
    wheel: [1.648965, 0.91, 0.449],
  },
  rear: {
    upperArm: { ...upperArm, centre: [-1.632465, 0.589, 0.675] },
    lowerArm: { ...lowerArm, centre: [-1.688965, 0.547, 0.416] },
    spindle: { ...spindle, centre: [-1.652965, 0.83808, 0.449] },
    hinge: [-1.688965, 0.307, 0.475],
    upperPivot: [-1.611965, 0.462, 0.699],
    upperBall: [-1.652965, 0.716, 0.691],
    lowerBall: [-1.652965, 0.787, 0.357],
    tieRod: [
      [-1.465965, 0.416, 0.534],
      [-1.518965, 0.821, 0.466],
    ],
    bushing: [-1.402965, 0.716, 0.691],
    spring: {
      atA: [-1.792965, 0.502, 0.731],
      atB: [-1.785965, 0.543, 0.428],
      stiffness: 369149,
      length: 0.3375,
    },
    shock: { atA: [-1.792965, 0.498, 0.798], atB: [-1.785965, 0.544, 0.437], damping: 36725.2201 },
    wheel: [-1.652965, 0.91, 0.449],
  },
};

/** Springs that model the bushings of the upper arms; slack at the start. */
export const bushing = { stiffness: 2e7, damping: 2e6, length: 0.25 } as const;

/** Tyres, linear, so that they also pull. */
export const tyre = { stiffness: 296325, damping: 3502, radius: 0.4699 } as const;

/** A half cylinder across the road, its axis on the ground: front wheels meet it after 0.5 s. */
export const bump = { radius: 0.05, x: 4.093650702 } as const;

/** 16 km/h. */
export const speed = 16 / 3.6;
