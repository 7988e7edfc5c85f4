// The package as users install it: packed, and installed into an empty project.

import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

/** A folder outside of the repository. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), "nodrift-"));

  /** Writes files, by path. */
  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
  }

  /** Runs a program in the folder and returns its output, which errors include. */
  async run(command: string, ...args: string[]): Promise<string> {
    try {
      const { stdout } = await promisify(execFile)(command, args, { cwd: this.folder });
      return stdout;
    } catch (cause) {
      const { stdout = "", stderr = "" } = cause as { stdout?: string; stderr?: string };
      const line = [command, ...args].join(" ");
      throw new Error(`"${line}" failed\n${stdout}\n${stderr}`, { cause });
    }
  }

  /** Runs a program of the repository's own development packages. */
  tool(name: string, ...args: string[]): Promise<string> {
    return this.run(resolve("node_modules/.bin", name), ...args);
  }

  /** Packs the repository's dist as it is (no script, so nothing is built) into this folder. */
  async pack(): Promise<{ tarball: string; files: string[] }> {
    const destination = ["--pack-destination", this.folder, "--json", "--ignore-scripts"];
    const { stdout } = await promisify(execFile)("npm", ["pack", ...destination]);
    const [{ filename, files }] = JSON.parse(stdout) as [
      { filename: string; files: { path: string }[] },
    ];
    return { tarball: join(this.folder, filename), files: files.map(({ path }) => path) };
  }

  /**
   * Installs a tarball as a user would, with scripts allowed and logged, and returns the output of npm. The registry
   * is asked for the dependencies only.
   */
  async install(tarball: string): Promise<string> {
    this.write({ "package.json": JSON.stringify({ private: true, type: "module" }) });
    const options = ["--no-audit", "--no-fund", "--foreground-scripts", "--prefer-offline"];
    const install = promisify(execFile)("npm", ["install", ...options, tarball], {
      cwd: this.folder,
    });
    const { stdout, stderr } = await install;
    return `${stdout}${stderr}`;
  }

  /** Unpacks a tarball to the folder that npm would use: npm takes seconds, and is used by only one test. */
  async unpack(tarball: string): Promise<void> {
    const place = join(this.folder, "node_modules/nodrift");
    this.write({ "package.json": JSON.stringify({ private: true, type: "module" }) });
    for (const folder of [place, join(this.folder, "node_modules/.bin")]) {
      mkdirSync(folder, { recursive: true });
    }
    await promisify(execFile)("tar", ["-xzf", tarball, "-C", place, "--strip-components=1"]);
    const program = "nodrift/dist/cli.js";
    chmodSync(join(this.folder, "node_modules", program), 0o755);
    symlinkSync(`../${program}`, join(this.folder, "node_modules/.bin/nodrift"));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
