import { NodriftError } from "../../base/errors.js";

/** Number of characters of a long text shown on either side of the error. */
const CONTEXT_LENGTH = 30;

/**
 * Error for an invalid formula. The message ends with the position of the error, with characters counted from 1.
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
    /** Index of the first wrong character, counted from 0. */
    readonly offset: number,
    /** Text of the formula, for the message. */
    text?: string,
  ) {
    const of = text === undefined ? "" : ` of "${shortened(text, offset)}"`;
    super("DESCRIPTION", `${message} (at character ${offset + 1}${of})`);
  }
}

/** Shortens a text to one line around a position. */
function shortened(text: string, offset: number): string {
  const begin = Math.max(0, offset - CONTEXT_LENGTH);
  const end = Math.min(text.length, offset + CONTEXT_LENGTH);
  const shown = text.slice(begin, end).replaceAll(/\s/g, " ");
  return `${begin > 0 ? "..." : ""}${shown}${end < text.length ? "..." : ""}`;
}
