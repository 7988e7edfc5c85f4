// The models of the gallery after their first second: the same bits in Node, Chromium, Firefox, Bun and Deno.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { modelBits } from "../support/model-bits.js";
import { serveFolder } from "../support/site-server.js";
import { atLeast, atMost, type Figure } from "./figure.js";
import { launch, SITE } from "./site-pages.js";

type Bits = Readonly<Record<string, string>>;

const FIREFOX = process.env.FIREFOX_PATH ?? "/usr/bin/firefox-esr";
/** Installed by the tests of engines. */
const ENGINES = "build/engines/node_modules";
const PROGRAMS = {
  Bun: [process.env.BUN_PATH ?? `${ENGINES}/@oven/bun-linux-x64/bin/bun`, []],
  Deno: [
    process.env.DENO_PATH ?? `${ENGINES}/@deno/linux-x64-glibc/deno`,
    ["run", "--quiet", "-A"],
  ],
} as const;

export async function* siteBitFigures(): AsyncGenerator<Figure> {
  const texts = Object.fromEntries(
    readdirSync(`${SITE}/models`).map((name) => [
      name,
      readFileSync(`${SITE}/models/${name}`, "utf8"),
    ]),
  );
  const base = pathToFileURL(resolve("dist")).href;
  const node = await modelBits({ base, texts });
  yield atLeast("models of the gallery whose bits are compared", Object.keys(node).length, 35);
  const server = await serveFolder(".");
  const given = { base: `${server.origin}/dist`, texts };
  try {
    yield differing("Chromium", node, await inChromium(server.origin, given));
    if (existsSync(FIREFOX))
      yield differing("Firefox", node, await inFirefox(server.origin, given));
    for (const [name, [program, words]] of Object.entries(PROGRAMS)) {
      if (existsSync(program))
        yield differing(name, node, await inEngine(program, words, { base, texts }));
      else console.error(`${name} is not there: ${program}`);
    }
  } finally {
    server.close();
  }
}

function differing(engine: string, node: Bits, other: Bits): Figure {
  const others = Object.keys(node).filter((name) => node[name] !== other[name]);
  for (const name of others) console.error(`${engine}, ${name}: ${node[name]}, ${other[name]}`);
  return atMost(
    `models of the gallery with other bits in ${engine} than in Node`,
    others.length,
    0,
  );
}

type Given = Parameters<typeof modelBits>[0];

async function inChromium(origin: string, given: Given): Promise<Bits> {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`${origin}/LICENSE`);
    return await page.evaluate(modelBits, given);
  } finally {
    await browser.close();
  }
}

async function inFirefox(origin: string, given: Given): Promise<Bits> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: FIREFOX,
    headless: true,
    protocolTimeout: 600_000,
  });
  try {
    const page = await browser.newPage();
    await page.goto(`${origin}/LICENSE`);
    return await page.evaluate(modelBits, given);
  } finally {
    await browser.close();
  }
}

async function inEngine(program: string, words: readonly string[], given: Given): Promise<Bits> {
  const folder = mkdtempSync(join(tmpdir(), "nodrift-bits-"));
  const file = join(folder, "bits.mjs");
  writeFileSync(
    file,
    `${modelBits}\nconsole.log(JSON.stringify(await modelBits(${JSON.stringify(given)})));\n`,
  );
  const { stdout, stderr } = spawnSync(resolve(program), [...words, file], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    env: { ...process.env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  });
  try {
    return JSON.parse(stdout) as Bits;
  } catch {
    throw new Error(`${program}: ${stderr}`);
  }
}
