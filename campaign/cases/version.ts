import { readFileSync } from "node:fs";

let cachedVersion: string | undefined;

/** Version of the package, from the nearest package.json above this file. */
export function packageVersion(): string {
  if (cachedVersion !== undefined) return cachedVersion;
  for (let folder = new URL("./", import.meta.url); ; folder = new URL("../", folder)) {
    try {
      const text = readFileSync(new URL("package.json", folder), "utf8");
      const { name, version } = JSON.parse(text) as { name?: string; version?: string };
      if (name === "nodrift" && version !== undefined) {
        cachedVersion = version;
        return version;
      }
    } catch {
      // Not in this folder.
    }
    if (new URL("../", folder).href === folder.href) return "unknown";
  }
}
