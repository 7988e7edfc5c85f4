import { compile, type Model } from "nodrift/bodies";
import { bennett, door, simplePendulum, simplePendulumReference } from "nodrift/mechanisms";
import { distance, pointOf, start, watch } from "../../test/support/mechanisms.js";
import { worstFourBar } from "../../test/support/mechanisms-four-bar.js";
import { atLeast, atMost, type Figure } from "./figure.js";

const STEP = 1e-3;

/** Loops: redundant rows, singular poses, links that fit only nearly. By the default method of mechanisms. */
export async function* mechanismLinkageFigures(): AsyncGenerator<Figure> {
  yield* pendulumFigures();
  yield* fourBarFigures();
  yield* bennettFigures();
  yield* doorFigures();
}

async function* pendulumFigures(): AsyncGenerator<Figure> {
  const model = simplePendulum();
  const simulation = await start(model, STEP);
  const point = model.data().markers.find(({ name }) => name === "point");
  if (!point) throw new Error("the pendulum has lost its point");
  let [violation, energy, position] = [0, 0, 0];
  for (const [time, x, y] of simplePendulumReference) {
    const errors = watch(simulation, time);
    violation = Math.max(violation, errors.violation);
    energy = Math.max(energy, errors.energy);
    const found = pointOf(simulation.q, 0, point.point);
    position = Math.max(position, distance(found, [x, y, 0]));
  }
  yield atMost("A01 pendulum 10 s, violation in m", violation, 1e-10);
  yield atMost("A01 pendulum 10 s, energy error in J", energy, 1e-4);
  yield atMost("A01 pendulum 10 s, position error in m", position, 1e-5);
}

async function* fourBarFigures(): AsyncGenerator<Figure> {
  for (const [n, starts] of [
    [2, 20],
    [40, 4],
  ] as const) {
    const { violation, energy, position } = await worstFourBar(n, starts);
    const name = `N-four-bar, n = ${n}, 10 s, worst of ${starts} starts`;
    yield atMost(`${name}, violation in m`, violation, 1e-10);
    yield atMost(`${name}, energy error in J`, energy, 1e-4);
    yield atMost(`${name}, position error in m`, position, 1e-5);
  }
}

/** A run of 5 s, and the total rotation of the first hinge in both directions. */
async function turned(model: Model) {
  const simulation = await start(model, STEP);
  let angle = 0;
  try {
    const errors = watch(simulation, 5, ({ v }) => {
      angle += STEP * Math.abs(v[5]);
    });
    return { ...errors, angle };
  } catch (error) {
    console.error(String(error));
    return { energy: Number.POSITIVE_INFINITY, angle };
  }
}

async function* bennettFigures(): AsyncGenerator<Figure> {
  const exact = await turned(bennett());
  yield atMost("Bennett linkage 5 s, energy error in J", exact.energy, 1e-8);
  const rounded = await turned(bennett({ rounding: 1e-6 }));
  yield atMost("Bennett linkage rounded to 1e-6 m, 5 s, energy error in J", rounded.energy, 1e-2);
  yield atMost(
    "Bennett linkage rounded to 1e-6 m, 5 s, turning of the first hinge, relative difference",
    Math.abs(rounded.angle / exact.angle - 1),
    0.01,
  );
}

async function* doorFigures(): AsyncGenerator<Figure> {
  const simulation = await start(door(), STEP);
  const { violation, energy } = watch(simulation, 10);
  yield atMost("door on two hinges 10 s, violation in m", violation, 1e-11);
  yield atMost("door on two hinges 10 s, energy error in J", energy, 1e-10);
  const { redundant } = (await compile(door())).report;
  const named = ["lower hinge", "upper hinge"].filter((hinge) =>
    redundant.some(({ text }) => text.includes(hinge)),
  );
  yield atLeast("door on two hinges, hinges named as redundant", named.length, 2);
}
