import { needed, optionsOf, type Shape, text, whole } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";

/** Keys and indices from the root of a file to one of its values. */
export type Path = readonly (string | number)[];

/** A problem of a file. */
export interface Problem {
  /** JSON pointer (RFC 6901), such as "/joints/2/axis". Empty for the whole file. */
  readonly pointer: string;
  /** Line in the text, from 1; undefined for values that were not read from text. */
  readonly line: number | undefined;
  /** Column in that line, from 1; undefined for values that were not read from text. */
  readonly column: number | undefined;
  /** Description of the problem and a suggestion. */
  readonly message: string;
}

/** Largest numbers of problems in a message and in an error. */
const MAX_LISTED = 20;
const MAX_KEPT = 1000;
/** Largest length of a message; contents of files may be long. */
const MAX_LENGTH = 1000;

/**
 * Error for an invalid model file, with all its problems, at most the first thousand that were found.
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
    /** Problems of the file. */
    readonly problems: readonly Problem[],
    /** Total number of problems. */
    readonly count: number = problems.length,
  ) {
    const lines = problems.slice(0, MAX_LISTED).map(problemText);
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

/** Formats a problem as one line: "line 12:5, /joints/2/axis: ...". */
export function problemText(problem: Problem): string {
  const { pointer, line, column, message } = optionsOf(
    "problemText",
    "DESCRIPTION",
    problem,
    SHAPE,
  );
  const position = line === undefined ? [] : [`line ${line}:${column}`];
  const where = [...position, ...(pointer === "" ? [] : [visible(pointer)])].join(", ");
  return where === "" ? message : `${where}: ${message}`;
}

/** Escapes characters that would move a cursor or change the direction of a line. */
export function visible(text: string): string {
  const written = text.replaceAll(
    /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return written.length > MAX_LENGTH ? `${written.slice(0, MAX_LENGTH)}...` : written;
}

export function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Collects problems and the affected parts of a file. */
export class Problems {
  readonly #list: (Problem & { readonly path: Path })[] = [];
  /** Pointers of invalid values and of their ancestors. */
  readonly #broken = new Set<string>();
  #count = 0;

  constructor(
    readonly place: (path: Path) => { readonly line: number; readonly column: number } | undefined,
  ) {}

  /** Number of problems. */
  get count(): number {
    return this.#count;
  }

  /** Stored problems, in order of discovery. */
  get list(): readonly (Problem & { readonly path: Path })[] {
    return this.#list;
  }

  /** Adds a problem. Messages that are expensive to create are functions, called only for problems that are stored. */
  add(path: Path, message: string | (() => string)): void {
    this.mark(path);
    if (++this.#count > MAX_KEPT) return;
    const place = this.place(path);
    this.#list.push({
      path,
      pointer: pointerOf(path),
      line: place?.line,
      column: place?.column,
      message: visible(typeof message === "string" ? message : message()),
    });
  }

  /** Marks a value as invalid without a message. */
  mark(path: Path): void {
    for (let length = path.length; length >= 0; length--) {
      const pointer = pointerOf(path.slice(0, length));
      // Its ancestors are marked already.
      if (this.#broken.has(pointer)) return;
      this.#broken.add(pointer);
    }
  }

  /** Whether the value at a path, or one inside it, is invalid. */
  isBroken(path: Path): boolean {
    return this.#broken.has(pointerOf(path));
  }

  /**
   * Performs an action. An error becomes a problem at this path, or at the option of the entry there with which the
   * message starts.
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

  /** Throws all problems, in the order of the text. */
  finish(count = this.#count): never {
    const sorted = this.#list
      .map(({ path: _, ...problem }) => problem)
      .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
    throw new ModelFileError(sorted, count);
  }
}

/** Message about a name that another entry has. */
export const TAKEN = / already: choose another name$/;

/** RecipeOption that a message is about: `axis` in 'revolute "hinge": axis is zero'. */
function optionIn(message: string): string | undefined {
  return /^[^:]*: (\w+)/.exec(message.replaceAll(/"[^"]*"/g, ""))?.[1];
}
