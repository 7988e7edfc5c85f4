import { welch } from "nodrift";
import { compile } from "nodrift/bodies";
import { threeLinkPendulum } from "nodrift/mechanisms";
import { scheme43 } from "../support/scheme-43.js";
import { atMost, type Figure } from "./figure.js";

/** Methods of the papers' references that keep multipliers, scheme (43) of Welch et al., and the cost of bases. */
export async function* paperMultiplierFigures(): AsyncGenerator<Figure> {
  yield* printedScheme();
}

/** Scheme (43), three links in space, against a program of its own. */
async function* printedScheme(): AsyncGenerator<Figure> {
  const [step, count] = [4e-4, 2500];
  const links = await compile(threeLinkPendulum({ pin: "world" }), { coordinates: "maximal" });
  const coupled = welch({ passes: 1, midpoint: "printed" });
  const { q, v } = links.simulate({ step, method: { coupled } }).advance(count);
  const wanted = scheme43(step, count);
  const positions = wanted.flatMap(({ r, e }) => [...r, ...e]);
  const velocities = wanted.flatMap(({ u, w }) => [...u, ...w]);
  const differences = [
    ...positions.map((value, i) => Math.abs(value - q[i]!)),
    ...velocities.map((value, i) => Math.abs(value - v[i]!)),
  ];
  yield atMost(
    "scheme (43) as printed, three links at 1 s, step 4e-4: largest difference of a coordinate or velocity",
    Math.max(...differences),
    1e-11,
  );
}
