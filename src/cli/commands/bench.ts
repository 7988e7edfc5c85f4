import { EXIT } from "../terminal/terminal.js";
import { command, UsageError } from "./command.js";

/** Exports of the bundle of benchmarks. */
interface Contests {
  readonly contestNames: readonly string[];
  contestTables(
    word: string,
    options: { readonly rounds: number; readonly time: number },
  ): Iterable<{ readonly name: string; readonly text: string }>;
}

/** `nodrift bench`. */
export default command({
  operands: "[WORD]",
  count: [0, 1],
  description: [
    "Measures the WebAssembly kernels against optimised plain JavaScript and against ml-matrix.",
    "Times are medians of interleaved rounds, in microseconds. WORD selects the benchmarks whose",
    "names contain it. Takes about a minute on an idle machine, ten seconds with --quick.",
  ].join("\n"),
  options: { quick: { help: "fewer and shorter rounds" } },
  examples: ["nodrift bench", "nodrift bench cholesky --quick"],

  async run({ operands: [word = ""], options }, terminal) {
    // A separate bundle, with libraries that no other command needs.
    const address = new URL("./contests.js", import.meta.url).href;
    const { contestNames, contestTables } = (await import(address)) as Contests;
    if (!contestNames.some((name) => name.toLowerCase().includes(word.toLowerCase()))) {
      throw new UsageError(`no benchmark matches "${word}"; available: ${contestNames.join(", ")}`);
    }
    const effort = options.quick ? { rounds: 3, time: 5 } : { rounds: 9, time: 25 };
    for (const { name, text } of contestTables(word, effort)) {
      terminal.print(`${terminal.paint("strong", name)}\n${text}\n`);
      if (terminal.signal.aborted) return EXIT.interrupted;
      if (!terminal.hasReader) return EXIT.good;
    }
    return EXIT.good;
  },
});
