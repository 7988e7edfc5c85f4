import { command } from "../../src/cli/commands/command.js";
import { EXIT } from "../../src/cli/terminal/terminal.js";
import { counted } from "../../src/report/numbers.js";
import { campaignKey } from "../queue/remote.js";
import { loadCampaign, serverOf } from "./load-campaign.js";
import { onServer } from "./run-sweep.js";

/** `nodrift cancel`. */
export default command({
  operands: "CAMPAIGN",
  count: [1, 1],
  description: [
    "Removes the pending jobs of a campaign from a server. Workers finish the jobs they have started.",
    "Results are kept; `nodrift resume` continues the campaign.",
  ].join("\n"),
  options: { on: { value: "URL", help: "the server (default: the variable NODRIFT_QUEUE)" } },
  examples: ["nodrift cancel study.json --on redis://server:6379"],

  async run({ operands: [given], options }, terminal) {
    const address = serverOf(options.on);
    const key = campaignKey(loadCampaign(given as string).plan.definition);
    return onServer(address, terminal, async ({ store, queue }) => {
      if (!(await store.entry(key))) {
        terminal.log(`the campaign is not on ${address.shown}`);
        return EXIT.bad;
      }
      await store.setState(key, "cancelled");
      const taken = await queue.withdraw(key);
      terminal.print(
        `cancelled: ${counted(taken, "job")} removed, ${counted(await store.count(key), "result")} kept`,
      );
      return EXIT.good;
    });
  },
});
