import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { NodriftError } from "nodrift";
import {
  ARENA_BASE,
  ArenaPlan,
  checkStatus,
  choleskySlots,
  PAGE_BYTES,
  SEGMENT_SLOTS,
  SLOT_BYTES,
} from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { encodeText } from "../assembly/encode.mjs";
import { multiply, relativeDistance } from "./support/matrix.js";
import { randomVector, seeded, symmetricMatrix } from "./support/random.js";
import { kernelNames } from "./support/sources.js";
import { endOfStaticData } from "./support/wasm-binary.js";

const wasmOf = (name: string) => new Uint8Array(readFileSync(`build/${name}.wasm`));

function memoryError(message: string) {
  return expect.objectContaining({ constructor: NodriftError, code: "MEMORY", message });
}

/** Formats a value as messages do. */
function shown(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "string" ? `"${value}"` : String(value);
}

describe("a plan", () => {
  test("allocates segments on cache lines that do not overlap, from the arena's base on", () => {
    const plan = new ArenaPlan();
    const lengths = [1, 0, 7, 8, 9, 1000];
    const segments = lengths.map((slots, i) => plan.reserve(`s${i}`, slots));
    expect(segments[0].address).toBe(ARENA_BASE);
    segments.reduce((before, segment) => {
      expect(segment.address).toBeGreaterThanOrEqual(before.address + before.slots * SLOT_BYTES);
      return segment;
    });
    for (const [i, segment] of segments.entries()) {
      expect(segment).toMatchObject({ name: `s${i}`, slots: lengths[i] });
      expect(segment.address % (SEGMENT_SLOTS * SLOT_BYTES)).toBe(0);
    }
    const arena = plan.seal();
    for (const [i, segment] of segments.entries()) arena.floats(segment).fill(i + 1);
    for (const [i, segment] of segments.entries()) {
      expect(arena.floats(segment).every((value) => value === i + 1)).toBe(true);
      expect(arena.integers(segment)).toHaveLength(2 * segment.slots);
    }
  });

  test.each([-1, Number.NaN, 1.5, Number.POSITIVE_INFINITY, 2 ** 53])(
    "rejects %d slots",
    (slots) => {
      expect(() => new ArenaPlan().reserve("mass", slots)).toThrow(
        memoryError(`"mass" asks for ${shown(slots)} slots; give an integer >= 0`),
      );
    },
  );

  test.each(["8", null, undefined, 8n])("rejects %o as a number of slots", (slots) => {
    expect(() => new ArenaPlan().reserve("mass", slots as never)).toThrow(
      memoryError(`"mass" asks for ${shown(slots)} slots; give an integer >= 0`),
    );
  });

  test("rejects more than an address can reach, and remains usable", () => {
    const plan = new ArenaPlan();
    const most = 2 ** 29 - ARENA_BASE / SLOT_BYTES;
    for (const slots of [most + 1, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      expect(() => plan.reserve("mass", slots)).toThrow(
        memoryError(
          `"mass" (${slots} slots) does not fit: one system can hold 4 GiB. Use a sparse method`,
        ),
      );
    }
    expect(new ArenaPlan().reserve("mass", most).slots).toBe(most);
    const small = plan.reserve("small", 1);
    expect(small.address).toBe(ARENA_BASE);
    expect(plan.seal().memory.buffer.byteLength).toBe(PAGE_BYTES);
  });

  test("rejects segments once sealed", () => {
    const plan = new ArenaPlan();
    plan.seal();
    expect(() => plan.reserve("late", 1)).toThrow(
      memoryError('cannot reserve "late": the arena is already sealed'),
    );
    expect(() => plan.seal()).toThrow(memoryError("this arena has been sealed before"));
  });

  test("can be sealed after a module was refused", () => {
    const plan = new ArenaPlan();
    const foreign = new WebAssembly.Module(wasmWithImport("env", "thread"));
    for (const module of [null, {}, foreign]) {
      expect(() => plan.seal(module as WebAssembly.Module)).toThrow(
        expect.objectContaining({
          code: "LOAD",
          message: expect.stringMatching(/^the kernels did not start: ./),
        }),
      );
    }
    expect(plan.seal().memory.buffer.byteLength).toBe(PAGE_BYTES);
  });
});

describe("an arena", () => {
  test("reserves exactly the planned size, in pages", () => {
    const plan = new ArenaPlan();
    plan.reserve("x", (3 * PAGE_BYTES - ARENA_BASE) / SLOT_BYTES);
    expect(plan.seal().memory.buffer.byteLength).toBe(3 * PAGE_BYTES);
    const larger = new ArenaPlan();
    larger.reserve("x", (3 * PAGE_BYTES - ARENA_BASE) / SLOT_BYTES + 1);
    expect(larger.seal().memory.buffer.byteLength).toBe(4 * PAGE_BYTES);
  });

  test("cannot grow", () => {
    const arena = new ArenaPlan().seal();
    const { buffer } = arena.memory;
    expect(() => arena.memory.grow(1)).toThrow(RangeError);
    expect(arena.memory.buffer).toBe(buffer);
    for (const [name, member] of Object.entries(arena.kernels)) {
      expect([name, typeof member]).toEqual([name, "function"]);
    }
  });

  test("keeps its views over many calls of kernels", () => {
    const n = 20;
    const matrix = symmetricMatrix(seeded(1), n, 100);
    const plan = new ArenaPlan();
    const a = plan.reserve("a", n * n);
    const factor = plan.reserve("factor", choleskySlots(n));
    const x = plan.reserve("x", n);
    const arena = plan.seal();
    const { buffer } = arena.memory;
    const [matrixView, xView] = [arena.floats(a), arena.floats(x)];
    matrixView.set(matrix);
    const random = seeded(2);
    const { kernels } = arena;
    for (let call = 0; call < 5000; call++) {
      const b = randomVector(random, n);
      xView.set(b);
      checkStatus("choleskyFactor", kernels.choleskyFactor(n, a.address, n, factor.address));
      checkStatus("choleskySolve", kernels.choleskySolve(n, factor.address, x.address, x.address));
      if (call % 500 === 0) {
        expect(relativeDistance(multiply(n, n, 1, matrix, xView), b)).toBeLessThan(1e-12);
      }
    }
    expect(arena.memory.buffer).toBe(buffer);
    expect(matrixView.buffer).toBe(buffer);
    expect(matrixView).toEqual(matrix);
    expect(xView).toHaveLength(n);
  });

  test("does not share its memory", () => {
    const [first, second] = [new ArenaPlan(), new ArenaPlan()].map((plan) => {
      const x = plan.reserve("x", 4);
      return plan.seal().floats(x);
    });
    first.fill(1);
    expect([...second]).toEqual([0, 0, 0, 0]);
  });

  test("rejects a segment of a larger plan", () => {
    const large = new ArenaPlan().reserve("mass", PAGE_BYTES);
    const arena = new ArenaPlan().seal();
    const message = '"mass" belongs to another arena';
    expect(() => arena.floats(large)).toThrow(memoryError(message));
    expect(() => arena.integers(large)).toThrow(memoryError(message));
  });

  test("can be collected once it is no longer referenced", async () => {
    const script = fileURLToPath(new URL("./support/collect.mjs", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script]);
    const { made, touched, collected, growth } = JSON.parse(stdout);
    expect(touched).toBe(made * 2 ** 17);
    expect(collected).toBeGreaterThan(0.95 * made);
    // If kept, the three quarters created after the first reading would take 1.5 GiB.
    expect(growth).toBeLessThan(200 * 2 ** 20);
  });
});

describe("the modules", () => {
  // All modules work in one memory: the data of the second and third begin at the offsets in asconfig.json.
  test.each(["debug", "release"])("static data of %s end below those of the next", (name) => {
    const { targets } = JSON.parse(readFileSync("asconfig.json", "utf8"));
    const bodies = targets[`bodies-${name}`].memoryBase;
    const stiff = targets[`stiff-${name}`].memoryBase;
    const dense = targets["dense-release"].memoryBase;
    expect(endOfStaticData(wasmOf(name))).toBeLessThanOrEqual(dense);
    expect(endOfStaticData(wasmOf("dense-release"))).toBeLessThanOrEqual(bodies);
    // The module of `nodrift/kernels` is used alone.
    expect(endOfStaticData(wasmOf(`kernels-${name}`))).toBeLessThanOrEqual(ARENA_BASE);
    expect(endOfStaticData(wasmOf(`bodies-${name}`))).toBeLessThanOrEqual(stiff);
    expect(stiff).toBeLessThan(ARENA_BASE);
    expect(endOfStaticData(wasmOf(`stiff-${name}`))).toBeLessThanOrEqual(ARENA_BASE);
    // Batches have a memory of their own.
    expect(endOfStaticData(wasmOf(`lanes-${name}`))).toBeLessThanOrEqual(ARENA_BASE);
  });

  test("the reader of static data finds segments", () => {
    const address = [0x41, 0xfc, 0xff, 0x00, 0x0b];
    const data = [2, 0, 0x41, 8, 0x0b, 1, 7, 0, ...address, 8, 1, 2, 3, 4, 5, 6, 7, 8];
    const memory = [5, 3, 1, 0, 1];
    const module = Uint8Array.from([...HEADER, ...memory, 11, data.length, ...data]);
    expect(WebAssembly.validate(module)).toBe(true);
    expect(endOfStaticData(module)).toBe(16380 + 8);
  });

  test.each([
    ["release", "assembly/index.ts"],
    ["kernels-release", "assembly/kernels.ts"],
    ["bodies-release", "assembly/bodies.ts"],
    ["dense-release", "assembly/dense.ts"],
    ["stiff-release", "assembly/stiff.ts"],
    ["lanes-release", "assembly/lanes.ts"],
  ])("%s: imports memory only, exports exactly the list of %s", (name, list) => {
    const module = new WebAssembly.Module(wasmOf(name));
    expect(WebAssembly.Module.imports(module)).toEqual([
      { module: "env", name: "memory", kind: "memory" },
    ]);
    const exports = WebAssembly.Module.exports(module);
    const functions = exports.filter(({ kind }) => kind === "function");
    expect(functions.map(({ name }) => name).sort()).toEqual([...kernelNames(list)].sort());
    // Steps of compiled equations and of laws by formulas call functions of other modules through a table.
    const others = exports.filter(({ kind }) => kind !== "function");
    const calls = name === "stiff-release" || name === "bodies-release";
    expect(others).toEqual(calls ? [{ name: "table", kind: "table" }] : []);
  });

  test.each([
    ["release", "nodrift"],
    ["kernels-release", "nodrift-kernels"],
    ["bodies-release", "nodrift-bodies"],
    ["dense-release", "nodrift-dense"],
    ["stiff-release", "nodrift-stiff"],
    ["lanes-release", "nodrift-lanes"],
  ])("the bytes of %s inside the package are those of %s.wasm", (name, file) => {
    expect(new Uint8Array(readFileSync(`dist/${file}.wasm`))).toEqual(wasmOf(name));
    const scripts = readdirSync("dist", { recursive: true, encoding: "utf8" })
      // Pages of `nodrift play` are bundled separately.
      .filter((name) => name.endsWith(".js") && !name.startsWith("play"))
      .map((name) => readFileSync(`dist/${name}`, "utf8"));
    const { text } = encodeText(wasmOf(name));
    expect(scripts.filter((script) => script.includes(text))).toHaveLength(1);
  });
});

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** A module that only imports a function. */
function wasmWithImport(module: string, name: string): Uint8Array<ArrayBuffer> {
  const text = (value: string) => [value.length, ...new TextEncoder().encode(value)];
  const entry = [1, ...text(module), ...text(name), 0, 0];
  return Uint8Array.from([...HEADER, 1, 4, 1, 0x60, 0, 0, 2, entry.length, ...entry]);
}
