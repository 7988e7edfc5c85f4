// Calls of `nodrift/solve` and `nodrift/kernels`.

import { projection, rk4, udwadiaKalaba } from "nodrift";
import * as kernels from "nodrift/kernels";
import * as solving from "nodrift/solve";
import { parseMethod, radau5 } from "nodrift/solve";
import { budget, type Call, exported, functionsOf, method } from "./call.js";
import { decay, pendulum, type World } from "./world.js";

const entry = "nodrift/solve";

const MAKERS: Readonly<Record<string, () => unknown[]>> = {
  ...Object.fromEntries(
    Object.keys(solving.adaptiveIntegrators)
      .filter((name) => Object.hasOwn(solving, name))
      .map((name) => [name, () => []]),
  ),
  adams: () => [{ maximumOrder: 6 }],
  bdf: () => [{ maximumOrder: 2 }],
  sdirk4: () => [{ gamma: "1/4" }],
  sdirk: () => [copyOf(solving.sdirk14Tableau)],
  embeddedRk: () => [copyOf(solving.dormandPrinceTableau)],
  stateSpace: () => [{ independent: ["x"], tolerance: 1e-12 }],
  firstOrder: () => [],
  index3: () => [],
  index2: () => [],
  gearGuptaLeimkuhler: () => [],
  fuhrerLeimkuhler: () => [{ form: "overdetermined" }],
  generalisedAlpha: () => [{ rhoInfinity: 0.9, form: "index3" }],
  hilberHughesTaylor: () => [{ alpha: -0.2, form: "stabilised" }],
  ode: () => [odeDescription()],
  parseMethod: () => ["udwadiaKalaba + projection + rk4"],
  methodNames: () => [],
  estimatesError: () => [{ integrator: Object.freeze(rk4()) }],
  initStiff: () => [undefined],
};

function copyOf<T extends object>(tableau: T): object {
  const { judge: _, ...rest } = tableau as { judge?: unknown };
  return structuredClone(rest);
}

function odeDescription() {
  const spend = budget();
  return {
    name: "decay",
    names: ["y"],
    rate: (_t: number, y: Float64Array, out: Float64Array) => {
      spend();
      out[0] = -(y[0] as number);
    },
    jacobian: (_t: number, _y: Float64Array, out: Float64Array) => {
      out[0] = -1;
    },
    y: [1],
  };
}

const options = () => ({
  span: [0, 0.05],
  q: [1, 0],
  v: [0, 0],
  start: "assemble",
  method: {
    formulation: Object.freeze(udwadiaKalaba()),
    stabilisation: Object.freeze(projection()),
    integrator: Object.freeze(solving.dp5()),
  },
  tolerance: { relative: 1e-6, absolute: { positions: 1e-8, velocities: 1e-8 } },
  firstStep: 1e-3,
  maximumStep: 0.1,
  output: { times: [0, 0.02, 0.05] },
  dense: false,
  each: () => {},
  keep: true,
  events: [
    {
      name: "low",
      when: (state: { q: Float64Array }) => (state.q[1] as number) + 2,
      direction: "both",
      terminal: false,
      modes: ["start"],
      action: () => {},
    },
  ],
  modes: Object.freeze({ other: pendulum() }),
  progress: () => {},
  signal: new AbortController().signal,
  maximumSteps: 20,
  maximumSeconds: 5,
});

export function solveCalls(world: World): Call[] {
  const { run, loop, solution, bodySolution } = world;
  const labels = ["positions", "solve", "no system", "pendulum", "coordinates", "event", "mode"];
  const onSolution = (given: unknown[]) => () => ({ on: solution(), given });
  return [
    ...Object.entries(MAKERS).map(([name, make]) =>
      exported(entry, name, (solving as Record<string, unknown>)[name], make, [
        "init",
        "method",
        "decay",
      ]),
    ),
    exported(entry, "solve", solving.solve, () => [pendulum(), options()], labels),
    exported(
      entry,
      "solve ode",
      solving.solve,
      () => [
        decay(),
        { span: [0, 1], y: [1], integrator: radau5(), output: { rate: 10 }, maximumSteps: 20 },
      ],
      labels,
    ),
    exported(
      entry,
      "solve mechanism",
      solving.solve,
      () => [
        world.compiled,
        {
          span: [0, 0.02],
          step: 0.01,
          method: parseMethod("udwadiaKalaba + projection + rk4"),
          maximumSteps: 9,
        },
      ],
      labels,
    ),
    exported(entry, "solveAsync", solving.solveAsync, () => [pendulum(), options()], labels),
    exported(entry, "start", solving.start, () => [pendulum(), options()], labels),
    exported(entry, "realtime", solving.realtime, () => [
      world.simulate(),
      { maximumSteps: 4, speed: 1 },
    ]),
    exported(entry, "realtime", solving.realtime, () => [
      world.compiled,
      { maximumSteps: 4, speed: 1, step: 0.01 },
    ]),
    method(
      "Run",
      "set",
      () => ({
        on: solving.start(world.compiled, { span: [0, 0.05] }),
        given: ["bar", { mass: 2 }],
      }),
      ["body", "parameters", "numbers"],
    ),
    method(
      "Run",
      "restore",
      () => {
        const made = run();
        made.step();
        return { on: made, given: [{ ...made.save(), numbers: { ...made.save().numbers } }] };
      },
      ["snapshot"],
    ),
    ...["step", "finish", "solution", "save"].map((name) =>
      method("Run", name, () => ({ on: run(), given: [] })),
    ),
    method("Solution", "at", onSolution([0.02])),
    method("Solution", "state", onSolution([0])),
    method("Solution", "column", onSolution(["x"]), ["reading"]),
    method(
      "Solution",
      "toCsv",
      () => ({
        on: solution(),
        given: [{ columns: ["x"], separator: ";" }],
      }),
      ["column"],
    ),
    method(
      "Solution",
      "csvLines",
      () => ({ on: solution(), given: [{ columns: ["x"], separator: ";" }] }),
      ["toCsv", "column"],
    ),
    method("Solution", "toJSON", onSolution([])),
    method("Solution", "body", () => ({ on: bodySolution(), given: ["bar"] })),
    method("Solution", "joint", () => ({ on: bodySolution(), given: ["hinge"] })),
    method("Realtime", "advance", () => ({ on: loop(), given: [1 / 60, () => {}] }), [
      "frame time",
      "each",
    ]),
    method("Realtime", "matrix", () => ({ on: loop(), given: ["bar", new Float64Array(16), 0] })),
    method("Realtime", "reset", () => ({ on: loop(), given: [] })),
    ...kernelCalls(),
  ];
}

function kernelCalls(): Call[] {
  const own: Readonly<Record<string, () => unknown[]>> = {
    planSparse: () => [
      { bodyCount: 2, bodySize: 6, constraints: [{ rows: 3, bodies: [0, 1] }] },
      [[]],
    ],
    checkStatus: () => ["kernel", 0],
    describeStatus: () => [0],
    hasFailed: () => [0],
    statusCode: () => [0],
    statusIndex: () => [0],
    init: () => [undefined],
    initSync: () => [undefined],
  };
  const plan = () => {
    const made = new kernels.ArenaPlan();
    const segment = made.reserve("a", 4);
    return { made, segment };
  };
  const arena = () => {
    const { made, segment } = plan();
    return { on: made.seal(), given: [segment] };
  };
  return [
    ...functionsOf(kernels).map(([name, value]) => {
      const sizes = Array.from({ length: 3 }, () => 3);
      const make = own[name] ?? (() => sizes.slice(0, sizesOf(name)));
      return exported("nodrift/kernels", name, value, make, ["constraint graph", "init", "status"]);
    }),
    method("ArenaPlan", "reserve", () => ({ on: plan().made, given: ["b", 3] }), ["slots", "name"]),
    method("ArenaPlan", "seal", () => ({ on: plan().made, given: [undefined] }), ["kernels"]),
    method("Arena", "floats", arena, ["segment"]),
    method("Arena", "integers", arena, ["segment"]),
    method(
      "Workspace",
      "constants",
      () => ({ on: new kernels.Workspace(kernels.initSync), given: ["c", [1, 2]] }),
      ["values", "name"],
    ),
    method(
      "Workspace",
      "vector",
      () => ({ on: new kernels.Workspace(kernels.initSync), given: ["c", 2] }),
      ["slots", "name"],
    ),
    method(
      "Workspace",
      "whenSealed",
      () => ({ on: new kernels.Workspace(kernels.initSync), given: [() => {}] }),
      ["action"],
    ),
  ];
}

/** Kernels of one square matrix take one size, others two; the solver also takes its method. */
function sizesOf(name: string): number {
  if (/^(svdValuesSlot|eigenValuesSlot)$/.test(name)) return 0;
  if (/^solverSlots$/.test(name)) return 3;
  if (/^(svd|fullPivotLuSlots|qr|cod|solver[VRI]|tangent(?!Columns))/.test(name)) return 2;
  return 1;
}
