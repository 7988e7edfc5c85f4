import { readFileSync } from "node:fs";
import { arch, availableParallelism, cpus, platform } from "node:os";

/** What a timing depends on: class of machine and versions, nothing that identifies it. */
export function machine() {
  const version = (name: string) => {
    const file = new URL(`../../../node_modules/${name}/package.json`, import.meta.url);
    return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
  };
  return {
    system: `${platform()} ${arch()}`,
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    node: process.versions.node,
    v8: process.versions.v8,
    assemblyscript: version("assemblyscript"),
    "ml-matrix": version("ml-matrix"),
    tinybench: version("tinybench"),
  };
}

/** The same in one line. */
export function machineLine(): string {
  const { system, processor, cores, node, assemblyscript, ...rest } = machine();
  return `${processor}, ${cores} cores, ${system}; Node ${node} (V8 ${rest.v8}), AssemblyScript ${assemblyscript}, ml-matrix ${rest["ml-matrix"]}, tinybench ${rest.tinybench}`;
}
