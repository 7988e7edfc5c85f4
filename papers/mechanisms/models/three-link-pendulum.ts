import { oneOf, optionsOf, type Shape } from "../../../src/base/checking/index.js";
import { type Model, model } from "../../../src/model/mechanism.js";
import { box } from "../../../src/model/shapes.js";

const LENGTHS = [1, 2, 2.5] as const;

/** Options of {@link threeLinkPendulum}. */
export interface ThreeLinkOptions {
  /**
   * "revolute": the hinge of the library, whose points are held together in the axes of the second link.
   * "world": they are held along the axes of the world, as the reference does, and the axes by two rows of
   * their own. The motion is the same, the drift differs. Default: "revolute".
   */
  readonly pin?: "revolute" | "world";
}

const SHAPE: Shape<ThreeLinkOptions> = { pin: oneOf("revolute", "world") };

/**
 * The pendulum of three links of Welch et al., table 3: square bars of 1, 2 and 2.5 m, a tenth as thick as
 * long, hanging from rest while gravity pulls askew. The first two joints are spherical, the third is a hinge
 * about x. The paper states neither masses nor that axis: here density is the same in all links.
 *
 * @example
 * const method = { coupled: welch({ passes: 1 }) };
 * const simulation = (await compile(threeLinkPendulum())).simulate({ step: 1e-4, method });
 */
export function threeLinkPendulum(options: ThreeLinkOptions = {}, ...more: undefined[]): Model {
  const { pin = "revolute" } = optionsOf("threeLinkPendulum", "DESCRIPTION", options, SHAPE, more);
  const m = model({ name: "three links", gravity: [-5, -5 * Math.SQRT2, -5] });
  let before = m.ground;
  let height = 0;
  for (const [i, length] of LENGTHS.entries()) {
    const thickness = length / 10;
    const link = m.body({
      name: `link ${i + 1}`,
      density: 1000,
      shape: box({ x: thickness, y: thickness, z: length }),
      position: [0, 0, height - length / 2],
    });
    const between = [before, link] as const;
    const at = [0, 0, height] as const;
    if (i === 2 && pin === "revolute") {
      m.revolute({ name: "pin", between, at, axis: [1, 0, 0] });
    } else m.spherical({ name: `joint ${i + 1}`, between, at });
    if (i === 2 && pin === "world") m.parallel({ name: "axis", between, axis: [1, 0, 0] });
    before = link;
    height -= length;
  }
  return m;
}

/** Centre of the third link at t = 4, to 1e-6. */
export const threeLinkPosition = [-0.2312742, -0.3349976, -4.046252] as const;

/**
 * Mean |Phi| over all steps to t = 4: for the second-order embedding as printed (one pass), and for Heun's method
 * with Baumgarte's gains alpha = 0.5 / h, beta = 1 / h, and alpha = beta = 1 / h. Found by a code
 * of its own; the paper's values are for data it does not state.
 */
export const threeLinkErrors = [
  { step: 2e-4, secondOrder: 3.128e-11, halfDamped: 6.56e-8, critical: 3.213e-10 },
  { step: 1e-4, secondOrder: 3.911e-12, halfDamped: 1.64e-8, critical: 4.016e-11 },
  { step: 5e-5, secondOrder: 4.89e-13, halfDamped: 4.1e-9, critical: 5.02e-12 },
] as const;
