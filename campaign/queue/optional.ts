// Loads optional libraries. The error for a missing one contains the command that installs it.

import { NodriftError } from "../../src/base/errors.js";

/** Loads a library. Its name is a parameter, so that bundlers do not resolve it. */
export async function importOptional<Library>(name: string, what: string): Promise<Library> {
  try {
    const loaded = (await import(name)) as Library & { readonly default?: Library };
    return loaded;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === "ERR_MODULE_NOT_FOUND" && message.includes(name);
    throw new NodriftError(
      "LOAD",
      isMissing
        ? `${what} needs the package ${name}: npm install ${name}`
        : `${name} cannot be loaded: ${message}`,
    );
  }
}
