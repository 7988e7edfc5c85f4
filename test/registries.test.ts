// Consistency of registries: files that CONTRIBUTING lists for a new entry contain every entry, entry points export all of them,
// and every file of a method or recipe is in its registry.

import { existsSync } from "node:fs";
import * as core from "nodrift";
import { forces, joints } from "nodrift/bodies";
import * as solving from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { ForceKind, RowKind } from "../assembly/layout-bodies.js";
import { importsOf, sourceFiles, textOf } from "./support/sources.js";

const kindsOf = (list: readonly { readonly name: string }[]) => [
  ...new Set(list.map(({ name }) => name.replace(/\(.*/, ""))),
];
const enumNames = (list: object) =>
  Object.values(list).filter((name): name is string => typeof name === "string");

const formulations = kindsOf(core.formulations);
const stabilisations = kindsOf(core.stabilisations);
const coupled = kindsOf(core.coupledMethods);

/** Entries of each registry, by the words of CONTRIBUTING. */
const registries: Readonly<Record<string, readonly string[]>> = {
  formulation: formulations,
  stabilisation: stabilisations,
  "coupled method": coupled,
  "direct method": kindsOf([...solving.directFormulations, ...solving.directMethods]),
  "integrator with fixed steps": Object.keys(core.integrators),
  "adaptive integrator": Object.keys(solving.adaptiveIntegrators),
  joint: Object.keys(joints),
  force: Object.keys(forces),
  primitive: enumNames(RowKind).filter((name) => name !== "USER"),
  law: enumNames(ForceKind),
};

/** Lists of files in CONTRIBUTING: "Files of a new joint:", and lines that begin with their paths. */
const lists = [
  ...textOf("CONTRIBUTING.md").matchAll(/^Files of a new ([\w ]+):\n\n((?:[- ] ?.*\n)+)/gm),
].map(([, what, lines]) => {
  const heads = [...lines.matchAll(/^- ([^:\n]+)/gm)].flatMap(([, head]) => head.split(", "));
  return {
    what,
    made: heads.filter((path) => path.includes("`<name>`")),
    named: heads.filter((path) => !path.includes("`<name>`")),
  };
});

test("CONTRIBUTING has a list of files for each registry", () => {
  expect(lists.map(({ what }) => what).sort()).toEqual(Object.keys(registries).sort());
});

describe.each(lists)("a new $what", ({ what, made, named }) => {
  test("its own file is in an existing folder", () => {
    expect(made).toHaveLength(1);
    expect(existsSync(made[0].replace(/\/[^/]*$/, ""))).toBe(true);
  });

  test.each(named)("%s contains every existing entry", (path) => {
    const text = textOf(path);
    const missing = registries[what].filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
    expect(missing).toEqual([]);
  });
});

describe("entries of the package", () => {
  test("export a factory of each method", () => {
    const own = new Set<unknown>([...Object.values(core), ...Object.values(solving)]);
    const makers = Object.entries({ ...core.integrators, ...solving.adaptiveIntegrators });
    expect(makers.filter(([, make]) => !own.has(make)).map(([name]) => name)).toEqual([]);
    const named = [...formulations, ...stabilisations, ...coupled];
    expect(named.filter((name) => !Object.hasOwn(core, name))).toEqual([]);
    const direct = registries["direct method"];
    expect(direct.filter((name) => !Object.hasOwn(solving, name))).toEqual([]);
  });

  test("export the options of each joint and force", () => {
    const exported = ["joints", "forces"].map((kind) => textOf(`src/model/${kind}/index.ts`));
    const types =
      exported
        .join("")
        .match(/^export type [^;]+;/gm)
        ?.join("") ?? "";
    const options = [...Object.keys(joints), ...Object.keys(forces)].map(
      (name) => `${name[0].toUpperCase()}${name.slice(1)}Options`,
    );
    expect(options.filter((name) => !new RegExp(`\\b${name}\\b`).test(types))).toEqual([]);
  });
});

test("every method and recipe file is in its registry", () => {
  const used = new Set(sourceFiles("src").flatMap(importsOf));
  const idle = ["model/joints", "model/forces", "methods"]
    .flatMap((folder) => sourceFiles(`src/${folder}`))
    .filter((path) => !used.has(path));
  expect(idle).toEqual([]);
});
