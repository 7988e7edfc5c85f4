import { welch } from "nodrift";
import { threeLinkErrors, threeLinkPosition } from "nodrift/mechanisms";
import { ThreeLinks } from "#experiments";
import { distance } from "../../test/support/mechanisms.js";
import { atMost, type Figure, within } from "./figure.js";

/** Welch et al., table 3: three links in space. */
export async function* mechanismWelchFigures(): AsyncGenerator<Figure> {
  const links = await ThreeLinks.compile();
  for (const { step, ...expected } of threeLinkErrors) {
    const at = `mean |Phi| at step ${step}`;
    for (const [key, name] of [
      ["secondOrder", "second order"],
      ["halfDamped", "Baumgarte alpha = 0.5 / h"],
      ["critical", "Baumgarte alpha = 1 / h"],
    ] as const) {
      const value = links.meanError(key, step);
      yield within(`welch table 3, ${name}, ${at}`, value, expected[key], 1e-3);
    }
  }
  const deviation = distance(links.lastCentre(), threeLinkPosition);
  yield atMost("three links, r3(4), distance", deviation, 1e-6);
  for (const passes of [1, 2] as const) {
    const order = links.order(welch({ passes }));
    yield within(`three links, welch, ${passes} passes, order`, order, passes, 0.1 / passes);
  }
}
