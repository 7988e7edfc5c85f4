// Stiff chains: links of 1 kg and 1 m hanging from the ground, hinged or on bushings. All hang at an angle at first, so
// that they swing, and bend a little against their springs.

import { type Model, model, rod } from "nodrift/bodies";

/** Stiffness and damping of the springs in the hinges (N m/rad, N m s/rad), and of the bushings (N/m, N s/m too). */
const STIFFNESS = 1e5;
const DAMPING = 1e2;
/** Angle of the links with the vertical. */
const TILT = 0.3;

type Connect = (
  m: Model,
  name: string,
  between: Parameters<Model["revolute"]>[0]["between"],
  at: readonly [number, number, number],
) => void;

function chain(links: number, name: string, connect: Connect): Model {
  const m = model({ name: `${name} of ${links}`, gravity: [0, -9.81, 0] });
  const [x, y] = [Math.sin(TILT), -Math.cos(TILT)];
  let last: Parameters<Connect>[2][0] = m.ground;
  for (let i = 0; i < links; i++) {
    const link = m.body({
      name: `link ${i + 1}`,
      mass: 1,
      shape: rod({ length: 1, axis: [x, y, 0] }),
      position: [(i + 0.5) * x, (i + 0.5) * y, 0],
    });
    connect(m, `joint ${i + 1}`, [last, link], [i * x, i * y, 0]);
    last = link;
  }
  return m;
}

/** Neighbours are held by bushings: six degrees of freedom for each link. */
export function bushedChain(links: number): Model {
  return chain(links, "chain on bushings", (m, name, between, at) => {
    m.bushing({
      name,
      between,
      at,
      stiffness: { translation: STIFFNESS, rotation: STIFFNESS },
      damping: { translation: DAMPING, rotation: DAMPING },
    });
  });
}

/** Neighbours are hinged, with a torsion spring: one degree of freedom for each link. */
export function hingedChain(links: number): Model {
  return chain(links, "chain of hinges", (m, name, between, at) => {
    const joint = m.revolute({ name, between, at, axis: [0, 0, 1] });
    m.torsionSpring({
      name: `spring ${name}`,
      joint,
      stiffness: STIFFNESS,
      damping: DAMPING,
      angle: 0,
    });
  });
}
