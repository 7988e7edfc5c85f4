// CPU of making things: compiled models, by body, and the first solve of a process.

import { spawnSync } from "node:child_process";
import { compile, type Model, model, rod } from "nodrift/bodies";
import { median } from "../support/race.js";
import { atMost, type Figure, reported } from "./figure.js";

const X = [1, 0, 0] as const;
const Y = [0, 1, 0] as const;
const Z = [0, 0, 1] as const;

/** A link of 1 m from a point along x. */
function link(m: Model, [x, y, z]: readonly [number, number, number]) {
  return m.body({ mass: 1, shape: rod({ length: 1, axis: X }), position: [x + 0.5, y, z] });
}

function chain(count: number, type: "revolute" | "spherical"): Model {
  const m = model();
  let last = m.ground;
  for (let i = 0; i < count; i++) {
    const body = link(m, [i, 0, 0]);
    if (type === "revolute") m.revolute({ between: [last, body], at: [i, 0, 0], axis: Y });
    else m.spherical({ between: [last, body], at: [i, 0, 0] });
    last = body;
  }
  return m;
}

/** Each link carries two others. */
function tree(count: number): Model {
  const m = model();
  const made: { body: ReturnType<typeof link>; end: readonly [number, number, number] }[] = [];
  for (let i = 0; i < count; i++) {
    const parent = i === 0 ? undefined : made[(i - 1) >> 1]!;
    const at = parent?.end ?? ([0, 0, 0] as const);
    const body = link(m, at);
    m.revolute({ between: [parent?.body ?? m.ground, body], at, axis: i % 3 === 0 ? Z : Y });
    made.push({ body, end: [at[0] + 1, at[1] + (i % 2 === 0 ? 0.3 : -0.3), at[2]] });
  }
  return m;
}

function fourBars(count: number): Model {
  const m = model({ gravity: [0, -9.81, 0] });
  for (let i = 0; i < Math.round(count / 3); i++) {
    const z = 0.1 * i;
    const upright = rod({ length: 1, axis: Y });
    const [left, right] = [0, 2].map((x) =>
      m.body({ mass: 1, shape: upright, position: [x, 0.5, z] }),
    ) as [ReturnType<typeof link>, ReturnType<typeof link>];
    const top = m.body({ mass: 2, shape: rod({ length: 2, axis: X }), position: [1, 1, z] });
    m.revolute({ between: [m.ground, left], at: [0, 0, z], axis: Z });
    m.revolute({ between: [left, top], at: [0, 1, z], axis: Z });
    m.revolute({ between: [top, right], at: [2, 1, z], axis: Z });
    m.revolute({ between: [m.ground, right], at: [2, 0, z], axis: Z });
  }
  return m;
}

/** A plate on six legs of two bodies each, with universal, prismatic and spherical joints. */
function platforms(count: number): Model {
  const m = model();
  for (let n = 0; n < Math.max(1, Math.round(count / 13)); n++) {
    const plate = m.body({ mass: 10, inertia: [1, 1, 2], position: [5 * n, 0, 1.2] });
    for (let i = 0; i < 6; i++) {
      const side = i % 2 === 0 ? 1 : -1;
      const [low, high] = [(Math.PI / 3) * (i + 0.35 * side), (Math.PI / 3) * (i - 0.3 * side)];
      const foot = [5 * n + 1.2 * Math.cos(low), 1.2 * Math.sin(low), 0] as const;
      const head = [5 * n + 0.5 * Math.cos(high), 0.5 * Math.sin(high), 1.2] as const;
      const along = (share: number) =>
        [0, 1, 2].map((k) => foot[k]! + share * (head[k]! - foot[k]!)) as [number, number, number];
      const axis = [0, 1, 2].map((k) => head[k]! - foot[k]!) as [number, number, number];
      const axisA = [-axis[1], axis[0], 0] as const;
      const axisB = [-axis[2] * axis[0], -axis[2] * axis[1], axis[0] ** 2 + axis[1] ** 2] as const;
      const [lower, upper] = [0.25, 0.75].map((share) =>
        m.body({ mass: 1, inertia: [0.1, 0.1, 0.1], position: along(share) }),
      ) as [ReturnType<typeof link>, ReturnType<typeof link>];
      m.universal({ between: [m.ground, lower], at: foot, axisA, axisB });
      m.prismatic({ between: [lower, upper], at: along(0.25), axis });
      m.spherical({ between: [upper, plate], at: head });
    }
  }
  return m;
}

/** A chain of hinges with springs, half of them by formulas. */
function springs(count: number): Model {
  const m = model();
  const k = m.parameter("k", 10);
  let last = m.ground;
  for (let i = 0; i < count; i++) {
    const body = link(m, [i, 0, 0]);
    const joint = m.revolute({ between: [last, body], at: [i, 0, 0], axis: Y });
    if (i % 2 === 0) m.torsionSpring({ joint, stiffness: k, damping: 0.1 });
    else m.torsionSpring({ joint, torque: "-20 * sin(angle) - 0.3 * rate" });
    last = body;
  }
  return m;
}

const FAMILIES: Readonly<Record<string, (count: number) => Model>> = {
  "chain of hinges": (count) => chain(count, "revolute"),
  "chain of balls": (count) => chain(count, "spherical"),
  "binary tree": tree,
  "four-bars": fourBars,
  "Stewart platforms": platforms,
  "hinges with springs and formulas": springs,
};

/** Numbers of bodies, and of repetitions. */
const SIZES = [
  [10, 400],
  [100, 40],
  [1000, 8],
] as const;
const MS_PER_BODY = 0.15;

/** The second half: compilers of the engine are busy during the first. */
const warm = (times: readonly number[]) => times.slice(times.length >> 1);

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** CPU of `compile` and of the first `simulate` of a compiled model. */
export async function* speedMakingFigures(): AsyncGenerator<Figure> {
  for (const [family, make] of Object.entries(FAMILIES)) {
    for (const [count, repeats] of SIZES) {
      const compiling: number[] = [];
      const simulating: number[] = [];
      let bodies: number = count;
      for (let i = 0; i < repeats; i++) {
        const description = make(count);
        const before = cpu();
        const system = await compile(description);
        const between = cpu();
        system.simulate({ step: 1e-3 });
        bodies = system.data.bodies.length;
        compiling.push((between - before) / bodies);
        simulating.push((cpu() - between) / bodies);
      }
      const what = `${family}, ${bodies} bodies, CPU ms a body`;
      yield atMost(`compile, ${what}, median`, median(warm(compiling)), MS_PER_BODY);
      yield atMost(`compile, ${what}, minimum`, Math.min(...compiling), MS_PER_BODY);
      yield reported(`compile, ${what}, first`, compiling[0]!);
      yield reported(`simulate, ${what}, median`, median(warm(simulating)));
    }
  }
  yield* firstSolveFigures();
}

// Each process runs one example ten times, from its file, so that nothing is warm but what Node itself is.
const SOLVE = `
  import { readFileSync } from "node:fs";
  import { readDocument } from "nodrift/files";
  import { solve } from "nodrift/solve";
  const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
  const document = JSON.parse(readFileSync("examples/" + process.argv[1] + ".json", "utf8"));
  delete document.output;
  document.solve = JSON.parse(process.argv[2]);
  const file = readDocument(document);
  const system = await file.compile();
  const options = file.solveOptions(system, { output: "ends" });
  const times = Array.from({ length: 10 }, () => {
    const before = cpu();
    if (solve(system, options).status !== "finished") process.exit(1);
    return cpu() - before;
  });
  console.log(JSON.stringify([times[0], times[9]]));
`;

const SOLVED = [
  ["double-pendulum", { span: [0, 1], tolerance: 1e-6 }],
  ["slider-crank", { span: [0, 1], tolerance: 1e-6 }],
  ["stiff-pendulum", { span: [0, 2], tolerance: 1e-6, firstStep: 1e-6 }],
] as const;

/** CPU of the first and the tenth `solve` of a process: medians over processes. */
function* firstSolveFigures(): Generator<Figure> {
  for (const [example, options] of SOLVED) {
    const runs = Array.from({ length: 11 }, () => {
      const args = ["--input-type=module", "-e", SOLVE, example, JSON.stringify(options)];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      if (status !== 0) throw new Error(`${example} failed: ${stderr}`);
      return JSON.parse(stdout) as [number, number];
    });
    const [first, tenth] = [0, 1].map((which) => median(runs.map((run) => run[which]!)));
    yield atMost(`first solve of a process, ${example}, CPU ms`, first!, 25);
    yield atMost(`tenth solve of a process, ${example}, CPU ms`, tenth!, 5);
  }
}
