import { NodriftError } from "../../../ground/errors.js";
import { ModelFileError } from "../../files/index.js";
import { UsageError } from "../commands/command.js";
import { FileError } from "../terminal/file-error.js";
import { EXIT } from "../terminal/terminal.js";

/** What to say about an error, and the exit code for it. Our own bugs are reported with all details. */
export function failureOf(error: unknown): { readonly message: string; readonly code: number } {
  if (error instanceof UsageError) return { message: error.message, code: EXIT.usage };
  if (error instanceof FileError) return { message: error.message, code: EXIT.files };
  if (error instanceof ModelFileError) return { message: error.message, code: EXIT.model };
  if (error instanceof NodriftError && error.code === "STOPPED") {
    return {
      message: `stopped: ${error.message}; no results yet`,
      code: EXIT.interrupted,
    };
  }
  if (error instanceof NodriftError) {
    const isAsked = error.code === "METHOD" || error.code === "STEP";
    return { message: error.message, code: isAsked ? EXIT.usage : EXIT.model };
  }
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return { message, code: EXIT.files };
  return { message: `internal error in nodrift, please report it\n${stack}`, code: EXIT.bad };
}
