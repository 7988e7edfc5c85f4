// Build step between asc and tsc: writes src/base/wasm/generated.ts and generated-*.ts, which hold the release modules as text (so
// that no bundler needs set-up) and the typings of their exports as asc printed them. With "typings" as argument (after tsc):
// makes the emitted typings of the layouts plain TypeScript, since `i32` means nothing to the users of the package.

import { copyFile, readFile, writeFile } from "node:fs/promises";
import { encodeText, signatureOf } from "./encode.mjs";

const typesOnly = process.argv[2] === "typings";

/** Modules beside the core's: the ending of their file in src/base/wasm, what asc made, the type of their exports. */
const OTHERS = [
  ["kernels", "kernels-release", "AllKernels"],
  ["bodies", "bodies-release", "BodyKernels"],
  ["dense", "dense-release", "DenseKernels"],
  ["stiff", "stiff-release", "StiffKernels"],
  ["lanes", "lanes-release", "LaneKernels"],
  ["elementary", "elementary", "ElementaryFunctions"],
];

if (typesOnly) {
  for (const name of ["layout", "layout-bodies", "layout-stiff"]) {
    const file = `dist/types/assembly/${name}.d.ts`;
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replaceAll(/\bi32\b/g, "number"));
  }
  await copyFile("build/release.wasm", "dist/nodrift.wasm");
  for (const name of ["bodies", "dense", "kernels", "lanes", "stiff"]) {
    await copyFile(`build/${name}-release.wasm`, `dist/nodrift-${name}.wasm`);
  }
} else {
  const decoder = await readFile("build/decoder.wasm");
  await writeFile(
    "src/base/wasm/generated-decoder.ts",
    `// Made by the build from the compiled decoder.

/** The module that decodes texts, as hexadecimal digits. */
export const decoderDigits =
  "${decoder.toString("hex")}";
`,
  );
  await writeFile("src/base/wasm/generated.ts", await moduleText("release", "Kernels"));
  for (const [name, file, type] of OTHERS) {
    await writeFile(`src/base/wasm/generated-${name}.ts`, await moduleText(file, type));
  }
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

/** The release module: its length in bytes, a number made of the names it exports, to recognise it by, and its text. */
export const embedded = {
  length: ${bytes.length},
  signature: ${signatureOf(names)},
  alphabet: ${JSON.stringify(alphabet)},
  /** A function, because bundlers copy a constant to wherever it is used. */
  text: () => "${text}",
};
`;
}
