// Libraries that only some campaigns want. Who has not installed one is told how.

import { NodriftError } from "../../../ground/errors.js";

/** Loads a library. The name is no constant, so that bundlers leave it alone. */
export async function optional<Library>(name: string, what: string): Promise<Library> {
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
