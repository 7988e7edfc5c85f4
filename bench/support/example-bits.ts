// Bits of every example, mechanism and method, as hashes: a change that should keep all results is checked against
// stored hashes.

import { readdirSync, readFileSync } from "node:fs";
import {
  coupledMethods,
  formulations,
  integrators,
  type Method,
  NodriftError,
  rk4,
  simulate,
  stabilisations,
} from "nodrift";
import { compile } from "nodrift/bodies";
import { readModel } from "nodrift/files";
import { mechanisms, models, welchSliderCrank } from "nodrift/mechanisms";
import { adaptiveIntegrators, solve, stateSpace } from "nodrift/solve";
import { digestFile } from "../../test/support/file-digest.js";
import { Hash } from "../../test/support/hash.js";
import { MAXIMAL } from "../../test/support/relative-options.js";

/** Hashes by name. */
export type Bits = Readonly<Record<string, string>>;

/** The version of package.json. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;

/** Folder of bits stored by version. */
export const bitsFile = (version: string) => `bench/results/bits-${version}.json`;

/** Names of runs whose bits differ. */
export const differingBits = (before: Bits, now: Bits): string[] =>
  Object.keys(before).filter((name) => now[name] !== before[name]);

/** Runs everything. Takes about a minute. */
export async function exampleBits(): Promise<Bits> {
  return { ...(await fileBits()), ...equationBits(), ...methodBits(), ...(await modelBits()) };
}

async function fileBits(): Promise<Bits> {
  const bits: Record<string, string> = {};
  for (const name of readdirSync("examples").filter((file) => !file.startsWith("equations-"))) {
    bits[`examples/${name}`] = await digestFile(
      readModel(readFileSync(`examples/${name}`, "utf8")),
    );
  }
  return bits;
}

function equationBits(): Bits {
  const bits: Record<string, string> = {};
  for (const { name, equations, q, v } of mechanisms) {
    bits[`${name}, 1 s`] = hashOf(() => solve(equations, { span: [0, 1], q, v, tolerance: 1e-8 }));
  }
  return bits;
}

/** Every formulation with every stabilisation, every integrator, every coupled method: 40 steps of the slider-crank. */
function methodBits(): Bits {
  const integrator = rk4();
  const all: Method[] = [
    ...[...formulations, stateSpace()].flatMap((formulation) =>
      stabilisations.map((stabilisation) => ({ formulation, stabilisation, integrator })),
    ),
    ...Object.values(integrators).map((make) => ({
      formulation: formulations[0],
      integrator: make(),
    })),
    ...coupledMethods.map((coupled) => ({ coupled })),
  ];
  const { equations, q, v } = welchSliderCrank;
  const bits: Record<string, string> = {};
  for (const method of all) {
    bits[`slider-crank: ${nameOf(method)}`] = hashOf(() =>
      simulate(equations, { method, step: 5e-3, q, v }).advance(40),
    );
  }
  return bits;
}

/** Models with the default method, and small ones with every adaptive integrator. */
async function modelBits(): Promise<Bits> {
  const bits: Record<string, string> = {};
  for (const { name, stiff, build } of models) {
    const system = await compile(build(), MAXIMAL);
    if (!stiff) {
      bits[`${name}, steps`] = hashOf(() => system.simulate({ step: 1e-3 }).advance(100));
    }
    bits[`${name}, solve`] = hashOf(() => solve(system, { span: [0, 0.2], tolerance: 1e-6 }));
    if (system.report.degreesOfFreedom > 4) continue;
    for (const [key, make] of Object.entries(adaptiveIntegrators)) {
      bits[`${name}, ${key}`] = hashOf(() =>
        solve(system, { span: [0, 0.05], tolerance: 1e-6, integrator: make() }),
      );
    }
  }
  return bits;
}

interface Moved {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/** Bits of the final state of a run, or the reason of its rejection. */
function hashOf(run: () => Moved | { readonly end: Moved }): string {
  try {
    const result = run();
    const { q, v } = "end" in result ? result.end : result;
    return new Hash().add(q).add(v).digest();
  } catch (error) {
    if (error instanceof NodriftError) return `refused: ${error.code}`;
    throw error;
  }
}

function nameOf(method: Method): string {
  if ("coupled" in method) return method.coupled.name;
  const { formulation, stabilisation, integrator } = method;
  const extra = stabilisation && "name" in stabilisation ? [stabilisation.name] : [];
  return [formulation.name, ...extra, integrator.name].join(" + ");
}
