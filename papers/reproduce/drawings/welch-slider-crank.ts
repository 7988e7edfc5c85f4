import { type Method, simulate } from "../../../src/index.js";
import { welchSliderCrank, welchTable2 } from "../../mechanisms/index.js";
import { projectedRk4 } from "../experiments/methods.js";
import { table2Methods } from "../experiments/welch.js";
import { type DrawnFigure, drawing, printedLine, Recorder, shownLog, TIME } from "./drawing.js";

const [END, STEP] = [10, 0.01];
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
    const second = record(table2Methods.secondOrder, STEP);
    const baumgarte = record(table2Methods.baumgarte, STEP);
    const exact = record(projectedRk4, STEP / 10);
    yield coordinates(second, exact);
    const both = (of: "phi" | "energy") => [
      second.errors.curve(of, "second order"),
      baumgarte.errors.curve(of, "Baumgarte"),
    ];
    yield {
      title: "Fig. 2: magnitude of the constraints",
      x: TIME,
      y: { label: "|Phi|", log: true },
      curves: [
        ...both("phi"),
        printedLine("mean, second order", welchTable2.secondOrder.values[1]!, [0, END]),
        printedLine("mean, Baumgarte", welchTable2.baumgarte.values[1]!, [0, END]),
      ],
    };
    yield {
      title: "Fig. 3: relative change of the energy",
      x: TIME,
      y: { label: "|E0 - E| / |E0|", log: true },
      curves: both("energy"),
    };
  },
});

function coordinates(second: Recorded, exact: Recorded): DrawnFigure {
  return {
    title: "Fig. 1: coordinates, second order",
    x: TIME,
    y: { label: "theta, phi, x, y", unit: "rad, m" },
    curves: [...second.motion.curves(), exact.motion.curve("theta", "theta, converged")],
  };
}

interface Recorded {
  readonly motion: Recorder<(typeof COORDINATES)[number]>;
  readonly errors: Recorder<"phi" | "energy">;
}

function record(method: Method, step: number): Recorded {
  const { equations, q, v } = welchSliderCrank;
  const simulation = simulate(equations, { method, step, q, v, start: "asGiven" });
  const [motion, errors] = [new Recorder(COORDINATES), new Recorder(["phi", "energy"] as const)];
  const before = simulation.energy().total;
  const note = () => {
    const [theta, phi, x, y] = simulation.q as unknown as readonly [number, number, number, number];
    motion.add(simulation.time, { theta, phi, x, y });
    // Nothing has been lost at the start.
    if (simulation.time === 0) return;
    const energy = shownLog((simulation.energy().total - before) / before);
    errors.add(simulation.time, { phi: shownLog(Math.hypot(...simulation.phi())), energy });
  };
  note();
  for (let k = 0; k < END / STEP; k++) {
    simulation.advance(Math.round(STEP / step));
    note();
  }
  return { motion, errors };
}
