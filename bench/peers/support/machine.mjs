import { readFileSync } from "node:fs";
import { arch, availableParallelism, cpus, platform } from "node:os";

/** @param {string} path relative to this folder's parent */
const versionIn = (path) =>
  JSON.parse(readFileSync(new URL(`../${path}/package.json`, import.meta.url), "utf8"));

/** What a timing depends on: class of machine and versions, nothing that identifies it. */
export function machine() {
  const { dependencies } = versionIn(".");
  const peers = Object.keys(dependencies).map((name) => [
    name,
    versionIn(`node_modules/${name}`).version,
  ]);
  return {
    system: `${platform()} ${arch()}`,
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    node: process.versions.node,
    v8: process.versions.v8,
    versions: { nodrift: versionIn("../..").version, ...Object.fromEntries(peers) },
  };
}
