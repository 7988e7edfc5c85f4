import { NodriftError } from "../../ground/errors.js";

/** Characters of a long text shown on either side of the error. */
const AROUND = 30;

/**
 * A formula that makes no sense. The message ends with the place, for people: characters are
 * counted from 1 there.
 *
 * @example
 * try {
 *   parseFormula("sin(t", { variables: ["t"] });
 * } catch (error) {
 *   if (error instanceof FormulaError) editor.markCharacter(error.offset, error.message);
 * }
 */
export class FormulaError extends NodriftError {
  /** Name of the class, for messages. */
  override readonly name = "FormulaError";

  constructor(
    message: string,
    /** The character of the text where it is wrong, counted from 0. */
    readonly offset: number,
    /** The text, to be shown. */
    text?: string,
  ) {
    const of = text === undefined ? "" : ` of "${shortened(text, offset)}"`;
    super("DESCRIPTION", `${message} (at character ${offset + 1}${of})`);
  }
}

/** A text on one line, without what is far from a place. */
function shortened(text: string, offset: number): string {
  const begin = Math.max(0, offset - AROUND);
  const end = Math.min(text.length, offset + AROUND);
  const shown = text.slice(begin, end).replaceAll(/\s/g, " ");
  return `${begin > 0 ? "..." : ""}${shown}${end < text.length ? "..." : ""}`;
}
