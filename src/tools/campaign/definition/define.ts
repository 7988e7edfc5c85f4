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
  if (campaign !== CAMPAIGN_FORMAT) {
    throw wrongValueError(
      inside(place, "campaign"),
      campaign,
      `${CAMPAIGN_FORMAT}: the version of the format`,
    );
  }
  if (typeof model !== "string" && !isRecord(model)) {
    throw wrongValueError(
      inside(place, "model"),
      model,
      "the path of a model file or of a module, or a model document",
    );
  }
  return define(readOptions(place, rest, DESCRIPTION), model as CampaignModel, folder);
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
