import { awkwardRefusals } from "../../test/support/awkward-functions.js";
import { functionKinds, slipOutcomes } from "../../test/support/user-slips.js";
import { atLeast, atMost, type Figure } from "./figure.js";

const SEED = 3;
const RIGHT = 600;

/** Mistakes in user functions: all rejected or noted by name; no correct function rejected. */
export async function* silentSlipFigures(): AsyncGenerator<Figure> {
  let [slips, silent, drifting, moved] = [0, 0, 0, 0];
  for await (const { slip, isNamed, isSame, drift } of slipOutcomes(SEED)) {
    slips++;
    if (slip.expects === "same") moved += isSame || isNamed ? 0 : 1;
    else if (!isNamed) {
      silent++;
      if (drift > 1e-6) drifting++;
    }
  }
  yield atLeast("kinds of user functions with slips", functionKinds.length, 40);
  yield atLeast("slips in user functions", slips, 500);
  yield atMost("slips that are neither refused nor noted by name", silent, 0);
  yield atMost("slips that finish with a drift above 1e-6 without a note", drifting, 0);
  yield atMost("functions that overwrite their arrays and change the motion", moved, 0);
  yield atMost(
    "right but awkward functions that are refused, of 600",
    awkwardRefusals(RIGHT).length,
    0,
  );
}
