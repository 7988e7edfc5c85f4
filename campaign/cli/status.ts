import { existsSync } from "node:fs";
import { command, UsageError } from "../../src/cli/commands/command.js";
import { EXIT, type Terminal } from "../../src/cli/terminal/terminal.js";
import { printLines, printTable } from "../../src/cli/terminal/text-table.js";
import { count } from "../../src/report/numbers.js";
import type { Address } from "../queue/address.js";
import { campaignKey } from "../queue/remote.js";
import { campaignSummary } from "./campaign-summary.js";
import { folderOf, journalIn, loadCampaign, OUT_OPTION, serverOf } from "./load-campaign.js";
import { onServer, openLedger } from "./run-sweep.js";

/** `nodrift status`. */
export default command({
  operands: "[CAMPAIGN]",
  count: [0, 1],
  description: [
    "Shows the progress of a campaign from its journal and, with --on, from a server. Without CAMPAIGN,",
    "lists all campaigns on the server.",
  ].join("\n"),
  options: {
    on: { value: "URL", help: "redis://HOST:PORT or postgres://USER@HOST/DATABASE" },
    out: OUT_OPTION,
    json: { help: "print the status as JSON" },
  },
  examples: ["nodrift status study.json", "nodrift status --on redis://server:6379"],

  async run({ operands: [given], options }, terminal) {
    const isOnServer = options.on !== undefined;
    if (given === undefined && !isOnServer)
      throw new UsageError("CAMPAIGN is missing; or name a server with --on");
    const results: Record<string, unknown> = {};
    if (given !== undefined) {
      const loaded = loadCampaign(given);
      const path = journalIn(folderOf(loaded, options.out));
      if (existsSync(path)) {
        const ledger = openLedger(loaded.plan, path, { isReadOnly: true });
        try {
          const { lines, data } = campaignSummary(ledger);
          results.journal = data;
          if (!options.json) printLines(terminal, lines);
        } finally {
          ledger.close();
        }
      } else if (!options.json) terminal.print(`no journal yet: ${path}`);
    }
    if (isOnServer) {
      const key =
        given === undefined ? undefined : campaignKey(loadCampaign(given).plan.definition);
      results.server = await serverStatus(
        serverOf(options.on),
        key,
        terminal,
        options.json === true,
      );
    }
    if (options.json) terminal.print(JSON.stringify(results, null, 2));
    return EXIT.good;
  },
});

const COLUMNS = [
  { name: "campaign", align: "left" },
  { name: "state", align: "left" },
  { name: "done", align: "right" },
  { name: "cases", align: "right" },
  { name: "version", align: "left" },
  { name: "key", align: "left" },
] as const;

function serverStatus(
  address: Address,
  key: string | undefined,
  terminal: Terminal,
  isJson: boolean,
): Promise<object> {
  return onServer(address, terminal, async ({ store, queue }) => {
    const all = (await store.entries()).filter((one) => key === undefined || one.key === key);
    const counted = await Promise.all(
      all.map(async (one) => ({ ...one, done: await store.count(one.key) })),
    );
    const jobs = await queue.counts();
    if (!isJson) {
      const rows = counted.map(({ name, state, done, cases, version, key: own }) => {
        return [name, state, count(done), count(cases), version, own];
      });
      printTable(terminal, COLUMNS, rows);
      const texts = Object.entries(jobs).map(([state, n]) => `${n} ${state}`);
      terminal.print(`jobs: ${texts.join(", ")}`);
    }
    return { campaigns: counted, jobs };
  });
}
