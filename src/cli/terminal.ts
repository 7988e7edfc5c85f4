// What commands see of the world around them: somewhere to print, and the wish to stop.

/** Colours mean something, and the text says the same without them. */
export type Tone = "good" | "warn" | "bad" | "dim" | "strong";

/** Where a command prints. */
export interface Terminal {
  /** Results: what a pipe gets. A line break is added. */
  print(text: string): void;
  /** Everything else. */
  tell(text: string): void;
  /** Whether a person watches what is told. */
  readonly isWatched: boolean;
  /** Text in the colour of its meaning, where results can have colours. */
  paint(tone: Tone, text: string): string;
  /** Aborted by Ctrl-C: commands then keep what they have and end. */
  readonly signal: AbortSignal;
}

/** Codes of ECMA-48 that begin and end a colour. */
const CODES = {
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
  dim: [2, 22],
  strong: [1, 22],
} as const;

/** The terminal of this process. The second Ctrl-C ends it at once. */
export function processTerminal(): Terminal {
  const controller = new AbortController();
  const { stdout, stderr, env } = process;
  const stop = (exitCode: number) => () => {
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort(new Error("interrupted"));
  };
  process.on("SIGINT", stop(EXIT.interrupted));
  process.on("SIGTERM", stop(EXIT.interrupted));
  // Whoever reads may stop reading, as `| head` does: no reason to complain.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(EXIT.good);
  });
  const hasColours = Boolean(
    env.FORCE_COLOR || (stdout.isTTY && !env.NO_COLOR && env.TERM !== "dumb"),
  );
  return {
    print: (text) => void stdout.write(`${text}\n`),
    tell: (text) => void stderr.write(`${text}\n`),
    isWatched: stderr.isTTY === true && env.TERM !== "dumb",
    paint: (tone, text) => (hasColours ? painted(CODES[tone], text) : text),
    signal: controller.signal,
  };
}

function painted([begin, end]: readonly [number, number], text: string): string {
  return `\u001b[${begin}m${text}\u001b[${end}m`;
}

/** What exit codes mean. `nodrift --help` lists them. */
export const EXIT = {
  /** All is well. */
  good: 0,
  /** It ran, and the answer is bad: a run that failed, a check with findings, a table that was missed. */
  bad: 1,
  /** The command cannot be understood. */
  usage: 2,
  /** The model cannot be used. */
  model: 3,
  /** Files cannot be read or written. */
  files: 4,
  /** Stopped by Ctrl-C; what was computed till then was kept. */
  interrupted: 130,
} as const;
