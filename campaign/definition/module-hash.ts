import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** Hash of a module's source text. Its imports are not included: change the module as well when they change. */
export function moduleHash(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
