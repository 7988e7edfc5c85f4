// The registry of commands, one line each. Commands are loaded on first use.

/** A command: its line of `nodrift --help`, and its file, whose default export is a `Subcommand`. */
type ListedCommand = readonly [summary: string, load: () => Promise<{ readonly default: unknown }>];

/** All commands by name. */
export const commands: Readonly<Record<string, ListedCommand>> = {
  run: ["simulates a model and writes a report", () => import("../run/run.js")],
  check: ["checks a model without simulating it", () => import("./check.js")],
  play: ["serves the playground in a browser", () => import("./play.js")],
  compare: ["compares methods on a model", () => import("./compare.js")],
  sweep: ["runs a model with many parameter sets", () => import("../../../campaign/cli/sweep.js")],
  resume: ["resumes a campaign", () => import("../../../campaign/cli/resume.js")],
  verify: ["reruns cases and compares the bits", () => import("../../../campaign/cli/verify.js")],
  worker: ["runs cases from a server", () => import("../../../campaign/cli/worker.js")],
  status: ["shows the progress of campaigns", () => import("../../../campaign/cli/status.js")],
  cancel: ["cancels a campaign on a server", () => import("../../../campaign/cli/cancel.js")],
  reproduce: ["reproduces the tables and figures of the papers", () => import("./reproduce.js")],
  bench: ["measures WebAssembly against JavaScript", () => import("./bench.js")],
  examples: ["lists or copies the bundled models", () => import("./examples.js")],
  schema: ["prints the JSON Schema of model files", () => import("./schema.js")],
};
