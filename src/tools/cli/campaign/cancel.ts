import { packageVersion } from "../../campaign/cases/version.js";
import { JobQueue } from "../../campaign/queue/jobs.js";
import { openStore } from "../../campaign/queue/open-store.js";
import { campaignKey } from "../../campaign/queue/remote.js";
import { command } from "../commands/command.js";
import { counted } from "../terminal/numbers.js";
import { EXIT } from "../terminal/terminal.js";
import { loadCampaign, serverOf } from "./load-campaign.js";
import { translated } from "./run-sweep.js";

/** `nodrift cancel`. */
export default command({
  operands: "CAMPAIGN",
  count: [1, 1],
  description: [
    "Takes the jobs of a campaign off a server: workers finish those they have begun, and take no more.",
    "Results stay. `nodrift resume` goes on.",
  ].join("\n"),
  options: { on: { value: "URL", help: "the server (default: the variable NODRIFT_QUEUE)" } },
  examples: ["nodrift cancel study.json --on redis://server:6379"],

  async run({ operands: [given], options }, terminal) {
    const server = serverOf(options.on);
    const key = campaignKey(loadCampaign(given as string).plan.definition);
    try {
      const store = await openStore(server, (message) => terminal.tell(message));
      const queue = await JobQueue.open(server, packageVersion(), (message) =>
        terminal.tell(message),
      );
      try {
        if (!(await store.entry(key))) {
          terminal.tell(`the campaign is not on ${server.shown}`);
          return EXIT.bad;
        }
        await store.setState(key, "cancelled");
        const taken = await queue.withdraw(key);
        terminal.print(
          `cancelled: ${counted(taken, "job")} taken off, ${counted(await store.count(key), "result")} kept`,
        );
        return EXIT.good;
      } finally {
        await queue.close();
        await store.close();
      }
    } catch (error) {
      throw translated(error);
    }
  },
});
