import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NodriftError } from "nodrift";
import { type CaseResult, campaign } from "nodrift/campaign";
import { type Outcome, wrongCalls } from "../../test/support/calls/index.js";
import { damaged } from "../../test/support/damaged-journal.js";
import { answerTo, strangeRequest } from "../../test/support/strange-requests.js";
import { atMost, type Figure } from "./figure.js";

const CALLS = 20_000;
/** Not the seed of the group "robust": other calls. */
const SEED = 20_261;
const REQUESTS = 2_000;

const JOURNALS = 5_000;
/** Each starts a process. */
const COMMANDS = 60;

/** Invalid calls, damaged journals, and unusual requests to a server. */
export async function* silentStrangeFigures(): AsyncGenerator<Figure> {
  yield* callFigures();
  yield* journalFigures();
  yield* commandFigures();
  yield* requestFigures();
}

async function* callFigures(): AsyncGenerator<Figure> {
  const counts = new Map<Outcome, number>();
  let inner = 0;
  for await (const { outcome, message, what } of wrongCalls(CALLS, SEED)) {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (isInner(message, what)) inner++;
  }
  const name = "20 000 wrong calls (other seed)";
  yield atMost(`${name}: raw errors`, counts.get("raw") ?? 0, 0);
  yield atMost(
    `${name}: messages with undefined, NaN or [object Object] that was not given`,
    inner,
    0,
  );
  yield atMost(`${name}: hangs`, counts.get("slow") ?? 0, 0);
}

/**
 * Whether a message shows a value that was not given. Objects and lists that were given are shown in brackets, with
 * their content. Omitted values, holes of lists and results of given functions are undefined; so may be options of an
 * object of the package given in place of others.
 */
function isInner(message: string, what: string): boolean {
  if (
    /^without |is a (sparse list|function)|is an? (shape|simulation|solution|compiled model|run|state)\b/.test(
      what,
    )
  )
    return false;
  let text = message;
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replaceAll(/\{[^{}]*\}|\[(?!object )[^[\]]*\]/g, "");
  }
  const words = text
    .replace(/[{[](?!object ).*$/s, "")
    .match(/\bundefined\b|\bNaN\b|\[object \w+\]/g);
  return (words ?? []).some((word) => !what.includes(word));
}

/** Sums of two numbers: cases with known results. */
const STUDY = {
  parameters: [
    { name: "x", uniform: [0, 1] as const },
    { name: "y", normal: { mean: 0, deviation: 1 } },
  ],
  design: { type: "sobol" as const, cases: 30 },
  outputs: [{ name: "sum" }],
};

async function* journalFigures(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "nodrift-journals-"));
  const journal = join(folder, "journal.ndjson");
  const model = ({ x, y }: Readonly<Record<string, number>>) => ({ outputs: { sum: x! + y! } });
  const table = async () => {
    const study = campaign({ ...STUDY, model, journal });
    try {
      const results: CaseResult[] = [];
      for await (const result of study) results.push(result);
      return JSON.stringify(results.sort((a, b) => a.case - b.case));
    } finally {
      study.close();
    }
  };
  try {
    const right = await table();
    const whole = readFileSync(journal);
    let [raw, wrong] = [0, 0];
    for (let seed = 1; seed <= JOURNALS; seed++) {
      writeFileSync(journal, damaged(whole, SEED + seed));
      try {
        if ((await table()) !== right) wrong++;
      } catch (error) {
        if (!(error instanceof NodriftError) || isInner(error.message, "")) raw++;
      }
    }
    yield atMost("5 000 damaged journals: raw errors", raw, 0);
    yield atMost("5 000 damaged journals: wrong results", wrong, 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * `verify` exits with 0 for an intact journal, with 1 for a damaged one, and with 3 or 4 if it cannot be read; never
 * with an internal error.
 */
async function* commandFigures(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "nodrift-journals-"));
  const out = join(folder, "out");
  const study = join(folder, "study.json");
  mkdirSync(out);
  writeFileSync(
    join(folder, "sum.mjs"),
    "export default ({ x, y }) => ({ outputs: { sum: x + y } });",
  );
  writeFileSync(study, JSON.stringify({ campaign: 1, model: "sum.mjs", ...STUDY }));
  const nodrift = (...args: readonly string[]) =>
    spawnSync(process.execPath, ["dist/cli.js", ...args, "--out", out], {
      encoding: "utf8",
      timeout: 120_000,
    });
  try {
    nodrift("sweep", study, "--formats", "csv");
    const journal = join(out, "journal.ndjson");
    const whole = readFileSync(journal);
    let wrong = 0;
    for (let seed = 1; seed <= COMMANDS; seed++) {
      const bytes = damaged(whole, SEED + seed);
      writeFileSync(journal, bytes);
      const { status, stdout, stderr } = nodrift("verify", study, "--share", "0.1");
      const isTorn = /damaged/.test(stdout);
      const isSaid = /not a journal/.test(stderr);
      const fits = isSaid
        ? status === 3 || status === 4
        : status === (isTorn || /^0 of/.test(stdout) ? 1 : 0);
      if (!fits || /internal error/.test(stderr)) wrong++;
    }
    yield atMost(
      `${COMMANDS} damaged journals by nodrift verify: wrong exit codes, crashes`,
      wrong,
      0,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function* requestFigures(): AsyncGenerator<Figure> {
  const child = spawn(process.execPath, ["dist/cli.js", "play", "examples/pendulum.json"]);
  try {
    const address = await new Promise<string>((resolve) => {
      child.stdout.once("data", (text) => resolve(String(text).trim()));
    });
    const port = Number(new URL(address).port);
    let hangs = 0;
    let served = 0;
    for (let i = 0; i < REQUESTS; i++) {
      const request = strangeRequest(i, port);
      const status = await answerTo(request, port);
      if (Number.isNaN(status)) hangs++;
      if (request.isForeign && status >= 200 && status < 400) served++;
    }
    const page = await fetch(address).catch(() => undefined);
    const name = "2 000 strange requests to play";
    yield atMost(`${name}: hangs`, hangs, 0);
    yield atMost(`${name}: served to other origins`, served, 0);
    yield atMost(`${name}: crashes`, page?.status === 200 ? 0 : 1, 0);
  } finally {
    child.kill("SIGKILL");
  }
}
