// Build step between asc and tsc: writes src/ground/wasm/generated.ts, generated-bodies.ts,
// generated-stiff.ts and generated-elementary.ts, which hold the release modules as text (so that no bundler needs set-up) and
// the typings of their exports as asc printed them. With "typings" as argument (after tsc): makes the emitted typings of the
// layouts plain TypeScript, since `i32` means nothing to the users of the package.

import { copyFile, readFile, writeFile } from "node:fs/promises";
import { encodeText, signatureOf } from "./encode.mjs";

const typesOnly = process.argv[2] === "typings";

if (typesOnly) {
  for (const name of ["layout", "layout-bodies", "layout-stiff"]) {
    const file = `dist/types/assembly/${name}.d.ts`;
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replaceAll(/\bi32\b/g, "number"));
  }
  await copyFile("build/release.wasm", "dist/nodrift.wasm");
  await copyFile("build/bodies-release.wasm", "dist/nodrift-bodies.wasm");
  await copyFile("build/stiff-release.wasm", "dist/nodrift-stiff.wasm");
} else {
  const decoder = await readFile("build/decoder.wasm");
  await writeFile(
    "src/ground/wasm/generated.ts",
    `${await moduleText("release", "Kernels")}
/** The module that decodes texts, as hexadecimal digits. */
export const decoderDigits =
  "${decoder.toString("hex")}";
`,
  );
  await writeFile(
    "src/ground/wasm/generated-bodies.ts",
    await moduleText("bodies-release", "BodyKernels"),
  );
  await writeFile(
    "src/ground/wasm/generated-stiff.ts",
    await moduleText("stiff-release", "StiffKernels"),
  );
  await writeFile(
    "src/ground/wasm/generated-elementary.ts",
    await moduleText("elementary", "ElementaryFunctions"),
  );
}

async function moduleText(file, type) {
  const bytes = await readFile(`build/${file}.wasm`);
  const { text, alphabet } = encodeText(bytes);
  const bindings = await readFile(`build/${file}.d.ts`, "utf8");
  const functions = [...bindings.matchAll(/export function (\w+)\(([^)]*)\): (\w+);/g)];
  const members = functions.map(
    ([, name, parameters, result]) => `  ${name}(${parameters}): ${result};`,
  );
  const names = functions.map(([, name]) => name);
  return `// Made by the build from the compiled kernels.

/** The kernels, as the compiler typed them. Addresses are in bytes, sizes in elements. */
export interface ${type} {
${members.join("\n")}
}

/** A number made of their names, to recognise the module by. */
export const wasmSignature = ${signatureOf(names)};

/** Length of the release module in bytes. */
export const wasmLength = ${bytes.length};

/** What its text is written in. */
export const wasmAlphabet = ${JSON.stringify(alphabet)};

/** Its text. A function, because bundlers copy a constant to wherever it is used. */
export function wasmText(): string {
  return "${text}";
}
`;
}
