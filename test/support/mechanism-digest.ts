// Runs every model for a while and hashes the bits of its states: Node, a page and a worker must get identical hashes.

import { welch } from "nodrift";
import { compile } from "nodrift/bodies";
import { models } from "nodrift/mechanisms";
import { Hash } from "./hash.js";

const STEPS = 100;
/** Explicit methods are stable with these. */
const STEP = 1e-3;
const STIFF_STEP = 1e-6;

/** Hash of the states of each model, by its name: by the default method, then by Welch's. */
export async function digestMechanisms(): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const { name, build, stiff } of models) {
    const compiled = await compile(build());
    const hash = new Hash();
    for (const method of [undefined, { coupled: welch() }]) {
      const step = stiff ? STIFF_STEP : STEP;
      const simulation = compiled.simulate({ step, ...(method && { method }) });
      simulation.advance(STEPS);
      for (const values of [simulation.q, simulation.v]) {
        if (!values.every(Number.isFinite)) throw new Error(`${name} left the numbers`);
        hash.add(values);
      }
    }
    hashes[name] = hash.digest();
  }
  return hashes;
}
