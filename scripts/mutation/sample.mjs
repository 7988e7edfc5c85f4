// The sample: the same one for the same seed and the same sources.

import { readFileSync } from "node:fs";
import { transformWithOxc } from "vite";
import { filesBelow } from "../stamps.mjs";
import { apply, mutantsOf } from "./operators.mjs";

/** Mutants that change what runs, in the order in which they are to be tried. */
export async function sampleOf({ methods, kernels, perFile, seed }) {
  const random = randomOf(seed);
  const chosen = [];
  for (const [kind, { folders, count }] of Object.entries({ methods, kernels })) {
    const files = folders.flatMap((folder) => filesBelow(folder, /\.ts$/));
    const heaps = heapsOf(files.flatMap(mutantsIn), random);
    const perFileSoFar = new Map();
    for (let taken = 0; taken < count && heaps.length > 0; ) {
      const heap = heaps[Math.floor(random() * heaps.length)];
      const mutant = heap.pop();
      if (heap.length === 0) heaps.splice(heaps.indexOf(heap), 1);
      const so = perFileSoFar.get(mutant.file) ?? 0;
      if (so === perFile || (kind === "methods" && !(await changesCode(mutant)))) continue;
      perFileSoFar.set(mutant.file, so + 1);
      chosen.push({ kind, ...mutant });
      taken++;
    }
  }
  return shuffled(chosen, random);
}

/** Mutants by their operators, each group shuffled: constants would otherwise dominate the sample. */
function heapsOf(mutants, random) {
  const heaps = new Map();
  for (const mutant of shuffled(mutants, random)) {
    const heap = heaps.get(mutant.operator) ?? [];
    heap.push(mutant);
    heaps.set(mutant.operator, heap);
  }
  return [...heaps.values()];
}

function mutantsIn(file) {
  const text = readFileSync(file, "utf8");
  return mutantsOf(text).map((mutant) => ({
    file,
    line: text.slice(0, mutant.at).split("\n").length,
    ...mutant,
  }));
}

/** Returns false if only types differ, which does not change the running code. */
async function changesCode({ file, ...mutant }) {
  const text = readFileSync(file, "utf8");
  const codeOf = async (source) =>
    (await transformWithOxc(source, file, { sourcemap: false })).code;
  try {
    return (await codeOf(text)) !== (await codeOf(apply(text, mutant)));
  } catch {
    return false;
  }
}

/** Numbers in [0, 1): mulberry32, public domain. */
function randomOf(seed) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function shuffled(list, random) {
  const result = [...list];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}
