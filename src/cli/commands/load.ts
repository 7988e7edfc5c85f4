// Loads models given on the command line: a path, the name of an example, or "-".

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { hint } from "../../base/checking/values.js";
import type { CompiledModel, CompileOptions } from "../../bodies.js";
import { type EquationsFile, type ModelFile, readSystem } from "../../files/index.js";
import { FileError, MAX_MODEL_BYTES, type Terminal } from "../terminal/terminal.js";

export interface LoadedModel {
  readonly file: ModelFile;
  readonly system: CompiledModel;
  /** Base name of output files, such as "pendulum". */
  readonly stem: string;
}

/** A system of equations. */
export interface LoadedEquations {
  readonly file: EquationsFile;
  /** Base name of output files, such as "pendulum". */
  readonly stem: string;
}

/** Reads and compiles a mechanism, or reads a system of equations. */
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
    throw new FileError(
      `${given} is a system of equations with its own coordinates: omit --coordinates`,
    );
  }
  const options = { signal: terminal.signal, ...(coordinates && { coordinates }) };
  return { file, system: await file.compile(options), stem };
}

export function holdsEquations(loaded: LoadedModel | LoadedEquations): loaded is LoadedEquations {
  return !("system" in loaded);
}

/** The text of a model and the base name of its output files. */
function readText(given: string): { readonly text: string; readonly stem: string } {
  const path = modelPath(given);
  const { size } = statSync(path);
  if (size > MAX_MODEL_BYTES) {
    throw new FileError(
      `${given}: ${size} bytes are too large for a model file; the limit is ${MAX_MODEL_BYTES}`,
    );
  }
  return { text: readFileSync(path, "utf8"), stem: basename(given).replace(/\.json$/i, "") };
}

/** Location of a model: a path, or the URL of an example. */
export function modelPath(given: string): string | URL {
  const found = statSync(given, { throwIfNoEntry: false });
  if (found?.isFile()) return given;
  const isName = /^[\w-]+$/.test(given);
  const examples = exampleNames();
  if (isName && examples.includes(given)) return exampleUrl(given);
  if (found?.isDirectory()) throw new FileError(`${given} is a folder: use a model file`);
  const advice = isName ? `, and no example has that name${hint(given, examples)}` : "";
  throw new FileError(`file ${given} not found${advice}`);
}

/** Names of the bundled models: the examples, and those of the gallery that `play` serves. */
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
