import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The hash of a module's text. What it imports is not seen: raise a number in it when that changes. */
export function moduleHash(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
