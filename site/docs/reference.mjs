// API reference: the exports of each entry point, from the published declarations. Rejected: TypeDoc, which supports the
// compiler only up to version 6.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parser as javascript } from "@lezer/javascript";

const parser = javascript.configure({ dialect: "ts" });
const files = new Map();

/** Returns the reference pages as Markdown, one for each entry point with declarations. */
export function referencePages() {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
  return Object.entries(exports).flatMap(([entry, target]) => {
    if (typeof target !== "object" || !existsSync(target.types)) return [];
    const name = entry === "." ? "nodrift" : `nodrift${entry.slice(1)}`;
    const symbols = [...exportsOf(target.types)].sort(([a], [b]) => a.localeCompare(b));
    const source = `api-${name.replaceAll("/", "-")}.html`;
    return [{ address: source, title: name, text: pageOf(name, symbols) }];
  });
}

/** Returns the exported names of a file with their declarations. */
function exportsOf(path, seen = new Set()) {
  const all = new Map();
  if (seen.has(path)) return all;
  seen.add(path);
  const { statements } = read(path);
  for (const { text, comment } of statements) {
    const from = /\bfrom "(\.[^"]+)"/.exec(text)?.[1];
    const target = from && join(dirname(path), from.replace(/\.js$/, ".d.ts"));
    if (/^export \*/.test(text) && target) {
      for (const [name, found] of exportsOf(target, seen)) all.set(name, found);
      continue;
    }
    const list = /^export (?:type )?\{([^}]*)\}/.exec(text)?.[1];
    if (list !== undefined) {
      for (const word of list
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean)) {
        const [inner, outer = inner] = word.replace(/^type /, "").split(/ as /);
        const found = target ? find(target, inner) : find(path, inner);
        if (found) all.set(outer, found);
      }
      continue;
    }
    const name =
      /^export (?:declare )?(?:abstract )?(?:function|class|const|interface|type|enum) (\w+)/.exec(
        text,
      )?.[1];
    if (name) all.set(name, { text: text.replace(/^export (declare )?/, ""), comment });
  }
  return all;
}

/** Returns the declaration of a name in a file, or in the file it is re-exported from. */
function find(path, name, depth = 0) {
  if (depth > 8 || !existsSync(path)) return undefined;
  const declared = new RegExp(
    `^(?:export )?(?:declare )?(?:abstract )?(?:function|class|const|interface|type|enum) ${name}\\b`,
  );
  const { statements } = read(path);
  const own = statements.find(({ text }) => declared.test(text));
  if (own)
    return {
      text: own.text.replace(/^export (declare )?/, "").replace(/^declare /, ""),
      comment: own.comment,
    };
  for (const { text } of statements) {
    const from = /\bfrom "(\.[^"]+)"/.exec(text)?.[1];
    if (!from) continue;
    const target = join(dirname(path), from.replace(/\.js$/, ".d.ts"));
    const listed = new RegExp(`(?:\\b(\\w+) as )?\\b${name}\\b`).exec(
      text.slice(0, text.indexOf("from")),
    );
    if (/^export \*/.test(text) || listed) {
      const found = find(target, listed?.[1] ?? name, depth + 1);
      if (found) return found;
    }
  }
  return undefined;
}

/** Returns the statements of a file, each with its doc comment. */
function read(path) {
  const known = files.get(path);
  if (known) return known;
  const source = existsSync(path) ? readFileSync(path, "utf8") : "";
  const statements = [];
  let comment = "";
  for (let node = parser.parse(source).topNode.firstChild; node; node = node.nextSibling) {
    const text = source.slice(node.from, node.to);
    if (node.name === "BlockComment") comment = text.startsWith("/**") ? text : "";
    else if (node.name !== "LineComment") {
      statements.push({ text, comment });
      comment = "";
    }
  }
  files.set(path, { statements });
  return { statements };
}

function pageOf(name, symbols) {
  const kinds = [
    ["Functions", /^(function|const)/],
    ["Classes", /^(abstract )?class/],
    ["Types", /^(interface|type|enum)/],
  ];
  const parts = kinds.flatMap(([title, kind]) => {
    const own = symbols.filter(([, { text }]) => kind.test(text));
    return own.length === 0 ? [] : [`## ${title}`, ...own.map(symbolText)];
  });
  return [
    `# ${name}`,
    `What \`import { ... } from "${name}"\` can name: ${symbols.length} exports.`,
    ...parts,
  ].join("\n\n");
}

function symbolText([name, { text, comment }]) {
  const { words, example } = partsOf(comment);
  const shown = text
    .replaceAll(/^\s*#private;\n/gm, "")
    .replaceAll(/^\s*private .*\n/gm, "")
    .trimEnd();
  return [
    `### ${name}`,
    words,
    ...(example ? [`\`\`\`ts\n${example}\n\`\`\``] : []),
    `\`\`\`ts\n${shown}\n\`\`\``,
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** Splits a comment into prose and examples. */
function partsOf(comment) {
  const lines = comment
    .replace(/^\/\*\*/, "")
    .replace(/\*\/$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""));
  const all = lines.join("\n").trim();
  const [words, example] = all.split(/@example\n?/);
  return {
    words: words.replaceAll(/\{@link (\w+)\}/g, "`$1`").trim(),
    example: example?.trim(),
  };
}
