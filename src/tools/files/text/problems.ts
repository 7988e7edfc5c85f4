import { needed, optionsOf, type Shape, text, whole } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";

/** Keys and numbers from the top of a file to one of its values. */
export type Path = readonly (string | number)[];

/** Something that is wrong with a file. */
export interface Problem {
  /** Where, as a JSON pointer (RFC 6901): "/joints/2/axis". Empty for the whole file. */
  readonly pointer: string;
  /** Where in the text, both from 1; undefined where the file was no text. */
  readonly line: number | undefined;
  /** Column in that line, from 1; undefined for values that were not read from text. */
  readonly column: number | undefined;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}

/** How many problems a message lists, and how many an error keeps. */
const LISTED = 20;
const KEPT = 1000;
/** Longer messages are cut: what is in a file may be very long. */
const LENGTH = 1000;

/**
 * A model file that cannot be used, with everything that is wrong with it; of very many problems the first thousand
 * that were found.
 *
 * @example
 * try {
 *   readModel(text);
 * } catch (error) {
 *   if (error instanceof ModelFileError) for (const { line, message } of error.problems) show(line, message);
 * }
 */
export class ModelFileError extends NodriftError {
  /** Name of the class, for messages. */
  override readonly name = "ModelFileError";

  constructor(
    /** All that is wrong with the file. */
    readonly problems: readonly Problem[],
    /** How many there are altogether. */
    readonly count: number = problems.length,
  ) {
    const lines = problems.slice(0, LISTED).map(problemText);
    const rest = count - lines.length;
    const what = count === 1 ? "1 problem" : `${count} problems`;
    const more = rest > 0 ? [`and ${rest} more`] : [];
    super("DESCRIPTION", [`the model file has ${what}:`, ...lines, ...more].join("\n  "));
  }
}

const SHAPE: Shape<Problem> = {
  pointer: needed(text),
  line: whole(0),
  column: whole(0),
  message: needed(text),
};

/** A problem in one line: "line 12:5, /joints/2/axis: ...". */
export function problemText(problem: Problem): string {
  const { pointer, line, column, message } = optionsOf(
    "problemText",
    "DESCRIPTION",
    problem,
    SHAPE,
  );
  const place = line === undefined ? [] : [`line ${line}:${column}`];
  const where = [...place, ...(pointer === "" ? [] : [visible(pointer)])].join(", ");
  return where === "" ? message : `${where}: ${message}`;
}

/** Text of a file as it can be shown: characters that would move a cursor or turn a line round are written out. */
export function visible(text: string): string {
  const written = text.replaceAll(
    /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return written.length > LENGTH ? `${written.slice(0, LENGTH)}...` : written;
}

export function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Collects what is wrong, and knows which parts of a file are affected. */
export class Problems {
  readonly #list: (Problem & { readonly path: Path })[] = [];
  /** Pointers of what is wrong, and of all that it is in. */
  readonly #broken = new Set<string>();
  #count = 0;

  constructor(
    readonly place: (path: Path) => { readonly line: number; readonly column: number } | undefined,
  ) {}

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** Those that are kept, in the order in which they were found. */
  get list(): readonly (Problem & { readonly path: Path })[] {
    return this.#list;
  }

  /** Adds one. Messages that take time to make are functions: they are not called for problems that are not shown. */
  add(path: Path, message: string | (() => string)): void {
    this.mark(path);
    if (++this.#count > KEPT) return;
    const place = this.place(path);
    this.#list.push({
      path,
      pointer: pointerOf(path),
      line: place?.line,
      column: place?.column,
      message: visible(typeof message === "string" ? message : message()),
    });
  }

  /** Notes that something is wrong of which no more is to be said. */
  mark(path: Path): void {
    for (let length = path.length; length >= 0; length--) {
      const pointer = pointerOf(path.slice(0, length));
      // What this is in has been noted with it.
      if (this.#broken.has(pointer)) return;
      this.#broken.add(pointer);
    }
  }

  /** Whether something at a path, or inside of it, is wrong. */
  isBroken(path: Path): boolean {
    return this.#broken.has(pointerOf(path));
  }

  /**
   * Does something that may be refused: the reason becomes a problem at this path, or at the option of an entry there
   * that the reason begins with.
   */
  attempt<Result>(path: Path, action: () => Result, entry: object = {}): Result | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof NodriftError)) throw error;
      const option = TAKEN.test(error.message) ? "name" : optionIn(error.message);
      const isThere = option !== undefined && Object.hasOwn(entry, option);
      this.add(isThere ? [...path, option] : path, error.message);
      return undefined;
    }
  }

  /** Throws all of it, in the order of the text. */
  finish(count = this.#count): never {
    const sorted = this.#list
      .map(({ path: _, ...problem }) => problem)
      .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
    throw new ModelFileError(sorted, count);
  }
}

/** Of a name that another entry has. */
export const TAKEN = / already: choose another name$/;

/** What a refusal is about: `axis` of 'revolute "hinge": axis is zero'. */
function optionIn(message: string): string | undefined {
  return /^[^:]*: (\w+)/.exec(message.replaceAll(/"[^"]*"/g, ""))?.[1];
}
