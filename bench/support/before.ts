// Builds of the package, of this commit or of an earlier one.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The entry points of a build, with the names both builds share. */
export interface Build {
  readonly core: typeof import("nodrift");
  readonly bodies: typeof import("nodrift/bodies");
  readonly mechanisms: typeof import("nodrift/mechanisms");
  readonly solve: typeof import("nodrift/solve");
}

/** The package itself, or its build in a folder. */
export async function buildIn(folder?: string): Promise<Build> {
  if (folder === undefined) {
    return {
      core: await import("nodrift"),
      bodies: await import("nodrift/bodies"),
      mechanisms: await import("nodrift/mechanisms"),
      solve: await import("nodrift/solve"),
    };
  }
  const entry = async (name: string) =>
    await import(pathToFileURL(join(folder, "dist", `${name}.js`)).href);
  return {
    core: await entry("index"),
    bodies: await entry("bodies"),
    mechanisms: await entry("mechanisms"),
    solve: await entry("solve"),
  };
}

/**
 * The folder with the build of a commit: the one that NODRIFT_BEFORE names, if that is set, otherwise cloned and
 * built in a temporary one, which takes some minutes.
 */
export function folderOf(commit: string): string {
  return process.env.NODRIFT_BEFORE ?? cloned(commit);
}

function cloned(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), "nodrift-before-"));
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  run("git", "clone", "--quiet", process.cwd(), ".");
  run("git", "checkout", "--quiet", commit);
  run("npm", "ci");
  if (!existsSync(join(folder, "dist/index.js"))) run("npm", "run", "build");
  return folder;
}
