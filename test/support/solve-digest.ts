// Solves some motions and hashes the bits of their steps, events and ends: Node and a page must get identical hashes.

import { equations } from "nodrift";
import { compile } from "nodrift/bodies";
import { equations as byFormulas, ode } from "nodrift/formulas";
import { chain3d, hmmwv, nFourBar } from "nodrift/mechanisms";
import { adaptiveIntegrators, radau5, rodas, type Solution, sdirk4, solve } from "nodrift/solve";
import { Hash } from "./hash.js";
import { biped1Formulas, sliderCrankFormulas } from "./paper-formulas.js";

/** Sums and products only, because engines may differ in the last bit of other functions and powers. */
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
  for (const [name, hash] of formulaRuns()) hashes[name] = hash;
  hashes.chain = bitsOf(solve(await compile(chain3d(3)), { span: [0, 1] }));
  hashes["four-bar"] = bitsOf(solve(await compile(nFourBar(2)), { span: [0, 0.5] }));
  // With a switch to an implicit method during the run, and with each implicit method from the start.
  const vehicle = await compile(hmmwv());
  hashes.vehicle = bitsOf(solve(vehicle, { span: [0, 1], tolerance: 1e-4 }));
  for (const integrator of [sdirk4(), rodas(), radau5()]) {
    const options = { span: [0, 0.7], tolerance: 1e-3, integrator } as const;
    hashes[`vehicle, ${integrator.name}`] = bitsOf(solve(vehicle, options));
  }
  return hashes;
}

/** Compiled equations, with implicit and explicit methods; interpreted equations must have the same bits. */
function* formulaRuns(): Generator<[string, string]> {
  for (const formulas of [sliderCrankFormulas, biped1Formulas]) {
    for (const interpret of [false, true]) {
      const system = byFormulas(formulas, { interpret });
      const [q, v] = [system.q ?? [], system.v ?? []];
      const solution = solve(system, { span: [0, 0.2], q, v });
      yield [`${formulas.name}${interpret ? ", interpreted" : ""}`, bitsOf(solution)];
    }
  }
  const chain = ode({
    unknowns: ["u[1..40]"],
    rates: {
      "u[1]": "sin(t)",
      "u[i=2..39]": "1e3*(u[i-1] - 2*u[i] + u[i+1]) + exp(-u[i]^2)",
      "u[40]": 0,
    },
  });
  const options = { span: [0, 1], y: new Array(40).fill(0), integrator: radau5() } as const;
  yield ["diffusion by formulas", bitsOf(solve(chain, options))];
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
