// Names in the running text of pages exist: methods of the package, parts of a system, examples. Blocks of code are run elsewhere.

import { readdirSync } from "node:fs";
import { compile } from "nodrift/bodies";
import { simplePendulum } from "nodrift/mechanisms";
import { realtime, solve, start } from "nodrift/solve";
import { LiveModel } from "nodrift/worker";
import { expect, test } from "vitest";
import { markdownFiles } from "../support/markdown.js";
import { textOf } from "../support/sources.js";

/** Code in the running text of all pages except the history of names. */
const spans = markdownFiles()
  .filter((page) => page !== "CHANGELOG.md")
  .flatMap((page) => {
    const prose = textOf(page).replaceAll(/^(```+).*\n[\s\S]*?^\1$/gm, "");
    return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => ({ page, code }));
  });

test("methods and properties exist", async () => {
  const m = simplePendulum();
  const system = await compile(m);
  const simulation = system.simulate({ step: 1e-3 });
  const run = start(system, { span: [0, 0.1] });
  const things: Readonly<Record<string, object>> = {
    m,
    "model()": m,
    system,
    simulation,
    run,
    solution: solve(system, { span: [0, 0.1] }),
    loop: realtime(simulation),
    live: LiveModel.prototype,
    state: run.state,
    report: system.report,
  };
  const named = spans.flatMap(({ page, code }) => {
    const found = /^(m|model\(\)|[a-z]+)\.(\w+)(\(.?)?/.exec(code);
    const thing = found && things[found[1]];
    return thing ? [{ page, code, thing, member: found[2], call: found[3] }] : [];
  });
  expect(named.length).toBeGreaterThan(30);
  // In the architecture page `system` is the argument of methods; solution.json and report.html are files.
  const seen = named.filter(
    ({ page, code }) => !page.endsWith("ARCHITECTURE.md") || !code.startsWith("system"),
  );
  const unknown = seen.filter(
    ({ member, thing }) => !["json", "html"].includes(member) && !(member in thing),
  );
  expect(unknown.map(({ page, code }) => [page, code])).toEqual([]);
  // Methods of models take an object of options.
  const wrong = seen.filter(
    ({ thing, member, call }) =>
      thing === m && member !== "parameter" && call && !/^\([{)]/.test(call),
  );
  expect(wrong.map(({ page, code }) => [page, code])).toEqual([]);
});

test("parts of a system in the page of the architecture are those of its interface", () => {
  const table = /\| part \| what methods get from it \|\n([\s\S]*?)\n\n/.exec(
    textOf("docs/ARCHITECTURE.md"),
  )?.[1];
  const named = (table ?? "").split("\n").flatMap((line) => {
    const [, first = ""] = line.split("|");
    return [...first.matchAll(/`(\w+)`/g)].map(([, part]) => part);
  });
  const [whole] = /export interface System \{[\s\S]*?\n {2}readonly state:/.exec(
    textOf("src/interfaces/system.ts"),
  )!;
  const parts = [...whole.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, part]) => part);
  const rest = ["name", "workspace", "state"];
  expect(named.sort()).toEqual(parts.filter((part) => !rest.includes(part)).sort());
});

test("every example is in the page of the command line", () => {
  const examples = ["examples", "site/models"]
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => !["index.ts", "parts.ts"].includes(name))
    .flatMap((name) => /^([\w-]+)\.(?:json|ts)$/.exec(name)?.[1] ?? []);
  expect(examples.length).toBeGreaterThan(30);
  const page = textOf("docs/command-line.md");
  expect(examples.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
