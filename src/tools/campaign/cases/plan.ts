// All cases of a campaign, each with an identity: a hash of all that its result depends on. Machines that agree on it agree on the
// case; what was computed for it is never computed again, whatever else of the campaign has changed.

import { createHash } from "node:crypto";
import type { Definition, OutputOptions } from "../definition/options.js";
import { type Design, designOf } from "../design/design.js";
import { packageVersion } from "./version.js";

/** Bytes of an identity. */
const BYTES = 16;

/** The cases of a campaign. */
export class Plan {
  readonly definition: Definition;
  /** Names of parameters. */
  readonly parameters: readonly string[];
  /** Names of columns of the output. */
  readonly columns: readonly string[];
  /** How many cases there are. */
  readonly count: number;
  /** The identity of the campaign: of its model and outputs, not of its cases. */
  readonly digest: string;
  readonly #design: Design;
  readonly #ids: Buffer;
  #sorted: Uint32Array | undefined;

  constructor(definition: Definition) {
    this.definition = definition;
    this.#design = designOf(definition);
    this.parameters = this.#design.names;
    this.columns = definition.outputs.flatMap(columnsOf);
    this.count = this.#design.count;
    this.digest = digestOf(definition);
    this.#ids = Buffer.alloc(this.count * BYTES);
    this.#identify();
  }

  /** The values of a case, in the order of parameters. */
  values(index: number): Float64Array {
    return this.#design.values(index);
  }

  /** The identity of a case, in hexadecimal digits. */
  id(index: number): string {
    return this.#ids.toString("hex", index * BYTES, (index + 1) * BYTES);
  }

  /** The case of an identity; -1 if there is none. */
  find(id: string): number {
    const wanted = Buffer.from(id, "hex");
    if (wanted.length !== BYTES) return -1;
    const order = this.#order();
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(order[middle]!, wanted) < 0) low = middle + 1;
      else high = middle;
    }
    const found = order[low];
    return found !== undefined && this.#compare(found, wanted) === 0 ? found : -1;
  }

  #compare(index: number, wanted: Buffer): number {
    return this.#ids.compare(wanted, 0, BYTES, index * BYTES, (index + 1) * BYTES);
  }

  #order(): Uint32Array {
    this.#sorted ??= Uint32Array.from({ length: this.count }, (_, i) => i).sort((a, b) =>
      this.#ids.compare(this.#ids, b * BYTES, (b + 1) * BYTES, a * BYTES, (a + 1) * BYTES),
    );
    return this.#sorted;
  }

  /** Cases with the same values are told apart by how many there were before. */
  #identify(): void {
    for (let i = 0; i < this.count; i++) this.#write(i, 0);
    const order = this.#order();
    const repeats: [index: number, count: number][] = [];
    let repeated = 0;
    for (let k = 1; k < order.length; k++) {
      const [a, b] = [order[k - 1]!, order[k]!];
      const isSame =
        this.#ids.compare(this.#ids, b * BYTES, (b + 1) * BYTES, a * BYTES, (a + 1) * BYTES) === 0;
      repeated = isSame ? repeated + 1 : 0;
      // Written afterwards: the order is that of the first identities.
      if (isSame) repeats.push([b, repeated]);
    }
    if (repeats.length === 0) return;
    for (const [index, count] of repeats) this.#write(index, count);
    this.#sorted = undefined;
  }

  #write(index: number, repeated: number): void {
    const hash = createHash("sha256").update(this.digest).update(this.values(index));
    if (repeated > 0) hash.update(`again ${repeated}`);
    hash.digest().copy(this.#ids, index * BYTES, 0, BYTES);
  }
}

function columnsOf({ name, times }: OutputOptions): string[] {
  return times ? times.map((_, k) => `${name}[${k}]`) : [name];
}

/** What all results depend on: not on names, designs and limits of time. */
function digestOf({ model, parameters, outputs, limits }: Definition): string {
  const parts = {
    version: packageVersion(),
    model,
    parameters: parameters.map(({ name, at }) => ({ name, at })),
    outputs: outputs.map(({ unit: _, ...rest }) => rest),
    maximumSteps: limits?.maximumSteps,
  };
  return createHash("sha256").update(canonical(parts)).digest("hex");
}

/** JSON with keys in order: the same text for the same data. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).filter(
    (key) => (value as Record<string, unknown>)[key] !== undefined,
  );
  const entries = keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key])}`);
  return `{${entries.join(",")}}`;
}
