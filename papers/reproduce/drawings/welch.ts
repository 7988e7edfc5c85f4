import { type CompiledModel, compile } from "../../../src/bodies.js";
import { type Method, type Simulation, simulate } from "../../../src/index.js";
import { threeLinkPendulum, welchSliderCrank, welchTable2 } from "../../mechanisms/index.js";
import { baumgarteHeun, projectedRk4, welchAsPrinted } from "../experiments/methods.js";
import { table2Methods } from "../experiments/welch.js";
import { type DrawnFigure, drawing, printedLine, Recorder, shownLog, TIME } from "./drawing.js";

/** Length of all runs, s. */
const END = 10;

/** Constraints and energy over time. */
type ErrorRecorder = Recorder<"phi" | "energy">;

/** Runs a simulation to the end and reads it every few steps: by `read`, and its errors. */
function recordRun(simulation: Simulation, steps: number, every: number, read: () => void) {
  const errors: ErrorRecorder = new Recorder(["phi", "energy"] as const);
  const before = simulation.energy().total;
  read();
  for (let k = 0; k < steps; k++) {
    simulation.advance(every);
    read();
    // Not at the start, where nothing has been lost.
    const energy = shownLog((simulation.energy().total - before) / before);
    errors.add(simulation.time, { phi: shownLog(Math.hypot(...simulation.phi())), energy });
  }
  return errors;
}

/** Constraints with the printed means, and energy, by the scheme of second order and by Baumgarte's method. */
function* errorFigures(
  [first, last]: readonly [number, number],
  second: ErrorRecorder,
  baumgarte: ErrorRecorder,
  means: readonly [second: number, baumgarte: number],
): Generator<DrawnFigure> {
  const both = (of: "phi" | "energy") => [
    second.curve(of, "second order"),
    baumgarte.curve(of, "Baumgarte"),
  ];
  yield {
    title: `Fig. ${first}: magnitude of the constraints`,
    x: TIME,
    y: { label: "|Phi|", log: true },
    curves: [
      ...both("phi"),
      printedLine("mean, second order", means[0], [0, END]),
      printedLine("mean, Baumgarte", means[1], [0, END]),
    ],
  };
  yield {
    title: `Fig. ${last}: relative change of the energy`,
    x: TIME,
    y: { label: "|E0 - E| / |E0|", log: true },
    curves: both("energy"),
  };
}

const CRANK_STEP = 0.01;
const COORDINATES = ["theta", "phi", "x", "y"] as const;

export const welchSliderCrankFigures = drawing({
  name: "welch-figures-1-3",
  paper: "Welch et al. 2007",
  title: "Figs. 1 to 3: slider-crank over 10 s with a step of 0.01 s",
  notes: [
    "The paper calls this step converged to within plotting accuracy: the crank angle of the converged motion is drawn beside it.",
    "Printed lines of fig. 2 are the means of table 2. Eq. (78) is divided by |E0|.",
  ],
  *draw() {
    const second = crankRun(table2Methods.secondOrder, CRANK_STEP);
    const baumgarte = crankRun(table2Methods.baumgarte, CRANK_STEP);
    const exact = crankRun(projectedRk4, CRANK_STEP / 10);
    yield {
      title: "Fig. 1: coordinates, second order",
      x: TIME,
      y: { label: "theta, phi, x, y", unit: "rad, m" },
      curves: [...second.motion.curves(), exact.motion.curve("theta", "theta, converged")],
    };
    yield* errorFigures([2, 3], second.errors, baumgarte.errors, [
      welchTable2.secondOrder.values[1],
      welchTable2.baumgarte.values[1],
    ]);
  },
});

function crankRun(method: Method, step: number) {
  const { equations, q, v } = welchSliderCrank;
  const simulation = simulate(equations, { method, step, q, v, start: "asGiven" });
  const motion = new Recorder(COORDINATES);
  const errors = recordRun(simulation, END / CRANK_STEP, Math.round(CRANK_STEP / step), () => {
    const [theta, phi, x, y] = simulation.q as unknown as readonly [number, number, number, number];
    motion.add(simulation.time, { theta, phi, x, y });
  });
  return { motion, errors };
}

const STEP = 2.5e-5;
/** Steps between points of a curve. */
const SAMPLE = 1000;
const LINKS = [0, 1, 2] as const;
const AXES = ["x", "y", "z"] as const;

export const welchThreeLinksFigures = drawing({
  name: "welch-figures-4-7",
  paper: "Welch et al. 2007",
  title: "Figs. 4 to 7: pendulum of three links in space over 10 s with a step of 2.5e-5 s",
  notes: [
    "The paper gives neither masses nor the axis of the pin, and after about 6 s the motion is chaotic: curves need not be " +
      "those of the paper. Ours has links of the same density, and a pin that turns about x.",
    "Printed lines of fig. 6 are the means of table 3. Angular velocities are in the axes of each link.",
  ],
  seconds: 10,
  async *draw() {
    const model = threeLinkPendulum({ pin: "world" });
    const second = linksRun(await compile(model, { coordinates: "maximal" }), welchAsPrinted);
    const plain = await compile(model, { unnormalisedEulerParameters: true });
    const baumgarte = linksRun(plain, baumgarteHeun(0.5));
    for (const [title, of, label, unit] of [
      ["Fig. 4: centre", "q", "position", "m"],
      ["Fig. 5: angular velocity", "w", "velocity", "rad/s"],
    ] as const) {
      for (const link of LINKS) {
        yield {
          title: `${title} of link ${link + 1}`,
          x: TIME,
          y: { label, unit },
          curves: AXES.map((axis) => second.states.curve(`${of} ${link} ${axis}`, axis)),
        };
      }
    }
    // Mean |Phi| of table 3 at this step.
    yield* errorFigures([6, 7], second.errors, baumgarte.errors, [4.3761e-13, 3.4275e-9]);
  },
});

function linksRun(links: CompiledModel, method: Method) {
  const names = LINKS.flatMap((link) => AXES.flatMap((a) => [`q ${link} ${a}`, `w ${link} ${a}`]));
  const states = new Recorder(names);
  const simulation = links.simulate({ step: STEP, method });
  const errors = recordRun(simulation, Math.round(END / STEP / SAMPLE), SAMPLE, () => {
    const values: Record<string, number> = {};
    for (const link of LINKS) {
      for (const [k, axis] of AXES.entries()) {
        values[`q ${link} ${axis}`] = simulation.q[7 * link + k]!;
        values[`w ${link} ${axis}`] = simulation.v[6 * link + 3 + k]!;
      }
    }
    states.add(simulation.time, values);
  });
  return { states, errors };
}
