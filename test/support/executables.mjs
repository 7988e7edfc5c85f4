// Locates programs that tests run.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The path in an environment variable, or the first of some names in some folders and on the PATH; undefined if not found. */
export function findExecutable(variable, names, folders) {
  if (process.env[variable]) return process.env[variable];
  const all = [...folders, ...(process.env.PATH ?? "").split(delimiter).filter(Boolean)];
  return names.flatMap((name) => all.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
