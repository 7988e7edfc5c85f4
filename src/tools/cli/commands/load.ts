// Models by the words people give: a path, the name of an example, or "-".

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { CompiledModel, CompileOptions } from "../../../bodies.js";
import { hint } from "../../../describe/model/option-checks.js";
import { type EquationsFile, type ModelFile, readSystem } from "../../files/index.js";
import { FileError } from "../terminal/file-error.js";
import { LARGEST_MODEL } from "../terminal/limits.js";
import type { Terminal } from "../terminal/terminal.js";

export interface LoadedModel {
  readonly file: ModelFile;
  readonly system: CompiledModel;
  /** For names of files: "pendulum". */
  readonly stem: string;
}

/** A system by equations. */
export interface LoadedEquations {
  readonly file: EquationsFile;
  /** For names of files: "pendulum". */
  readonly stem: string;
}

/** Reads and compiles a mechanism, or reads a system by equations. */
export async function loadSystem(
  given: string,
  terminal: Terminal,
  coordinates?: CompileOptions["coordinates"],
): Promise<LoadedModel | LoadedEquations> {
  const { text, stem } =
    given === "-" ? { text: await terminal.input(), stem: "model" } : readText(given);
  const file = readSystem(text);
  if ("system" in file) {
    if (coordinates === undefined) return { file, stem };
    throw new FileError(`${given} is a system of equations: it has only its own coordinates`);
  }
  const options = { signal: terminal.signal, ...(coordinates && { coordinates }) };
  return { file, system: await file.compile(options), stem };
}

export function holdsEquations(loaded: LoadedModel | LoadedEquations): loaded is LoadedEquations {
  return !("system" in loaded);
}

/** The text behind a word, and a short name for it. */
function readText(given: string): { readonly text: string; readonly stem: string } {
  const path = modelPath(given);
  const { size } = statSync(path);
  if (size > LARGEST_MODEL) {
    throw new FileError(`${given} has ${size} bytes: too large for a model`);
  }
  return { text: readFileSync(path, "utf8"), stem: basename(given).replace(/\.json$/i, "") };
}

/** Where a model lies: a path, or the address of an example. */
export function modelPath(given: string): string | URL {
  const found = statSync(given, { throwIfNoEntry: false });
  if (found?.isFile()) return given;
  const isName = /^[\w-]+$/.test(given);
  const examples = exampleNames();
  if (isName && examples.includes(given)) return exampleUrl(given);
  if (found?.isDirectory()) throw new FileError(`${given} is a folder: give a model file`);
  const advice = isName ? `, and no example of that name${hint(given, examples)}` : "";
  throw new FileError(`there is no file ${given}${advice}`);
}

/** Models that come with the package: the examples, and those of the gallery that `play` serves. */
export function exampleNames(): readonly string[] {
  const names = FOLDERS.flatMap((folder) => readdirSync(folder))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.replace(/\.json$/, ""));
  return [...new Set(names)].sort();
}

export function exampleUrl(name: string): URL {
  const urls = FOLDERS.map((folder) => new URL(`${name}.json`, folder));
  return urls.find((url) => existsSync(url)) ?? urls[0]!;
}

const FOLDERS = [
  new URL("../examples/", import.meta.url),
  new URL("./play/models/", import.meta.url),
] as const;
