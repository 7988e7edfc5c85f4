// Converts a description to a self-contained definition: reads its files and resolves its paths.

import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  hint,
  isRecord,
  locationOf,
  type Mistake,
  pathText,
  reading,
  readOptions,
  readPart,
} from "../../src/base/checking/index.js";
import { NodriftError } from "../../src/base/errors.js";
import { type JsonObject, readDocument, readModel } from "../../src/files/index.js";
import { defaultReadLimits, readSource, sourceOf } from "../../src/files/text/json-source.js";
import { checkTogether, columnName, FILE, MAX_CASES } from "./checks.js";
import { moduleHash } from "./module-hash.js";
import {
  CAMPAIGN_FORMAT,
  type CampaignDescription,
  type CampaignModel,
  type DefinedModel,
  type Definition,
  type OutputOptions,
} from "./options.js";

// Lists of cases as comma-separated values: a header with names, then rows of numbers.

/** Reads columns by name. Throws if a cell is not a number. */
function readColumns(text: string, path: string): Readonly<Record<string, readonly number[]>> {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  while (lines.length > 0 && lines.at(-1)!.trim() === "") lines.pop();
  const [head = "", ...rows] = lines;
  if (rows.length === 0)
    throw lineError(
      path,
      1,
      "contains no cases; it needs a header with names, then rows of numbers",
    );
  if (rows.length > MAX_CASES) throw lineError(path, 1, `has more than ${MAX_CASES} cases`);
  const separator = !head.includes(",") && head.includes(";") ? ";" : ",";
  const names = head
    .split(separator)
    .map((cell) => columnName.read(unquoted(cell), locationOf(path, "DESCRIPTION", "a heading")));
  if (new Set(names).size !== names.length) throw lineError(path, 1, "has a repeated heading");
  const columns = names.map(() => new Array<number>(rows.length));
  for (const [i, row] of rows.entries()) {
    const cells = row.split(separator);
    if (cells.length !== names.length) {
      throw lineError(path, i + 2, `has ${cells.length} cells for ${names.length} headings`);
    }
    for (const [k, cell] of cells.entries()) {
      const value = Number(unquoted(cell));
      if (unquoted(cell) === "" || !Number.isFinite(value))
        throw lineError(path, i + 2, `"${cell}" is not a number`);
      columns[k]![i] = value;
    }
  }
  return Object.fromEntries(names.map((name, k) => [name, columns[k]!]));
}

const unquoted = (cell: string) => cell.trim().replace(/^"(.*)"$/, "$1");

function lineError(path: string, line: number, what: string): NodriftError {
  return new NodriftError("DESCRIPTION", `${path}, line ${line}: ${what}`);
}

/** Largest size of a file in bytes. */
const MAX_FILE_BYTES = 200_000_000;

/** Completes a checked description with the files it refers to. Paths are relative to `folder`. */
export function define(
  description: CampaignDescription,
  model: CampaignModel,
  folder: string,
): Definition {
  const found = modelOf(model, folder);
  const { design, outputs = [], name } = description;
  const list =
    design.type === "list" && design.file !== undefined
      ? {
          type: "list" as const,
          columns: readColumns(textOf(resolve(folder, design.file)), design.file),
        }
      : design;
  const title = name ?? (found.kind === "document" ? found.document.name : undefined);
  const definition: Definition = {
    ...description,
    campaign: CAMPAIGN_FORMAT,
    name: typeof title === "string" ? title : "campaign",
    model: found,
    design: list,
    outputs: outputs as readonly OutputOptions[],
  };
  if (definition.outputs.length === 0) {
    throw new NodriftError(
      "DESCRIPTION",
      "campaign: outputs is missing; use formulas: outputs: [\"z('ball')\"]",
    );
  }
  checkTogether(definition, "campaign");
  return definition;
}

/** Reads the text of a campaign file. */
export function readCampaign(text: string, folder: string): Definition {
  const { value } = readSource(text, {
    ...defaultReadLimits,
    values: 6_000_000,
    size: MAX_FILE_BYTES,
  });
  const problems: string[] = [];
  const report = ({ keys, what, known }: Mistake) => {
    const more = known === undefined ? what : `is not an option${hint(keys.at(-1), known)}`;
    problems.push(`campaign: ${[pathText(keys), more].join(" ").trim()}`);
  };
  const place = { ...locationOf("campaign", "DESCRIPTION"), report };
  const read = readPart(place, () => readOptions<CampaignFile>(place, value, FILE));
  if (read?.model !== undefined) {
    try {
      modelOf(read.model, folder);
    } catch (error) {
      if (!(error instanceof NodriftError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 1) {
    const lines = problems.map((one) => one.replaceAll("\n", "\n  "));
    const first = `campaign: the file has ${problems.length} problems:`;
    throw new NodriftError("DESCRIPTION", [first, ...lines].join("\n  "));
  }
  if (problems.length === 1) throw new NodriftError("DESCRIPTION", problems[0]!);
  const { $schema: _, campaign: _version, model, ...description } = read!;
  return define(description, model, folder);
}

interface CampaignFile extends CampaignDescription {
  readonly $schema?: string;
  readonly campaign: number;
  readonly model: CampaignModel;
}

/** Reads a campaign file. */
export function readCampaignFile(path: string): Definition {
  return readCampaign(textOf(path), dirname(resolve(path)));
}

function modelOf(model: CampaignModel, folder: string): DefinedModel {
  if (typeof model === "function") return { kind: "function" };
  if (typeof model === "string" || model instanceof URL) {
    const path = readable(model, () =>
      model instanceof URL ? fileURLToPath(model) : resolve(folder, model),
    );
    if (/\.[cm]?js$/i.test(path)) {
      return { kind: "module", path, hash: readable(path, () => moduleHash(path)) };
    }
    const text = textOf(path);
    // Throws an error that lists all problems by line.
    readModel(text);
    return documentOf(readSource(text, defaultReadLimits).value);
  }
  const location = locationOf("campaign", "DESCRIPTION", "model");
  const { value } = reading(location, () => sourceOf(model, defaultReadLimits));
  readDocument(value);
  return documentOf(value);
}

function documentOf(value: unknown): DefinedModel {
  if (isRecord(value)) return { kind: "document", document: value as JsonObject };
  throw new NodriftError("DESCRIPTION", "campaign: the model is not a model document");
}

function textOf(path: string): string {
  return readable(path, () => {
    const { size } = statSync(path);
    if (size <= MAX_FILE_BYTES) return readFileSync(path, "utf8");
    throw new NodriftError(
      "DESCRIPTION",
      `campaign: ${path} has ${size} bytes; the limit is ${MAX_FILE_BYTES}`,
    );
  });
}

/** Converts file system errors to campaign errors. */
function readable<R>(path: string | URL, read: () => R): R {
  try {
    return read();
  } catch (error) {
    if (error instanceof NodriftError) throw error;
    const { message } = error as Error;
    throw new NodriftError("DESCRIPTION", `campaign: ${String(path)} cannot be read: ${message}`);
  }
}
