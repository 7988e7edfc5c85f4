import { atLeast, type Figure, reported } from "./figure.js";
import { peerFigures } from "./solve-peers.js";

/** The double pendulum by its Lagrangian against MuJoCo. */
export function* compiledPeerFigures(): Generator<Figure> {
  const found = peerFigures("--double-pendulum");
  if (!found) {
    yield { figure: "peers are installed", value: 0, target: "1", pass: false };
    return;
  }
  const { mujocoSeconds, tried } = found.doublePendulum;
  const name = "double pendulum, error 1e-8 at t = 10";
  for (const { name: own, seconds } of tried) {
    const times = mujocoSeconds / seconds;
    yield own.endsWith("formulas")
      ? atLeast(`${name}: times less CPU than MuJoCo RK4, by its Lagrangian`, times, 25)
      : reported(`${name}: the same, ${own}`, times);
  }
}
