import { command } from "../../src/cli/commands/command.js";
import sweep from "./sweep.js";

/** `nodrift resume`: an alias of `nodrift sweep`, which resumes interrupted campaigns automatically. */
export default command({
  operands: "CAMPAIGN",
  count: [1, 1],
  description: [
    "Resumes a campaign that was interrupted or cancelled, like `nodrift sweep` with the same campaign",
    "and options.",
  ].join("\n"),
  options: sweep.options,
  examples: ["nodrift resume study.json", "nodrift resume study.json --on redis://server:6379"],

  run: (given, terminal) => sweep.run(given, terminal),
});
