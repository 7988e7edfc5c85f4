// Solves some motions and hashes the bits of their steps, events and ends: Node and a page must find the same.

import { compile } from "nodrift/bodies";
import { chain3d, nFourBar } from "nodrift/mechanisms";
import { adaptiveIntegrators, type Solution, solve } from "nodrift/solve";
import { pendulum } from "./formulation-systems.js";
import { Hash } from "./hash.js";

/** Hash of the times of all steps, the events and the end of each solution, by its name. */
export async function digestSolve(): Promise<Record<string, string>> {
  const { equations, q, v } = pendulum;
  const hashes: Record<string, string> = {};
  for (const [name, make] of Object.entries(adaptiveIntegrators)) {
    const events = [{ when: ({ q: [x] }: { q: Float64Array }) => x - 0.5 }];
    hashes[name] = bitsOf(solve(equations, { span: [0, 2], q, v, integrator: make(), events }));
  }
  hashes.chain = bitsOf(solve(await compile(chain3d(3)), { span: [0, 1] }));
  hashes["four-bar"] = bitsOf(solve(await compile(nFourBar(2)), { span: [0, 0.5] }));
  return hashes;
}

function bitsOf({ status, time, end, events }: Solution): string {
  if (status !== "finished") throw new Error(`a run ended: ${status}`);
  const hash = new Hash().add(time).add(end.q).add(end.v);
  return hash.add(Float64Array.from(events, (event) => event.time)).digest();
}
