import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { brokenLinks } from "../support/markdown.js";
import { Project } from "../support/project.js";

const project = new Project();
let tarball: string;
let files: string[];

beforeAll(async () => {
  ({ tarball, files } = await project.pack());
  await project.run("tar", "-xzf", tarball);
});
afterAll(() => project.remove());

/** Paths of all files below a folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => statSync(path).isFile());
}

describe("the tarball", () => {
  test("holds only dist, docs without their generators, examples, README, CHANGELOG, LICENSE and package.json", () => {
    expect(files.filter((path) => !path.startsWith("dist/")).sort()).toEqual(
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        ...filesOf("docs").filter((path) => !path.startsWith("docs/make/")),
        ...filesOf("examples"),
        "package.json",
      ].sort(),
    );
    // The pages of `nodrift play` are a folder of their own.
    const pages = files.filter((path) => path.startsWith("dist/play/"));
    expect(pages).toContain("dist/play/play.html");
    expect(pages.every((path) => /\.(html|js|css|svg|json|md|txt)$/.test(path))).toBe(true);
    const others = files.filter((path) => !pages.includes(path));
    const kinds = new Set(others.map((path) => path.replace(/^.*?\./, ".")));
    const schema = ".schema.json";
    const known = [
      ".css",
      ".d.ts",
      ".js",
      ".json",
      ".md",
      ".png",
      schema,
      ".svg",
      ".wasm",
      "LICENSE",
    ];
    expect([...kinds].sort()).toEqual(known);
    expect(files).toContain("dist/nodrift.wasm");
    expect(files).toContain("dist/index.js");
  });

  test("includes every page and picture that its pages link to", () => {
    expect(brokenLinks(join(project.folder, "package"))).toEqual([]);
  });

  test("names no path of the machine it was made on", () => {
    const paths = [process.cwd(), homedir(), project.folder];
    const places = /(?<![\w.:/])\/(?:home|root|tmp|work|Users|builds?)\/[\w.-]/;
    const bad = files.filter((path) => {
      const text = readFileSync(join(project.folder, "package", path), "latin1");
      return places.test(text) || paths.some((place) => text.includes(`${place}/`));
    });
    expect(bad).toEqual([]);
    expect(places.test("at /home/somebody/file.ts")).toBe(true); // words-ok: a line of a stack trace
  });

  test("includes the licences of bundled software, each with its text", () => {
    const text = readFileSync(join(project.folder, "package/dist/THIRD-PARTY.md"), "utf8");
    const parts = text.split(/^## /m).slice(1);
    expect(parts.map((part) => part.split(" ")[0])).toContain("@assemblyscript/loader");
    expect(parts.filter((part) => part.length < 500)).toEqual([]);
  });

  test("imports nothing by a name in the files of the core, for pages without an import map", () => {
    const named = ["base", "shared", "model", "ode", "index", "bodies", "kernels", "solve"].flatMap(
      (name) => {
        const text = readFileSync(join(project.folder, `package/dist/${name}.js`), "utf8");
        return [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom "([^"]*)";/gm)]
          .map(([, target]) => target)
          .filter((target) => !target.startsWith("./"));
      },
    );
    expect(named).toEqual([]);
  });

  test("nodrift/kernels loads its kernels from one module only", () => {
    const loaded = new Set(["kernels.js"]);
    let modules = 0;
    for (const name of loaded) {
      const text = readFileSync(join(project.folder, "package/dist", name), "utf8");
      for (const [, target] of text.matchAll(/^(?:import|export)\b[^;]*?"\.\/([^"]*)";/gm)) {
        loaded.add(target);
      }
      modules += text.split("\n").filter((line) => line.length > 20_000).length;
    }
    expect([...loaded]).toEqual(["kernels.js", "base.js"]);
    expect(modules).toBe(1);
  });

  test("relative imports have file extensions, for browsers without a bundler", () => {
    const bad = files
      .filter((path) => path.endsWith(".js"))
      .flatMap((path) => {
        const text = readFileSync(join(project.folder, "package", path), "utf8");
        return [...text.matchAll(/from\s+"(\.[^"]*)"/g)].map(([, target]) => `${path}: ${target}`);
      })
      .filter((line) => !line.endsWith(".js"));
    expect(bad).toEqual([]);
  });

  test("includes the library once, as modules on top of the entry points import them", () => {
    const entries = new Set<string>();
    const parts = ["reproduce.js"];
    for (const part of parts) {
      const text = readFileSync(join(project.folder, "package/dist", part), "utf8");
      expect(text, part).not.toContain("WebAssembly");
      for (const [, path] of text.matchAll(/^(?:import|export) .* from "\.\/(.*)";$/gm)) {
        if (!path.startsWith("part-")) entries.add(path);
        else if (!parts.includes(path)) parts.push(path);
      }
    }
    expect([...entries].sort()).toEqual(
      ["analysis", "bodies", "core", "index", "mechanisms", "solve"].map((name) => `${name}.js`),
    );
  });

  test("passes publint", async () => {
    const output = await project.tool("publint", "run", tarball, "--strict");
    expect(output).toContain("All good!");
  });

  test("typings are right for ES modules", async () => {
    // The .wasm file and the style have none: they are addresses, not modules.
    const options = [
      "--profile",
      "esm-only",
      "--exclude-entrypoints",
      "draw.css",
      "nodrift.wasm",
      "nodrift-bodies.wasm",
      "nodrift-dense.wasm",
      "nodrift-kernels.wasm",
      "nodrift-lanes.wasm",
      "nodrift-stiff.wasm",
      "model-1.schema.json",
    ];
    const output = await project.tool(
      "attw",
      tarball,
      ...options,
      "--no-definitely-typed",
      "--no-color",
      "--format",
      "ascii",
    );
    for (const entry of [
      "",
      "/analysis",
      "/bodies",
      "/files",
      "/kernels",
      "/mechanisms",
      "/reproduce",
      "/solve",
    ]) {
      expect(output).toMatch(
        new RegExp(`"nodrift${entry}"\\s+node16 \\(from ESM\\): 🟢 \\(ESM\\)`),
      );
    }
  });
});
