// Forces with every option they have, as entries of files and as options of calls.

import type { forces, Model } from "nodrift/bodies";
import { elasticLaw, loadLaw, roadProfile, timeFunction } from "nodrift/files";
import type { Case } from "./joint-cases.js";

export type ForceType = keyof typeof forces;

type Cases = {
  readonly [Type in ForceType]: readonly Case<Parameters<Model[Type]>[0]>[];
};

const at = [0.7, 0.2, 0.4] as const;
const axis = [0.2, -0.3, 1] as const;
const tip = { marker: "tip", of: "a" };
const base = { marker: "base", of: "ground" };
const pull = { table: { x: [0, 1, 2], y: [0, 3, 1], interpolation: "linear" } } as const;
const law = { table: { x: [0.2, 0.8, 2], y: [5, 0, -20], outside: "extend" } } as const;
const six = [300, 200, 100, 30, 20, 10] as const;

export const forceCases: Cases = {
  pointForce: [
    {
      entry: { on: "a", at, force: [3, -8, 5], frame: "body" },
      options: ({ a }) => ({ on: a, at, force: [3, -8, 5], frame: "body" }),
    },
    {
      entry: { on: tip, force: ["wave(t) - vx", 0.5, pull], frame: "marker" },
      options: ({ tip: on }, functions) => ({
        on,
        force: loadLaw(["wave(t) - vx", 0.5, pull], functions),
        frame: "marker",
      }),
    },
  ],
  torque: [
    {
      entry: { on: "b", torque: [1, 2, -2], frame: "world" },
      options: ({ b }) => ({ on: b, torque: [1, 2, -2], frame: "world" }),
    },
    {
      entry: { on: "a", torque: ["x*y - z", "-0.1*vz", 0], frame: "body" },
      options: ({ a }) => ({ on: a, torque: loadLaw(["x*y - z", "-0.1*vz", 0]), frame: "body" }),
    },
  ],
  spring: [
    {
      entry: {
        between: ["a", "b"],
        atA: [0.2, 0.1, 0.9],
        atB: [1.3, 0.2, 0.7],
        stiffness: 80,
        damping: 5,
        length: 0.7,
        force: "-20*(length - 0.5)^3 - 0.1*rate + wave(t)",
      },
      options: ({ a, b }, functions) => ({
        between: [a, b],
        atA: [0.2, 0.1, 0.9],
        atB: [1.3, 0.2, 0.7],
        stiffness: 80,
        damping: 5,
        length: 0.7,
        force: elasticLaw("length", "-20*(length - 0.5)^3 - 0.1*rate + wave(t)", functions),
      }),
    },
    {
      entry: { between: [tip, base], force: law },
      options: ({ tip: from, base: to }) => ({
        between: [from, to],
        force: elasticLaw("length", law),
      }),
    },
    {
      entry: { between: ["ground", "b"], stiffness: 4, force: 3 },
      options: ({ ground, b }) => ({ between: [ground, b], stiffness: 4, force: 3 }),
    },
  ],
  torsionSpring: [
    {
      entry: {
        joint: "hinge",
        stiffness: 20,
        damping: 3,
        angle: 0.2,
        torque: "0.1*angle^2 - rate",
      },
      options: ({ hinge }) => ({
        joint: hinge,
        stiffness: 20,
        damping: 3,
        angle: 0.2,
        torque: elasticLaw("angle", "0.1*angle^2 - rate"),
      }),
      needs: ["hinge"],
    },
  ],
  motor: [
    {
      entry: {
        joint: "hinge",
        mode: "position",
        target: "0.2*sin(3*t)",
        stiffness: 20,
        damping: 3,
        feedForward: 0.5,
        maximumTorque: 2,
        maximumSpeed: 30,
        maximumPower: 40,
        gearRatio: 5,
        rotorInertia: 0.001,
        efficiency: 0.8,
        energy: true,
      },
      options: ({ hinge }) => ({
        joint: hinge,
        mode: "position",
        target: timeFunction("0.2*sin(3*t)"),
        stiffness: 20,
        damping: 3,
        feedForward: 0.5,
        maximumTorque: 2,
        maximumSpeed: 30,
        maximumPower: 40,
        gearRatio: 5,
        rotorInertia: 0.001,
        efficiency: 0.8,
        energy: true,
      }),
      needs: ["hinge"],
    },
    {
      entry: { joint: "hinge", of: "angle", mode: "velocity", target: 2, damping: 1 },
      options: ({ hinge }) => ({
        joint: hinge,
        of: "angle",
        mode: "velocity",
        target: 2,
        damping: 1,
      }),
      needs: ["hinge"],
    },
    {
      entry: {
        between: ["a", "b"],
        atA: [0.1, 0.2, 0.9],
        atB: [1.3, 0.2, 0.7],
        mode: "torque",
        target: 3,
      },
      options: ({ a, b }) => ({
        between: [a, b],
        atA: [0.1, 0.2, 0.9],
        atB: [1.3, 0.2, 0.7],
        mode: "torque",
        target: 3,
      }),
    },
  ],
  bushing: [
    {
      entry: { between: ["a", "b"], at, axis, stiffness: six, damping: [9, 8, 7] },
      options: ({ a, b }) => ({ between: [a, b], at, axis, stiffness: six, damping: [9, 8, 7] }),
    },
    {
      entry: {
        between: ["a", "b"],
        at,
        stiffness: { translation: 50 },
        damping: { translation: 2, rotation: 0.5 },
      },
      options: ({ a, b }) => ({
        between: [a, b],
        at,
        stiffness: { translation: 50 },
        damping: { translation: 2, rotation: 0.5 },
      }),
    },
    {
      entry: {
        between: ["a", "b"],
        at,
        axis,
        force: ["-40 * x^3 - 2 * xRate", 3, "-z * zTurnRate"],
        torque: [0, "-2 * yTurn - yTurnRate^3", "sin(t) * z - zRate * zTurn"],
      },
      options: ({ a, b }) => ({
        between: [a, b],
        at,
        axis,
        force: ["-40 * x^3 - 2 * xRate", 3, "-z * zTurnRate"],
        torque: [0, "-2 * yTurn - yTurnRate^3", "sin(t) * z - zRate * zTurn"],
      }),
    },
  ],
  drag: [
    {
      entry: { on: tip, linear: 2, quadratic: 3, angular: 0.4, angularQuadratic: 0.2 },
      options: ({ tip: on }) => ({
        on,
        linear: 2,
        quadratic: 3,
        angular: 0.4,
        angularQuadratic: 0.2,
      }),
    },
  ],
  tyre: [
    {
      entry: {
        wheel: "b",
        at: [1.1, 0.1, 0.6],
        road: "a",
        normal: [0.1, -0.2, 1],
        stiffness: 400,
        damping: 20,
        radius: 0.5,
        height: "0.05*sin(2*x + t)*cos(y)",
        bilateral: true,
      },
      options: ({ a, b }) => ({
        wheel: b,
        at: [1.1, 0.1, 0.6],
        road: a,
        normal: [0.1, -0.2, 1],
        stiffness: 400,
        damping: 20,
        radius: 0.5,
        ...roadProfile("0.05*sin(2*x + t)*cos(y)"),
        bilateral: true,
      }),
    },
    {
      entry: { wheel: tip, road: base, stiffness: 300, height: law },
      options: ({ tip: wheel, base: road }) => ({
        wheel,
        road,
        stiffness: 300,
        ...roadProfile(law),
      }),
    },
    {
      entry: { wheel: "b", stiffness: 200, radius: 0.7, height: 0.1 },
      options: ({ b }) => ({ wheel: b, stiffness: 200, radius: 0.7, height: 0.1 }),
    },
  ],
  stop: [
    {
      entry: {
        joint: "hinge",
        of: "angle",
        lower: 0.1,
        upper: 2,
        stiffness: 50,
        exponent: 2,
        damping: 0.1,
      },
      options: ({ hinge }) => ({
        joint: hinge,
        of: "angle",
        lower: 0.1,
        upper: 2,
        stiffness: 50,
        exponent: 2,
        damping: 0.1,
      }),
      needs: ["hinge"],
    },
    {
      entry: {
        between: ["a", "b"],
        atA: [0.2, 0.1, 0.9],
        atB: [1.3, 0.2, 0.7],
        upper: 0.5,
        stiffness: 50,
        restitution: 0.6,
        impactSpeed: 2,
      },
      options: ({ a, b }) => ({
        between: [a, b],
        atA: [0.2, 0.1, 0.9],
        atB: [1.3, 0.2, 0.7],
        upper: 0.5,
        stiffness: 50,
        restitution: 0.6,
        impactSpeed: 2,
      }),
    },
  ],
  friction: [
    {
      entry: {
        joint: "hinge",
        of: "angle",
        coulomb: 1,
        static: 2,
        viscous: 0.1,
        transitionSpeed: 0.1,
      },
      options: ({ hinge }) => ({
        joint: hinge,
        of: "angle",
        coulomb: 1,
        static: 2,
        viscous: 0.1,
        transitionSpeed: 0.1,
      }),
      needs: ["hinge"],
    },
    {
      entry: { joint: "hinge", coefficient: 0.1, staticCoefficient: 0.2, radius: 0.05 },
      options: ({ hinge }) => ({
        joint: hinge,
        coefficient: 0.1,
        staticCoefficient: 0.2,
        radius: 0.05,
      }),
      needs: ["hinge"],
    },
    {
      entry: { joint: "hinge", coulomb: 1, model: "bristle", stiffness: 500, damping: 3 },
      options: ({ hinge }) => ({
        joint: hinge,
        coulomb: 1,
        model: "bristle",
        stiffness: 500,
        damping: 3,
      }),
      needs: ["hinge"],
    },
  ],
};
