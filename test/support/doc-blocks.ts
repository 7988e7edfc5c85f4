// Code in README.md and docs/: every block as a program that can be run and type-checked, or the reason why it cannot.

import { readdirSync, readFileSync } from "node:fs";

export interface Block {
  /** Location, such as "docs/solve.md:27". */
  readonly place: string;
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

/** Languages of code; "text" is program output, or commands for many machines. */
const CODE = new Set(["js", "ts", "json", "sh", "html"]);

/** All blocks of code, in the order of pages and lines. */
export function codeBlocks(): readonly Block[] {
  const pages = readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
    .sort();
  return ["README.md", ...pages].flatMap(blocksOf).filter(({ language }) => CODE.has(language));
}

function blocksOf(page: string): readonly Block[] {
  const whole = readFileSync(page, "utf8");
  return [...whole.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language, 2: text, index }) => ({
      place: `${page}:${whole.slice(0, index).split("\n").length}`,
      page,
      language: language!,
      text: text!,
    }),
  );
}

/** A program, and the preceding blocks that a reader may have pasted; tried without them first. */
export interface Program {
  readonly block: Block;
  readonly attempts: readonly string[];
}

/** Programs of a page. A block that does not run alone continues the preceding blocks. */
export function programsOf(page: string, blocks = codeBlocks()): readonly Program[] {
  const own = blocks.filter((block) => block.page === page && block.language === "js");
  return own.map((block, i) => {
    const before = own.slice(0, i);
    const last = before.map(({ text }) => /^import /m.test(text)).lastIndexOf(true);
    const imports = before.map((each) => ({ ...each, text: importsOf(each.text) }));
    const from = Math.max(0, last);
    const attempts = [
      [block],
      [...imports, block],
      [...imports.slice(0, from), ...before.slice(from), block],
      [...before.slice(0, 1), ...imports.slice(1), block],
      [...before, block],
    ];
    return { block, attempts: attempts.map(program) };
  });
}

function importsOf(text: string): string {
  return (text.match(/^import .*$/gm) ?? []).join("\n");
}

/** Options that a page shows without the call around them. */
function whole(text: string): string {
  return /^\w+: /.test(text) ? `export const options = {\n${text}};` : text;
}

/**
 * Blocks one after the other: imports first and only once, the rest in separate scopes if names would be declared
 * twice.
 */
function program(blocks: readonly Block[]): string {
  const imports = new Map<string, Set<string>>();
  const bodies = blocks.map(({ text }) =>
    whole(text).replaceAll(
      /^import \{([^}]*)\} from ("[^"]+");?$/gm,
      (_, names: string, from: string) => {
        const known = imports.get(from) ?? new Set();
        for (const name of names.split(",")) if (name.trim() !== "") known.add(name.trim());
        imports.set(from, known);
        return "";
      },
    ),
  );
  const lines = [...imports].map(
    ([from, names]) => `import { ${[...names].join(", ")} } from ${from};`,
  );
  return [...lines, ...bodies].join("\n");
}

/** Keys of options whose values are joints; all other names in examples of the reference are bodies. */
const JOINTS = /\b(?:joint|pinion|rack): (\w+)|\bjoints: \[(\w+), (\w+)\]|\b(?:angle)\('(\w+)'\)/g;
/** Sliding joints. */
const SLIDES = new Set(["slide"]);
const WORDS = new Set(["m", "t", "length", "rate", "out", "Math", "x", "z", "PI", "sin"]);

/** An example of the reference with the bodies and joints it names. */
export function referenceProgram({ text }: Block): string {
  const joints = new Set(
    [...text.matchAll(JOINTS)].flatMap(([, ...names]) => names.filter(Boolean)),
  );
  const named = [
    ...text.matchAll(
      /\b(?:between|bodies): \[([^\]]*)\]|\b(?:on|body|wheel): (\w+)|\b\w+\('(\w+)'\)|\{ (wheel),/g,
    ),
  ].flatMap(([, list, ...names]) => [...(list?.split(",") ?? []), ...names.filter(Boolean)]);
  const bodies = [...new Set(named.map((name) => name!.trim()))].filter(
    (name) => /^\w+$/.test(name) && !joints.has(name) && !WORDS.has(name),
  );
  const lines = [
    'import { model } from "nodrift/bodies";',
    "const m = model();",
    ...bodies.map(
      (name, i) =>
        `const ${name} = m.body({ name: "${name}", mass: 1, inertia: [1, 1, 1], position: [${i + 1}, 0, 0] });`,
    ),
    ...[...joints].map((name, i) => {
      const own = `${name}Body`;
      const type = SLIDES.has(name!) ? "prismatic" : "revolute";
      return `const ${own} = m.body({ name: "${own}", mass: 1, inertia: [1, 1, 1], position: [0, ${i + 1}, 0] });
const ${name} = m.${type}({ name: "${name}", between: [m.ground, ${own}], at: [0, ${i + 1}, 0], axis: [0, 1, 0] });`;
    }),
    text,
    "m.data();",
  ];
  return lines.join("\n");
}

/** Commands of a block, without comments. */
export function commandsOf({ text }: Block): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
}
