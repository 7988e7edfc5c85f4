import { EXIT } from "../terminal/terminal.js";
import { command, UsageError } from "./command.js";

/** What the bundle of contests has. */
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
    "Measures the WebAssembly kernels against plain JavaScript, written as fast as we can, and",
    "against ml-matrix. Microseconds, medians of interleaved rounds. With a word, only those whose",
    "name contains it. Takes about a minute on a quiet machine; --quick ten seconds.",
  ].join("\n"),
  options: { quick: { help: "few and short rounds" } },
  examples: ["nodrift bench", "nodrift bench cholesky --quick"],

  async run({ operands: [word = ""], options }, terminal) {
    // In a file of its own, with libraries that nothing else wants.
    const address = new URL("./contests.js", import.meta.url).href;
    const { contestNames, contestTables } = (await import(address)) as Contests;
    if (!contestNames.some((name) => name.toLowerCase().includes(word.toLowerCase()))) {
      throw new UsageError(`no benchmark matches "${word}"; available: ${contestNames.join(", ")}`);
    }
    const effort = options.quick ? { rounds: 3, time: 5 } : { rounds: 9, time: 25 };
    for (const { name, text } of contestTables(word, effort)) {
      terminal.print(`${terminal.paint("strong", name)}\n${text}\n`);
      if (terminal.signal.aborted) return EXIT.interrupted;
      if (!terminal.isHeard) return EXIT.good;
    }
    return EXIT.good;
  },
});
