import { braunPendulum, braunSliderCrank } from "../../mechanisms/index.js";
import { correctionShare } from "../experiments/correction-share.js";
import { reported } from "../judging/entries.js";
import { reproduction } from "../judging/reproduction.js";

export const braunGoldfarbCpu = reproduction({
  name: "braun-goldfarb-cpu",
  paper: "Braun and Goldfarb 2009",
  title: "Sections 5.1 and 5.2: the part of the CPU that constraint correction takes, %",
  notes: [
    "Times of this package on this machine; the paper has those of compiled MATLAB. They depend on how both solve and are " +
      "reported without a verdict.",
    "Eq. (16) against eq. (17), which is the same without correction. Both factorise the same matrix, which is nearly all of " +
      "the work; corrections are two more right-hand sides.",
  ],
  seconds: 2,
  isTimed: true,
  *measure() {
    for (const [name, mechanism, printed] of [
      ["pendulum", braunPendulum, 26],
      ["slider-crank", braunSliderCrank, 5],
    ] as const) {
      const quantity = `CPU spent on constraint correction, ${name}, %`;
      yield reported({ quantity, printed, value: 100 * correctionShare(mechanism) });
    }
  },
});
