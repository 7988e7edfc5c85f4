import { braunBiped1, braunBiped2, braunBiped3 } from "../../mechanisms/index.js";
import { bipedError } from "../experiments/braun.js";
import { halfUnit, relative, reproduced, unitOf } from "../judging/entries.js";
import { reproduction } from "../judging/reproduction.js";

export const braunGoldfarbBiped = reproduction({
  name: "braun-goldfarb-biped",
  paper: "Braun and Goldfarb 2009",
  title: "Section 5.4: three exercises of a biped of seven links, 100 s with a step of 0.01 s",
  notes: [
    "Starts are rounded: errors count from 0.1 s on, when that is forgotten. Printed are the " +
      "largest constraint errors, which are those of the rates.",
    "Exercise 3: theta_d = 4 pi / 9 contradicts its start; 1.363 is taken. It has ten " +
      "constraints on nine coordinates.",
    "Constraints determine the motion altogether: masses and forces are not tried here.",
  ],
  *measure() {
    for (const [i, [biped, printed, reference, digits]] of (
      [
        [braunBiped1, 5.2e-11, 5.248e-11, 4],
        [braunBiped2, 2.7e-11, 2.708e-11, 4],
        [braunBiped3, 1.6e-12, 1.56e-12, 3],
      ] as const
    ).entries()) {
      const quantity = `largest |Phi'|, exercise ${i + 1}`;
      const measured = { quantity, printed, reference, value: bipedError(biped, 100) };
      yield reproduced(
        measured,
        relative(halfUnit(printed, 2)),
        relative(unitOf(reference, digits)),
      );
    }
  },
});
