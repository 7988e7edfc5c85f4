// Mechanisms with loops, for the tests of redundancy and of readings.

import { type Model, type ModelOptions, model } from "nodrift/bodies";

type Vector = readonly [number, number, number];

const ROD = { mass: 1, inertia: [0.01, 0.09, 0.09] as const };

/** A rotation about y that takes x to the direction (cos, 0, sin) of an angle. */
export function alongXZ(angle: number): { axis: Vector; angle: number } {
  return { axis: [0, 1, 0], angle: -angle };
}

/**
 * N four-bars in a row in the plane x z: bars from ground to top at an angle to the horizontal, joined by
 * horizontal couplers. Angle 0 is the singular pose where all lie on one line.
 */
export function fourBars(
  count: number,
  angle = Math.PI / 2,
  options: ModelOptions & { speed?: number } = {},
): Model {
  const { speed = 0, ...rest } = options;
  const m = model({ name: `${count} four-bars`, gravity: [0, 0, -9.81], ...rest });
  const axis: Vector = [0, 1, 0];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const bars = Array.from({ length: count + 1 }, (_, i) =>
    m.body({
      ...ROD,
      name: `bar${i}`,
      position: [i + c / 2, 0, s / 2],
      orientation: alongXZ(angle),
      velocity: [(-s * speed) / 2, 0, (c * speed) / 2],
      angularVelocity: [0, -speed, 0],
    }),
  );
  bars.forEach((bar, i) => {
    m.revolute({ name: `ground${i}`, between: [m.ground, bar], at: [i, 0, 0], axis });
  });
  for (let i = 0; i < count; i++) {
    const coupler = m.body({
      ...ROD,
      name: `coupler${i}`,
      position: [i + 0.5 + c, 0, s],
      velocity: [-s * speed, 0, c * speed],
      angularVelocity: [0, 0, 0],
    });
    m.revolute({ name: `topR${i}`, between: [bars[i]!, coupler], at: [i + c, 0, s], axis });
    m.revolute({
      name: `topL${i + 1}`,
      between: [coupler, bars[i + 1]!],
      at: [i + 1 + c, 0, s],
      axis,
    });
  }
  return m;
}

type Given = number | Readonly<Record<string, number>>;

/** A door on two collinear hinges: 10 rows of rank 5. */
export function door(options: { upper?: Given; lower?: Given } = {}): Model {
  const m = model({ name: "door", gravity: [0, 0, -9.81] });
  const panel = m.body({
    name: "panel",
    mass: 10,
    inertia: [4, 4.8, 0.9],
    position: [0.5, 0.02, 1],
    angularVelocity: [0, 0, 1.5],
    velocity: [-0.03, 0.75, 0],
  });
  const axis: Vector = [0, 0, 1];
  for (const [name, z] of [
    ["lower", 0.3],
    ["upper", 1.8],
  ] as const) {
    const given = options[name];
    const soft = given === undefined ? {} : { compliance: given };
    m.revolute({ name, between: [m.ground, panel], at: [0, 0, z], axis, ...soft });
  }
  return m;
}

/** Spherical links in series, like a chain suspended at its first joint. */
export function chain(count: number, angularVelocity: Vector = [0.5, 0, 1]): Model {
  const m = model({ name: `chain of ${count}`, gravity: [0, 0, -9.81] });
  let before = m.ground;
  for (let i = 0; i < count; i++) {
    const x = i + 0.5;
    const link = m.body({
      ...ROD,
      name: `link${i}`,
      position: [x, 0, 0],
      velocity: [0, angularVelocity[2] * x, -angularVelocity[1] * x],
      angularVelocity,
    });
    m.spherical({ name: `ball${i}`, between: [before, link], at: [i, 0, 0] });
    before = link;
  }
  return m;
}

/**
 * Bennett's linkage: four skew hinges that move because opposite links are equal and lengths are proportional to the
 * sines of the twists. 20 rows of rank 17. Values may be rounded, so that it no longer closes exactly.
 */
export function bennett(options: { digits?: number; speed?: number } = {}): Model {
  const { digits, speed = 0 } = options;
  const [alpha, beta] = [Math.PI / 3, Math.PI / 4];
  const lengths = [Math.sin(alpha), Math.sin(beta)];
  const first = 1;
  const ratio = Math.sin((beta + alpha) / 2) / Math.sin((beta - alpha) / 2);
  const second = 2 * Math.atan(ratio / Math.tan(first / 2));
  const angles = [first, second, -first, -second];
  const m = model({ name: "Bennett", gravity: [0, 0, -9.81] });
  const round = (x: number) => (digits === undefined ? x : Number(x.toFixed(digits)));
  // Hinge i is at `point` with the axes x, y, z; each link rotates by its angle about z, extends along x and
  // twists about it.
  let point: Vector = [0, 0, 0];
  let [x, y, z]: Vector[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const hinges = angles.map((angle, i) => {
    const hinge = { at: point.map(round) as unknown as Vector, axis: z! };
    [x, y] = [mix(angle, x!, y!), mix(angle + Math.PI / 2, x!, y!)];
    const along = lengths[i % 2]!;
    point = [0, 1, 2].map((k) => point[k]! + along * x![k]!) as unknown as Vector;
    const twist = i % 2 === 0 ? alpha : beta;
    [y, z] = [mix(twist, y, z!), mix(twist + Math.PI / 2, y, z!)];
    return hinge;
  });
  const links = hinges.slice(0, 3).map(({ at }, i) => {
    const next = hinges[i + 1]!.at;
    return m.body({
      mass: 1,
      inertia: [0.1, 0.12, 0.14],
      name: `link${i}`,
      position: [0, 1, 2].map((k) => (at[k]! + next[k]!) / 2) as unknown as Vector,
      ...(i === 0 && speed !== 0 ? { angularVelocity: [0, 0, speed] as Vector } : {}),
    });
  });
  const ends = [m.ground, ...links, m.ground];
  hinges.forEach((hinge, i) => {
    m.revolute({ name: `hinge${i}`, between: [ends[i]!, ends[i + 1]!], ...hinge });
  });
  return m;
}

/** cos a + sin b. */
function mix(angle: number, a: Vector, b: Vector): Vector {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c * a[0] + s * b[0], c * a[1] + s * b[1], c * a[2] + s * b[2]];
}
