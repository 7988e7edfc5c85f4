import type { ModelFile } from "nodrift/files";
import { solve } from "nodrift/solve";
import { Hash } from "./hash.js";

/** All bits of a file's motion: positions and velocities at all times of its output. */
export async function digestFile(file: ModelFile): Promise<string> {
  const system = await file.compile();
  const solution = solve(system, file.solveOptions(system));
  const hash = new Hash();
  for (const name of solution.names) hash.add(solution.column(name));
  return hash.digest();
}
