// Mistakes in user functions: missing values, wrong signs, positions, lengths or types. One kind for each function of
// the public types that returns a value or receives arrays.

import { type EquationsDescription, equations, maggi, projection, rk4, simulate } from "nodrift";
import { withTracking } from "nodrift/analysis";
import { compile, type Model, model, type QuantityReader } from "nodrift/bodies";
import { equations as byFormulas } from "nodrift/formulas";
import { ode, radau5, solve } from "nodrift/solve";
import { seeded } from "./random.js";

type Given = (...given: unknown[]) => unknown;
type Floats = Float64Array;
type Motion = Readonly<
  Record<
    | "point"
    | "position"
    | "rotation"
    | "axes"
    | "velocity"
    | "angularVelocity"
    | "force"
    | "torque",
    Floats
  >
>;
type Motions = readonly [Motion];
interface State {
  readonly time: number;
  readonly q: Floats;
}

interface SlipOutcome {
  /** The error, or reason and notes of the run. */
  readonly words: string;
  readonly isFinished: boolean;
  readonly drift: number;
  readonly end: readonly number[];
}

interface FunctionKind {
  /** Name of the function. */
  readonly name: string;
  /** Its name in messages. */
  readonly called: RegExp;
  readonly right: Given;
  /** Type of its result: a number, a list of numbers, or nothing if it writes to an argument. */
  readonly returns: number | "number" | "nothing";
  /** Whether it can be compared with another function. */
  readonly isDerivative?: boolean;
  /** Whether it receives arrays. */
  readonly hasArrays?: boolean;
  readonly run: (given: never) => SlipOutcome | Promise<SlipOutcome>;
}

interface Slip {
  readonly kind: FunctionKind;
  readonly name: string;
  readonly given: Given;
  /** Expected outcome: a message, or the same motion. */
  readonly expects: "message" | "same";
}

interface Run {
  readonly status: string;
  readonly reason: string;
  readonly notes: readonly string[];
  readonly statistics: { readonly maximumDrift?: { readonly position: number } };
  readonly end: { readonly q: Float64Array; readonly v: Float64Array };
}

function outcome(attempt: () => Run): SlipOutcome {
  try {
    const { status, reason, notes, statistics, end } = attempt();
    return {
      words: [reason, ...notes].join("; "),
      isFinished: status === "finished",
      drift: statistics.maximumDrift?.position ?? 0,
      end: [...end.q, ...end.v],
    };
  } catch (error) {
    return { words: (error as Error).message, isFinished: false, drift: 0, end: [] };
  }
}

const SPAN = [0, 0.4] as const;
/** Wrong functions may take a long time. */
const LIMIT = { maximumSeconds: 20 };

/** A pendulum of variable length, with all optional functions. */
const LENGTH = (t: number) => 1 + 0.3 * Math.sin(t + 0.5);
const RATE = (t: number) => 0.3 * Math.cos(t + 0.5);
const pendulum: EquationsDescription & Required<Pick<EquationsDescription, "holonomic">> = {
  name: "pendulum",
  coordinates: ["x", "y"],
  mass: { full: () => [2, 0.3, 0.3, 1] },
  forces: (q) => [-3 * q[0]!, -9.81],
  potential: (q) => 1.5 * q[0]! ** 2 + 9.81 * q[1]!,
  potentialGradient: (q) => [3 * q[0]!, 9.81],
  holonomic: {
    rows: ["length"],
    value: (q, _out, t) => [q[0]! ** 2 + q[1]! ** 2 - LENGTH(t) ** 2],
    jacobian: (q) => [2 * q[0]!, 2 * q[1]!],
    timeDerivative: (_q, _out, t) => [-2 * LENGTH(t) * RATE(t)],
    gamma: (_q, v, _out, t) => [
      -2 * (v[0]! ** 2 + v[1]! ** 2) + 2 * (RATE(t) ** 2 - LENGTH(t) * 0.3 * Math.sin(t + 0.5)),
    ],
  },
};
const swing = {
  q: [0.6 * LENGTH(0), -0.8 * LENGTH(0)],
  v: [0.6 * RATE(0) + 0.8, -0.8 * RATE(0) + 0.6],
};
const swinging = (changed: Partial<EquationsDescription>) =>
  outcome(() => solve(equations({ ...pendulum, ...changed }), { ...LIMIT, span: SPAN, ...swing }));
const bound = (changed: Partial<EquationsDescription["holonomic"]>) =>
  swinging({ holonomic: { ...pendulum.holonomic, ...changed } });

/** A sledge on a knife edge. */
const sledge: EquationsDescription & Required<Pick<EquationsDescription, "nonholonomic">> = {
  name: "sledge",
  coordinates: ["x", "y", "turn"],
  mass: [1, 1, 0.2],
  forces: (q, v) => [1 - 0.1 * v[0]!, -0.1 * v[1]!, 0.5 - q[2]!],
  nonholonomic: {
    rows: ["edge"],
    value: (q, v) => [Math.sin(q[2]!) * v[0]! - Math.cos(q[2]!) * v[1]!],
    jacobian: (q) => [Math.sin(q[2]!), -Math.cos(q[2]!), 0],
    gamma: (q, v) => [-v[2]! * (Math.cos(q[2]!) * v[0]! + Math.sin(q[2]!) * v[1]!)],
  },
};
const gliding = (changed: Partial<EquationsDescription["nonholonomic"]>) =>
  outcome(() =>
    solve(equations({ ...sledge, nonholonomic: { ...sledge.nonholonomic, ...changed } }), {
      ...LIMIT,
      span: SPAN,
      q: [0.1, 0.2, 0.6],
      v: [Math.cos(0.6), Math.sin(0.6), 0.7],
    }),
  );

/** Two masses, with a function of the positions that follows a motion. */
const tracked = {
  value: (q: Float64Array) => q[0]! * q[1]!,
  gradient: (q: Float64Array) => [q[1]!, q[0]!],
  curvature: (_q: Float64Array, v: Float64Array) => 2 * v[0]! * v[1]!,
};
const reference = {
  reference: (t: number) => 2 + Math.sin(t + 0.4) - Math.sin(0.4),
  rate: (t: number) => Math.cos(t + 0.4),
  acceleration: (t: number) => -Math.sin(t + 0.4),
};
const following = (follows: Partial<typeof tracked>, motion: Partial<typeof reference>) =>
  outcome(() => {
    const masses: EquationsDescription = {
      coordinates: ["a", "b"],
      mass: [1, 2],
      forces: (q) => [-q[0]!, -q[1]!],
    };
    const description = withTracking(masses, [
      {
        name: "product",
        follows: { ...tracked, ...follows } as typeof tracked,
        ...reference,
        ...motion,
      },
    ]);
    return solve(equations(description), {
      ...LIMIT,
      span: SPAN,
      q: [1, 2],
      v: [0.1, Math.cos(0.4) - 0.2],
    });
  });

/** Characteristics of Maggi's equations: the polar angle rate of a pendulum of constant length. */
const characteristics = {
  count: 1,
  value: (q: Float64Array, v: Float64Array, out: Float64Array) => {
    out[0] = q[0]! * v[1]! - q[1]! * v[0]!;
  },
  jacobian: (q: Float64Array, out: Float64Array) => {
    out[0] = -q[1]!;
    out[1] = q[0]!;
  },
  rate: (_q: Float64Array, _v: Float64Array, out: Float64Array) => {
    out[0] = 0;
  },
};
const byMaggi = (changed: Partial<typeof characteristics>) =>
  outcome(() => {
    const arm = equations({
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: () => [0, -9.81],
      holonomic: { rows: ["length"], value: (q) => [q[0]! ** 2 + q[1]! ** 2 - 1] },
    });
    const formulation = maggi({ characteristics: { ...characteristics, ...changed } });
    const simulation = simulate(arm, {
      method: { formulation, stabilisation: projection(), integrator: rk4() },
      step: 1e-2,
      q: [0.6, -0.8],
      v: [0.8, 0.6],
    });
    simulation.runTo(0.2);
    const { q, v } = simulation;
    const error = simulation.constraintError().position;
    return {
      status: "finished",
      reason: "",
      notes: [],
      statistics: { maximumDrift: { position: error } },
      end: { q, v },
    };
  });

/** A stiff equation, for its df/dy. */
const decay = {
  rate: (_t: number, y: Float64Array) => [-500 * (y[0]! - y[1]! ** 2), y[0]! * y[1]! - 2 * y[1]!],
  jacobian: (_t: number, y: Float64Array, out: Float64Array) => {
    out.set([-500, y[1]!, 1000 * y[1]!, y[0]! - 2]);
  },
};
const decaying = (changed: Partial<typeof decay>) =>
  outcome(
    () =>
      solve(ode({ name: "decay", names: ["a", "b"], ...decay, ...changed }), {
        ...LIMIT,
        span: SPAN,
        y: [0.5, 1],
        integrator: radau5(),
      }) as unknown as Run,
  );

/** A mechanism: a hinged bar with a sliding weight at its end. */
async function moving(
  add: (m: Model, parts: Parts) => void,
  events?: readonly object[],
): Promise<SlipOutcome> {
  const m = model({ name: "machine" });
  const bar = m.body({ name: "bar", mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0] });
  const ball = m.body({
    name: "ball",
    mass: 1,
    inertia: [0.1, 0.2, 0.25],
    angularVelocity: [0.3, 0.2, 0.1],
    position: [0, 2, 1],
  });
  const hinge = m.revolute({
    name: "hinge",
    between: [m.ground, bar],
    at: [0, 0, 0],
    axis: [0, 1, 0],
  });
  try {
    add(m, { bar, ball, hinge });
    const compiled = await compile(m);
    return outcome(() => {
      const options = events === undefined ? {} : { events };
      return solve(
        compiled as never,
        { ...LIMIT, span: SPAN, ...options } as never,
      ) as unknown as Run;
    });
  } catch (error) {
    return { words: (error as Error).message, isFinished: false, drift: 0, end: [] };
  }
}

interface Parts {
  readonly bar: ReturnType<Model["body"]>;
  readonly ball: ReturnType<Model["body"]>;
  readonly hinge: ReturnType<Model["revolute"]>;
}

const drive = {
  value: (t: number) => 0.3 * Math.sin(2 * t + 0.3),
  rate: (t: number) => 0.6 * Math.cos(2 * t + 0.3),
  acceleration: (t: number) => -1.2 * Math.sin(2 * t + 0.3),
};
const driven = (changed: Partial<typeof drive>) =>
  moving((m, { hinge }) => {
    m.driveAngle({ name: "crank", joint: hinge, angle: { ...drive, ...changed } });
  });
const motored = (target: unknown, rest: object = {}) =>
  moving((m, { hinge }) => {
    const options = { joint: hinge, mode: "position", target, stiffness: 50, damping: 5, ...rest };
    m.motor({ name: "servo", ...options } as never);
  });

const road = {
  height: (x: number, y: number) => 0.1 * Math.sin(x + 0.3) + 0.05 * y,
  slope: (x: number) => [0.1 * Math.cos(x + 0.3), 0.05],
};
const rolling = (changed: Partial<typeof road>) =>
  moving((m, { ball }) => {
    m.tyre({ name: "tyre", wheel: ball, stiffness: 2e3, radius: 2, ...road, ...changed } as never);
  });

/** Every user function. */
export const functionKinds: readonly FunctionKind[] = [
  kind(
    "mass.full",
    /mass/,
    () => [2, 0.3, 0.3, 1],
    4,
    (f) => swinging({ mass: { full: f } }),
    { hasArrays: true },
  ),
  kind(
    "mass.diagonal",
    /mass/,
    () => [2, 1],
    2,
    (f) => swinging({ mass: { diagonal: f } }),
    { hasArrays: true },
  ),
  kind("forces", /forces/, pendulum.forces, 2, (forces) => swinging({ forces }), {
    hasArrays: true,
  }),
  kind(
    "potential",
    /potential/,
    pendulum.potential!,
    "number",
    (potential) => swinging({ potential }),
    { hasArrays: true },
  ),
  kind(
    "potentialGradient",
    /potentialGradient/,
    pendulum.potentialGradient!,
    2,
    (potentialGradient) => swinging({ potentialGradient }),
    { hasArrays: true, isDerivative: true },
  ),
  kind(
    "power",
    /power/,
    (_q: Floats, v: Floats) => -0.1 * v[0]! ** 2,
    "number",
    (power) => swinging({ power, forces: (q, v) => [-3 * q[0]! - 0.1 * v[0]!, -9.81] }),
    { hasArrays: true, isDerivative: true },
  ),
  kind(
    "nonIdeal.force",
    /nonIdeal/,
    (_q: Floats, v: Floats) => [-0.2 * v[0]!, -0.2 * v[1]!],
    2,
    (force) => swinging({ nonIdeal: { force } }),
    { hasArrays: true },
  ),
  kind(
    "holonomic.value",
    /holonomic.value/,
    pendulum.holonomic.value,
    1,
    (value) => bound({ value }),
    { hasArrays: true },
  ),
  kind(
    "holonomic.jacobian",
    /holonomic.jacobian/,
    pendulum.holonomic.jacobian!,
    2,
    (jacobian) => bound({ jacobian }),
    { hasArrays: true, isDerivative: true },
  ),
  kind(
    "holonomic.timeDerivative",
    /holonomic.timeDerivative/,
    pendulum.holonomic.timeDerivative!,
    1,
    (timeDerivative) => bound({ timeDerivative }),
    { hasArrays: true, isDerivative: true },
  ),
  kind(
    "holonomic.gamma",
    /holonomic.gamma/,
    pendulum.holonomic.gamma!,
    1,
    (gamma) => bound({ gamma }),
    { hasArrays: true, isDerivative: true },
  ),
  kind(
    "nonholonomic.value",
    /nonholonomic.value/,
    sledge.nonholonomic.value,
    1,
    (value) => gliding({ value }),
    { hasArrays: true },
  ),
  kind(
    "nonholonomic.jacobian",
    /nonholonomic.jacobian/,
    sledge.nonholonomic.jacobian!,
    3,
    (jacobian) => gliding({ jacobian }),
    { hasArrays: true, isDerivative: true },
  ),
  kind(
    "nonholonomic.gamma",
    /nonholonomic.gamma/,
    sledge.nonholonomic.gamma!,
    1,
    (gamma) => gliding({ gamma }),
    { hasArrays: true, isDerivative: true },
  ),
  kind(
    "tracking: follows.value",
    /product/,
    tracked.value,
    "number",
    (value) => following({ value }, {}),
    { hasArrays: true },
  ),
  kind(
    "tracking: follows.gradient",
    /product/,
    tracked.gradient,
    2,
    (gradient) => following({ gradient }, {}),
    { hasArrays: true, isDerivative: true },
  ),
  kind(
    "tracking: follows.curvature",
    /product/,
    tracked.curvature,
    "number",
    (curvature) => following({ curvature }, {}),
    { hasArrays: true, isDerivative: true },
  ),
  kind("tracking: reference", /product/, reference.reference, "number", (f) =>
    following({}, { reference: f }),
  ),
  kind("tracking: rate", /product/, reference.rate, "number", (rate) => following({}, { rate }), {
    isDerivative: true,
  }),
  kind(
    "tracking: acceleration",
    /product/,
    reference.acceleration,
    "number",
    (acceleration) => following({}, { acceleration }),
    { isDerivative: true },
  ),
  kind(
    "maggi: value",
    /characteristic/,
    characteristics.value,
    "nothing",
    (value) => byMaggi({ value }),
    { hasArrays: true },
  ),
  kind(
    "maggi: jacobian",
    /characteristic/,
    characteristics.jacobian,
    "nothing",
    (jacobian) => byMaggi({ jacobian }),
    { hasArrays: true, isDerivative: true },
  ),
  kind(
    "maggi: rate",
    /characteristic/,
    characteristics.rate,
    "nothing",
    (rate) => byMaggi({ rate }),
    { hasArrays: true },
  ),
  kind("ode: rate", /rate/, decay.rate, 2, (rate) => decaying({ rate }), { hasArrays: true }),
  kind(
    "ode: jacobian",
    /jacobian/,
    decay.jacobian,
    "nothing",
    (jacobian) => decaying({ jacobian }),
    { hasArrays: true, isDerivative: true },
  ),
  kind(
    "formulas: force",
    /forces gave/,
    (q: Floats, v: Floats) => -q[0]! - 0.1 * v[0]!,
    "number",
    (force) =>
      outcome(
        () =>
          solve(byFormulas({ coordinates: ["x"], lagrangian: "x'^2/2", forces: { x: force } }), {
            ...LIMIT,
            span: SPAN,
            q: [1],
            v: [0.3],
          }) as unknown as Run,
      ),
    { hasArrays: true },
  ),
  kind(
    "constraint.value",
    /bead/,
    ([pose]: Motions) => [pose.position[2]! - 1 - 0.1 * pose.position[0]! ** 2],
    1,
    (value) =>
      moving(
        (m, { ball }) =>
          void m.constraint({
            name: "bead",
            bodies: [ball],
            rows: ["height"],
            value,
          }),
      ),
    { hasArrays: true },
  ),
  kind(
    "userForce.apply",
    /push/,
    ([{ position, rotation }]: Motions, [{ force, torque }]: Motions) => {
      force[0]! -= position[0]! + 1;
      torque[1]! += 0.1 * rotation[0]!;
    },
    "nothing",
    (apply) => moving((m, { ball }) => void m.userForce({ name: "push", bodies: [ball], apply })),
    { hasArrays: true },
  ),
  kind("drive", /crank/, drive.value, "number", (angle) =>
    moving((m, { hinge }) => void m.driveAngle({ name: "crank", joint: hinge, angle })),
  ),
  kind("drive.value", /crank/, drive.value, "number", (value) => driven({ value })),
  kind("drive.rate", /crank/, drive.rate, "number", (rate) => driven({ rate }), {
    isDerivative: true,
  }),
  kind(
    "drive.acceleration",
    /crank/,
    drive.acceleration,
    "number",
    (acceleration) => driven({ acceleration }),
    { isDerivative: true },
  ),
  kind(
    "spring.force",
    /spring "s"/,
    (l: number, r: number) => -5 * (l - 1) - r,
    "number",
    (force) =>
      moving((m, { ball, bar }) => void m.spring({ name: "s", between: [bar, ball], force })),
  ),
  kind(
    "torsionSpring.torque",
    /torsionSpring "s"/,
    (a: number, r: number) => -5 * a - r,
    "number",
    (torque) => moving((m, { hinge }) => void m.torsionSpring({ name: "s", joint: hinge, torque })),
  ),
  kind(
    "pointForce.force",
    /push/,
    (t: number, { point, velocity }: Motion) => [t - point[0]!, -velocity[1]!, 1],
    3,
    (force) => moving((m, { ball }) => void m.pointForce({ name: "push", on: ball, force })),
    { hasArrays: true },
  ),
  kind(
    "torque.torque",
    /twist/,
    (t: number, { angularVelocity, axes }: Motion) => [t, -angularVelocity[1]!, 0.1 * axes[0]!],
    3,
    (torque) => moving((m, { ball }) => void m.torque({ name: "twist", on: ball, torque })),
    { hasArrays: true },
  ),
  kind("tyre.height", /tyre/, road.height, "number", (height) => rolling({ height })),
  kind("tyre.slope", /tyre/, road.slope, 2, (slope) => rolling({ slope }), { isDerivative: true }),
  kind("motor.target", /servo/, drive.value, "number", (target) => motored(target)),
  kind("motor.target.value", /servo/, drive.value, "number", (value) =>
    motored({ ...drive, value, acceleration: undefined }),
  ),
  kind(
    "motor.target.rate",
    /servo/,
    drive.rate,
    "number",
    (rate) => motored({ value: drive.value, rate }),
    { isDerivative: true },
  ),
  kind(
    "motor.feedForward",
    /servo/,
    (t: number) => Math.sin(t),
    "number",
    (feedForward) => motored(0.2, { feedForward }),
  ),
  kind(
    "states.rates",
    /filter/,
    (_t: number, y: Floats, read: QuantityReader) => [
      read.angle("hinge") - y[0]!,
      y[0]! - 2 * y[1]!,
    ],
    2,
    (rates) => moving((m) => void m.states({ name: "filter", names: ["a", "b"], rates })),
    { hasArrays: true },
  ),
  kind(
    "controller.sample",
    /pid/,
    (_t: number, read: QuantityReader) => [-read.angle("hinge"), read.angleRate("hinge")],
    2,
    (sample) =>
      moving((m, { hinge }) => {
        m.controller({ name: "pid", every: 0.02, outputs: ["u", "w"], sample });
        m.motor({ joint: hinge, mode: "torque", target: "output('pid.u')" } as never);
      }),
  ),
  kind(
    "reader",
    /push/,
    (_t: number, _motion: Motion, read: QuantityReader) => {
      const r = read.rotation("ball");
      const w = read.angularVelocity("ball");
      const p = read.position("ball");
      const u = read.velocity("ball");
      const out = [-p[0]!, r[0]!, w[1]! + u[2]! * 0.1];
      if (slipped) for (const each of [r, w, p, u]) each.fill(7);
      return out;
    },
    3,
    (force) =>
      moving((m, { ball }) => {
        m.pointForce({ name: "push", on: ball, force });
        // Reads the same body afterwards.
        const apply = ([{ rotation }]: Motions, [{ torque }]: Motions) => {
          torque[0]! += rotation[0]!;
        };
        m.userForce({ bodies: [ball], apply: apply as never });
      }),
    { hasArrays: true },
  ),
  kind(
    "event.when",
    /landing/,
    ({ time, q }: State) => time - 0.2 + 0 * q[0]!,
    "number",
    (when) => moving(() => {}, [{ name: "landing", when, terminal: false }]),
  ),
];

/** Set while the arrays returned by a reader are overwritten. */
let slipped = false;

function kind(
  name: string,
  called: RegExp,
  right: (...given: never[]) => unknown,
  returns: FunctionKind["returns"],
  run: FunctionKind["run"],
  more: Pick<FunctionKind, "isDerivative" | "hasArrays"> = {},
): FunctionKind {
  return { name, called, right: right as Given, returns, run, ...more };
}

/**
 * All mistakes of one kind; those with a random position or time depend on the seed. `calls`: number of calls of the
 * correct function in a run.
 */
function slipsOf(kind: FunctionKind, seed: number, calls: number): readonly Slip[] {
  const random = seeded(seed);
  const { right, returns } = kind;
  // Within the first half, because later a run may no longer call the function.
  const until = Math.floor((calls / 4) * (random() + 1));
  const slip = (name: string, given: Given, expects: Slip["expects"] = "message"): Slip => {
    // Functions whose number of parameters is significant keep it.
    return {
      kind,
      name,
      given: Object.defineProperty(given, "length", { value: right.length }),
      expects,
    };
  };
  /** Correct until some call. */
  const late = (wrong: Given): Given => {
    let done = 0;
    return (...given) => (done++ < until ? right(...given) : wrong(...given));
  };
  const constant = (value: unknown) => () => value;
  const slips: Slip[] = [];
  if (returns === "number") {
    for (const value of [undefined, Number.NaN, "1", null, [1]]) {
      slips.push(slip(`returns ${String(value)}`, constant(value)));
      slips.push(slip(`returns ${String(value)} later`, late(constant(value))));
    }
  } else if (returns !== "nothing") {
    const place = Math.floor(((random() + 1) / 2) * returns);
    const changed =
      (change: (list: unknown[]) => unknown): Given =>
      (...given) =>
        change([...(right(...given) as number[])]);
    const wrong: [string, Given][] = [
      ["returns nothing", (...given) => void right(...given)],
      ["returns too few", changed((list) => list.slice(1))],
      ["returns too many", changed((list) => [...list, 1])],
      ["returns NaN in a place", changed((list) => replaced(list, place, Number.NaN))],
      ["returns null in a place", changed((list) => replaced(list, place, null))],
      ["returns text", changed((list) => "1".repeat(list.length))],
      ["returns a promise", changed((list) => Promise.resolve(list))],
    ];
    for (const [name, given] of wrong)
      slips.push(slip(name, given), slip(`${name} later`, late(given)));
  } else {
    slips.push(slip("returns numbers", () => [1, 2]));
    slips.push(
      slip(
        "returns numbers later",
        late(() => [1, 2]),
      ),
    );
    slips.push(
      slip("writes NaN", (...given) => {
        right(...given);
        for (const each of outputsOf(kind, given)) each[0] = Number.NaN;
      }),
    );
  }
  if (kind.isDerivative) slips.push(...wrongDerivatives(kind, slip));
  if (kind.hasArrays) {
    slips.push(
      slip(
        "overwrites what it is given",
        (...given) => {
          slipped = true;
          const result = right(...given);
          slipped = false;
          for (const each of inputsOf(kind, given)) each.fill(7);
          return result;
        },
        "same",
      ),
    );
  }
  return slips;
}

/** Outcome of a mistake. */
export interface JudgedSlip {
  readonly slip: Slip;
  /** A message names the function. */
  readonly isNamed: boolean;
  /** Whether the motion is bitwise that of the correct function. */
  readonly isSame: boolean;
  /** Notes of a finished run. */
  readonly drift: number;
  readonly words: string;
}

/** Runs all mistakes of all kinds. */
export async function* slipOutcomes(seed: number): AsyncGenerator<JudgedSlip> {
  for (const kind of functionKinds) {
    let calls = 0;
    const counted: Given = (...given) => {
      calls++;
      return kind.right(...given);
    };
    Object.defineProperty(counted, "length", { value: kind.right.length });
    const plain = await kind.run(counted as never);
    if (!plain.isFinished) throw new Error(`${kind.name}: ${plain.words}`);
    for (const slip of slipsOf(kind, seed, calls)) {
      const { words, isFinished, drift, end } = await kind.run(slip.given as never);
      const isSame = isFinished && end.every((one, i) => one === plain.end[i]);
      const isNamed = kind.called.test(words);
      yield { slip, isNamed, isSame, drift: isFinished ? drift : 0, words };
    }
  }
}

function wrongDerivatives(
  { right, returns }: FunctionKind,
  slip: (name: string, given: Given) => Slip,
): Slip[] {
  if (returns === "nothing") {
    const changed =
      (change: (each: number, i: number, all: Float64Array) => number): Given =>
      (...given) => {
        right(...given);
        const out = lastArray(given);
        out.set(out.slice().map(change));
      };
    return [
      slip(
        "has the wrong sign",
        changed((each) => -each),
      ),
      slip(
        "has the wrong sign in one place",
        changed((each, i) => (i === 1 ? -each : each)),
      ),
      slip(
        "writes nothing",
        changed(() => 0),
      ),
      slip(
        "has places swapped",
        changed((_, i, all) => all[all.length - 1 - i]!),
      ),
      slip(
        "leaves one place out",
        changed((each, i) => (i === 0 ? 0 : each)),
      ),
    ];
  }
  const numbers = (result: unknown) =>
    returns === "number" ? [result as number] : [...(result as number[])];
  const changed =
    (change: (list: number[]) => number[]): Given =>
    (...given) => {
      const list = change(numbers(right(...given)));
      return returns === "number" ? list[0] : list;
    };
  const slips = [
    slip(
      "has the wrong sign",
      changed((list) => list.map((each) => -each)),
    ),
    slip(
      "is twice as large",
      changed((list) => list.map((each) => 2 * each)),
    ),
    slip(
      "is zero",
      changed((list) => list.map(() => 0)),
    ),
    slip(
      "is off by a tenth",
      changed((list) => list.map((each) => 1.1 * each)),
    ),
  ];
  if (returns === "number" || returns < 2) return slips;
  return [
    ...slips,
    slip(
      "has the wrong sign in one place",
      changed(([first = 0, ...rest]) => [-first, ...rest]),
    ),
    slip(
      "has two places swapped",
      changed(([first = 0, second = 0, ...rest]) => [second, first, ...rest]),
    ),
    slip(
      "leaves one place out",
      changed(([, ...rest]) => [0, ...rest]),
    ),
  ];
}

/** Array parameters that are inputs. */
function inputsOf({ returns, name }: FunctionKind, given: readonly unknown[]): Float64Array[] {
  const found = given.flatMap((each) => arraysIn(each));
  if (name === "userForce.apply") return arraysIn(given[0]).filter((_, i) => i % 7 < 5);
  if (returns === "nothing") return found.slice(0, -1);
  return found;
}

function outputsOf({ name }: FunctionKind, given: readonly unknown[]): Float64Array[] {
  if (name === "userForce.apply") return [(given[1] as { force: Float64Array }[])[0]!.force];
  return [lastArray(given)];
}

function lastArray(given: readonly unknown[]): Float64Array {
  return given.filter((each) => each instanceof Float64Array).at(-1) as Float64Array;
}

function replaced(list: readonly unknown[], place: number, value: unknown): unknown[] {
  return list.map((each, i) => (i === place ? value : each));
}

function arraysIn(value: unknown): Float64Array[] {
  if (value instanceof Float64Array) return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((each) => arraysIn(each));
}
