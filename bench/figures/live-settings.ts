import { allSettings, differingBits } from "../../test/support/live-settings.js";
import { atLeast, atMost, type Figure } from "./figure.js";

/** Steps before a value is set: at the start, and during the run. */
const BEFORE = [0, 7];

/** Every settable value, set at run time and by recompilation: bits of the next 100 steps. */
export async function* liveSettingFigures(): AsyncGenerator<Figure> {
  const settings = allSettings();
  yield atLeast("live: numbers that can be set", settings.length, 50);
  for (const coordinates of ["relative", "maximal"] as const) {
    let differing = 0;
    for (const setting of settings) {
      for (const before of BEFORE) {
        if ((await differingBits(setting, { coordinates }, before)) > 0) differing++;
      }
    }
    const what = `live, ${coordinates}: numbers set at run time that differ from a fresh compile in a bit`;
    yield atMost(what, differing, 0);
  }
}
