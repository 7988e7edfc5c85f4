// Entries of the gallery: completeness, sliders for values of the file, and texts.

import { readdirSync } from "node:fs";
import { readModel, readSystem } from "nodrift/files";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../site/gallery/catalogue.js";
import { models, textOf } from "../../site/models/index.js";
import { valueAt } from "../../site/play/sliders.js";
import { documentOf } from "./support.js";

test("catalogue has at least 24 entries, one for every model", () => {
  const files = readdirSync("examples").map((name) => name.replace(/\.json$/, ""));
  const names = catalogue.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(24);
  expect([...names].sort()).toEqual([...files, ...Object.keys(models)].sort());
});

describe.each(catalogue)("$name", ({ name, sliders, watch, checked }) => {
  const document = documentOf(name);

  test("sliders refer to existing values in range, and the model accepts both ends", async () => {
    expect(sliders.length).toBeGreaterThan(0);
    for (const slider of sliders) {
      const { label, pointer, least, most, step, written } = slider;
      const value = valueAt(document, slider);
      expect([label, value !== undefined && least <= value && value <= most]).toEqual([
        label,
        true,
      ]);
      expect(most - least).toBeGreaterThan(step);
      if (name === "chain-1000") continue;
      for (const end of [least, most]) {
        const other = structuredClone(document) as object;
        const words = pointer.split("/").slice(1);
        const place = words.slice(0, -1).reduce((at, key) => at[key as never], other);
        (place as Record<string, unknown>)[words.at(-1)!] =
          written === undefined ? end : written.replace("#", String(end));
        const file = readSystem(JSON.stringify(other));
        if (!("system" in file)) await file.compile();
      }
    }
  });

  test("describes what to watch in three sentences, and the checks in one", () => {
    expect(watch).toHaveLength(3);
    for (const sentence of [...watch, checked]) expect(sentence).toMatch(/^[A-Z].*\.$/s);
  });
});

test("model files of the gallery are readable", () => {
  for (const [name, make] of Object.entries(models)) {
    if (name === "chain-1000") continue;
    const { model, columns } = readModel(textOf(make()));
    expect(model.data().bodies.length).toBeGreaterThan(0);
    expect(columns.length).toBeGreaterThan(0);
  }
});
