import { compile } from "../../../src/bodies.js";
import type { State } from "../../../src/index.js";
import { type Solution, sdirk4, solve } from "../../../src/solve.js";
import { hmmwv } from "../../mechanisms/index.js";
import { inStateSpace } from "../experiments/methods.js";
import { exactStiffPendulum, stiffPendulumTable2 } from "../experiments/stiff-pendulum.js";
import { type DrawnFigure, drawing, printedLine, printedPoints, TIME } from "./drawing.js";

const [PENDULUM, VEHICLE] = [2, 5];
export const negrutFigures = drawing({
  name: "negrut-figures-2-5",
  paper: "Negrut, Haug and German 2003",
  title: "Fig. 2: stiff double pendulum; fig. 5: HMMWV over the bump at a tolerance of 1e-3",
  notes: [
    "Printed points of fig. 2 are largest errors over relative errors of table II, with the sign of ours: the motion of body 1 " +
      "at those times. They lie on the motion from rest, not on that from the start which the paper gives; the relative error at " +
      "1.08 s has one digit, and tells the angle to a quarter. Printed lines are the range of the rate in the text.",
    "The printed line of fig. 5 is the height at which the paper's vehicle settles; ours was made to settle there.",
  ],
  async *draw() {
    yield* pendulum();
    yield* vehicle();
  },
});

function* pendulum(): Generator<DrawnFigure> {
  const motions = [exactStiffPendulum(), exactStiffPendulum({ isAtRest: true })] as const;
  const times = Array.from({ length: 401 }, (_, k) => (k * PENDULUM) / 400);
  for (const [title, unit, of, read] of [
    ["orientation of body 1", "rad", "angle", ({ q }: State) => q[0]!],
    ["angular velocity of body 1", "rad/s", "rate", ({ v }: State) => v[0]!],
  ] as const) {
    const rows = stiffPendulumTable2.filter((row) => row.of === of);
    const curve = (name: string, motion: Solution<State>) => {
      return { name, x: times, y: times.map((time) => read(motion.at(time))) };
    };
    const points = rows.map(({ printed: { time, largest, percent } }) => {
      const sign = Math.sign(read(motions[1].at(time)));
      return [time, (sign * 100 * largest) / percent] as const;
    });
    yield {
      title: `Fig. 2: ${title}`,
      x: TIME,
      y: { label: unit === "rad" ? "theta1" : "theta1'", unit },
      curves: [
        curve("from the start given", motions[0]),
        curve("from rest", motions[1]),
        printedPoints("table II", points),
        ...(unit === "rad/s"
          ? [-10, 7].map((rate) => printedLine(`${rate} rad/s`, rate, [0, PENDULUM]))
          : []),
      ],
    };
  }
}

async function* vehicle(): AsyncGenerator<DrawnFigure> {
  const source = await compile(hmmwv(), { coordinates: "maximal" });
  const options = { span: [0, VEHICLE], tolerance: 1e-3, method: inStateSpace(sdirk4()) } as const;
  const steps = solve(source, { ...options, output: "steps" });
  const times = Array.from({ length: 501 }, (_, k) => (k * VEHICLE) / 500);
  const heights = solve(source, { ...options, output: { times } }).body("chassis").position[2]!;
  yield {
    title: "Fig. 5: height of the chassis",
    x: TIME,
    y: { label: "z1", unit: "m" },
    curves: [
      { name: "height", x: times, y: Array.from(heights) },
      printedLine("0.71 m after 4 s", 0.71, [4, VEHICLE]),
    ],
  };
  const ends = Array.from(steps.time);
  yield {
    title: "Fig. 5: step size",
    x: TIME,
    y: { label: "h", unit: "s", log: true },
    curves: [{ name: "h", x: ends.slice(1), y: ends.slice(1).map((end, i) => end - ends[i]!) }],
  };
}
