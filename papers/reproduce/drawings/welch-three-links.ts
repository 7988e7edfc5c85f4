import { type CompiledModel, compile } from "../../../src/bodies.js";
import type { Method } from "../../../src/index.js";
import { threeLinkPendulum } from "../../mechanisms/index.js";
import { baumgarteHeun, welchAsPrinted } from "../experiments/methods.js";
import { drawing, type FigureAxis, printedLine, Recorder, shownLog, TIME } from "./drawing.js";

const [END, STEP] = [10, 2.5e-5];
/** Steps between points of a curve. */
const SAMPLE = 1000;
const LINKS = [0, 1, 2] as const;
const AXES = ["x", "y", "z"] as const;
/** Mean |Phi| of table 3 at this step. */
const PRINTED = { second: 4.3761e-13, baumgarte: 3.4275e-9 } as const;

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
    const second = record(await compile(model, { coordinates: "maximal" }), welchAsPrinted);
    const plain = await compile(model, { unnormalisedEulerParameters: true });
    const baumgarte = record(plain, baumgarteHeun(0.5));
    for (const link of LINKS)
      yield motion(second, link, "Fig. 4: centre", "q", { label: "position", unit: "m" });
    for (const link of LINKS) {
      yield motion(second, link, "Fig. 5: angular velocity", "w", {
        label: "velocity",
        unit: "rad/s",
      });
    }
    const both = (of: "phi" | "energy") => [
      second.errors.curve(of, "second order"),
      baumgarte.errors.curve(of, "Baumgarte"),
    ];
    yield {
      title: "Fig. 6: magnitude of the constraints",
      x: TIME,
      y: { label: "|Phi|", log: true },
      curves: [
        ...both("phi"),
        printedLine("mean, second order", PRINTED.second, [0, END]),
        printedLine("mean, Baumgarte", PRINTED.baumgarte, [0, END]),
      ],
    };
    yield {
      title: "Fig. 7: relative change of the energy",
      x: TIME,
      y: { label: "|E0 - E| / |E0|", log: true },
      curves: both("energy"),
    };
  },
});

type Recorded = ReturnType<typeof record>;

function motion({ states }: Recorded, link: number, title: string, of: "q" | "w", y: FigureAxis) {
  const curves = AXES.map((axis) => states.curve(`${of} ${link} ${axis}`, axis));
  return { title: `${title} of link ${link + 1}`, x: TIME, y, curves };
}

function record(links: CompiledModel, method: Method) {
  const names = LINKS.flatMap((link) => AXES.flatMap((a) => [`q ${link} ${a}`, `w ${link} ${a}`]));
  const [states, errors] = [new Recorder(names), new Recorder(["phi", "energy"] as const)];
  const simulation = links.simulate({ step: STEP, method });
  const before = simulation.energy().total;
  const note = () => {
    const values: Record<string, number> = {};
    for (const link of LINKS) {
      for (const [k, axis] of AXES.entries()) {
        values[`q ${link} ${axis}`] = simulation.q[7 * link + k]!;
        values[`w ${link} ${axis}`] = simulation.v[6 * link + 3 + k]!;
      }
    }
    states.add(simulation.time, values);
    // Nothing has been lost at the start.
    if (simulation.time === 0) return;
    const energy = shownLog((simulation.energy().total - before) / before);
    errors.add(simulation.time, { phi: shownLog(Math.hypot(...simulation.phi())), energy });
  };
  note();
  for (let k = 0; k < Math.round(END / STEP / SAMPLE); k++) {
    simulation.advance(SAMPLE);
    note();
  }
  return { states, errors };
}
