import {
  changedBodies,
  givenCase,
  judgeGiven,
  velocityError,
} from "../../test/support/given-starts.js";
import { atMost, type Figure, reported } from "./figure.js";

const COUNT = 500;
/** Allowed velocity error of consistent velocities, relative to the speed. */
const VELOCITY_TOLERANCE = 1e-9;

/** Given initial velocities of mechanisms whose masses and inertias differ by up to 1e12. */
export async function* robustStartFigures(): AsyncGenerator<Figure> {
  const tally = { kept: 0, refused: 0, changed: 0, unnamed: 0, misnamed: 0, wronged: 0, missed: 0 };
  let open = 0;
  for (let seed = 0; seed < COUNT; seed++) {
    const asked = await givenCase(seed);
    const { system, named } = await judgeGiven(asked);
    if (system) {
      tally.kept++;
      if (changedBodies(system).length > 0) tally.changed++;
      if (asked.asked === "contradicting") tally.missed++;
      open = Math.max(open, velocityError(system));
    } else {
      tally.refused++;
      if (named.length === 0) tally.unnamed++;
      if (asked.asked === "fitting") tally.wronged++;
      const isGuilty = named.some((name) => asked.guilty.includes(name));
      if (asked.asked === "contradicting" && !isGuilty) tally.misnamed++;
    }
  }
  const name = `given velocities, ${COUNT} random mechanisms, ratios to 1e12`;
  yield atMost(`${name}: not kept to the last bit`, tally.changed, 0);
  yield atMost(`${name}: refused, no joint named`, tally.unnamed, 0);
  yield atMost(`${name}: refused, joints of other bodies named`, tally.misnamed, 0);
  yield atMost(`${name}: refused though they fit`, tally.wronged, 0);
  yield atMost(`${name}: taken though they contradict`, tally.missed, 0);
  yield atMost(`${name}: velocities left open / speed`, open, VELOCITY_TOLERANCE);
  yield reported(`${name}: kept`, tally.kept);
  yield reported(`${name}: refused, joint named`, tally.refused);
}
