// Pages in Markdown as text: which there are, where their links lead, and what can be linked to.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

const NOT_OURS = new Set(["node_modules", "dist", "build", "results", "coverage", ".git"]);

/** Every page of ours below a folder, relative to it. */
export function markdownFiles(top = "."): string[] {
  const below = (folder: string): string[] =>
    readdirSync(posix.join(top, folder), { withFileTypes: true })
      .filter(({ name }) => !NOT_OURS.has(name))
      .flatMap((entry) => {
        const path = posix.join(folder, entry.name);
        if (entry.isDirectory()) return below(path);
        return path.endsWith(".md") ? [path] : [];
      });
  return below("").sort();
}

/** A page without its code: what looks like a link in there is none. */
function proseOf(text: string): string {
  return text.replaceAll(/^(```+).*\n[\s\S]*?^\1$/gm, "").replaceAll(/`[^`\n]*`/g, "");
}

/** Targets of links and pictures, as written: `[text](target)`, `<img src="target">`, `<a href="target">`. */
export function linksOf(text: string): string[] {
  const links = proseOf(text).matchAll(/\]\(\s*<?([^)\s>]+)[^)]*\)|\b(?:src|href)="([^"]+)"/g);
  return [...links].map(([, written, attribute]) => written ?? attribute);
}

/** The anchors of a page's headings, as GitHub and npm make them. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  const code = text.replaceAll(/^(```+).*\n[\s\S]*?^\1$/gm, "");
  for (const [, heading] of code.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Links of the pages below a folder that lead nowhere, each with its page. Addresses on the net are not followed. */
export function brokenLinks(top: string): string[] {
  return markdownFiles(top).flatMap((page) => {
    const textAt = (path: string) => readFileSync(posix.join(top, path), "utf8");
    const leadsNowhere = (link: string) => {
      if (/^[a-z][a-z+.-]*:/i.test(link)) return false;
      const [path, anchor] = decodeURI(link).split("#");
      const target = path === "" ? page : posix.join(posix.dirname(page), path);
      if (target.startsWith("..") || !existsSync(posix.join(top, target))) return true;
      return anchor !== undefined && !anchorsOf(textAt(target)).has(anchor);
    };
    return linksOf(textAt(page))
      .filter(leadsNowhere)
      .map((link) => `${page}: ${link}`);
  });
}
