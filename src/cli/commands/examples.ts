import { existsSync, readFileSync } from "node:fs";
import { writeAtomically } from "../terminal/atomic-file.js";
import { EXIT, FileError } from "../terminal/terminal.js";
import { columns, command, UsageError } from "./command.js";
import { exampleNames, exampleUrl } from "./load.js";

/** `nodrift examples`. */
export default command({
  operands: "[NAME...]",
  count: [0, Number.POSITIVE_INFINITY],
  description: [
    "Lists the bundled example models. With names, copies these models into the current folder for",
    "editing. Existing files are not overwritten.",
  ].join("\n"),
  options: {},
  examples: ["nodrift examples", "nodrift examples slider-crank", "nodrift run slider-crank.json"],

  async run({ operands }, terminal) {
    const known = exampleNames();
    if (operands.length === 0) {
      for (const line of columns(known.map((name) => [name, descriptionOf(name)]))) {
        terminal.print(line);
      }
      return EXIT.good;
    }
    const unknown = operands.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw new UsageError(`unknown example "${unknown}"; available: ${known.join(", ")}`);
    }
    for (const name of operands) copy(name);
    terminal.print(`written: ${operands.map((name) => `${name}.json`).join(", ")}`);
    return EXIT.good;
  },
});

function descriptionOf(name: string): string {
  const { description = "" } = JSON.parse(readFileSync(exampleUrl(name), "utf8")) as {
    description?: string;
  };
  return description;
}

function copy(name: string): void {
  const path = `${name}.json`;
  if (existsSync(path)) throw new FileError(`${path} exists; not overwritten`);
  const text = readFileSync(exampleUrl(name), "utf8");
  // The schema lies in the installed package.
  writeAtomically(path, text.replace('"../dist/', '"./node_modules/nodrift/dist/'));
}
