// Documentation of a recipe of a joint or force in its source: comment, example and options. Comments are written once,
// where editors show them; docs/joints.md is generated from them.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface OptionText {
  readonly name: string;
  readonly type: string;
  readonly isNeeded: boolean;
  readonly about: string;
}

export interface RecipeText {
  /** One-line summary from the registry. */
  readonly summary: string;
  readonly about: string;
  readonly example: string;
  readonly options: readonly OptionText[];
}

/** Everything about the entry of a registry, `folder`/index.ts. */
export function recipeText(folder: string, name: string): RecipeText {
  const index = readFileSync(join(folder, "index.ts"), "utf8");
  const summary = needed(
    new RegExp(`/\\*\\* ([^\\n]*) \\*/\\n  ${name},`).exec(index)?.[1],
    `${name} has no comment in ${folder}/index.ts`,
  );
  const source = needed(
    new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from "\\./([\\w-]+)\\.js"`).exec(index)?.[1],
    `${name} is not imported in ${folder}/index.ts`,
  );
  const path = join(folder, `${source}.ts`);
  const text = readFileSync(path, "utf8");
  const [, comment, options] = needed(
    new RegExp(`/\\*\\*\\n((?: \\*[^\\n]*\\n)+) \\*/\\nexport const ${name}: \\w+<\\s*(\\w+)`).exec(
      text,
    ),
    `${name} has no comment in ${path}`,
  );
  const [about, example] = plain(comment).split("@example\n");
  return {
    summary,
    about: about.trim().replaceAll("\n", " "),
    example: needed(example, `${name} has no example in ${path}`).trim(),
    options: optionsOf(path, options),
  };
}

function needed<T>(found: T | null | undefined, wrong: string): T {
  if (found === null || found === undefined) throw new Error(wrong);
  return found;
}

/** A comment without its stars. */
function plain(comment: string): string {
  return comment.replaceAll(/^ *\* ?/gm, "");
}

/** The members of an interface and its bases. */
function optionsOf(path: string, name: string): OptionText[] {
  const text = readFileSync(path, "utf8");
  const same = new RegExp(`export type ${name} = (\\w+);`).exec(text);
  if (same) return optionsOf(whereIs(path, text, same[1]), same[1]);
  const [, bases = "", body = ""] = needed(
    new RegExp(
      `export interface ${name}(?: extends ([^{]+))? \\{(?:\\}|\\n([\\s\\S]*?)\\n\\})`,
    ).exec(text),
    `${name} is not in ${path}`,
  );
  const inherited = [...bases.matchAll(/Omit<(\w+), "(\w+)">|(\w+)/g)].flatMap(
    ([, some, without, all]) =>
      optionsOf(whereIs(path, text, some ?? all), some ?? all).filter(
        (option) => option.name !== without,
      ),
  );
  const own = membersOf(body);
  // Bases may share options, such as the name.
  const byName = new Map([...inherited, ...own].map((option) => [option.name, option]));
  return [...byName.values()];
}

/** The file a name is imported from, or the file itself. */
function whereIs(path: string, text: string, name: string): string {
  const from = new RegExp(`import (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from "([^"]+)"`).exec(
    text,
  );
  const file = from ? join(dirname(path), from[1].replace(/\.js$/, ".ts")) : path;
  return existsSync(file) ? file : path;
}

const MEMBER = /(?: {2}\/\*\*\s?([\s\S]*?)\*\/\n)? {2}readonly (\w+)(\??): ([^;]+);/g;

function membersOf(body: string): OptionText[] {
  return [...body.matchAll(MEMBER)].map(([, comment = "", name, mark, type]) => ({
    name,
    type: type.replace(" | undefined", "").replaceAll(/\s+/g, " "),
    isNeeded: mark === "",
    about: needed(
      plain(comment).replaceAll(/\s+/g, " ").trim() || undefined,
      `the option ${name} has no comment`,
    ),
  }));
}
