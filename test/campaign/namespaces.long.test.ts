// Two machines that share only a network, which is interrupted for a while; and the commands on a server.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { CommandRun, undisturbed, writeStudy } from "../support/campaign-kills.js";
import { findRedis, installServers, startRedis } from "../support/databases.js";
import { makeNetwork, RemoteRun } from "../support/namespaces.js";

const CASES = 120;
const folder = mkdtempSync(join(tmpdir(), "nodrift-network-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

installServers();
const network = findRedis() === undefined ? undefined : makeNetwork(2);
afterAll(() => network?.remove());

/** Polls until a condition holds. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("it did not happen");
}

async function said(...args: readonly string[]): Promise<string> {
  const run = new CommandRun(...args);
  expect(await run.ended).toBe(0);
  return run.output;
}

// Without namespaces, `killed.long.test.ts` covers workers on this machine.
test.skipIf(network === undefined)(
  "two machines with interrupted connections yield the table of one; cancel and resume lose nothing",
  async () => {
    const { host, namespaces } = network!;
    const [first, second] = namespaces;
    const study = writeStudy(folder, CASES);
    const table = await undisturbed(study, join(folder, "calm"));
    const server = await startRedis({ host });
    const out = join(folder, "out");
    const on = ["--on", server.url];
    const sweep = () =>
      new CommandRun("sweep", study, "--out", out, "--formats", "csv", "--job", "1", ...on);
    const status = async () => JSON.parse(await said("status", study, "--json", ...on));
    try {
      // Cancelled before any worker has started: only the trial cases are done.
      const begun = sweep();
      await until(async () => (await status()).server.jobs.waiting > 0);
      expect((await status()).server.campaigns).toMatchObject([
        { state: "active", cases: CASES, done: 0 },
      ]);
      expect(await said("cancel", study, ...on)).toMatch(
        /^cancelled: \d+ jobs? removed, 0 results kept/,
      );
      expect(await begun.ended).toBeGreaterThan(0);
      expect(begun.output).toMatch(/was cancelled: use `nodrift resume` to continue it/);

      const resumed = sweep();
      const work = ({ name }: { readonly name: string }) =>
        new RemoteRun(name, "worker", ...on, "--workers", "1", "--lease", "2");
      const workers = namespaces.map(work);
      await until(async () => (await status()).server.campaigns[0].done > 0);
      await Promise.all([first.cut(1500), second.cut(1500)]);
      expect(await resumed.ended).toBe(0);
      expect(readFileSync(join(out, "cases.csv"), "utf8")).toBe(table);
      for (const worker of workers) worker.child.kill("SIGINT");
      await Promise.all(workers.map(({ ended }) => ended));
      expect((await status()).server.campaigns).toMatchObject([{ state: "finished" }]);
    } finally {
      await server.stop();
    }
  },
);
