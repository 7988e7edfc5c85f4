// Systems given by formulas, from which the equations of motion are derived. They have no bodies to draw.

import type { Entry, Slider } from "./entry.js";

const parameter = (label: string, name: string, ends: readonly [number, number], unit: string) => {
  const [least, most] = ends;
  const pointer = `/equations/parameters/${name}`;
  return { label, pointer, least, most, step: (most - least) / 100, unit } satisfies Slider;
};

export const formulas: readonly Entry[] = [
  {
    name: "equations-pendulum",
    title: "Pendulum by its Lagrangian",
    group: "Equations",
    watch: [
      "Two coordinates, one Lagrangian and one constraint are the whole file: the equations of motion are derived from them.",
      "The constraint error shows how well the length is kept, the energy error how accurate the motion is.",
      "Formulas can be edited while it runs: append - 2*x^2 to the Lagrangian, and a spring pulls to the middle.",
    ],
    sliders: [
      parameter("length", "L", [0.5, 2], "m"),
      parameter("gravity", "g", [1, 20], "m/s²"),
      parameter("mass", "m", [0.2, 5], "kg"),
    ],
    checked:
      "The period by an elliptic integral, to 1e-7; accelerations of the equations as written by hand, to 1e-11.",
  },
  {
    name: "equations-slider-crank",
    title: "Driven slider-crank",
    group: "Equations",
    watch: [
      "A constant torque and damping proportional to the speed bring the crank to a steady mean speed.",
      "Quantities are named formulas: the kinetic energy uses their rates, which are derived automatically.",
      "Crank and rod are equally long: when they fold together, the slider may stop while both rotate as one.",
    ],
    sliders: [
      parameter("torque", "torque", [5, 60], "N m"),
      parameter("damping", "damping", [1, 10], "N m s"),
      parameter("mass of the slider", "slider", [0.1, 5], "kg"),
    ],
    checked:
      "Accelerations of the equations as written by hand, to 1e-11, after Braun and Goldfarb, section 5.2.",
  },
  {
    name: "equations-double-pendulum",
    title: "Double pendulum of two rods",
    group: "Equations",
    watch: [
      "Each rod has its centre and its angle, six coordinates, and four constraints hold the joints.",
      "The mass matrix is given as a list: it is diagonal and constant, which the solver exploits.",
      "The motion is chaotic, so compare two tolerances side by side.",
    ],
    sliders: [
      parameter("half length of the rods", "half", [1, 4], "m"),
      parameter("gravity", "g", [1, 20], "m/s²"),
    ],
    checked:
      "Accelerations of the equations as written by hand, to 1e-11, after Welch et al., equations 66 and 67.",
  },
  {
    name: "equations-folding-slider-crank",
    title: "Slider-crank by crank and rod",
    group: "Equations",
    watch: [
      "Crank, rod and the centre of the rod are the coordinates, as in the paper.",
      "It swings to and fro under its weight, and its energy is conserved.",
      "With a rod as long as the crank it can fold: in that pose the constraints no longer determine the motion.",
    ],
    sliders: [parameter("weight", "weight", [1, 20], "N")],
    checked:
      "Accelerations of the equations as written by hand, to 1e-11, after Welch et al., equations 71 to 76.",
  },
  {
    name: "equations-four-bars",
    title: "Two four-bars in a row",
    group: "Equations",
    watch: [
      "When all bars lie on one line, the constraints lose rank: the mechanism could continue on several branches.",
      "It passes through that pose, and the constraint error does not grow.",
      "Choose a method that factors the constraints without rank detection and see where it fails.",
    ],
    sliders: [
      parameter("gravity", "g", [1, 15], "m/s²"),
      parameter("mass of a bar", "m", [0.2, 5], "kg"),
    ],
    checked:
      "Accelerations of the equations as written by hand, to 1e-11, after Braun and Goldfarb, section 5.3.",
  },
  {
    name: "equations-biped",
    title: "Biped of seven links",
    group: "Equations",
    watch: [
      "Nine coordinates and nine constraints: feet stand, knees bend as prescribed, and the torso stays upright.",
      "No degree of freedom is left: feet, knees and torso determine the motion and the required forces.",
      "Thirty quantities locate hips, knees, ankles and feet; all their derivatives are computed automatically.",
    ],
    sliders: [parameter("gravity", "g", [1, 20], "m/s²")],
    checked:
      "Accelerations of the equations as written by hand, to 1e-11, after Braun and Goldfarb, section 5.4.",
  },
];
