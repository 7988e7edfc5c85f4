// Bits of model files after their first second, by a function that runs unchanged in any engine.

interface Given {
  /** Address of the files of the package. */
  readonly base: string;
  readonly texts: Readonly<Record<string, string>>;
}

type Package = typeof import("nodrift/files") & typeof import("nodrift/solve");

/** A hash of the bits of each motion; self-contained, so that its text can run elsewhere. */
export async function modelBits({ base, texts }: Given): Promise<Record<string, string>> {
  const files = (await import(`${base}/files.js`)) as Package;
  const { solve } = (await import(`${base}/solve.js`)) as Package;
  const bits: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    const file = files.readSystem(text);
    const [from = 0, to = 10] = file.settings.solve?.span ?? [];
    const others = { span: [from, Math.min(from + 1, to)], output: "ends" } as const;
    const system = "system" in file ? undefined : await file.compile();
    const { end, status } =
      "system" in file
        ? solve(file.system, file.solveOptions(others))
        : solve(system!, file.solveOptions(system!, others));
    // FNV-1a over the bytes.
    let hash = 0x811c9dc5;
    for (const numbers of [end.q, end.v]) {
      for (const byte of new Uint8Array(Float64Array.from(numbers).buffer)) {
        hash = Math.imul(hash ^ byte, 0x01000193);
      }
    }
    bits[name] = `${status} at ${end.time}: ${(hash >>> 0).toString(16)}`;
  }
  return bits;
}
