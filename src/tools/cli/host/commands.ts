// The registry of commands: one line each. They are loaded when they are called.

import type { Command } from "../commands/command.js";

export interface Listed {
  readonly summary: string;
  load(): Promise<Command>;
}

const listed = (summary: string, load: () => Promise<{ readonly default: unknown }>): Listed => ({
  summary,
  load: async () => (await load()).default as Command,
});

export const commands = {
  run: listed("simulates a model and writes a report", () => import("../run/run.js")),
  check: listed(
    "says what is known about a model before it moves",
    () => import("../commands/check.js"),
  ),
  play: listed("serves the playground in a browser", () => import("../play/play.js")),
  compare: listed("compares methods on a model", () => import("../commands/compare.js")),
  sweep: listed("runs a model with many sets of parameters", () => import("../campaign/sweep.js")),
  resume: listed("goes on with a campaign", () => import("../campaign/resume.js")),
  verify: listed(
    "runs a part of a campaign again and compares the bits",
    () => import("../campaign/verify.js"),
  ),
  worker: listed("runs cases of campaigns on a server", () => import("../campaign/worker.js")),
  status: listed("says how far campaigns are", () => import("../campaign/status.js")),
  cancel: listed("takes a campaign off a server", () => import("../campaign/cancel.js")),
  reproduce: listed("runs the tables of the papers", () => import("../commands/reproduce.js")),
  bench: listed("measures WebAssembly against JavaScript", () => import("../commands/bench.js")),
  examples: listed(
    "lists the models that come with it, or copies them",
    () => import("../commands/examples.js"),
  ),
  schema: listed("prints the JSON Schema of model files", () => import("../commands/schema.js")),
} satisfies Readonly<Record<string, Listed>>;
