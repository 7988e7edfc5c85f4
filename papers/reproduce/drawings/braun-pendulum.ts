import { simulate } from "../../../src/index.js";
import { braunMethod, comparisons, uncorrected } from "../experiments/braun.js";
import { distance } from "../experiments/numbers.js";
import { type Comparison, exactAngles, minimalOf } from "../experiments/reference-run.js";
import { type DrawnFigure, drawing, type FigureCurve, shownLog } from "./drawing.js";

const STEPS = [5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2] as const;
const SPANS = [10, 100] as const;
/** Seconds between comparisons: a multiple of all steps except the last two, which are multiples of it. */
const INTERVAL = 0.01;

export const braunPendulumFigures = drawing({
  name: "braun-goldfarb-figure-2",
  paper: "Braun and Goldfarb 2009",
  title: "Fig. 2: pendulum, largest errors by the length of the step, over 10 s and 100 s",
  notes: [
    "The trusted solution is that of the minimal equation by the same integrator. The paper's curves have no numbers in the " +
      "text.",
  ],
  seconds: 4,
  *draw() {
    const { pendulum } = comparisons;
    const exact = exactAngles(pendulum, SPANS[1]);
    const minimal = minimalOf(pendulum);
    const proposed = STEPS.map((step) => errors(pendulum, exact, step, true));
    const trusted = STEPS.map((step) => errors(minimal, exact, step, false));
    yield figure("|Phi|", "position", proposed);
    yield figure("|Phi'|", "velocity", proposed);
    const both = figure("error of position", "motion", proposed, "proposed");
    yield { ...both, curves: [...both.curves, ...curvesOf("motion", trusted, "trusted")] };
  },
});

type Of = "motion" | "position" | "velocity";
type Errors = Record<(typeof SPANS)[number], Record<Of, number>>;

function figure(label: string, of: Of, found: readonly Errors[], words = ""): DrawnFigure {
  return {
    title: `Fig. 2: largest ${label}`,
    x: { label: "dt", unit: "s", log: true },
    y: { label, log: true },
    curves: curvesOf(of, found, words),
  };
}

function curvesOf(of: Of, found: readonly Errors[], words: string): FigureCurve[] {
  return SPANS.map((span) => ({
    name: `${words} ${span} s`.trimStart(),
    x: STEPS,
    y: found.map((errors) => shownLog(errors[span][of])),
    points: true,
  }));
}

/** Errors up to both spans, from one run. */
function errors(
  { mechanism, ofPositions, ofAngle }: Comparison,
  exact: Float64Array,
  step: number,
  isCorrected: boolean,
): Errors {
  const method = isCorrected ? braunMethod() : uncorrected;
  const { equations, q, v } = mechanism;
  const simulation = simulate(equations, { method, step, q, v, start: "asGiven" });
  const worst = { motion: 0, position: 0, velocity: 0 };
  const found = {} as Errors;
  for (const span of SPANS) {
    for (let k = Math.round(simulation.time / step); k < Math.round(span / step); k++) {
      const { position, velocity } = simulation.advance().constraintError();
      worst.position = Math.max(worst.position, position);
      worst.velocity = Math.max(worst.velocity, velocity);
      const place = simulation.time / INTERVAL;
      if (Math.abs(place - Math.round(place)) > 1e-6) continue;
      const truth = ofAngle(exact[Math.round(place)]!);
      worst.motion = Math.max(worst.motion, distance(ofPositions(simulation.q), truth));
    }
    found[span] = { ...worst };
  }
  return found;
}
