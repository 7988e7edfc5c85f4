import { init } from "nodrift";
import { bouncingPendulum, bouncingPendulumBodies } from "../../test/support/bouncing-pendulum.js";
import { atMost, type Figure } from "./figure.js";

/** Events against closed forms. */
export async function* solveEventFigures(): AsyncGenerator<Figure> {
  await init();
  const title = "bouncing pendulum, 100 impacts, largest error of their times";
  yield atMost(title, bouncingPendulum().error, 1e-10);
  yield atMost(`${title} (mechanism)`, (await bouncingPendulumBodies()).error, 1e-10);
}
