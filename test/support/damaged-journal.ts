import { seeded } from "./random.js";

/** A journal with changes of bytes: flips, cuts, repeats, swaps of parts and lines. */
export function damaged(journal: Buffer, seed: number): Buffer {
  const random = seeded(seed);
  const at = (most: number) => Math.floor(((random() + 1) / 2) * most);
  let bytes = Buffer.from(journal);
  for (let i = 0; i <= at(3); i++) {
    const [a, b] = [at(bytes.length), at(bytes.length)];
    const [from, to] = [Math.min(a, b), Math.min(Math.max(a, b), Math.min(a, b) + 1 + at(400))];
    const part = bytes.subarray(from, to);
    const kind = at(6);
    if (kind === 0) bytes[from]! ^= 1 << at(8);
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, to), part, bytes.subarray(to)]);
    else if (kind === 3) bytes = bytes.subarray(0, from);
    else if (kind === 4) bytes[from] = 48 + at(10);
    else bytes = withSwappedOutputs(bytes, at);
  }
  return bytes;
}

function withSwappedOutputs(bytes: Buffer, at: (most: number) => number): Buffer<ArrayBuffer> {
  const lines = bytes.toString("latin1").split("\n");
  const [i, k] = [at(lines.length), at(lines.length)];
  const values = /"outputs":\[[^\]]*\]/;
  const [one, two] = [values.exec(lines[i]!)?.[0], values.exec(lines[k]!)?.[0]];
  if (one && two && i !== k) {
    lines[i] = lines[i]!.replace(values, two);
    lines[k] = lines[k]!.replace(values, one);
  }
  return Buffer.from(lines.join("\n"), "latin1");
}
