import { command } from "../commands/command.js";
import sweep from "./sweep.js";

/** `nodrift resume`: a sweep goes on where it was by itself; this is the word people look for. */
export default command({
  operands: "CAMPAIGN",
  count: [1, 1],
  description: [
    "Goes on with a campaign that was interrupted or cancelled: what `nodrift sweep` does with the same",
    "campaign and options.",
  ].join("\n"),
  options: sweep.options,
  examples: ["nodrift resume study.json", "nodrift resume study.json --on redis://server:6379"],

  run: (given, terminal) => sweep.run(given, terminal),
});
