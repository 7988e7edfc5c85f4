// From a description to a definition: files are read, paths resolved, nothing is left to look up.

import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  inside,
  isRecord,
  locationOf,
  reading,
  readOptions,
  wrongValueError,
} from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import { type JsonObject, readDocument, readModel } from "../../files/index.js";
import { defaultReadLimits, readSource } from "../../files/text/json-source.js";
import { sourceOf } from "../../files/text/plain-data.js";
import { checkTogether, DESCRIPTION } from "./checks.js";
import { readColumns } from "./csv.js";
import { moduleHash } from "./module-hash.js";
import {
  CAMPAIGN_FORMAT,
  type CampaignDescription,
  type CampaignModel,
  type DefinedModel,
  type Definition,
  type OutputOptions,
} from "./options.js";

/** Bytes of a file that is read. */
const LARGEST = 200_000_000;

/** A description that was checked, with what it refers to. Paths are relative to a folder. */
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
      "campaign: outputs is missing; give formulas: outputs: [\"z('ball')\"]",
    );
  }
  checkTogether(definition, "campaign");
  return definition;
}

/** Reads the text of a campaign file. */
export function readCampaign(text: string, folder: string): Definition {
  const { value } = readSource(text, { ...defaultReadLimits, values: 6_000_000, size: LARGEST });
  const place = locationOf("campaign", "DESCRIPTION");
  if (!isRecord(value)) throw wrongValueError(place, value, "an object");
  const { $schema: _, campaign, model, ...rest } = value as Record<string, unknown>;
  const checks: (() => void)[] = [
    () => {
      if (campaign === CAMPAIGN_FORMAT) return;
      const what = `${CAMPAIGN_FORMAT}: the version of the format`;
      throw wrongValueError(inside(place, "campaign"), campaign, what);
    },
    () => {
      if (typeof model === "string" || isRecord(model)) modelOf(model as CampaignModel, folder);
      else {
        const what = "the path of a model file or of a module, or a model document";
        throw wrongValueError(inside(place, "model"), model, what);
      }
    },
    ...Object.entries({ ...NEEDED, ...rest }).flatMap(([key, part]) => partChecks(key, part)),
  ];
  const problems = checks.flatMap(problemOf);
  if (problems.length > 1) {
    const lines = problems.map((one) => one.replaceAll("\n", "\n  "));
    const first = `campaign: the file has ${problems.length} problems:`;
    throw new NodriftError("DESCRIPTION", [first, ...lines].join("\n  "));
  }
  for (const check of checks) check();
  return define(readOptions(place, rest, DESCRIPTION), model as CampaignModel, folder);
}

/** What a file must have. */
const NEEDED = { parameters: undefined, design: undefined };

/** Checks of a part of a file, which find one problem each: entries of lists are checked one by one. */
function partChecks(key: string, part: unknown): (() => void)[] {
  const place = locationOf("campaign", "DESCRIPTION");
  const rule = Object.hasOwn(DESCRIPTION, key) ? DESCRIPTION[key as "name"] : undefined;
  if (rule === undefined) return [() => readOptions(place, { [key]: part }, UNNEEDED)];
  if (part === undefined && Object.hasOwn(NEEDED, key)) {
    return [() => readOptions(place, {}, { [key]: rule })];
  }
  const at = inside(place, key);
  if (!Array.isArray(part) || part.length === 0) return [() => rule.read(part, at)];
  return part.map((entry, i) => () => {
    try {
      rule.read([entry] as never, at);
    } catch (error) {
      if (!(error instanceof NodriftError)) throw error;
      throw new NodriftError(error.code, error.message.replace(`${key}[0]`, `${key}[${i}]`));
    }
  });
}

/** For names that are not known: all that are, and none that must be there. */
const UNNEEDED = Object.fromEntries(
  Object.entries(DESCRIPTION).map(([key, rule]) => [key, { ...rule, needed: false }]),
);

function problemOf(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof NodriftError) return [error.message];
    throw error;
  }
}

/** Reads a campaign file by its path. */
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
    // With all that is wrong with it, by line.
    readModel(text);
    return documentOf(readSource(text, defaultReadLimits).value);
  }
  const place = locationOf("campaign", "DESCRIPTION", "model");
  const { value } = reading(place, () => sourceOf(model, defaultReadLimits));
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
    if (size <= LARGEST) return readFileSync(path, "utf8");
    throw new NodriftError("DESCRIPTION", `campaign: ${path} has ${size} bytes: too large`);
  });
}

/** What the system says of a file, as a mistake of the campaign. */
function readable<R>(path: string | URL, read: () => R): R {
  try {
    return read();
  } catch (error) {
    if (error instanceof NodriftError) throw error;
    const { message } = error as Error;
    throw new NodriftError("DESCRIPTION", `campaign: ${String(path)} cannot be read: ${message}`);
  }
}
