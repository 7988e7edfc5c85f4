// What `spawn` is given, as the worker gets it.

import { show } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import type { SourceData } from "../messages/messages.js";
import type { NodeWorker, WebWorker } from "./host.js";

/** A worker whose program calls `serve` of `nodrift/worker-serve`, or something else. */
export function isWorker(given: unknown): given is WebWorker | NodeWorker {
  const { postMessage, terminate } = (given ?? {}) as Partial<WebWorker>;
  return typeof postMessage === "function" && typeof terminate === "function";
}

/** A file as text or value, or the address of a module. */
export function sourceOf(given: unknown): SourceData {
  if (typeof given === "string" && /^\s*\{/.test(given)) return { kind: "text", text: given };
  if (typeof given === "string" || given instanceof URL) {
    return { kind: "module", url: addressOf(given) };
  }
  if (typeof given !== "object" || given === null) {
    throw refused(`not ${show(given)}`);
  }
  const { calls, settings } = given as { calls?: unknown; settings?: unknown };
  if (typeof calls === "function") {
    throw refused(
      "not a model itself, which has functions: give writeDocument(model), or the address of a module",
    );
  }
  if (settings !== undefined && "model" in given) {
    throw refused("not what readModel made: give the text");
  }
  return { kind: "document", document: given };
}

function refused(what: string): NodriftError {
  return new NodriftError(
    "DESCRIPTION",
    `spawn takes a model file (text or value), the address of a module, or a worker, ${what}`,
  );
}

function addressOf(given: string | URL): string {
  try {
    // A page resolves addresses against its own; Node has none.
    return new URL(given, globalThis.document?.baseURI ?? globalThis.location?.href).href;
  } catch {
    throw new NodriftError(
      "LOAD",
      `spawn: ${show(String(given))} is not an address: give new URL("./model.js", import.meta.url)`,
    );
  }
}
