// Class inheritance, read from the sources as text. A base class with one subclass is one class in two files;
// composition expresses the same without sharing internals. A base that further files use is more than half of a class:
// solvers read the quantities of a system that extends them, and views have pose tables of their own.

import { codeOf, sourceFiles } from "./sources.js";

/** A class that another one extends. */
export interface Extension {
  readonly base: string;
  readonly child: string;
}

/** Classes of src/ that exactly one class of src/ extends and no other file uses: "Base: Child". */
export function lonelyBases(): string[] {
  return lonelyBasesIn(
    ["src", "campaign", "papers"]
      .flatMap(sourceFiles)
      .filter((path) => path.endsWith(".ts"))
      .map(codeOf),
  );
}

/** Finds them in texts without comments. Undeclared bases, like Error, are external. */
export function lonelyBasesIn(texts: readonly string[]): string[] {
  const declared = new Set(texts.flatMap((text) => headsIn(text).map(({ name }) => name)));
  const extensions = texts.flatMap(extensionsIn).filter(({ base }) => declared.has(base));
  return extensions
    .filter(({ base }) => extensions.filter((other) => other.base === base).length === 1)
    .filter(({ base, child }) => !isUsedElsewhere(texts, base, child))
    .map(({ base, child }) => `${base}: ${child}`)
    .sort();
}

/** Whether a file that declares neither class names the base. */
function isUsedElsewhere(texts: readonly string[], base: string, child: string): boolean {
  return texts.some((text) => {
    const names = headsIn(text).map(({ name }) => name);
    return (
      !names.includes(base) && !names.includes(child) && new RegExp(`\\b${base}\\b`).test(text)
    );
  });
}

/** Pairs of class and base in a text without comments. */
export function extensionsIn(text: string): Extension[] {
  return headsIn(text).flatMap(({ name, rest }) => {
    const base = /^\s*extends\s+(?:\w+\.)*(\w+)/.exec(rest)?.[1];
    return base === undefined ? [] : [{ base, child: name }];
  });
}

/** Declared classes, and the text after the name and its type parameters, which may contain an `extends`. */
function headsIn(text: string): { readonly name: string; readonly rest: string }[] {
  const heads = text.matchAll(/(?<![\w$."'])class\s+(?:(?!extends\b|implements\b)(\w+))?/g);
  return [...heads].map((head) => {
    const rest = text.slice(head.index + head[0].length);
    return { name: head[1] ?? "(no name)", rest: rest.slice(lengthOfParameters(rest)) };
  });
}

/** Length of the type parameters at the beginning of a text; 0 if there are none. */
function lengthOfParameters(text: string): number {
  if (!text.startsWith("<")) return 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "<") depth++;
    // The arrow of a function type closes nothing.
    else if (text[i] === ">" && text[i - 1] !== "=") depth--;
    if (depth === 0) return i + 1;
  }
  return text.length;
}
