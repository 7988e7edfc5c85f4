// Kernels as texts: their numbers of arguments, and the exports of a module that src calls.

import { codeOf, kernelNames, sourceFiles } from "../../test/support/sources.js";

/** Functions of assembly/ with more arguments than this, with their counts. */
export function longArgumentLists(most: number): string[] {
  return sourceFiles("assembly")
    .filter((file) => /(?<!\.d)\.ts$/.test(file))
    .flatMap((file) =>
      [...codeOf(file).matchAll(/\bfunction (\w+)\(([^)]*)\)/g)].flatMap(([, name, list]) => {
        const count = list.split(",").filter((argument) => argument.trim() !== "").length;
        return count > most ? [`${file}: ${name} takes ${count}`] : [];
      }),
    );
}

/** Exports of a module that no file of src calls. */
export function uncalledExports(module: string): string[] {
  const code = ["src", "campaign", "papers"].flatMap(sourceFiles).map(codeOf).join("\n");
  return kernelNames(module).filter(
    (name) => !new RegExp(`\\.${name}\\b|\\b${name}\\b[^;]*\\} = `).test(code),
  );
}
