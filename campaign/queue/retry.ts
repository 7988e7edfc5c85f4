// Retries server calls after transient failures, up to a timeout.

import { NodriftError } from "../../src/base/errors.js";

/** Seconds after which an unreachable server is an error. */
const TIMEOUT_S = 120;
const MAX_BACKOFF_MS = 2000;

/**
 * Whether an error passes: it concerns the connection and not the request (of sockets, or of a server that starts or
 * stops), or two clients of PostgreSQL change its catalogues at once (deadlocks, schemas that both create).
 */
function isTransient(error: unknown): boolean {
  const { code, constraint, message, name } = (error ?? {}) as Partial<
    Record<"code" | "constraint" | "message" | "name", string>
  >;
  if (code === "23505") return constraint?.startsWith("pg_") === true;
  if (code !== undefined && /^(E[A-Z]+|57P0[1-3]|08\d{3}|53300|40001|40P01)$/.test(code))
    return code !== "EACCES";
  return /closed|terminated|timeout|timed out|reset|ended|not queryable|concurrently updated|LOADING|MaxRetries|shutting down|starting up|not yet accepting|READONLY/i.test(
    `${name} ${message}`,
  );
}

/** Performs an action, and repeats it with increasing pauses while the server is unreachable. */
export async function withRetry<R>(
  action: () => Promise<R>,
  where: string,
  log: (message: string) => void,
): Promise<R> {
  const began = performance.now();
  for (let pause = 50, isReported = false; ; pause = Math.min(2 * pause, MAX_BACKOFF_MS)) {
    try {
      const result = await action();
      if (isReported) log(`${where} responds again`);
      return result;
    } catch (error) {
      if (!isTransient(error)) throw error;
      const seconds = (performance.now() - began) / 1000;
      const { message } = error as Error;
      if (seconds > TIMEOUT_S) {
        throw new NodriftError(
          "STOPPED",
          `${where}: no response for ${TIMEOUT_S} s (${message}). Results are kept; run the command again`,
        );
      }
      if (!isReported && pause > 200) {
        isReported = true;
        log(
          `${where} does not respond (${message || "no connection"}); retrying for ${TIMEOUT_S} s`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
