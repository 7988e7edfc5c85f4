// Address of a server. Passwords come from the environment, since command lines are visible to all users and kept by shells.

import { NodriftError } from "../../src/base/errors.js";

/** Environment variable with a complete address, including the password. */
export const ADDRESS_VARIABLE = "NODRIFT_QUEUE";
/** Environment variable with only the password. */
export const PASSWORD_VARIABLE = "NODRIFT_QUEUE_PASSWORD";

/** Address of a server. */
export interface Address {
  readonly kind: "redis" | "postgres";
  /** URL with the password; never printed. */
  readonly url: string;
  /** URL without the password, for messages. */
  readonly shown: string;
}

/** Parses an address, by default that of the environment. */
export function addressOf(
  given: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Address {
  const text = given ?? environment[ADDRESS_VARIABLE];
  if (text === undefined || text === "") {
    throw addressError(
      `no server: use --on redis://HOST:PORT or --on postgres://USER@HOST/DATABASE, or set ${ADDRESS_VARIABLE}`,
    );
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw addressError(
      "invalid server address: use redis://HOST:PORT or postgres://USER@HOST/DATABASE",
    );
  }
  const kind = /^rediss?:$/.test(url.protocol)
    ? "redis"
    : /^postgres(ql)?:$/.test(url.protocol)
      ? "postgres"
      : undefined;
  if (!kind) throw addressError(`${url.protocol}// is not supported: use redis:// or postgres://`);
  if (given !== undefined && url.password !== "") {
    throw addressError(
      `the address contains a password, which other users can see: put it into ${PASSWORD_VARIABLE} instead`,
    );
  }
  const shown = new URL(url);
  shown.password = "";
  const password = environment[PASSWORD_VARIABLE];
  if (url.password === "" && password !== undefined) url.password = encodeURIComponent(password);
  return { kind, url: url.href, shown: shown.href };
}

function addressError(message: string): NodriftError {
  return new NodriftError("DESCRIPTION", message);
}
