import { type Method, simulate } from "../../../src/index.js";
import { braunFourBars, braunSliderCrank, type Mechanism } from "../../mechanisms/index.js";
import { braunMethod, startsOffConstraints, uncorrected } from "../experiments/braun.js";
import {
  type DrawnFigure,
  drawing,
  type FigureCurve,
  printedLine,
  shownLog,
  TIME,
} from "./drawing.js";

const END = 100;
/** Points of a curve over time. */
const POINTS = 1000;

type Point = readonly [x: number, y: number];

/** A linkage: its step, time window of the plot, and the corners of its links. */
interface Linkage {
  readonly mechanism: Mechanism;
  readonly off: Mechanism;
  readonly step: number;
  readonly window: readonly [from: number, to: number];
  corners(q: Float64Array): readonly Point[];
}

const sliderCrank: Linkage = {
  mechanism: braunSliderCrank,
  off: startsOffConstraints.sliderCrank,
  step: 1e-3,
  window: [97.5, 99],
  corners: ([x = 0, y = 0, a = 0, b = 0]) => {
    const elbow = [x + Math.cos(a), y + Math.sin(a)] as const;
    return [[x, y], elbow, [elbow[0] + Math.cos(b), elbow[1] + Math.sin(b)]];
  },
};

const fourBars: Linkage = {
  mechanism: braunFourBars,
  off: startsOffConstraints.fourBars,
  step: 1e-2,
  window: [95, 96.25],
  corners: ([x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0]) => {
    // Back and forth along the bar, so that one line has all links.
    const [a, b, c]: Point[] = [
      [x1, y1],
      [x2, y2],
      [x3, y3],
    ];
    return [[0, 0], a!, b!, [1, 0], b!, c!, [2, 0]];
  },
};

export const braunLinkageFigures = drawing({
  name: "braun-goldfarb-figures-3-6",
  paper: "Braun and Goldfarb 2009",
  title: "Figs. 3 to 6: slider-crank and four-bars, 100 s, also from starts off the constraints",
  notes: [
    "Constraints are the largest magnitude in each thousandth of the 100 s; what is less than 1e-20 is drawn as that. Without " +
      "correction those of the slider-crank grow beyond 1, and the motion of the four-bars is lost: its curve ends there.",
    "The printed line of fig. 4 is what the paper's constraints stay below.",
  ],
  seconds: 4,
  *draw() {
    yield strobe("Fig. 3: slider-crank", sliderCrank);
    yield constraints("Fig. 4: constraints of the slider-crank", sliderCrank, [
      printedLine("below 1e-15", 1e-15, [0, END]),
    ]);
    yield strobe("Fig. 5: two four-bars", fourBars);
    yield constraints("Fig. 6: constraints of the four-bars", fourBars, []);
  },
});

/** Links at twenty times of a window near the end. */
function strobe(title: string, { mechanism, off, step, window, corners }: Linkage): DrawnFigure {
  const [from, to] = window;
  const curve = (name: string, { equations, q, v }: Mechanism): FigureCurve => {
    const method = braunMethod();
    const simulation = simulate(equations, { method, step, q, v, start: "asGiven" }).runTo(from);
    const points: Point[] = [];
    const every = Math.round((to - from) / step / 20);
    for (let k = 0; k <= 20; k++) {
      points.push(...corners(simulation.q), [Number.NaN, Number.NaN]);
      simulation.advance(every);
    }
    return { name, x: points.map(([x]) => x), y: points.map(([, y]) => y) };
  };
  return {
    title: `${title}, ${from} to ${to} s`,
    x: { label: "x", unit: "m" },
    y: { label: "y", unit: "m" },
    curves: [curve("exact start", mechanism), curve("start off the constraints", off)],
  };
}

function constraints(
  title: string,
  { off, step }: Linkage,
  more: readonly FigureCurve[],
): DrawnFigure {
  return {
    title: `${title}, start off them`,
    x: TIME,
    y: { label: "|Phi|", log: true },
    curves: [
      violation("with correction, eq. 16", off, step, braunMethod()),
      violation("without, eq. 17", off, step, uncorrected),
      ...more,
    ],
  };
}

/** Largest constraint error in each interval, until a run is lost. */
function violation(
  name: string,
  { equations, q, v }: Mechanism,
  step: number,
  method: Method,
): FigureCurve {
  const simulation = simulate(equations, { method, step, q, v, start: "asGiven" });
  const size = () => Math.hypot(...simulation.phi());
  const [x, y] = [[0], [shownLog(size())]];
  const each = Math.round(END / step / POINTS);
  for (let part = 0; part < POINTS; part++) {
    let largest = 0;
    try {
      for (let k = 0; k < each; k++) {
        simulation.advance();
        largest = Math.max(largest, size());
      }
    } catch {
      break;
    }
    if (!(largest < 1e3)) break;
    x.push(simulation.time);
    y.push(shownLog(largest));
  }
  return { name, x, y };
}
