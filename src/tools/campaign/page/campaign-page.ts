// The page of a campaign, as one text: everything it needs is inside, and it asks for nothing.

import { createHash } from "node:crypto";
import { escaped, factsHtml, pageStyle, tableHtml } from "../../report/index.js";
import type { Ledger } from "../journal/ledger.js";
import { Running } from "../journal/running.js";
import { sobolIndices } from "../statistics/indices.js";
import { PageCases } from "./page-cases.js";
import {
  distributions,
  mainEffects,
  parallelCoordinates,
  scatterMatrix,
  sobolBars,
} from "./pictures.js";
import { pageHands } from "./script.js";
import { campaignStyle } from "./style.js";

/** Bytes of the list of failed cases. */
const ROOM = 60_000;
/** Cases whose numbers a page knows: those that can be chosen. */
const CHOICE = 400;

const hash = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

export interface CampaignPageOptions {
  readonly footer: string;
  /** Where the campaign is: reports of cases that are there get links. */
  readonly folder: string;
}

/** The page. */
export function campaignPage(ledger: Ledger, { footer, folder }: CampaignPageOptions): string {
  const { plan } = ledger;
  const cases = new PageCases(ledger, folder);
  const matrix = [2, 3, 4, 5, 6]
    .map((n) => `.n${n}{--n:${n};grid-template-columns:repeat(${n},1fr)}`)
    .join("");
  const style = `${pageStyle()}${campaignStyle}${matrix}`;
  const script = `(${pageHands.toString()})()`;
  const policy = `default-src 'none'; script-src '${hash(script)}'; style-src '${hash(style)}'; img-src data:`;
  const title = escaped(plan.definition.name);
  const indices = plan.columns.flatMap((name) => {
    const own = sobolIndices(ledger, name);
    return own ? [[name, own] as const] : [];
  });
  const body = [
    facts(ledger),
    statistics(ledger),
    distributions(cases),
    sobolBars(indices),
    mainEffects(cases),
    scatterMatrix(cases),
    parallelCoordinates(cases),
    failures(cases),
  ].join("");
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"><title>${title}</title>`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<style>${style}</style></head><body>`,
    `<main><header><h1>${title}</h1><p class="subtitle">${escaped(subtitle(ledger))}</p></header>${body}</main>`,
    '<aside id="case" hidden aria-live="polite"></aside>',
    `<footer><p>${escaped(footer)}</p></footer>`,
    `<script type="application/json" id="data">${dataOf(cases)}</script>`,
    `<script>${script}</script></body></html>`,
    "",
  ].join("\n");
}

const DESIGNS = {
  grid: "grid",
  random: "random numbers",
  latinHypercube: "Latin hypercube",
  sobol: "scrambled Sobol sequence",
  sensitivity: "design for Sobol’s indices",
  list: "list",
} as const;

function subtitle({ plan }: Ledger): string {
  const { design, seed = 0 } = plan.definition;
  const drawn = design.type === "grid" || design.type === "list" ? "" : `, seed ${seed}`;
  return `${plan.parameters.length} parameters, ${plan.columns.length} outputs; ${DESIGNS[design.type]}${drawn}`;
}

function facts(ledger: Ledger): string {
  const { count, done, failed, stopReason, plan } = ledger;
  return factsHtml(undefined, [
    { label: "cases", value: count, hint: count < plan.count ? `of ${plan.count}` : "all of them" },
    { label: "done", value: done, tone: "good" },
    { label: "failed", value: failed, ...(failed > 0 && { tone: "bad" as const }) },
    ...(stopReason === undefined ? [] : [{ label: "ended early", value: "yes", hint: stopReason }]),
  ]);
}

function statistics(ledger: Ledger): string {
  const { plan } = ledger;
  const all = [...plan.parameters, ...plan.columns].map((name) => ({
    name,
    running: new Running(),
  }));
  for (const result of ledger.results()) {
    if (result.status === "failed") continue;
    for (const [i, value] of [...result.parameters, ...result.outputs].entries()) {
      if (value !== null) all[i]!.running.add(value);
    }
  }
  const cell = (value: number) =>
    Number.isFinite(value) ? String(Number(value.toPrecision(5))) : "–";
  const right = { align: "right" as const };
  return tableHtml(
    {
      title: "Numbers",
      columns: [
        { name: "" },
        { name: "mean", ...right },
        { name: "± of the mean", ...right },
        { name: "deviation", ...right },
        { name: "smallest", ...right },
        { name: "largest", ...right },
      ],
      rows: all.map(({ name, running }) => [
        name,
        ...(running.count === 0
          ? ["–", "–", "–", "–", "–"]
          : [
              running.mean,
              running.standardError,
              running.deviation,
              running.minimum,
              running.maximum,
            ].map(cell)),
      ]),
    },
    ROOM,
  );
}

function failures({ failed }: PageCases): string {
  if (failed.length === 0) return "";
  return tableHtml(
    {
      title: "Failed cases",
      caption: "Kept in the journal with their last good state; --only-failed runs them again.",
      columns: [
        { name: "case", align: "right" },
        { name: "until", align: "right" },
        { name: "reason" },
      ],
      rows: failed.map((one) => [
        String(one.case),
        one.last ? String(Number(one.last.time.toPrecision(5))) : "–",
        one.reason.slice(0, 300),
      ]),
    },
    ROOM,
  );
}

/** Of the cases that can be chosen. Nothing in it can end the element it is in. */
function dataOf(cases: PageCases): string {
  const shown = new Set([...cases.sample(CHOICE), ...cases.sample(300)].map(({ row }) => row));
  const rows: Record<number, unknown> = {};
  for (const row of shown) {
    const { result, values } = cases.rows[row]!;
    rows[row] = [
      result.case,
      result.id,
      cases.hasReport(result.id),
      ...values.map((value) => (value === null ? null : Number(value.toPrecision(8)))),
    ];
  }
  const data = { names: cases.titles, rows, command: "nodrift sweep CAMPAIGN" };
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
