// Machines, vehicles and walkers modelled for the site.

import type { Entry } from "./entry.js";

const gravity = {
  label: "gravity",
  pointer: "/gravity/2",
  least: -20,
  most: 0,
  step: 0.1,
  unit: "m/s²",
};

export const machines: readonly Entry[] = [
  {
    name: "klann-walker",
    title: "Klann's walker",
    group: "Linkages",
    watch: [
      "Six bars per leg, from the patent of 2001: the crank rotates, the foot steps.",
      "The foot moves level for half of the revolution and is then lifted high, so that the walker climbs over stones.",
      "The two cranks stand opposite, and so do the peaks of their torques.",
    ],
    sliders: [
      {
        label: "speed of crank one",
        pointer: "/joints/7/angle",
        least: -10,
        most: -0.5,
        step: 0.1,
        unit: "rad/s",
        written: "#*t",
      },
      {
        label: "speed of crank two",
        pointer: "/joints/15/angle",
        least: -10,
        most: -0.5,
        step: 0.1,
        unit: "rad/s",
        written: "#*t",
      },
      gravity,
    ],
    checked: "All pins by circles that meet, at angles of the crank all around, to 1e-8.",
  },
  {
    name: "scissor-lift",
    title: "Scissor lift",
    group: "Machines",
    watch: [
      "A push along the floor becomes height, three times over.",
      "Near the floor the arms are almost level, and the push is many times the weight: see its plot.",
      "Eight of fifty rows are redundant, as in every planar linkage of hinges in space; none needs to be removed.",
    ],
    sliders: [
      { label: "load", pointer: "/bodies/6/mass", least: 5, most: 300, step: 5, unit: "kg" },
      {
        label: "stroke",
        pointer: "/joints/11/displacement",
        least: -0.32,
        most: -0.05,
        step: 0.01,
        unit: "m",
        written: "#*(1 - cos(pi*t/3))",
      },
      gravity,
    ],
    checked:
      "Height n sqrt(L² - w²) to 1e-9; power of the cylinder against the rate of the energy.",
  },
  {
    name: "differential",
    title: "Differential",
    group: "Machines",
    watch: [
      "An engine turns the case, a planet in it drives both wheels with the same torque.",
      "The right wheel is braked three times as hard and rotates a third as fast; the case rotates at their mean speed.",
      "Brake one wheel fully and the other takes all the speed, which is why cars get stuck on ice.",
    ],
    sliders: [
      { label: "engine", pointer: "/forces/0/torque/0", least: 0, most: 100, step: 1, unit: "N m" },
      {
        label: "left brake",
        pointer: "/forces/1/damping",
        least: 0.5,
        most: 20,
        step: 0.5,
        unit: "N m s",
      },
      {
        label: "right brake",
        pointer: "/forces/2/damping",
        least: 0.5,
        most: 20,
        step: 0.5,
        unit: "N m s",
      },
    ],
    checked:
      "The sum of the speeds of the wheels is twice that of the case; final speeds are torque / 2 over each brake.",
  },
  {
    name: "engine",
    title: "Four-cylinder engine",
    group: "Machines",
    watch: [
      "Two pistons go up while two go down, so that forces of the first order cancel.",
      "Going up is faster than coming down, by the angle of the rods: twice per revolution all four shake together.",
      "That second order is why larger four-cylinder engines have balance shafts.",
    ],
    sliders: [
      {
        label: "speed",
        pointer: "/joints/13/angle",
        least: 20,
        most: 600,
        step: 10,
        unit: "rad/s",
        written: "#*t",
      },
      {
        label: "mass of piston 1",
        pointer: "/bodies/2/mass",
        least: 0.1,
        most: 2,
        step: 0.05,
        unit: "kg",
      },
    ],
    checked:
      "Pistons by r cos + sqrt(l² - r² sin²) to 1e-9; the force on the ground by Newton's law for all parts.",
  },
  {
    name: "excavator",
    title: "Excavator",
    group: "Machines",
    watch: [
      "Three cylinders move boom, stick and bucket; a four-bar turns the bucket further than a cylinder alone could.",
      "The plot shows what the pump must deliver: the boom cylinder carries everything outboard of it.",
      "The lengths of the cylinders are prescribed; the angles follow.",
    ],
    sliders: [
      {
        label: "mass of the bucket",
        pointer: "/bodies/2/mass",
        least: 100,
        most: 3000,
        step: 50,
        unit: "kg",
      },
      gravity,
    ],
    checked:
      "Angles of boom and stick by the law of cosines from the lengths of their cylinders, to 1e-8.",
  },
  {
    name: "stewart-platform",
    title: "Stewart platform",
    group: "Machines",
    watch: [
      "Six legs of changing length hold a platform in all six directions: flight simulators stand on such legs.",
      "It is driven to rise and rotate; the lengths of the legs are formulas of time in the file.",
      "No leg is redundant, and no degree of freedom is left: 78 unknowns, 78 rows.",
    ],
    sliders: [
      { label: "load", pointer: "/bodies/0/mass", least: 1, most: 500, step: 1, unit: "kg" },
      gravity,
    ],
    checked: "Height and turn of the platform, which the formulas were made from, to 1e-8.",
  },
  {
    name: "suspension",
    title: "Double wishbone",
    group: "Vehicles",
    watch: [
      "One corner of a car: two wishbones, a tie rod, a spring with its damper, and a tyre on a wavy road.",
      "The wheel follows the road, the body hardly moves; take the damper away and both get into trouble.",
      "The wheel leans a little as it rises, because the arms differ in length: designers want that.",
    ],
    sliders: [
      {
        label: "spring",
        pointer: "/forces/0/stiffness",
        least: 10000,
        most: 150000,
        step: 1000,
        unit: "N/m",
      },
      {
        label: "damper",
        pointer: "/forces/0/damping",
        least: 0,
        most: 8000,
        step: 100,
        unit: "N s/m",
      },
      {
        label: "mass of the body",
        pointer: "/bodies/0/mass",
        least: 100,
        most: 800,
        step: 10,
        unit: "kg",
      },
    ],
    checked:
      "Lean of the wheel by the four-bar of its arms, to 1e-8; at rest the tyre carries the weight.",
  },
  {
    name: "bicycle",
    title: "Bicycle without a rider",
    group: "Vehicles",
    watch: [
      "At 4.6 m/s the bicycle is pushed from the side and steers itself into the fall.",
      "The weave that follows dies away: between 4.3 and 6.0 m/s all eigenvalues are stable.",
      "Wheels roll without slipping: two velocity constraints each, which do not drift.",
    ],
    sliders: [
      {
        label: "push",
        pointer: "/forces/0/force/1",
        least: 0,
        most: 200,
        step: 5,
        unit: "N",
        written: "if(t < 0.1, #*sin(10*pi*t)^2, 0)",
      },
      {
        label: "mass of frame and rider",
        pointer: "/bodies/1/mass",
        least: 20,
        most: 150,
        step: 1,
        unit: "kg",
      },
    ],
    checked:
      "Weave, capsize and castering of the benchmark of Meijaard, Papadopoulos, Ruina and Schwab (2007), to 1e-7.",
  },
  {
    name: "rolling-coin",
    title: "Rolling coin",
    group: "Spinning",
    watch: [
      "A coin leans and rolls in a circle, exactly at the speed where it neither falls nor rises.",
      "Its spin follows from lean, radius and gravity by a one-line formula.",
      "Change gravity: the balance is gone and the coin wobbles.",
    ],
    sliders: [
      { label: "gravity", pointer: "/gravity/2", least: -14, most: -4, step: 0.01, unit: "m/s²" },
      {
        label: "inertia about its axis",
        pointer: "/bodies/0/inertia/2",
        least: 0.07,
        most: 0.125,
        step: 0.005,
        unit: "kg m²",
      },
    ],
    checked: "The circle of its centre, known in closed form, to 1e-7 for a whole turn.",
  },
  {
    name: "chain-1000",
    title: "A thousand rods",
    group: "Chains",
    watch: [
      "A thousand rods, 3000 rows: the motion starts immediately and is computed while you watch.",
      "There is no loop, so one sweep along the chain solves for all joints.",
      "All but the held end falls freely at first; the bend runs along the chain like a whip.",
    ],
    sliders: [
      gravity,
      {
        label: "mass of the last rod",
        pointer: "/bodies/999/mass",
        least: 0.01,
        most: 5,
        step: 0.01,
        unit: "kg",
      },
    ],
    checked: "Speed g t of the free end, to 1e-9; energy.",
  },
  {
    name: "geneva-drive",
    title: "Geneva drive",
    group: "Machines",
    watch: [
      "A pin advances a wheel of four slots by a quarter turn in every revolution; in between the wheel stands.",
      "It enters and leaves along the slot, so speeds never jump; the torque does, because accelerations do.",
      "At its fastest the wheel turns 2.41 times as fast as the crank: 1 / (sqrt(2) - 1).",
    ],
    sliders: [
      {
        label: "speed of the crank",
        pointer: "/joints/2/angle",
        least: 1,
        most: 8,
        step: 0.1,
        unit: "rad/s",
        written: "-#*t",
      },
      {
        label: "mass of the wheel",
        pointer: "/bodies/1/mass",
        least: 0.1,
        most: 10,
        step: 0.1,
        unit: "kg",
      },
    ],
    checked: "Where a slot points to the pin, by an arc tangent, to 1e-6 rad; its greatest speed.",
  },
  {
    name: "drop-hammer",
    title: "Drop hammer and wedge",
    group: "Machines",
    watch: [
      "A hammer falls on its anvil, a rigid stop, and bounces ever lower until it rests; every impact is an event.",
      "The wedge on the ramp is held by bristle friction: the bristles bend by a twentieth of a millimetre, and the wedge does not creep.",
      "Set the friction below the downhill force of 9.81 N, and the wedge slides away.",
    ],
    sliders: [
      {
        label: "restitution",
        pointer: "/forces/0/restitution",
        least: 0,
        most: 0.9,
        step: 0.05,
      },
      {
        label: "friction of the wedge",
        pointer: "/forces/1/coulomb",
        least: 5,
        most: 20,
        step: 0.5,
        unit: "N",
      },
    ],
    checked:
      "Times of the impacts, a geometric series; the bend of the bristles, weight over stiffness, constant to a nanometre.",
  },
  {
    name: "stick-slip",
    title: "Stick and slip",
    group: "Machines",
    watch: [
      "A board is pulled away beneath a block on a spring: the block sticks to it, slips back, and sticks again.",
      "Static friction exceeds sliding friction: if both are equal, the block only oscillates about the point where spring and friction balance.",
      "Move the board faster: the block sticks for a shorter and shorter time.",
    ],
    sliders: [
      {
        label: "speed of the board",
        pointer: "/joints/2/displacement",
        least: 0.02,
        most: 0.5,
        step: 0.01,
        unit: "m/s",
        written: "#*t",
      },
      {
        label: "sliding friction",
        pointer: "/forces/1/coulomb",
        least: 0.5,
        most: 4,
        step: 0.1,
        unit: "N",
      },
      {
        label: "stiffness of the spring",
        pointer: "/forces/0/stiffness",
        least: 10,
        most: 200,
        step: 5,
        unit: "N/m",
      },
    ],
    checked: "The period of Coulomb's law with static friction, to 1%.",
  },
];
