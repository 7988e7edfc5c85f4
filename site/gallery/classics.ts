// Small models that each show one effect.

import type { Entry } from "./entry.js";

export const classics: readonly Entry[] = [
  {
    name: "pendulum",
    title: "Pendulum",
    group: "Linkages",
    watch: [
      "A rod on a hinge, held out level and let go: the smallest model there is.",
      "Its five constraint rows hold the rod on the hinge; the error plot shows by how much they do not.",
      "Turn on two methods: without projection the rod leaves its hinge, slowly and for good.",
    ],
    sliders: [
      { label: "gravity", pointer: "/gravity/2", least: -20, most: 0, step: 0.1, unit: "m/s²" },
      { label: "mass", pointer: "/bodies/0/mass", least: 0.1, most: 10, step: 0.1, unit: "kg" },
    ],
    checked: "The period 4 sqrt(2 L / 3 g) K(sin 45°) of a rod that swings from level, to 1e-8.",
  },
  {
    name: "bennett",
    title: "Bennett's linkage",
    group: "Linkages",
    watch: [
      "Four hinges in space whose axes are neither parallel nor meet should not move at all.",
      "They do, for the one ratio of lengths and twists that Bennett found in 1903.",
      "The status line names it: twenty rows, of which three repeat the others.",
    ],
    sliders: [
      { label: "gravity", pointer: "/gravity/2", least: -20, most: 0, step: 0.1, unit: "m/s²" },
      {
        label: "mass of link 2",
        pointer: "/bodies/1/mass",
        least: 0.1,
        most: 10,
        step: 0.1,
        unit: "kg",
      },
    ],
    checked: "Bennett's relation between the first and the last angle; energy; rank 17 of 20.",
  },
  {
    name: "peaucellier",
    title: "Peaucellier's straight line",
    group: "Linkages",
    watch: [
      "Eight bars turn a circle into a straight line: the first linkage that does so exactly, of 1864.",
      "The trace of the pen stays at x = 16/3 although nothing guides it.",
      "Inversion in a circle does it: the two arms keep the product of two distances.",
    ],
    sliders: [
      {
        label: "swing of the motor",
        pointer: "/joints/10/angle",
        least: -1.2,
        most: -0.2,
        step: 0.05,
        unit: "rad",
        written: "#*(1 - cos(pi*t))",
      },
      { label: "gravity", pointer: "/gravity/2", least: -20, most: 0, step: 0.1, unit: "m/s²" },
    ],
    checked: "The pen's x of 16/3, to 1e-9, at every time.",
  },
  {
    name: "walking-linkage",
    title: "Jansen's walker",
    group: "Linkages",
    watch: [
      "One crank moves two legs of eleven bars each; Theo Jansen found their lengths by evolution on a computer.",
      "The trace of a foot is flat at the bottom for a third of a turn: that is what makes it walk.",
      "The torque of the motor changes sign: gravity pulls the legs over the top.",
    ],
    sliders: [
      {
        label: "mass of a foot",
        pointer: "/bodies/2/mass",
        least: 0.1,
        most: 5,
        step: 0.1,
        unit: "kg",
      },
      { label: "gravity", pointer: "/gravity/2", least: -20, most: 0, step: 0.1, unit: "m/s²" },
    ],
    checked: "The geometry of each leg, solved by circles that intersect, at every time.",
  },
  {
    name: "trebuchet",
    title: "Trebuchet",
    group: "Machines",
    watch: [
      "A weight falls, the beam turns, and the sling goes round its end.",
      "When the stone flies at 45° an event takes the sling away; another ends the run where the stone lands.",
      "Make the weight heavier: the throw grows much faster than the weight.",
    ],
    sliders: [
      { label: "weight", pointer: "/bodies/1/mass", least: 10, most: 200, step: 1, unit: "kg" },
      { label: "stone", pointer: "/bodies/2/mass", least: 0.5, most: 10, step: 0.1, unit: "kg" },
    ],
    checked: "The parabola of the flight from the state at the release; energy before it.",
  },
  {
    name: "bouncing-ball",
    title: "Bouncing ball",
    group: "Machines",
    watch: [
      "A ball loses a fifth of its speed at every bounce, and its bounces come ever closer.",
      "Each one is an event, found to 1e-12 of the time.",
      "The heights are 0.64 of those before, as the energy plot shows.",
    ],
    sliders: [
      {
        label: "speed kept at a bounce",
        pointer: "/events/0/action/bounce",
        least: 0.3,
        most: 1,
        step: 0.01,
      },
      { label: "gravity", pointer: "/gravity/2", least: -20, most: -1, step: 0.1, unit: "m/s²" },
    ],
    checked: "Times of the bounces, a geometric series.",
  },
  {
    name: "gyroscope",
    title: "Gyroscope",
    group: "Spinning",
    watch: [
      "A weight hangs on one end of the axle of a spinning rotor, and the axle does not fall.",
      "It goes round instead, with small loops: precession and nutation.",
      "Spin the rotor slower: it goes round faster and dips deeper.",
    ],
    sliders: [
      {
        label: "spin",
        pointer: "/bodies/2/angularVelocity/1",
        least: 20,
        most: 300,
        step: 1,
        unit: "rad/s",
      },
      { label: "weight", pointer: "/bodies/3/mass", least: 0.05, most: 1, step: 0.01, unit: "kg" },
    ],
    checked:
      "The mean rate of precession, torque over angular momentum; energy and the momentum about the upright axis.",
  },
  {
    name: "chain",
    title: "Chain of sixty rods",
    group: "Chains",
    watch: [
      "Sixty rods held at one end are let go from level.",
      "The tip falls faster than gravity, since the part that has stopped pulls it.",
      "The cost of a step grows in proportion to the number of rods, not with its cube.",
    ],
    sliders: [
      { label: "gravity", pointer: "/gravity/2", least: -20, most: 0, step: 0.1, unit: "m/s²" },
      {
        label: "mass of the last rod",
        pointer: "/bodies/59/mass",
        least: 0.1,
        most: 60,
        step: 0.1,
        unit: "kg",
      },
    ],
    checked: "Energy, and an independent engine in minimal coordinates.",
  },
];
