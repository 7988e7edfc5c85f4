import type { EquationsFile, ModelFile } from "nodrift/files";
import { solve } from "nodrift/solve";
import { Hash } from "./hash.js";

/** All bits of a file's motion: positions and velocities at all times of its output. */
export async function digestFile(file: ModelFile | EquationsFile): Promise<string> {
  const solution = await solutionOf(file);
  const hash = new Hash();
  for (const name of solution.names) hash.add(solution.column(name));
  return hash.digest();
}

async function solutionOf(file: ModelFile | EquationsFile) {
  if (!("compile" in file)) return solve(file.system, file.solveOptions());
  const system = await file.compile();
  return solve(system, file.solveOptions(system));
}
