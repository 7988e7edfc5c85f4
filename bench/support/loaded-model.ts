// A model for workers whose steps take three milliseconds each. By its address: workers know no import map.

/** Milliseconds. */
const LOAD = 3;

type Bodies = typeof import("nodrift/bodies");

export default async function loaded() {
  const { compile, model, rod } = (await import(
    new URL("/dist/bodies.js", import.meta.url).href
  )) as Bodies;
  const m = model({ name: "loaded" });
  const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
  m.revolute({ between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
  const simulation = (await compile(m)).simulate({ step: 1 / 60 });
  const advance = simulation.advance.bind(simulation);
  simulation.advance = (count) => {
    for (const from = performance.now(); performance.now() - from < LOAD; );
    return advance(count);
  };
  return simulation;
}
