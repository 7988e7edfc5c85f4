import { model, rod } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import {
  type Block,
  framesOf,
  type Plot,
  renderPage,
  type Scene,
  sceneOf,
} from "../../src/report/index.js";
import { circling, dataOf, still } from "./support.js";

const MEGABYTE = 1_000_000;
const HOSTILE = `</script><img src=x onerror="alert(1)"><!-- & 'quotes' \u2028`;

/** A page with every kind of block, with one text everywhere. */
function everywhere(text: string, scene: Scene): Block[] {
  const plot: Plot = {
    title: text,
    x: { label: text, unit: text },
    y: { label: text, unit: text },
    series: [{ name: text, x: [0, 1], y: [0, 1] }],
    marks: [{ x: 0.5, label: text }],
    synced: true,
  };
  const cell = { text, tone: "bad", hint: text } as const;
  return [
    {
      kind: "facts",
      title: text,
      facts: [{ label: text, value: text, unit: text, hint: text, tone: "good" }],
    },
    { kind: "notes", title: text, notes: [text] },
    {
      kind: "table",
      title: text,
      caption: text,
      columns: [{ name: text }],
      rows: [[text], [cell]],
    },
    { kind: "table", title: text, collapsed: true, columns: [{ name: text }], rows: [[text]] },
    { kind: "animation", scene },
    { kind: "plot", plot },
    { kind: "heading", text },
  ];
}

function named(name: string): Scene {
  const m = model({ name });
  const body = m.body({ name, mass: 1, shape: rod({ length: 1 }) });
  m.spherical({ name, between: [m.ground, body], at: [0, 0, 0.5] });
  const frames = {
    ...still(1, [0, 1]),
    events: [{ time: 0.5, name }],
    absences: [{ name, from: 0, to: 1 }],
    lengthUnit: name,
    timeUnit: name,
  };
  return sceneOf(m.data(), frames);
}

describe("texts in renderPage", () => {
  const blocks = everywhere(HOSTILE, named(HOSTILE));
  const html = renderPage({ title: HOSTILE, subtitle: HOSTILE, blocks, footer: HOSTILE });

  test("escapes hostile strings", () => {
    // Compared as a boolean, so that a failure does not print the whole page.
    expect(html.includes("<img")).toBe(false);
    expect(html.includes("<!--")).toBe(false);
    expect(html.includes("\\u2028")).toBe(true);
    // Only the two expected script elements: no text ends them early.
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html.match(/<\/script>/g)).toHaveLength(2);
  });

  test("preserves texts as displayed", () => {
    expect(dataOf(html)).toMatchObject({
      scenes: [{ name: HOSTILE, bodies: [{ name: HOSTILE }], frames: { timeUnit: HOSTILE } }],
      plots: [{ title: HOSTILE, marks: [{ label: HOSTILE }] }],
    });
    expect(html).toContain("<title>&lt;/script&gt;&lt;img src=x onerror=&quot;alert(1)&quot;");
  });

  test("truncates very long names", () => {
    const blocks: Block[] = [{ kind: "animation", scene: named("x".repeat(1e6)) }];
    expect(renderPage({ title: "long", blocks }).length).toBeLessThan(200_000);
  });
});

describe("renderPage", () => {
  test("loads no resources, and allows only its own script", () => {
    const html = renderPage({ title: "empty", blocks: [] });
    expect(html).toMatch(/default-src 'none'; script-src 'sha256-[\w+/]{43}='/);
    expect(html.replace(/<script>.*<\/script>/s, "")).not.toMatch(/(src|href)="(?!data:)/);
    expect(html).toContain("MIT License");
  });

  test("puts consecutive plots into one grid", () => {
    const plot: Plot = { title: "p", x: { label: "x" }, y: { label: "y" }, series: [] };
    const kinds: Block[] = [
      { kind: "plot", plot },
      { kind: "plot", plot },
      { kind: "heading", text: "more" },
      { kind: "plot", plot },
    ];
    const html = renderPage({ title: "grids", blocks: kinds });
    expect(html.match(/<section class="plots">/g)).toHaveLength(2);
    expect(html.match(/<figure class="card plot">/g)).toHaveLength(3);
  });

  test("marks assessments by more than a colour", () => {
    const rows = (["good", "warn", "bad"] as const).map((tone) => [{ text: tone, tone }]);
    const html = renderPage({ title: "t", blocks: [{ kind: "table", columns: [], rows }] });
    for (const symbol of ["✓", "!", "✕"]) expect(html).toContain(`>${symbol}</span>`);
  });
});

describe("size of a page", () => {
  const m = model({ name: "many" });
  for (let i = 0; i < 500; i++) {
    const body = m.body({
      name: `body ${i}`,
      mass: 1,
      shape: rod({ length: 1 }),
      position: [i, 0, 0],
    });
    m.spherical({ between: [m.ground, body], at: [i, 0, 0.5] });
    m.spring({ between: [m.ground, body], atA: [i, 0, 2], stiffness: 1 });
  }
  const data = m.data();
  const places = new Map(data.bodies.map(({ name }, i) => [name, i]));

  test("stays below 1 MB with 500 bodies at 100000 times and 40 long curves", () => {
    const frames = framesOf(circling(100_000, 20, places), data);
    expect(frames.total).toBe(100_000);
    expect(frames.times.length).toBeLessThan(1000);
    const scene = sceneOf(data, frames);
    const t = Float64Array.from({ length: 100_000 }, (_, i) => i / 5000);
    const y = t.map((x) => Math.sin(50 * x));
    const plot: Plot = {
      title: "lines",
      x: { label: "t" },
      y: { label: "y" },
      series: Array.from({ length: 10 }, (_, i) => ({ name: `line ${i}`, x: t, y })),
    };
    const plots = Array.from({ length: 4 }, (): Block => ({ kind: "plot", plot }));
    const rows = Array.from({ length: 20_000 }, (_, i) => [`row ${i}`, "1.0"]);
    const table: Block = { kind: "table", columns: [{ name: "a" }, { name: "b" }], rows };
    const blocks: Block[] = [{ kind: "animation", scene }, ...plots, table];
    const html = renderPage({ title: "many", blocks });
    expect(Buffer.byteLength(html)).toBeLessThan(MEGABYTE);
    const { scenes, plots: drawn } = dataOf(html);
    expect(scenes[0].items).toHaveLength(scene.items.length);
    expect(scenes[0].frames.count).toBeGreaterThan(40);
    expect(drawn.flatMap(({ series }) => series)).toHaveLength(40);
    expect(html).toMatch(/The animation shows \d+ of 100\u202f000 states\./);
    expect(html).toMatch(/Plots show up to \d+ points per curve/);
    expect(html).toMatch(/of 20\u202f000 rows are omitted\./);
  });

  test("stays below 1 MB with two animations and very many items", () => {
    const lines = Array.from({ length: 100 }, (_, i) => [
      [i, 0, 0],
      [i, 1 / 3, 1 / 7],
    ]);
    const draw = Array.from({ length: 60 }, () => ({ body: "ground", lines }));
    const frames = framesOf(circling(300, 5, places), data);
    const scene = sceneOf(data, frames, { draw });
    const blocks: Block[] = [
      { kind: "animation", scene },
      { kind: "animation", scene },
    ];
    const html = renderPage({ title: "two", blocks });
    expect(Buffer.byteLength(html)).toBeLessThan(MEGABYTE);
    expect(html).toMatch(/Of [\d\u202f]+ parts [\d\u202f]+ are drawn\./);
  });
});

describe("framesOf", () => {
  const m = model({ name: "one" });
  m.body({ name: "a", mass: 1, shape: rod({ length: 1 }) });
  const places = new Map([["a", 0]]);

  test("keeps the first, the last and all event states of a long run", () => {
    const events = [{ time: 3333 / 999_99, name: "impact" }];
    const { times, total } = framesOf(circling(100_000, 1, places), m.data(), { events });
    expect(total).toBe(100_000);
    expect(times.length).toBeLessThanOrEqual(3001);
    expect([times[0], times[times.length - 1]]).toEqual([0, 1]);
    expect(Array.from(times)).toContain(events[0].time);
    const gaps = Array.from(times)
      .slice(1)
      .map((t, i) => t - times[i]);
    expect(Math.max(...gaps)).toBeLessThan(2e-3);
  });

  test("reverses runs backward in time, and drops non-finite states", () => {
    const states = [...circling(5, 1, places)].reverse();
    const broken = {
      time: -1,
      body: () => ({ position: [Number.NaN, 0, 0], orientation: [1, 0, 0, 0] }),
    };
    const { times } = framesOf([...states, broken], m.data());
    expect(Array.from(times)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });

  test("rejects a run without states", () => {
    expect(() => framesOf([], m.data())).toThrow("one: no states to draw");
  });
});
