// How wide the interfaces of src/seam are, inherited members included.

import { codeOf, sourceFiles } from "./sources.js";

/** Members of each interface, by name. */
export function interfaceWidths(texts: readonly string[]): ReadonlyMap<string, number> {
  const own = new Map<string, { members: readonly string[]; bases: readonly string[] }>();
  for (const text of texts) {
    const found = text.matchAll(
      /^export interface (\w+)(?:<[^>]*>)?(?: extends ([^{]+))? \{\n([\s\S]*?)^\}/gm,
    );
    for (const [, name, extended = "", body] of found) {
      const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(<:]/gm)].map(
        ([, member]) => member,
      );
      const bases = [...extended.matchAll(/(?:Pick|Omit)<\w+, ([^>]+)>|(\w+)/g)].map(
        ([, , base = ""]) => base,
      );
      own.set(name, { members, bases });
    }
  }
  const all = (name: string): Set<string> => {
    const { members = [], bases = [] } = own.get(name) ?? {};
    return new Set([...members, ...bases.flatMap((base) => [...all(base)])]);
  };
  return new Map([...own.keys()].map((name) => [name, all(name).size]));
}

/** The interfaces of the seam. */
export function seamWidths(): ReadonlyMap<string, number> {
  const files = sourceFiles("src/seam").filter((file) => !file.includes("/projection/"));
  return interfaceWidths(files.map(codeOf));
}
