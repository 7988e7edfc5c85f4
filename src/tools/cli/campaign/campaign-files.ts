// The files of a campaign: tables and a page, beside the journal they are made from.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Ledger } from "../../campaign/journal/ledger.js";
import { campaignPage } from "../../campaign/page/campaign-page.js";
import { writeParquet } from "../../campaign/table/parquet.js";
import { csvPieces, jsonPieces } from "../../campaign/table/table.js";
import { UsageError } from "../commands/command.js";
import { FileError, sentenceOf } from "../terminal/file-error.js";
import { bytes } from "../terminal/numbers.js";
import type { Terminal } from "../terminal/terminal.js";
import { pageFooter } from "../text/page-footer.js";
import { AtomicWriter } from "../written/atomic-file.js";

export const CAMPAIGN_FORMATS = ["csv", "json", "parquet", "html"] as const;
export type CampaignFormat = (typeof CAMPAIGN_FORMATS)[number];

const NAMES: Readonly<Record<CampaignFormat, string>> = {
  csv: "cases.csv",
  json: "cases.json",
  parquet: "cases.parquet",
  html: "campaign.html",
};

export function campaignFormats(list: string | undefined): readonly CampaignFormat[] {
  if (list === undefined) return ["csv", "json", "html"];
  if (list === "none") return [];
  return list.split(",").map((word) => {
    const found = CAMPAIGN_FORMATS.find((format) => format === word.trim());
    if (found) return found;
    throw new UsageError(`--formats: "${word}" is not one of ${CAMPAIGN_FORMATS.join(", ")}, none`);
  });
}

/** Writes the files, one after the other. Gives what was written. */
export async function* writeCampaign(
  ledger: Ledger,
  folder: string,
  formats: readonly CampaignFormat[],
  terminal: Terminal,
): AsyncGenerator<string> {
  for (const format of formats) {
    const path = join(folder, NAMES[format]);
    if (format === "parquet") await parquet(ledger, path);
    else {
      const writer = new AtomicWriter(path, terminal);
      try {
        for (const piece of piecesOf(format, ledger, folder)) writer.write(piece);
        writer.place();
      } catch (error) {
        writer.drop();
        throw error;
      }
    }
    yield `${path} (${bytes(statSync(path).size)})`;
  }
}

function piecesOf(format: CampaignFormat, ledger: Ledger, folder: string): Iterable<string> {
  if (format === "csv") return csvPieces(ledger);
  if (format === "json") return jsonPieces(ledger);
  return [campaignPage(ledger, { footer: pageFooter(), folder })];
}

async function parquet(ledger: Ledger, path: string): Promise<void> {
  try {
    await writeParquet(ledger, path);
  } catch (error) {
    const trouble = error as NodeJS.ErrnoException;
    if (typeof trouble.code !== "string" || !/^E[A-Z]+$/.test(trouble.code)) throw error;
    throw new FileError(sentenceOf(trouble, path));
  }
}
