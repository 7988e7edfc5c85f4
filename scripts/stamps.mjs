// Whether something made is out of date, by content: a checkout or a copy of the repository changes the times of
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

/** One number for the names and contents of files, and for settings beside them. */
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

/** What is stamped of a group: what it was made from, and what was made. */
function stampOf({ inputs, outputs, settings }) {
  return `${digestOf(inputs(), settings)} ${digestOf(outputs())}\n`;
}

/** True where what a group makes is missing, was changed, or was made from something else. */
export function isStale(group) {
  const file = posix.join(FOLDER, group.name);
  if (!existsSync(file) || group.outputs().length === 0) return true;
  return readFileSync(file, "utf8") !== stampOf(group);
}

/** To be called when a group begins to be made: until it has been, it is stale. */
export function forget(group) {
  rmSync(posix.join(FOLDER, group.name), { force: true });
}

/** To be called when a group has been made. */
export function remember(group) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(posix.join(FOLDER, group.name), stampOf(group));
}
