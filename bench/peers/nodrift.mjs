// The built package: the only file here that contains its path.

import { existsSync } from "node:fs";

/** @param {string} entry */
const fileOf = (entry) => new URL(`../../dist/${entry}.js`, import.meta.url);

/** @param {string} entry */
async function load(entry) {
  const file = fileOf(entry);
  if (!existsSync(file)) {
    throw new Error(`dist/${entry}.js is missing: run "npm run build" at the top of the project`);
  }
  return import(file.href);
}

export const { ab3, heun, projection, rk4, udwadiaKalaba } = await load("index");
export const { compile, model } = await load("bodies");
export const { chain3dReference3, chain3dReference10, nFourBarReference, welchDoublePendulum } =
  await load("mechanisms");

/**
 * Models and options that tests and benchmarks share, which are built with the benchmarks.
 *
 * @param {string} name
 */
async function loadModels(name) {
  const file = new URL(`../../build/test/support/${name}.js`, import.meta.url);
  if (!existsSync(file)) {
    throw new Error(`${file.pathname} is missing: run "npm run build" at the top of the project`);
  }
  return import(file.href);
}

/** Options of `compile` for each kind of coordinates. */
export const coordinates = async () => {
  const { RELATIVE, MAXIMAL } = await loadModels("relative-options");
  return { relative: RELATIVE, maximal: MAXIMAL };
};

/** Factories of trees: `hingeChain`, `humanoid`. */
export const trees = () => loadModels("relative-trees");

/** \`equations\` by formulas. */
export const { equations: formulaEquations } = await load("formulas");

/** `solve`, or undefined if the package has no such entry point. */
export const solve = existsSync(fileOf("solve")) ? (await load("solve")).solve : undefined;
