// Models with motors and controllers.

import type { Entry } from "./entry.js";

export const controlled: readonly Entry[] = [
  {
    name: "robot",
    title: "Six-axis robot",
    group: "Control",
    watch: [
      "Six motors follow splines through taught points, through 100:1 gears that multiply the rotor inertias by ten thousand.",
      "Gravity deflects the arm against the motor stiffness: raise the stiffness of axis 2 and it lags less.",
      "It is a tree of hinges, so it is integrated in its six angles, and cannot drift.",
    ],
    sliders: [
      {
        label: "stiffness of axis 2",
        pointer: "/forces/1/stiffness",
        least: 500,
        most: 20000,
        step: 100,
        unit: "N m",
      },
      {
        label: "damping of axis 2",
        pointer: "/forces/1/damping",
        least: 20,
        most: 2000,
        step: 10,
        unit: "N m s",
      },
      {
        label: "mass of the tool",
        pointer: "/bodies/5/mass",
        least: 0.1,
        most: 20,
        step: 0.1,
        unit: "kg",
      },
    ],
    checked: "At rest each motor carries the moment of all weights outboard of it, to 1e-4 N m.",
  },
  {
    name: "furuta",
    title: "Furuta pendulum",
    group: "Control",
    watch: [
      "A pendulum stands upright on an arm; only the arm has a motor.",
      "The arm first rotates the wrong way, so that the pendulum tips to the other side, and then comes back.",
      "The four gains are parameters of the file: set one to zero and the pendulum falls.",
    ],
    sliders: [
      {
        label: "gain of the pendulum",
        pointer: "/parameters/kp",
        least: -6,
        most: 0,
        step: 0.01,
        unit: "N m",
      },
      {
        label: "gain of its rate",
        pointer: "/parameters/dp",
        least: -1,
        most: 0,
        step: 0.001,
        unit: "N m s",
      },
      {
        label: "lean at the start",
        pointer: "/start/joints/pivot",
        least: -0.6,
        most: 0.6,
        step: 0.01,
        unit: "rad",
      },
    ],
    checked: "Poles of the linearised system, from which the gains were computed by hand, to 1e-4.",
  },
];
