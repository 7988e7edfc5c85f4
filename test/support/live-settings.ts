// Every settable value of every body, marker, joint and force, set at run time and by recompilation. Joints and
// forces come from the examples of the registries, so new ones are compared automatically.

import {
  type BodySimulation,
  type CompileOptions,
  compile,
  type Handle,
  type Model,
  model,
} from "nodrift/bodies";
import { forceCases } from "./force-cases.js";
import { freePair, jointCases, type Pair } from "./joint-cases.js";

/** One or more values of an object in a model. */
export interface Setting {
  /** Name in messages: `spring "s": stiffness`. */
  readonly name: string;
  /** Type of its owner: "spring", "body". */
  readonly type: string;
  /** The model with the original value, or with the new one. */
  readonly make: (isSet: boolean) => Model;
  /** Sets it while a simulation of the first runs. */
  readonly set: (simulation: BodySimulation) => void;
}

const UNSETTABLE = ["name", "position", "orientation", "velocity", "angularVelocity", "shape"];

/** Slightly changed values: geometry must still fit, and lists of directions change direction. */
function changed(value: unknown): unknown {
  if (typeof value === "number") return value === 0 ? 0.01 : 1.03 * value;
  if (Array.isArray(value)) return value.map((entry, i) => (i === 1 ? value[1] + 0.02 : entry));
  return undefined;
}

function isNumbers(value: unknown): boolean {
  return (
    typeof value === "number" ||
    (Array.isArray(value) && value.every((entry) => typeof entry === "number"))
  );
}

/** Sides of a comparison: options are changed when the model is built, or not. */
type Change = (type: string, options: object) => object;

/** The numeric options of an example, each with both ways to change it. */
function settingsOf(type: string, name: string, build: (change: Change) => Model): Setting[] {
  const first = build((_, options) => options);
  const call = first.calls().find(({ made }) => isOf(made, type, name));
  const { axisA, axisB, ...options } = call?.options ?? {};
  const single = Object.entries(options)
    .filter(([key, value]) => isNumbers(value) && !UNSETTABLE.includes(key))
    .map(([key, value]) => ({ [key]: changed(value) }));
  // Arms of a cross must stay perpendicular: both are turned.
  const arms = isNumbers(axisA) ? [{ axisA: [1, 2, 0.1], axisB: [-2, 1, 0] }] : [];
  return [...single, ...arms].map((values) => ({
    name: `${type} "${name}": ${Object.keys(values).join(" and ")}`,
    type,
    make: (isSet) =>
      build((each, given) => (isSet && each === type ? { ...given, ...values } : given)),
    set: (simulation) => {
      simulation.set(name, values as never);
    },
  }));
}

function isOf(made: Handle, type: string, name: string): boolean {
  return made.name === name && (made.kind === type || ("type" in made && made.type === type));
}

/** Two bodies, connected by the example and by a soft spring, so that everything moves a little. */
function pairWith(change: Change, add: (pair: Pair, change: Change) => void): Model {
  const pair = freePair("settings");
  add(pair, change);
  const holding = { between: [pair.m.ground, pair.b], stiffness: 3, damping: 0.2 } as const;
  pair.m.spring({ name: "hold", ...holding, atA: [1.3, 0.2, 2], atB: [1.1, 0.5, 1.2] });
  pair.m.pointForce({ name: "blow", on: pair.a, force: [0.3, -0.2, 0.4] });
  return pair.m;
}

/** All settings of all joints and forces of the registries, of a body and of a marker. */
export function allSettings(): Setting[] {
  const of = (examples: Readonly<Record<string, { readonly example: (pair: Pair) => object }>>) =>
    Object.entries(examples).flatMap(([type, { example }]) =>
      settingsOf(type, "x", (change) =>
        pairWith(change, (pair, own) => {
          const given = { ...example(pair), name: "x" };
          (pair.m[type as "fixed"] as (options: object) => unknown)(own(type, given));
        }),
      ),
    );
  return [...of(jointCases), ...of(forceCases), ...bodySettings(), ...markerSettings()];
}

function bodySettings(): Setting[] {
  const build = (options: object) => (change: Change) => {
    const m = model({ name: "settings", gravity: [0, 0, -2] });
    const given = { name: "x", position: [0.4, 0, 0], ...options };
    const x = m.body(change("body", given) as never);
    m.spherical({ between: [m.ground, x], at: [0, 0, 0] });
    const y = m.body({ name: "y", mass: 1, inertia: [0.1, 0.2, 0.2], position: [1, 0, 0] });
    m.revolute({ between: [x, y], at: [0.8, 0, 0], axis: [0, 1, 0] });
    return m;
  };
  return [
    ...settingsOf("body", "x", build({ mass: 2, inertia: [0.3, 0.4, 0.5], centre: [0.1, 0, 0] })),
  ];
}

function markerSettings(): Setting[] {
  const build = (change: Change) => {
    const m = model({ name: "settings", gravity: [0, 0, -2] });
    const x = m.body({ name: "b", mass: 2, inertia: [0.3, 0.4, 0.5], position: [0.4, 0, 0] });
    const given = { name: "x", at: [-0.4, 0, 0], axis: [0, 1, 0], x: [1, 0, 0] };
    const marker = x.marker(change("marker", given) as never);
    m.revolute({ between: [m.ground.marker({ axis: [0, 1, 0] }), marker] });
    return m;
  };
  return settingsOf("marker", "x", build).map((setting) => ({
    ...setting,
    set: (simulation) => {
      const option = setting.name.split(": ")[1]!;
      const value = setting
        .make(true)
        .calls()
        .find(({ made }) => made.name === "x")?.options[option];
      simulation.set("b:x", { [option]: value } as never);
    },
  }));
}

/** Steps on either side. */
const STEPS = 100;

/**
 * Runs a few steps, sets the value, and takes 100 more; the other side is compiled with the value and set to the same
 * state. Returns how many values of q, v and the multipliers differ in a bit, over all steps.
 */
export async function differingBits(
  setting: Setting,
  options: CompileOptions,
  before: number,
): Promise<number> {
  const step = 1 / 500;
  const one = (await compile(setting.make(false), options)).simulate({ step });
  // The offset of a screw is a constant of the tree; it is correct for another pitch only at the start.
  one.advance(setting.type === "screw" && setting.name.endsWith("pitch") ? 0 : before);
  setting.set(one);
  const other = (await compile(setting.make(true), options)).simulate({ step });
  const { q, v, time, unwrappedAngles } = one;
  const state = { q: q.slice(), v: v.slice() };
  for (const side of [one, other]) {
    side.setState(state.q, state.v, { time, unwrappedAngles, start: "asGiven" });
  }
  let differing = 0;
  for (let i = 0; i < STEPS; i++) {
    one.advance();
    other.advance();
    differing += count(one.q, other.q) + count(one.v, other.v);
  }
  return differing + count(one.multipliers(), other.multipliers());
}

function count(a: Float64Array, b: Float64Array): number {
  let differing = 0;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) differing++;
  return differing + Math.abs(a.length - b.length);
}
