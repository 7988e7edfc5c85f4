// The systems of the papers as formulas: compared with their hand-written equations (nodrift/mechanisms).

import type { FormulaDescription } from "nodrift/formulas";

/** Braun and Goldfarb, section 5.1: a pendulum in Cartesian coordinates. */
export const pendulumFormulas: FormulaDescription = {
  name: "pendulum",
  coordinates: ["x", "y"],
  parameters: { m: 1, g: 9.81, L: 1 },
  lagrangian: "m*(x'^2 + y'^2)/2 - m*g*y",
  holonomic: { length: "x^2 + y^2 - L^2" },
  start: { x: 1 },
};

/** Braun and Goldfarb, section 5.2. */
export const sliderCrankFormulas: FormulaDescription = {
  name: "slider-crank of Braun and Goldfarb",
  coordinates: ["x1", "y1", "theta1", "theta2"],
  parameters: { l: 1, m: 1, slider: 1, g: 9.81, torque: 20, damping: 5 },
  quantities: {
    xa: "x1 + l/2*cos(theta1)",
    ya: "y1 + l/2*sin(theta1)",
    xb: "x1 + l*cos(theta1) + l/2*cos(theta2)",
    yb: "y1 + l*sin(theta1) + l/2*sin(theta2)",
    xs: "x1 + l*cos(theta1) + l*cos(theta2)",
    ys: "y1 + l*sin(theta1) + l*sin(theta2)",
  },
  kinetic:
    "m/2*(xa'^2 + ya'^2 + xb'^2 + yb'^2) + slider/2*(xs'^2 + ys'^2) + m*l^2/24*(theta1'^2 + theta2'^2)",
  potential: "g*(m*(ya + yb) + slider*ys)",
  forces: { theta1: "torque - damping*theta1'" },
  holonomic: { "bearing x": "x1", "bearing y": "y1", guide: "ys" },
  start: { x1: 0 },
};

/** Braun and Goldfarb, section 5.3: rods by their ends, with consistent masses. */
export const fourBarsFormulas: FormulaDescription = {
  name: "two four-bars of Braun and Goldfarb",
  coordinates: ["x1", "y1", "x2", "y2", "x3", "y3"],
  parameters: { m: 1, g: 9.81 },
  kinetic:
    "m/6*(2*(x1'^2 + y1'^2) + 3*(x2'^2 + y2'^2) + 2*(x3'^2 + y3'^2) + x1'*x2' + y1'*y2' + x2'*x3' + y2'*y3')",
  potential: "m*g*(y1 + 3/2*y2 + y3)",
  holonomic: {
    "crank 1": "x1^2 + y1^2 - 1",
    "crank 2": "(x2 - 1)^2 + y2^2 - 1",
    "crank 3": "(x3 - 2)^2 + y3^2 - 1",
    "coupler 1": "(x2 - x1)^2 + (y2 - y1)^2 - 1",
    "coupler 2": "(x3 - x2)^2 + (y3 - y2)^2 - 1",
  },
  start: { y1: 1, x2: 1, y2: 1, x3: 2, y3: 1, "x1'": 1, "x2'": 1, "x3'": 1 },
};

/** Welch et al., eqs. 66 and 67. */
export const doublePendulumFormulas: FormulaDescription = {
  name: "double pendulum",
  coordinates: ["x1", "y1", "theta1", "x2", "y2", "theta2"],
  parameters: { m: 1, half: 2.5, g: 10 },
  mass: ["m", "m", "m*half^2/3", "m", "m", "m*half^2/3"],
  potential: "-m*g*(x1 + x2)",
  holonomic: {
    "pivot x": "x1 - half*sin(theta1)",
    "pivot y": "y1 - half*cos(theta1)",
    "joint x": "x2 - x1 - half*(sin(theta1) + sin(theta2))",
    "joint y": "y2 - y1 - half*(cos(theta1) + cos(theta2))",
  },
  start: { y1: 2.5, y2: 7.5 },
};

/** Welch et al., eqs. 71 to 76. */
export const welchSliderCrankFormulas: FormulaDescription = {
  name: "slider-crank",
  coordinates: ["theta", "phi", "x", "y"],
  parameters: { crank: 0.3, rod: 0.5, centre: 0.3, weight: 10 },
  mass: [0.045, 33 / 4800, 1, 1],
  potential: "weight*y",
  holonomic: {
    "joint x": "crank*cos(theta) + centre*cos(phi) - x",
    "joint y": "crank*sin(theta) + centre*sin(phi) - y",
    slider: "(rod - centre)*sin(phi) + y",
  },
  start: { theta: 0.9851, phi: -0.5236, x: 0.4256, y: 0.1 },
};

/** Segments of the biped: index of the angle, mass, length, radius of gyration in parts of it. */
const SEGMENTS = {
  torso: ["th", 50.85, 0.5184, 0.496],
  thigh: [undefined, 7.5, 0.441, 0.323],
  shank: [undefined, 3.4875, 0.4428, 0.302],
  foot: [undefined, 1.0875, 0.2736, 0.475],
} as const;

/** Points of a leg: `f` or `b`, with the angles of thigh, shank and foot. */
function legFormulas(
  side: string,
  thigh: string,
  shank: string,
  foot: string,
): Record<string, string> {
  const both = (name: string, x: string, y: string) => ({
    [`x${name}${side}`]: x,
    [`y${name}${side}`]: y,
  });
  const along = (from: string, length: string, angle: string, across = "0") => [
    `x${from} + (${length})*cos(${angle}) - (${across})*sin(${angle})`,
    `y${from} + (${length})*sin(${angle}) + (${across})*cos(${angle})`,
  ];
  const point = (name: string, [x, y]: readonly string[]) => both(name, x, y);
  return {
    ...point("Thigh", along("Hip", "-0.190953", thigh)),
    ...point("Knee", along("Hip", "-0.441", thigh)),
    ...point("Shank", along(`Knee${side}`, "-0.1917324", shank)),
    ...point("Ankle", along(`Knee${side}`, "-0.4428", shank)),
    ...point("Foot", along(`Ankle${side}`, "0.0684", foot, "-0.0702/2")),
    ...point("Toe", along(`Ankle${side}`, "0.2052", foot, "-0.0702")),
    ...point("Heel", along(`Ankle${side}`, "-0.0684", foot, "-0.0702")),
  };
}

const INERTIA = (name: keyof typeof SEGMENTS) => {
  const [, mass, length, gyration] = SEGMENTS[name];
  return mass * (gyration * length) ** 2;
};
const LEGS = [
  ["f", "th1", "th2", "th3"],
  ["b", "th4", "th5", "th6"],
] as const;

function bipedFormulas(
  name: string,
  holonomic: Record<string, string>,
  start: readonly number[],
): FormulaDescription {
  const coordinates = ["x", "y", "th", "th1", "th2", "th3", "th4", "th5", "th6"];
  const bodies = LEGS.flatMap(([side, ...angles]) =>
    (["Thigh", "Shank", "Foot"] as const).map((part, i) => ({
      part: `${part}${side}`,
      angle: angles[i],
      mass: SEGMENTS[part.toLowerCase() as "thigh"][1],
      inertia: INERTIA(part.toLowerCase() as "thigh"),
    })),
  );
  const torso = `${SEGMENTS.torso[1]}/2*(x'^2 + y'^2) + ${INERTIA("torso")}/2*th'^2`;
  const all = bodies.map(
    ({ part, angle, mass, inertia }) =>
      `${mass}/2*(x${part}'^2 + y${part}'^2) + ${inertia}/2*${angle}'^2`,
  );
  const total = SEGMENTS.torso[1] + bodies.reduce((sum, { mass }) => sum + mass, 0);
  return {
    name,
    coordinates,
    parameters: { g: 9.81 },
    quantities: {
      xHip: "x - 0.3245184*cos(th)",
      yHip: "y - 0.3245184*sin(th)",
      ...legFormulas(...LEGS[0]),
      ...legFormulas(...LEGS[1]),
      xMass: `(${SEGMENTS.torso[1]}*x + ${bodies.map(({ part, mass }) => `${mass}*x${part}`).join(" + ")})/${total}`,
    },
    kinetic: [torso, ...all].join(" + "),
    potential: `g*(${SEGMENTS.torso[1]}*y + ${bodies.map(({ part, mass }) => `${mass}*y${part}`).join(" + ")})`,
    holonomic,
    start: Object.fromEntries(coordinates.map((coordinate, i) => [coordinate, start[i]])),
  };
}

/** Braun and Goldfarb, section 5.4: both feet on the ground. */
export const biped1Formulas = bipedFormulas(
  "biped, exercise 1",
  {
    "forward toe x": "xToef - 0.507",
    "forward toe y": "yToef",
    "forward heel y": "yHeelf",
    "backward toe x": "xToeb + 0.097",
    "backward toe y": "yToeb",
    "backward heel y": "yHeelb",
    torso: "th - 4*pi/9",
    "forward knee": "th1 - th2 - pi/6*(1 - cos(pi*t))",
    "backward knee": "th4 - th5 - pi/10*(1 - cos(pi*t))",
  },
  [0.056, 1.22, 1.396, 1.92, 1.92, 0, 1.222, 1.222, 0],
);

/** On the heel of one foot and on the toe of the other. */
export const biped2Formulas = bipedFormulas(
  "biped, exercise 2",
  {
    "forward heel x": "xHeelf - 0.262",
    "forward heel y": "yHeelf",
    "backward toe x": "xToeb + 0.038",
    "backward toe y": "yToeb",
    torso: "th - 4*pi/9",
    "forward foot": "th3 - pi/18*(1 + cos(pi*t))",
    "backward foot": "th6 + pi/18*(1 - cos(pi*t))",
    "forward knee": "th1 - th2",
    "backward knee": "th4 - th5 - pi/10*(1 - cos(pi*t))",
  },
  [0.056, 1.239, 1.396, 1.92, 1.92, 0.349, 1.292, 1.292, 0],
);

/** Squats on the toes in balance: ten rows of rank nine. */
export const biped3Formulas = bipedFormulas(
  "biped, exercise 3",
  {
    "forward toe x": "xToef",
    "forward toe y": "yToef",
    "backward toe x": "xToeb",
    "backward toe y": "yToeb",
    torso: "th - 1.363",
    "forward knee": "th1 - th2 - pi/3*(1 - cos(2*pi/5*t))",
    "backward knee": "th4 - th5 - pi/3*(1 - cos(2*pi/5*t))",
    "forward foot": "th3 + pi/27*(1 - cos(2*pi/5*t))",
    "backward foot": "th6 + pi/27*(1 - cos(2*pi/5*t))",
    "centre of mass x": "xMass",
  },
  [0.046, 1.252, 1.363, 1.363, 1.363, 0, 1.363, 1.363, 0],
);

/** A knife edge on a slope: Pi is linear in the velocities. */
export const knifeEdgeFormulas: FormulaDescription = {
  name: "knife edge",
  coordinates: ["x", "y", "phi"],
  parameters: { m: 1, I: 1, g: 9.81, slope: 0.5 },
  kinetic: "m/2*(x'^2 + y'^2) + I/2*phi'^2",
  potential: "-m*g*sin(slope)*x",
  nonholonomic: { edge: "x'*sin(phi) - y'*cos(phi)" },
};

/** A chain of rods in absolute angles, in a few lines for any length. */
export function chainFormulas(links: number): FormulaDescription {
  return {
    name: `chain of ${links}`,
    coordinates: [`theta[1..${links}]`],
    parameters: { m: 1, l: 1 / links, g: 9.81 },
    quantities: {
      [`x[i=1..${links}]`]: "sum(j, 1, i - 1, l*sin(theta[j])) + l/2*sin(theta[i])",
      [`y[i=1..${links}]`]: "-sum(j, 1, i - 1, l*cos(theta[j])) - l/2*cos(theta[i])",
    },
    kinetic: `sum(i, 1, ${links}, m/2*(x[i]'^2 + y[i]'^2) + m*l^2/24*theta[i]'^2)`,
    potential: `m*g*sum(i, 1, ${links}, y[i])`,
  };
}
