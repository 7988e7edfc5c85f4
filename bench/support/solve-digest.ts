// Solves some motions and hashes the bits of their steps, events and ends: Node and a page must find the same.

import { equations } from "nodrift";
import { compile } from "nodrift/bodies";
import { chain3d, hmmwv, nFourBar } from "nodrift/mechanisms";
import { adaptiveIntegrators, radau5, rodas, type Solution, sdirk4, solve } from "nodrift/solve";
import { Hash } from "./hash.js";

/** Sums and products alone: engines may differ in the last bit of other functions, and of powers. */
const pendulum = equations({
  coordinates: ["x", "y"],
  mass: [1, 1],
  forces: (_q, _v, out) => {
    out[0] = 0;
    out[1] = -9.81;
  },
  holonomic: {
    rows: 1,
    value: ([x, y], out) => {
      out[0] = x * x + y * y - 1;
    },
    jacobian: ([x, y], out) => {
      out[0] = 2 * x;
      out[1] = 2 * y;
    },
    gamma: (_q, [vx, vy], out) => {
      out[0] = -2 * (vx * vx + vy * vy);
    },
  },
});

/** Hash of the times of all steps, the events and the end of each solution, by its name. */
export async function digestSolve(): Promise<Record<string, string>> {
  const q = [1, 0];
  const hashes: Record<string, string> = {};
  for (const [name, make] of Object.entries(adaptiveIntegrators)) {
    const events = [{ when: ({ q: [x] }: { q: Float64Array }) => x - 0.5 }];
    hashes[name] = bitsOf(solve(pendulum, { span: [0, 2], q, integrator: make(), events }));
  }
  hashes.chain = bitsOf(solve(await compile(chain3d(3)), { span: [0, 1] }));
  hashes["four-bar"] = bitsOf(solve(await compile(nFourBar(2)), { span: [0, 0.5] }));
  // Handed over to an implicit method on the way, and by each of these from the beginning.
  const vehicle = await compile(hmmwv());
  hashes.vehicle = bitsOf(solve(vehicle, { span: [0, 1], tolerance: 1e-4 }));
  for (const integrator of [sdirk4(), rodas(), radau5()]) {
    const options = { span: [0, 0.7], tolerance: 1e-3, integrator } as const;
    hashes[`vehicle, ${integrator.name}`] = bitsOf(solve(vehicle, options));
  }
  return hashes;
}

function bitsOf({
  status,
  time,
  end,
  events,
}: Pick<Solution, "status" | "time" | "end" | "events">): string {
  if (status !== "finished") throw new Error(`a run ended: ${status}`);
  const hash = new Hash().add(time).add(end.q).add(end.v);
  return hash.add(Float64Array.from(events, (event) => event.time)).digest();
}
