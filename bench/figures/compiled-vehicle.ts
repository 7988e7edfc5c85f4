import { type Body, compile, type Model, model } from "nodrift/bodies";
import { hmmwv, hmmwvRoad } from "nodrift/mechanisms";
import { radau5, solve } from "nodrift/solve";
import { atMost, type Figure } from "./figure.js";

/** Runs of each, in turns. */
const REPEATS = 5;

/** The vehicle with its springs, torsion springs and road as formulas, against its built-in laws: the same motion. */
export async function* compiledVehicleFigures(): AsyncGenerator<Figure> {
  const systems = [await compile(hmmwv()), await compile(byFormulas(hmmwv()))] as const;
  const options = { span: [0, 1], integrator: radau5(), tolerance: 1e-4 } as const;
  const seconds = [[], []] as [number[], number[]];
  const steps = [0, 0];
  for (let repeat = 0; repeat <= REPEATS; repeat++) {
    for (const [which, system] of systems.entries()) {
      const began = performance.now();
      const { statistics } = solve(system, options);
      // The first run of each compiles.
      if (repeat > 0) seconds[which]!.push(performance.now() - began);
      steps[which] = statistics.steps;
    }
  }
  const best = seconds.map((times) => Math.min(...times));
  yield atMost(
    "HMMWV with its laws as formulas: steps more or less than with built-in laws",
    Math.abs(steps[1]! - steps[0]!),
    0,
  );
  yield atMost("HMMWV with its laws as formulas: times as long", best[1]! / best[0]!, 1.1);
}

/** The calls of the model, with laws as formulas. */
function byFormulas(from: Model): Model {
  const to = model({ name: from.name, gravity: from.gravity });
  const made = new Map<unknown, unknown>([[from.ground, to.ground]]);
  const other = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(other) : (made.get(value) ?? value);
  for (const { made: handle, options } of from.calls()) {
    const own = Object.fromEntries(
      Object.entries(options).map(([key, value]) => [key, other(value)]),
    );
    const method =
      handle.kind === "marker"
        ? (made.get(handle.body) as Body).marker
        : to[handle.kind === "body" ? "body" : (handle.type as "fixed")];
    const type = "type" in handle ? handle.type : handle.kind;
    made.set(handle, (method as (given: unknown) => unknown)(lawsAsTexts(type, own)));
  }
  return to;
}

function lawsAsTexts(type: string, options: Record<string, unknown>): Record<string, unknown> {
  if (type === "tyre" && typeof options.height === "function") {
    const { slope: _, ...rest } = options;
    return { ...rest, height: bump() };
  }
  // A free length that is not given follows from the poses; the built-in law is kept then.
  if (type === "spring" && typeof options.length === "number") {
    const { stiffness = 0, damping = 0, length, ...rest } = options;
    return { ...rest, force: `-${stiffness} * (length - ${length}) - ${damping} * rate` };
  }
  if (type === "torsionSpring") {
    const { stiffness = 0, damping = 0, angle = 0, ...rest } = options;
    return { ...rest, torque: `-${stiffness} * (angle - (${angle})) - ${damping} * rate` };
  }
  return options;
}

/** sqrt(reach^2 - u^2) - radius, from its known top and ends. */
function bump(): string {
  const { centre, half } = hmmwvRoad;
  const top = hmmwvRoad.height(centre);
  const radius = (half ** 2 - top ** 2) / (2 * top);
  const u = `(x - ${centre})`;
  return `if(abs${u} < ${half}, sqrt(max(0, ${radius + top}^2 - ${u}^2)) - ${radius}, 0)`;
}
