import { type Method, simulate } from "../../../src/index.js";
import { distance } from "./distance.js";
import { projectedRk4 } from "./methods.js";
import type { OrderSystem } from "./order-systems.js";

/** Order of convergence of positions and velocities. */
export interface MeasuredOrder {
  /** Order of the positions. */
  readonly position: number;
  /** Order of the velocities. */
  readonly velocity: number;
}

/** Order of the errors of positions and velocities at t = 2 as the step is halved. */
export function measuredOrder(
  { equations, q, v }: OrderSystem,
  method: Method,
  step = 1 / 256,
): MeasuredOrder {
  const run = (tried: Method, length: number) =>
    simulate(equations, { method: tried, step: length, q, v }).runTo(2);
  const exact = run(projectedRk4, 1 / 2048);
  const [long, short] = [run(method, step), run(method, step / 2)];
  const order = (part: "q" | "v") =>
    Math.log2(distance(long[part], exact[part]) / distance(short[part], exact[part]));
  return { position: order("q"), velocity: order("v") };
}
