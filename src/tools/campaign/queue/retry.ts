// Servers restart, and networks fail: what was asked is asked again for a while.

import { NodriftError } from "../../../ground/errors.js";

/** Seconds for which a server may be away. */
const PATIENCE = 120;
const LONGEST = 2000;

/** Errors of the connection, not of what was asked: of sockets, of a server that starts or ends. */
function isPassing(error: unknown): boolean {
  const {
    code,
    message = "",
    name = "",
  } = (error ?? {}) as { code?: string; message?: string; name?: string };
  if (typeof code === "string" && /^(E[A-Z]+|57P0[1-3]|08\d{3}|53300)$/.test(code))
    return code !== "EACCES";
  return /closed|terminated|timeout|timed out|reset|ended|LOADING|MaxRetries|shutting down|starting up|not yet accepting|READONLY/i.test(
    `${name} ${message}`,
  );
}

/** Does something with a server, again and again while it is away. */
export async function patiently<R>(
  action: () => Promise<R>,
  where: string,
  tell: (message: string) => void,
): Promise<R> {
  const began = performance.now();
  for (let pause = 50, isTold = false; ; pause = Math.min(2 * pause, LONGEST)) {
    try {
      const result = await action();
      if (isTold) tell(`${where} answers again`);
      return result;
    } catch (error) {
      if (!isPassing(error)) throw error;
      const seconds = (performance.now() - began) / 1000;
      const { message } = error as Error;
      if (seconds > PATIENCE) {
        throw new NodriftError(
          "STOPPED",
          `${where} has not answered for ${PATIENCE} s (${message}): nothing is lost, run the command again`,
        );
      }
      if (!isTold && pause > 200) {
        isTold = true;
        tell(
          `${where} does not answer (${message || "no connection"}); trying again for ${PATIENCE} s`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
