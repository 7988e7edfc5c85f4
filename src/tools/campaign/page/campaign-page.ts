import type { Ledger } from "../engine/ledger.js";

export function campaignPage(_ledger: Ledger, _options: { readonly footer: string; readonly folder: string }): string {
  return "";
}
