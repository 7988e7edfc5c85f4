import { readFileSync } from "node:fs";

let known: string | undefined;

/** The version of the package: in package.json above this file, wherever the build has put it. */
export function packageVersion(): string {
  if (known !== undefined) return known;
  for (let folder = new URL("./", import.meta.url); ; folder = new URL("../", folder)) {
    try {
      const text = readFileSync(new URL("package.json", folder), "utf8");
      const { name, version } = JSON.parse(text) as { name?: string; version?: string };
      if (name === "nodrift" && version !== undefined) {
        known = version;
        return version;
      }
    } catch {
      // Not in this folder.
    }
    if (new URL("../", folder).href === folder.href) return "unknown";
  }
}
