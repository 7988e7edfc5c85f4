import { readFileSync } from "node:fs";

/** The version of the package, whose description is above the folder of this file. */
export function version(): string {
  const file = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
