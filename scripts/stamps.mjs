// Detects build results that are out of date, by content: a checkout or a copy of the repository changes the times of
// files, not what is in them.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { posix } from "node:path";

const FOLDER = "build/stamps";

/** Files below a folder, as paths from the top; none if there is no such folder. */
export function filesBelow(folder, pattern = /./) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .filter((path) => pattern.test(path) && statSync(path).isFile())
    .sort();
}

/** Digest of the names and contents of files, and of settings. */
export function digestOf(paths, settings) {
  const hash = createHash("sha256").update(JSON.stringify(settings ?? null));
  for (const path of paths) {
    hash.update(`\n${path}\n`);
    hash.update(
      existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest() : "missing",
    );
  }
  return hash.digest("hex");
}

/** Stamp of a group: digests of its inputs and outputs. */
function stampOf({ inputs, outputs, settings }) {
  return `${digestOf(inputs(), settings)} ${digestOf(outputs())}\n`;
}

/** Whether the outputs of a group are missing, were changed, or were built from other inputs. */
export function isStale(group) {
  const file = posix.join(FOLDER, group.name);
  if (!existsSync(file) || group.outputs().length === 0) return true;
  return readFileSync(file, "utf8") !== stampOf(group);
}

/** Marks a group as stale. Call before building it. */
export function forget(group) {
  rmSync(posix.join(FOLDER, group.name), { force: true });
}

/** Stores the stamp of a group. Call after building it. */
export function remember(group) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(posix.join(FOLDER, group.name), stampOf(group));
}
