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

/** The part of a pool of pg that is used. */
export interface PostgresPool {
  on(event: "error", listener: () => void): void;
  query(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  end(): Promise<void>;
}

type ClientClass = new (options: object) => { on(event: "error", listener: () => void): unknown };

export interface Postgres {
  readonly Pool: new (options: object) => PostgresPool;
  /**
   * Client for the option `Client` of pools. A connection that the server cuts while a client is checked out and idle
   * emits "error"; pools listen only to clients that are not checked out, and an unheard "error" ends the process.
   */
  readonly Client: ClientClass;
}

/** Loads pg. */
export async function loadPostgres(what: string): Promise<Postgres> {
  type Library = Postgres & { readonly default?: Postgres };
  const library = await importOptional<Library>("pg", what);
  const { Pool, Client } = library.default ?? library;
  return {
    Pool,
    Client: class extends Client {
      constructor(options: object) {
        super(options);
        this.on("error", () => {});
      }
    },
  };
}
