// Runs that are saved and restored, after which every bit of the motion must be identical.

import {
  coordinatePartitioning,
  equations,
  type Method,
  maggi,
  projection,
  rk4,
  stagedProjection,
  udwadiaKalaba,
  welch,
} from "nodrift";
import { type CompiledModel, compile, type Model, model, rod } from "nodrift/bodies";
import { braunPendulum, chain3d, nFourBar, welchSliderCrank } from "nodrift/mechanisms";
import {
  adaptiveIntegrators,
  type EventOptions,
  type Run,
  type SolveOptions,
  type Source,
  start,
} from "nodrift/solve";

/** A run that can be started repeatedly. */
export interface SavedRun {
  readonly name: string;
  begin(options?: Partial<SolveOptions>): Run;
}

function savedRun<S extends Source>(name: string, source: S, options: SolveOptions<S>): SavedRun {
  const all = { output: "ends", ...options } as unknown as SolveOptions;
  return { name, begin: (more) => start(source as Source, { ...all, ...more }) };
}

/** A wheel rotated continuously by a drive, and one wound up by a spring through a pair of gears. */
function clockwork(): Model {
  const m = model({ name: "clockwork" });
  const wheel = { mass: 1, inertia: [0.1, 0.1, 0.1] as const };
  const [one, two, three] = [0, 1, 2].map((x) => m.body({ ...wheel, position: [x, 0, 0] }));
  const axis = [0, 0, 1] as const;
  const first = m.revolute({ between: [m.ground, one], at: [0, 0, 0], axis });
  const second = m.revolute({ name: "second", between: [m.ground, two], at: [1, 0, 0], axis });
  const third = m.revolute({ name: "third", between: [m.ground, three], at: [2, 0, 0], axis });
  m.driveAngle({ joint: first, angle: (t) => 8 * t + 0.3 * Math.sin(3 * t) });
  m.gear({ joints: [second, third], ratio: -2 });
  m.torsionSpring({ joint: second, stiffness: 0.5, angle: 40 });
  return m;
}

/** A parallelogram of three rods, with or without a spring across it. */
function parallelogram(spring: boolean): Model {
  const m = model({ name: "parallelogram", gravity: [0, -9.81, 0] });
  const bar = { mass: 1, shape: rod({ length: 1, axis: [1, 0, 0] }) };
  const turned = [Math.cos(0.5), 0, 0, Math.sin(0.5)] as const;
  const [x, y] = [Math.cos(1), Math.sin(1)];
  const left = m.body({ ...bar, position: [x / 2, y / 2, 0], orientation: turned });
  const top = m.body({ ...bar, position: [x + 0.5, y, 0] });
  const right = m.body({ ...bar, position: [1 + x / 2, y / 2, 0], orientation: turned });
  const axis = [0, 0, 1] as const;
  m.revolute({ name: "crank", between: [m.ground, left], at: [0, 0, 0], axis });
  m.revolute({ between: [left, top], at: [x, y, 0], axis });
  m.revolute({ between: [top, right], at: [1 + x, y, 0], axis });
  m.revolute({ between: [right, m.ground], at: [1, 0, 0], axis });
  if (spring) m.spring({ between: [m.ground, top], atB: [x, y, 0], stiffness: 30, damping: 0.2 });
  return m;
}

/** Falls between two stops, with a spring in the lower half: it never reaches the collinear pose. */
const falling: readonly EventOptions<CompiledModel>[] = [
  { name: "half", when: ({ q }) => q[0] - 0.35, action: half },
  { name: "low", when: ({ q }) => q[0] - 0.45, direction: "rising", action: (e) => e.bounce(0.9) },
  { name: "high", when: ({ q }) => q[0] - 0.2, direction: "falling", action: (e) => e.bounce() },
  { name: "turns back", when: ({ v }) => v[1] },
];

function half({ v, switchTo }: { readonly v: Float64Array; switchTo(mode: string): void }): void {
  switchTo(v[0] > 0 ? "sprung" : "start");
}

/** The bob of the pendulum, cut off its string and held by a spring. */
const ball = equations({
  name: "pendulum",
  coordinates: ["x", "y"],
  mass: [1, 1],
  forces: ([x, y], _, out) => {
    out.set([-4 * x, -9.81 - 4 * y]);
  },
  potential: ([x, y]) => 9.81 * y + 2 * (x * x + y * y),
});

const bouncing: readonly EventOptions[] = [
  { when: ({ q }) => q[1] + 0.7, direction: "falling", action: (e) => e.bounce(0.95) },
  { when: ({ q }) => q[0] - 0.1, action: (e) => e.switchTo(e.v[0] > 0 ? "start" : "free") },
];

async function mechanismRuns(): Promise<SavedRun[]> {
  const chain = await compile(chain3d(3));
  const fourBar = await compile(nFourBar(2));
  const plain = {
    formulation: udwadiaKalaba(),
    stabilisation: projection(),
    integrator: rk4(),
  };
  const staged: Method = { ...plain, stabilisation: stagedProjection() };
  return [
    savedRun("chain of 3 rods", chain, { span: [0, 3] }),
    savedRun("chain, backwards", chain, { span: [0, -1.6], tolerance: 1e-8 }),
    savedRun("four-bar, n = 2", fourBar, { span: [0, 0.6], maximumStep: 0.01 }),
    savedRun("four-bar, rk4 through a singular pose", fourBar, {
      span: [0, 1],
      step: 0.01,
      method: staged,
    }),
    savedRun("four-bar, welch", fourBar, {
      span: [0, 0.4],
      method: { coupled: welch() },
      tolerance: 1e-6,
    }),
    savedRun("clockwork", await compile(clockwork()), { span: [0, 12], tolerance: 1e-8 }),
    savedRun("clockwork, rk4", await compile(clockwork()), {
      span: [0, 1],
      method: plain,
      step: 0.01,
    }),
    savedRun("events and modes", await compile(parallelogram(false)), {
      span: [0, 4],
      tolerance: 1e-9,
      events: falling,
      modes: { sprung: await compile(parallelogram(true)) },
    }),
  ];
}

function equationRuns(): SavedRun[] {
  const { equations: pendulum, q, v } = braunPendulum;
  const swing = { q, v, span: [0, 3] as const, tolerance: 1e-5 };
  const { q: angles, v: rates, equations: crank } = welchSliderCrank;
  const integrator = adaptiveIntegrators.dop853();
  return [
    ...Object.entries(adaptiveIntegrators).map(([name, make]) =>
      savedRun(`pendulum, ${name}`, pendulum, {
        ...swing,
        maximumStep: 0.05,
        integrator: make(),
      }),
    ),
    savedRun("pendulum, welch", pendulum, {
      ...swing,
      span: [0, 0.8],
      method: { coupled: welch() },
    }),
    savedRun("pendulum, bounces and modes", pendulum, {
      ...swing,
      span: [0, 8],
      events: bouncing,
      modes: { free: ball },
    }),
    ...[maggi(), coordinatePartitioning()].map((formulation) =>
      savedRun(`slider-crank, ${formulation.name}`, crank, {
        q: angles,
        v: rates,
        span: [0, 4],
        tolerance: 1e-7,
        method: { formulation, integrator },
      }),
    ),
  ];
}

/** All of them. */
export async function savedRuns(): Promise<SavedRun[]> {
  return [...equationRuns(), ...(await mechanismRuns())];
}
