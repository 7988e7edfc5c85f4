// Build step between asc and tsc: writes src/wasm/generated.ts, which holds the release module as
// text (so that no bundler needs set-up) and the typings of its exports as asc
// printed them. With "typings" as argument (after tsc): makes the emitted typings of the layout
// plain TypeScript, since `i32` means nothing to the users of the package.

import { copyFile, readFile, writeFile } from "node:fs/promises";
import { encodeText } from "./encode.mjs";

const typesOnly = process.argv[2] === "typings";

if (typesOnly) {
  const file = "dist/types/assembly/layout.d.ts";
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replaceAll(/\bi32\b/g, "number"));
  await copyFile("build/release.wasm", "dist/nodrift.wasm");
} else {
  const bytes = await readFile("build/release.wasm");
  const decoder = await readFile("build/decoder.wasm");
  const { text, alphabet } = encodeText(bytes);
  const bindings = await readFile("build/release.d.ts", "utf8");
  const functions = [...bindings.matchAll(/export function (\w+)\(([^)]*)\): (\w+);/g)];
  const members = functions.map(
    ([, name, parameters, result]) => `  ${name}(${parameters}): ${result};`,
  );
  const names = functions.map(([, name]) => `  "${name}",`);
  await writeFile(
    "src/wasm/generated.ts",
    `// Made by the build from the compiled kernels.

/** The kernels, as the compiler typed them. Addresses are in bytes, sizes in elements. */
export interface Kernels {
${members.join("\n")}
}

/** Their names, to recognise the module by. */
export const kernelNames: readonly (keyof Kernels)[] = [
${names.join("\n")}
];

/** Length of the release module in bytes. */
export const wasmLength = ${bytes.length};

/** The module that decodes its text, as hexadecimal digits. */
export const decoderDigits =
  "${decoder.toString("hex")}";

/** What its text is written in. */
export const wasmAlphabet = ${JSON.stringify(alphabet)};

/** Its text. A function, because bundlers copy a constant to wherever it is used. */
export function wasmText(): string {
  return "${text}";
}
`,
  );
}
