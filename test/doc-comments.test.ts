// Every export of the package has a doc comment at its declaration, which is the one that editors show.

import { posix } from "node:path";
import * as core from "nodrift";
import * as solving from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { textOf } from "./support/sources.js";

interface Declared {
  readonly name: string;
  readonly path: string;
  /** Its doc comment without stars; undefined if it has none. */
  readonly comment: string | undefined;
}

const KINDS = "(?:abstract )?(?:async )?(?:function\\*?|class|interface|type|const|enum)";
/** A declaration, with the doc comment and tool directives that may precede it. */
const DECLARATION = new RegExp(
  `^(?:/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n)?(?:(?:/\\* @__|// biome-ignore ).*\\n)*export ${KINDS} (\\w+)`,
  "gm",
);
/** `export { a, type B as C } from "./d.js"`, the same without a source, or `export * from`. */
const PASSED_ON = /^export (?:type )?(?:\*|\{([^}]*)\})(?: from "([^"]+)")?;/gm;

const fileOf = (path: string, specifier: string) =>
  posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
const plain = (comment: string) => comment.replaceAll(/\s*\n\s*\* ?/g, " ").trim();

function declaredIn(path: string): Declared[] {
  const text = textOf(path);
  // Names exported by destructuring lose their comments.
  const nameless = /^export (?:const|let) [{[].*/m.exec(text);
  if (nameless) throw new Error(`${path} exports by destructuring: ${nameless[0]}`);
  return [...text.matchAll(DECLARATION)].map(([, comment, name]) => ({
    name,
    path,
    comment: comment === undefined ? undefined : plain(comment),
  }));
}

/** The file from which a re-exported name is imported. */
function importedFrom(path: string, name: string): string {
  const lists = textOf(path).matchAll(/^import (?:type )?\{([^}]*)\} from "([^"]+)"/gm);
  const found = [...lists].find(([, list]) => new RegExp(`\\b${name}\\b`).test(list));
  if (!found) throw new Error(`${path} exports ${name}, which it neither declares nor imports`);
  return fileOf(path, found[2]);
}

/** Everything a file exports, by its own declarations and by those of others. */
function exportsOf(path: string): Declared[] {
  const own = declaredIn(path);
  const passedOn = [...textOf(path).matchAll(PASSED_ON)].flatMap(([, list, from]) => {
    if (list === undefined) return exportsOf(fileOf(path, from));
    const names = [...list.matchAll(/(?:type )?(\w+)(?: as \w+)?(?:,|\s*$)/g)].map(
      (part) => part[1],
    );
    return names.map((name) => {
      const source = from === undefined ? importedFrom(path, name) : fileOf(path, from);
      const found = exportsOf(source).find((one) => one.name === name);
      if (!found) throw new Error(`${path} exports ${name}, which is not declared in ${source}`);
      return found;
    });
  });
  return [...own, ...passedOn];
}

/** Sources of the entries that package.json names. */
const entries = [
  ...textOf("package.json").matchAll(/"types": "\.\/dist\/types\/(src\/.+)\.d\.ts"/g),
]
  .map(([, path]) => `${path}.ts`)
  .filter((path, index, all) => all.indexOf(path) === index);

test("package.json names the entries", () => {
  expect(entries).toContain("src/index.ts");
  expect(entries.length).toBeGreaterThan(7);
});

describe.each(entries)("%s", (entry) => {
  const exported = exportsOf(entry);

  test("exports something", () => {
    expect(exported.length).toBeGreaterThan(5);
  });

  test("every exported name has a doc comment", () => {
    const silent = exported.filter(({ comment }) => !comment);
    expect(silent.map(({ name, path }) => `${name} of ${path}`)).toEqual([]);
  });
});

test("every function that makes a method has an example", () => {
  const values: Readonly<Record<string, unknown>> = { ...core, ...solving };
  const makers = ["src/index.ts", "src/solve.ts"]
    .flatMap(exportsOf)
    .filter(
      ({ name, path }) => path.startsWith("src/methods/") && typeof values[name] === "function",
    );
  expect(makers.length).toBeGreaterThan(30);
  const without = makers.filter(({ comment }) => !comment?.includes("@example"));
  expect(without.map(({ name }) => name)).toEqual([]);
});

// A constant that wraps a function does not inherit its comment. The public comment must agree with that of the
// function.
test("comments of src/base/memory/sizes.ts are the beginning of those of the layouts", () => {
  const originals = ["assembly/layout.ts", "assembly/layout-bodies.ts"].flatMap(exportsOf);
  const comments = new Map(originals.map(({ name, comment }) => [name, comment]));
  const own = declaredIn("src/base/memory/sizes.ts");
  expect(own.length).toBeGreaterThan(40);
  const other = own.filter(
    ({ name, comment }) => !comment || !comments.get(name)?.startsWith(comment),
  );
  expect(other.map(({ name }) => name)).toEqual([]);
});
