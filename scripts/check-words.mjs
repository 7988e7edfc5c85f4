// The word lint: private words, vague constants and clauses that a reader has to read twice. A file is listed if it has a private
// identifier, a vague constant, or two prose hits; `words-ok` with a reason exempts a line. CONTRIBUTING.md has the glossary.
//
// `node scripts/check-words.mjs [path...]` lists the hits below these paths and exits with 1 if a file is listed.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Comments and pages. */
const PROSE = [
  /(?<=^|[.;:] )(What|Who|Whose|Of|Those|That of|Where|The same|Likewise)\b(?!.{0,80}\?)/g,
  /\b(anew|till|besides?|likewise|nobody|anybody|somebody|told|tells?|so many|goes? on|on the way|(is|are) nothing|(is|are) none|is no more|for ever|at once|by (itself|themselves)|takes? over|puts? back|gives? back|hands? over|apart|hardly|dearer)\b/gi,
  /\b[Gg]ives\b/g,
  /\b(undefined|missing|absent|throws|false|true|nothing|none|NaN|zero|empty) where\b/gi,
  /\bbehind\b/g,
  /\b(its number|numbers? (for|in|that|are|is))\b/g,
  /\b(storey|crew|gaze|hands? (that|which)|blow|sprint|seat|books|farewell|in a hurry|does not mind)\b/g,
];

const IDENTIFIERS =
  /\b(legs?|Legs?|told|Told|patience|patiently|[Gg]aze|[Cc]rew|Rests?|[Ss]eats?|despair|heard|hear|goOn\w*|standAt|[Ss]truck|[Ss]trike|[Ss]print\w*|looking|rival\w*|placeOf|anew\w*)\b/g;

const CONSTANTS =
  /^(?:export )?const (MOST|LEAST|LONGEST|LARGEST|FEW|MANY|MUCH|MORE|OFTEN|STILL|NEAR|FAR|AT|OPEN|CLOSED|FITS|PLAIN|LOW|LOOK|PATIENCE|SHORT|LONG|SMALL|LARGE|TOLD|MOMENT|TURN|PART|CLOSE|EXACT|BESIDE|ENOUGH|SLOW|FLAT|TIMES|EVERY|BOLD|WILD|ROUNDING)\b/gm;

const TITLES =
  /\b(?:test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*["'`](of|is|are|has|have|that|what|with|in|by|on|at|may|goes|and|or|so|not)\b/g;

const FOLDERS = [
  "assembly",
  "bench",
  "campaign",
  "docs",
  "papers",
  "scripts",
  "site",
  "src",
  "test",
];
const PAGES = ["README.md", "CONTRIBUTING.md"];
const LEFT_OUT = /(^|\/)(node_modules|results|generated[^/]*)(\/|$)|check-words\.mjs$/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm;

/** The hits in one file: private identifiers, vague constants, prose and, in tests, titles that are no statement. */
export function wordHits(path, text = readFileSync(path, "utf8")) {
  const lines = text.split("\n").filter((line) => !line.includes("words-ok"));
  const rest = lines.join("\n");
  if (path.endsWith(".md")) return { prose: proseHits(paragraphsOf(rest)), code: [], titles: [] };
  const comments = [...rest.matchAll(COMMENT)].map(([comment]) => comment).join("\n");
  const code = rest
    .replaceAll(COMMENT, "")
    .replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
  const all = (pattern, from) => [...from.matchAll(pattern)].map(([, hit]) => hit);
  return {
    prose: proseHits(sentencesOf(comments)),
    code: [...all(IDENTIFIERS, code), ...all(CONSTANTS, code)],
    titles: /\.test\.ts$/.test(path) ? all(TITLES, rest.replaceAll(COMMENT, "")) : [],
  };
}

/** Whether a file needs another word. */
export function isListed({ prose, code, titles }) {
  return prose.length > 1 || code.length > 0 || titles.length > 0;
}

/** Files with hits, below folders or of a list. */
export function listedFiles(paths = [...FOLDERS, ...PAGES]) {
  return paths
    .flatMap(filesIn)
    .filter((path) => /\.(ts|mjs|md)$/.test(path) && !LEFT_OUT.test(path))
    .map((path) => ({ path, hits: wordHits(path) }))
    .filter(({ hits }) => isListed(hits));
}

function filesIn(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
}

function proseHits(text) {
  return PROSE.flatMap((pattern) => [...text.matchAll(pattern)].map((hit) => around(text, hit)));
}

const around = (text, { index }) =>
  text.slice(Math.max(0, index - 15), index + 35).replaceAll("\n", " ");

/** Comments without their marks, a comment or paragraph a line, without code and names in backquotes. */
function sentencesOf(comments) {
  return withoutCode(
    comments
      .replaceAll(/^\s*(\/\*\*?|\*\/|\*|\/\/)[ ]?|\*\/\s*$/gm, "")
      .replaceAll(/(?<=\S)\n(?=\S)/g, " "),
  );
}

/** Pages without blocks of code. */
function paragraphsOf(text) {
  return withoutCode(
    text.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/(?<=\S)\n(?=[^\s|#-])/g, " "),
  );
}

const withoutCode = (text) => text.replaceAll(/`[^`\n]*`/g, "``");

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const given = process.argv.slice(2);
  const listed = listedFiles(given.length > 0 ? given : undefined);
  for (const { path, hits } of listed) {
    console.log(
      `${path}\n  ${[...hits.code, ...hits.titles.map((word) => `title: ${word} ...`), ...hits.prose.map((hit) => `"${hit}"`)].join("\n  ")}`,
    );
  }
  console.log(`${listed.length} files`);
  process.exitCode = listed.length > 0 ? 1 : 0;
}
