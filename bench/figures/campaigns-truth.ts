// Campaigns under kills, on servers that fail, with damaged journals; and their designs.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaign } from "nodrift/campaign";
import {
  disturbed,
  undisturbed,
  writeQuickStudy,
  writeStudy,
} from "../../test/support/campaign-kills.js";
import {
  findPostgres,
  findRedis,
  installServers,
  startPostgres,
  startRedis,
} from "../../test/support/databases.js";
import { seeded } from "../../test/support/random.js";
import { atMost, type Figure, reported, within } from "./figure.js";

const CASES = 10_000;
const DAMAGED = 5000;

export async function* campaignTruthFigures(): AsyncGenerator<Figure> {
  yield* designs();
  yield* damagedJournals();
  yield* damagedFiles();
  yield* kills();
}

/** 20 kills of workers and 5 of the coordinator on each engine; on servers also a restart and a network cut of 10 s. */
async function* kills(): AsyncGenerator<Figure> {
  installServers();
  const folder = mkdtempSync(join(tmpdir(), "nodrift-kills-"));
  try {
    const study = writeQuickStudy(folder, CASES);
    const table = await undisturbed(study, join(folder, "calm"));
    const judge = async (
      name: string,
      url?: string,
      troubles: readonly (() => Promise<void>)[] = [],
    ) => {
      const how = {
        workers: 20,
        coordinators: 5,
        seed: 11,
        troubles,
        ...(url && { url }),
      };
      const found = await disturbed(study, join(folder, name.replace(/\W/g, "-")), CASES, how);
      const wrong =
        Math.abs(CASES - found.lines) + found.repeated + (found.table === table ? 0 : 1);
      return [
        reported(`campaigns: kills survived, ${name}`, found.kills),
        atMost(`campaigns: cases lost, twice or different after kills, ${name}`, wrong, 0),
      ];
    };
    yield* await judge("pool");
    for (const [name, find, start] of SERVERS) {
      if (find() === undefined) {
        yield reported(`campaigns: ${name} is not installed`, 1);
        continue;
      }
      const server = await start();
      try {
        const troubles = [() => server.restart(1000), () => server.freeze(10_000)];
        yield* await judge(`${name}, restarted and cut for 10 s besides`, server.url, troubles);
      } finally {
        await server.stop();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SERVERS = [
  ["Redis", findRedis, startRedis],
  ["PostgreSQL", findPostgres, startPostgres],
] as const;

/** Every journal is damaged, and the campaign is run on it: the table must be the same. */
async function* damagedJournals(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "nodrift-damage-"));
  const journal = join(folder, "journal.ndjson");
  const table = async () => {
    const run = campaign({
      model: ({ x, y }) => ({ outputs: { z: x * y } }),
      parameters: [
        { name: "x", uniform: [0, 1] },
        { name: "y", normal: { mean: 0, deviation: 1 } },
      ],
      design: { type: "random", cases: 20 },
      outputs: [{ name: "z" }],
      journal,
    });
    try {
      const rows: string[] = [];
      for await (const result of run) {
        rows[result.case] = JSON.stringify([
          result.id,
          result.parameters,
          result.status === "done" && result.outputs,
        ]);
      }
      return rows.join("\n");
    } finally {
      run.close();
    }
  };
  try {
    const right = await table();
    const whole = readFileSync(journal);
    const counts = { same: 0, refused: 0, wrong: 0 };
    const random = seeded(5);
    const at = (most: number) => Math.floor(((random() + 1) / 2) * most);
    for (let i = 0; i < DAMAGED; i++) {
      let bytes = Buffer.from(whole);
      for (let k = 0; k <= at(3); k++) {
        const from = at(bytes.length);
        const to = Math.min(bytes.length, from + at(300));
        const kind = at(4);
        if (kind === 0) bytes[from] ^= 1 << at(8);
        else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
        else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
        else bytes = Buffer.from(bytes.subarray(0, from));
      }
      writeFileSync(journal, bytes);
      try {
        counts[(await table()) === right ? "same" : "wrong"]++;
      } catch (error) {
        counts[/is not a journal/.test((error as Error).message) ? "refused" : "wrong"]++;
      }
    }
    yield reported(`campaigns: of ${DAMAGED} damaged journals, mended`, counts.same);
    yield atMost(
      `campaigns: of ${DAMAGED} damaged journals, crashes and wrong tables`,
      counts.wrong,
      0,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Campaign files with bytes changed: read, or rejected with a reason. */
async function* damagedFiles(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "nodrift-damage-"));
  try {
    const path = writeStudy(folder, 20, {
      limits: { maximumSeconds: 5 },
      stop: [{ output: "angle", standardErrorBelow: 0.1 }],
    });
    const whole = readFileSync(path, "utf8");
    const random = seeded(6);
    const at = (most: number) => Math.floor(((random() + 1) / 2) * most);
    const counts = { read: 0, refused: 0, wrong: 0 };
    for (let i = 0; i < DAMAGED; i++) {
      let text = whole;
      for (let k = 0; k <= at(2); k++) {
        const from = at(text.length);
        const inserted = ["", "-", "9", '"', "{", "null", ",", "1e999", "[]", "x"][at(10)];
        text = text.slice(0, from) + inserted + text.slice(from + at(12));
      }
      try {
        const { campaign: _, $schema: __, ...options } = JSON.parse(text);
        campaign({ ...options, workers: 0 }).close();
        counts.read++;
      } catch (error) {
        const isTold =
          error instanceof SyntaxError || (error as { code?: string }).code === "DESCRIPTION";
        counts[isTold ? "refused" : "wrong"]++;
      }
    }
    yield reported(`campaigns: of ${DAMAGED} damaged campaign files, refused`, counts.refused);
    yield atMost(`campaigns: of ${DAMAGED} damaged campaign files, crashes`, counts.wrong, 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** T. Ishigami and T. Homma, 1990; and moments of distributions against their formulas. */
async function* designs(): AsyncGenerator<Figure> {
  const [a, b, pi] = [7, 0.1, Math.PI];
  const run = campaign({
    model: ({ x, y, z }) => ({
      outputs: { f: Math.sin(x) + a * Math.sin(y) ** 2 + b * z ** 4 * Math.sin(x) },
    }),
    parameters: ["x", "y", "z"].map((name) => ({ name, uniform: [-pi, pi] as const })),
    design: { type: "sensitivity", base: 16_384 },
    outputs: [{ name: "f" }],
  });
  for await (const _ of run);
  const v = (a * a) / 8 + (b * pi ** 4) / 5 + (b * b * pi ** 8) / 18 + 0.5;
  const vx = 0.5 * (1 + (b * pi ** 4) / 5) ** 2;
  const vxz = b * b * pi ** 8 * (1 / 18 - 1 / 50);
  const found = run.indices("f") ?? {};
  yield within("campaigns: Ishigami, first index of x", found.x.first, vx / v, 0.01);
  yield within("campaigns: Ishigami, first index of y", found.y.first, (a * a) / 8 / v, 0.01);
  yield atMost("campaigns: Ishigami, first index of z", Math.abs(found.z.first), 0.01);
  yield within("campaigns: Ishigami, total index of x", found.x.total, (vx + vxz) / v, 0.01);
  yield within("campaigns: Ishigami, total index of y", found.y.total, (a * a) / 8 / v, 0.01);
  yield within("campaigns: Ishigami, total index of z", found.z.total, vxz / v, 0.01);
  yield* moments("sobol");
  yield* moments("latinHypercube");
}

async function* moments(type: "sobol" | "latinHypercube"): AsyncGenerator<Figure> {
  const study = campaign({
    model: ({ n, l }) => ({ outputs: { square: n * n, of: l } }),
    parameters: [
      { name: "n", normal: { mean: 0, deviation: 1 } },
      { name: "l", logNormal: { meanOfLog: 0, deviationOfLog: 0.5 } },
    ],
    design: { type, cases: 4096 },
    outputs: [{ name: "square" }, { name: "of" }],
  });
  for await (const _ of study);
  yield within(
    `campaigns: ${type}, variance of a normal number`,
    study.statistics("square").mean,
    1,
    0.01,
  );
  yield within(
    `campaigns: ${type}, mean of a log-normal number`,
    study.statistics("of").mean,
    Math.exp(0.125),
    0.01,
  );
}
