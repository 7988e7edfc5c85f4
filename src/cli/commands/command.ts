// Definition of a command and parsing of its arguments: parser, checks and help all follow from one table of options.

import { parseArgs } from "node:util";
import { hint, meant } from "../../base/checking/index.js";
import type { Terminal } from "../terminal/terminal.js";

/** An option of a command. */
export interface Option {
  /** Placeholder of its value in the help; a switch has none. */
  readonly value?: string;
  readonly short?: string;
  readonly help: string;
}

/** A command, in a file of its own; registered by a line in index.ts. */
export interface Subcommand<
  Options extends Readonly<Record<string, Option>> = Record<string, Option>,
> {
  /** Arguments after its name, as text: "MODEL". */
  readonly operands: string;
  /** Smallest and largest number of operands. */
  readonly count: readonly [minimum: number, maximum: number];
  readonly options: Options;
  /** Description of the command, in several lines. */
  readonly description: string;
  readonly examples: readonly string[];
  /** Runs the command and returns the exit code. */
  run(given: ParsedArguments<Options>, terminal: Terminal): Promise<number>;
}

/** Parsed arguments: values of options are text, switches are true or missing. */
export interface ParsedArguments<Options = Record<string, Option>> {
  readonly operands: readonly string[];
  readonly options: {
    readonly [Name in keyof Options]?: Options[Name] extends { readonly value: string }
      ? string
      : true;
  };
}

/** A command that cannot be understood. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Keeps the types of the options. */
export function command<const Options extends Readonly<Record<string, Option>>>(
  described: Subcommand<Options>,
): Subcommand<Options> {
  return described;
}

const HELP: Option = { short: "h", help: "show this help" };

/** Parses arguments. Returns undefined if help is requested. */
export function readArguments(
  { options, count, operands: wanted }: Subcommand,
  args: readonly string[],
): ParsedArguments | undefined {
  const known: Readonly<Record<string, Option>> = { ...options, help: HELP };
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(known).map(([name, { value, short }]) => [
        name,
        { type: value ? ("string" as const) : ("boolean" as const), ...(short && { short }) },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === "option") checkToken(token, known);
  if (values.help) return undefined;
  checkCount(positionals, count, wanted);
  return { operands: positionals, options: values as ParsedArguments["options"] };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

function checkToken(
  { name, rawName, value }: OptionToken,
  known: Readonly<Record<string, Option>>,
): void {
  const names = Object.keys(known);
  const option = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!option) {
    const near = meant(name, names);
    const advice = near === undefined ? hint(name, names) : `: did you mean --${near}?`;
    throw new UsageError(`unknown option ${rawName}${advice}`);
  }
  const { value: wanted } = option;
  if (wanted && (value === undefined || value === "")) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${wanted}`);
  }
  if (wanted && value?.startsWith("--") && names.includes(value.slice(2))) {
    throw new UsageError(`${rawName} needs a value, but ${value} follows`);
  }
  if (!wanted && value !== undefined) {
    throw new UsageError(`${rawName} takes no value, but got "${value}"`);
  }
}

function checkCount(
  operands: readonly string[],
  [minimum, maximum]: Subcommand["count"],
  wanted: string,
): void {
  if (operands.length < minimum) throw new UsageError(`${wanted} is missing`);
  if (operands.length > maximum) {
    throw new UsageError(`unexpected argument "${operands[maximum]}": expected only ${wanted}`);
  }
}

/** The help of one command. */
export function commandHelp(name: string, described: Subcommand): string {
  const { operands, options, description, examples } = described;
  const rows = Object.entries({ ...options, help: HELP }).map(([long, { value, short, help }]) => {
    const start = short ? `-${short}, ` : "    ";
    return [`${start}--${long}${value ? ` ${value}` : ""}`, help] as const;
  });
  return [
    `nodrift ${name}${operands && ` ${operands}`} [options]`,
    "",
    description,
    "",
    "Options:",
    ...columns(rows),
    "",
    "Examples:",
    ...examples.map((line) => `  ${line}`),
  ].join("\n");
}

/** Two columns, the first as wide as its longest entry; further lines of the second are indented to it. */
export function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => {
    const indent = `\n${" ".repeat(width + 4)}`;
    return `  ${left.padEnd(width)}  ${right.replaceAll("\n", indent)}`.trimEnd();
  });
}
