// Runs the blocks of code of README.md and docs/ as readers would paste them, with the built package, and checks
// their types.

import { execFile, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { readModel } from "nodrift/files";
import { type Block, codeBlocks, commandsOf, programsOf, referenceProgram } from "./doc-blocks.js";

/** Outcome of a block. */
export interface Outcome {
  readonly place: string;
  /** Run by this module, by another test, or not at all. */
  readonly state: "run" | "elsewhere" | "not run";
  /** The test, or the reason. */
  readonly why: string;
}

/**
 * Programs that need a browser, files or threads, by page or by first line, with the tests that extract and run them.
 */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "docs/campaigns.md js": "test/campaign/docs.test.ts",
  "docs/campaigns.md json": "test/campaign/docs.test.ts",
  "docs/files.md js": "test/files/docs.test.ts",
  "docs/files.md json": "test/files/docs.test.ts",
  "docs/how-to.md html": "test/browser/view.test.ts",
  "docs/view.md js": "test/browser/view.test.ts",
  "docs/worker.md // arm-worker.js": "test/browser/worker.test.ts",
  "docs/worker.md // page.js": "test/browser/worker.test.ts",
};

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/** Commands of npm, and the tests that run them. `npm ci` has run, because the tests need it. */
const COMMANDS: Readonly<Record<string, string>> = {
  "npm ci && npm test": "test/run.mjs",
  // Not run here: it would remove pages that a browser test is using.
  "npm run site": "bench/figures/site-pages.ts",
  "npm ci && npm pack": "test/support/project.ts",
  [`npm install ../nodrift/nodrift-${version}.tgz`]: "test/support/project.ts",
};

/** Inside the package folder, so that its name resolves to the built files. */
const PARENT = "build/programs";
const CLI = resolve("dist/cli.js");
const run = promisify(execFile);

/** Every block with its outcome, and compiler errors of those that ran. */
export async function runBlocks(): Promise<{
  readonly outcomes: readonly Outcome[];
  readonly mistakes: readonly string[];
}> {
  mkdirSync(PARENT, { recursive: true });
  const folder = mkdtempSync(join(PARENT, "blocks-"));
  try {
    const blocks = codeBlocks();
    const outcomes: Outcome[] = [];
    const programs: string[] = [];
    for (const block of blocks) {
      const outcome = await outcomeOf(block, blocks, folder, programs);
      outcomes.push({ place: block.place, ...outcome });
    }
    return { outcomes, mistakes: await typeMistakes(programs) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Found = Pick<Outcome, "state" | "why">;

async function outcomeOf(
  block: Block,
  blocks: readonly Block[],
  folder: string,
  programs: string[],
): Promise<Found> {
  const { page, language, text } = block;
  const [first] = text.split("\n");
  const test = ELSEWHERE[`${page} ${language}`] ?? ELSEWHERE[`${page} ${first}`];
  if (test !== undefined) return readsPage(test, page);
  try {
    if (language === "js") await runProgram(block, blocks, folder, programs);
    else if (language === "ts" && page === "docs/joints.md") {
      await runFile(referenceProgram(block), folder, programs);
    } else if (language === "json") readModel(wholeModel(text));
    else if (language === "sh") await runCommands(block, folder);
    else return { state: "not run", why: `part of a program in ${language}` };
    return { state: "run", why: "" };
  } catch (error) {
    return { state: "not run", why: (error as Error).message.slice(0, 600) };
  }
}

function readsPage(test: string, page: string): Found {
  const isRead = readFileSync(test, "utf8").includes(`"${page}"`);
  return isRead
    ? { state: "elsewhere", why: test }
    : { state: "not run", why: `${test} does not read ${page}` };
}

/** Alone, or after the preceding blocks of the page. */
async function runProgram(
  block: Block,
  blocks: readonly Block[],
  folder: string,
  programs: string[],
): Promise<void> {
  const { attempts } = programsOf(block.page, blocks).find((each) => each.block === block)!;
  const reasons: Error[] = [];
  for (const text of new Set(attempts)) {
    try {
      await runFile(text, folder, programs);
      return;
    } catch (error) {
      reasons.push(error as Error);
    }
  }
  throw reasons.at(-1)!;
}

async function runFile(text: string, folder: string, programs: string[]): Promise<void> {
  const path = resolve(folder, `program-${programs.length}.mjs`);
  writeFileSync(path, text);
  await run(process.execPath, [path], { cwd: folder, timeout: 60_000 });
  programs.push(path);
}

/** A part of a file, completed by the bodies and joints it names. */
function wholeModel(text: string): string {
  const part = JSON.parse(text) as Record<string, unknown>;
  if (Object.hasOwn(part, "nodrift")) return text;
  const arm = { name: "arm", mass: 1, shape: { type: "rod", length: 1 }, position: [0.5, 0, 0] };
  const hinge = { type: "revolute", name: "hinge", between: ["ground", "arm"], axis: [0, 1, 0] };
  return JSON.stringify({
    ...{ nodrift: 1, name: "part", units: "SI", gravity: [0, 0, -9.81] },
    ...{ bodies: [arm], joints: [{ ...hinge, at: [0, 0, 0] }], solve: { span: [0, 1] } },
    ...part,
  });
}

async function runCommands(block: Block, folder: string): Promise<void> {
  copyFileSync("examples/trebuchet.json", join(folder, "crane.json"));
  for (const command of commandsOf(block)) {
    if (Object.hasOwn(COMMANDS, command)) continue;
    const [program, name, ...words] = command.replace(/^npm ci && /, "").split(" ");
    if (program === "npx" && name === "nodrift") await runCommand(words, folder);
    else if (program === "npm" && name === "start") await runStart();
    else throw new Error(`nothing runs "${command}"`);
  }
}

/** The command of `npm start` without the build, which exists already. */
async function runStart(): Promise<void> {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  const parts = scripts.start.split(" && ").filter((part) => !part.includes("scripts/build.mjs"));
  for (const part of parts) await run("sh", ["-c", part]);
}

/** A server is queried at its address and stopped. */
async function runCommand(words: readonly string[], folder: string): Promise<void> {
  if (words[0] !== "play") {
    await run(process.execPath, [CLI, ...words], { cwd: folder });
    return;
  }
  const own = words.filter((word) => word !== "--open");
  const child = spawn(process.execPath, [CLI, ...own], { cwd: folder });
  try {
    const said = await new Promise<string>((found, failed) => {
      child.stdout.once("data", (text) => found(String(text).trim()));
      child.once("close", (code) => failed(new Error(`"${own.join(" ")}" ended with ${code}`)));
    });
    const answer = await fetch(said);
    if (!answer.ok) throw new Error(`${said} answers ${answer.status}`);
  } finally {
    child.kill("SIGKILL");
  }
}

const CHECK = [
  ..."--noEmit --allowJs --checkJs --skipLibCheck --target es2022 --module nodenext".split(" "),
  ..."--lib es2023,dom --types node --strict false --ignoreConfig".split(" "),
];

/**
 * Ignored for JavaScript: an object stored in a constant loses its literal types (`direction: "rising"` becomes
 * string), which only TypeScript reports.
 */
async function typeMistakes(programs: readonly string[]): Promise<readonly string[]> {
  try {
    await run(resolve("node_modules/.bin/tsc"), [...CHECK, ...programs]);
    return [];
  } catch (error) {
    const { stdout = "" } = error as { readonly stdout?: string };
    return stdout.split("\n").filter((line) => line.includes("error"));
  }
}
