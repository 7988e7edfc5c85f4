// Where a server is. Passwords come from the environment: command lines are seen by all users of a machine, and kept by shells.

import { NodriftError } from "../../../ground/errors.js";

/** Holds a whole address, password and all. */
export const ADDRESS_VARIABLE = "NODRIFT_QUEUE";
/** Holds only the password. */
export const PASSWORD_VARIABLE = "NODRIFT_QUEUE_PASSWORD";

/** A server. */
export interface Address {
  readonly kind: "redis" | "postgres";
  /** With its password: never printed. */
  readonly url: string;
  /** Without: for messages. */
  readonly shown: string;
}

/** The address that was given, or else that of the environment. */
export function addressOf(
  given: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Address {
  const text = given ?? environment[ADDRESS_VARIABLE];
  if (text === undefined || text === "") {
    throw wrong(
      `no server: give --on redis://HOST:PORT or --on postgres://USER@HOST/DATABASE, or set ${ADDRESS_VARIABLE}`,
    );
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw wrong(
      "the address of the server cannot be read: write redis://HOST:PORT or postgres://USER@HOST/DATABASE",
    );
  }
  const kind = /^rediss?:$/.test(url.protocol)
    ? "redis"
    : /^postgres(ql)?:$/.test(url.protocol)
      ? "postgres"
      : undefined;
  if (!kind) throw wrong(`${url.protocol}// is neither redis:// nor postgres://`);
  if (given !== undefined && url.password !== "") {
    throw wrong(
      `the address has a password, which others can see: put it into ${PASSWORD_VARIABLE} and leave it out here`,
    );
  }
  const shown = new URL(url);
  shown.password = "";
  const password = environment[PASSWORD_VARIABLE];
  if (url.password === "" && password !== undefined) url.password = encodeURIComponent(password);
  return { kind, url: url.href, shown: shown.href };
}

function wrong(message: string): NodriftError {
  return new NodriftError("DESCRIPTION", message);
}
