import { ab3, lagrange, simulate } from "../../../src/index.js";
import { yoonPendulumAngle } from "../../mechanisms/index.js";
import {
  type PendulumCase,
  pendulumCases,
  pendulumReference,
} from "../experiments/energy-control.js";
import { drawing, type FigureCurve, Recorder, shownLog, TIME } from "./drawing.js";

const [END, STEP] = [20, 0.01];
const QUANTITIES = ["Phi", "psi", "X"] as const;

export const yoonFigures = drawing({
  name: "yoon-figures-4-6",
  paper: "Yoon, Energy constraint control",
  title: "Figs. 4 to 6: Example 1, AB-3 with a step of 0.01 s, 20 s",
  notes: [
    "Magnitudes by powers of ten, where the paper divides some curves by ten and more to show them together. It prints no numbers " +
      "for them.",
  ],
  *draw() {
    const reference = pendulumReference(END);
    const cases = pendulumCases.map((one) => ({ ...one, recorded: record(one, reference) }));
    const curves = (of: (typeof QUANTITIES)[number], those = cases): FigureCurve[] =>
      those.map(({ name, recorded }) => recorded.curve(of, name));
    const log = (label: string) => ({ label, log: true });
    // In the angle there are no constraints.
    const onConstraints = cases.filter(({ mechanism }) => mechanism !== yoonPendulumAngle);
    yield {
      title: "Fig. 4: violation of the constraint",
      x: TIME,
      y: log("|Phi|"),
      curves: curves("Phi", onConstraints),
    };
    yield {
      title: "Fig. 5: violation of the energy",
      x: TIME,
      y: log("|psi|"),
      curves: curves("psi"),
    };
    yield { title: "Fig. 6: error of X", x: TIME, y: log("|X - X*|"), curves: curves("X") };
  },
});

function record({ mechanism, stabilisation }: PendulumCase, reference: Float64Array) {
  const { equations, q, v } = mechanism;
  const method = { formulation: lagrange(), stabilisation, integrator: ab3() };
  const simulation = simulate(equations, { method, step: STEP, q, v });
  const before = simulation.energy().total;
  const recorder = new Recorder(QUANTITIES);
  for (let k = 1; k <= Math.round(END / STEP); k++) {
    simulation.advance();
    const first = simulation.q[0]!;
    const x = mechanism === yoonPendulumAngle ? Math.cos(first) : first;
    recorder.add(simulation.time, {
      Phi: shownLog(simulation.constraintError().position),
      psi: shownLog(simulation.energy().total - before),
      X: shownLog(x - Math.cos(reference[k]!)),
    });
  }
  return recorder;
}
