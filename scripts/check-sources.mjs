// Types and style of everything, at once: none needs what another makes.

import { run } from "./run.mjs";

const CHECKS = [
  ["tsc", "-p", "tsconfig.json"],
  ["tsc", "-p", "tsconfig.tools.json"],
  ["biome", "check", "--error-on-warnings"],
];

/** Throws where one finds something; the error holds what all of them found. */
export async function checkSources() {
  const results = await Promise.allSettled(CHECKS.map((line) => run(...line)));
  const failures = results
    .filter(({ status }) => status === "rejected")
    .map(({ reason }) => reason);
  if (failures.length === 0) return;
  const output = failures
    .map((failure) => `${failure.message}\n${failure.output ?? ""}`)
    .join("\n");
  throw Object.assign(new Error("types or style"), { output });
}
