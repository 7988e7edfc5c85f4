// Models of the papers that the package reproduces.

import type { Entry } from "./entry.js";

const gravity = (axis: 0 | 1 | 2, least: number, most: number) => ({
  label: "gravity",
  pointer: `/gravity/${axis}`,
  least,
  most,
  step: 0.1,
  unit: "m/s²",
});

export const papers: readonly Entry[] = [
  {
    name: "slider-crank",
    title: "Slider-crank",
    group: "Papers",
    watch: [
      "A crank without a motor swings a rod whose far end is guided on a line.",
      "The method is Welch's predictor-corrector with steps of 2 ms: its constraint error varies with every revolution, stays below 1e-6, and does not grow.",
      "Turn on two methods: with plain RK4 the rod leaves its guide a little more with every revolution.",
    ],
    sliders: [
      gravity(1, -20, 0),
      {
        label: "mass of the crank",
        pointer: "/bodies/0/mass",
        least: 0.2,
        most: 5,
        step: 0.1,
        unit: "kg",
      },
      {
        label: "mass of the rod",
        pointer: "/bodies/1/mass",
        least: 0.2,
        most: 5,
        step: 0.1,
        unit: "kg",
      },
    ],
    checked:
      "Table 2 of Welch et al. (2007), in which the angle of the crank is printed for each step; the energy, which is conserved.",
  },
  {
    name: "double-pendulum",
    title: "Double pendulum",
    group: "Papers",
    watch: [
      "Two equal rods are let go from level, with gravity along x.",
      "The motion is chaotic: change the tolerance from 1e-10 to 1e-5 and compare where the second rod is after ten seconds.",
      "The energy plot shows which of the two is accurate.",
    ],
    sliders: [
      gravity(0, 0, 20),
      {
        label: "mass of the outer rod",
        pointer: "/bodies/1/mass",
        least: 0.1,
        most: 5,
        step: 0.1,
        unit: "kg",
      },
    ],
    checked:
      "Table 1 of Welch et al. (2007) by their method; here the energy, which must be conserved.",
  },
  {
    name: "three-link-pendulum",
    title: "Three links in space",
    group: "Papers",
    watch: [
      "Three bars hang on two balls and a hinge, and gravity pulls askew.",
      "The hinge between the last two bars keeps them in one plane, which turns with them.",
      "Watch the reaction forces: they are largest where the chain is straight.",
    ],
    sliders: [
      gravity(2, -20, 0),
      {
        label: "density of the last link",
        pointer: "/bodies/2/density",
        least: 100,
        most: 5000,
        step: 50,
        unit: "kg/m³",
      },
    ],
    checked: "Table 3 of Welch et al. (2007); energy.",
  },
  {
    name: "folding-slider-crank",
    title: "Folding slider-crank",
    group: "Papers",
    watch: [
      "Crank and coupler are equally long, so they fold onto each other, where the linkage could also rest.",
      "In that pose the constraint matrix loses rank: many programs stop, jump to the other branch or divide by zero.",
      "Here it goes through, driven by a constant torque against a brake.",
    ],
    sliders: [
      {
        label: "motor torque",
        pointer: "/forces/1/torque/1",
        least: -60,
        most: 0,
        step: 1,
        unit: "N m",
      },
      {
        label: "brake",
        pointer: "/forces/0/damping",
        least: 0.5,
        most: 20,
        step: 0.5,
        unit: "N m s",
      },
    ],
    checked:
      "Energy against the work of motor and brake, through every folded pose; Braun and Goldfarb (2009).",
  },
  {
    name: "two-four-bars",
    title: "Two four-bars in a row",
    group: "Papers",
    watch: [
      "Five bars form two parallelograms that turn over and over.",
      "When all bars lie on one line the rank of the constraints drops, twice per revolution.",
      "The energy is conserved, because the method does not depend on which rows are independent.",
    ],
    sliders: [
      gravity(1, -20, 0),
      {
        label: "mass of the middle bar",
        pointer: "/bodies/2/mass",
        least: 0.1,
        most: 10,
        step: 0.1,
        unit: "kg",
      },
    ],
    checked: "Energy through every singular pose; Braun and Goldfarb (2009).",
  },
  {
    name: "stiff-pendulum",
    title: "Stiff pendulum",
    group: "Papers",
    watch: [
      "The elbow of a double pendulum is held by a spring a thousand times stiffer than the rest.",
      "Choose dop853 and look at the number of steps, then radau5 or sdirk4: the implicit ones step over the fast motion.",
      "The step size plot shows it: it grows as soon as the first jolt has died away.",
    ],
    sliders: [
      {
        label: "stiffness of the elbow",
        pointer: "/forces/1/stiffness",
        least: 1000,
        most: 300000,
        step: 1000,
        unit: "N m",
      },
      {
        label: "damping of the elbow",
        pointer: "/forces/1/damping",
        least: 100,
        most: 50000,
        step: 100,
        unit: "N m s",
      },
    ],
    checked: "The same motion in minimal coordinates, solved independently; Negrut et al. (2003).",
  },
  {
    name: "hmmwv",
    title: "Vehicle over a bump",
    group: "Vehicles",
    watch: [
      "Fourteen bodies, two wishbones and a steering rack at each axle, roll over a bump at 16 km/h.",
      "Bushings of 2e7 N/m make it stiff: an explicit method needs a hundred times the steps.",
      "Front axle and rear axle pass the bump one after the other; the dampers of the front are already at rest then.",
    ],
    sliders: [
      {
        label: "front right spring",
        pointer: "/forces/1/stiffness",
        least: 50000,
        most: 400000,
        step: 1000,
        unit: "N/m",
      },
      {
        label: "front right damper",
        pointer: "/forces/2/damping",
        least: 1000,
        most: 40000,
        step: 500,
        unit: "N s/m",
      },
      gravity(2, -20, 0),
    ],
    checked:
      "Heights of the chassis by Negrut et al. (2003), and the static load of the tyres, which is the weight.",
  },
];
