import { readFileSync } from "node:fs";

/** Version of the package; package.json lies in the parent of this folder. */
export function version(): string {
  const file = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
