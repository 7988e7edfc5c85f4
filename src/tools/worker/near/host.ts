// A worker as its page sees it: of a browser, or a thread of Node.

import { NodriftError } from "../../../ground/errors.js";
import type { FromWorker, Line, ToWorker } from "../messages/messages.js";

/** Reports that a worker is no more, and why. */
export type OnDeath = (reason: string, cause?: unknown) => void;

/** A worker, started. */
export interface Host extends Line<ToWorker, FromWorker> {
  onDeath(listener: OnDeath): void;
  end(): void;
}

/** What workers of browsers are, as far as they are needed. */
export type WebWorker = Pick<Worker, "postMessage" | "addEventListener" | "terminate">;

/** What threads of Node are. */
export interface NodeWorker {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(type: "message", listener: (data: unknown) => void): unknown;
  on(type: "error" | "messageerror", listener: (error: Error) => void): unknown;
  on(type: "exit", listener: (code: number) => void): unknown;
  terminate(): unknown;
}

/** Starts the package's own file as a worker, which lies beside this one. */
export async function startWorker(here: string = import.meta.url): Promise<Host> {
  try {
    if (typeof Worker === "function") {
      // Bundlers know this form, and make a file of their own of the worker.
      const worker = new Worker(new URL("./worker-thread.js", import.meta.url), {
        type: "module",
        name: "nodrift",
      });
      return hostOf(worker);
    }
    // Names are computed, and the address is that of a variable, so that no bundler follows them.
    const threads = ["node", "worker_threads"].join(":");
    const file = ["./worker-thread", "js"].join(".");
    const { Worker: Thread } = (await import(
      /* @vite-ignore */ /* webpackIgnore: true */ threads
    )) as { Worker: new (file: URL) => NodeWorker };
    return hostOf(new Thread(new URL(file, here)));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NodriftError("LOAD", `spawn: no worker could be started: ${reason}`, { cause });
  }
}

/** A worker that somebody has started. */
export function hostOf(worker: WebWorker | NodeWorker): Host {
  return "addEventListener" in worker ? webHost(worker as WebWorker) : nodeHost(worker);
}

function send(worker: WebWorker | NodeWorker, message: ToWorker | ArrayBuffer): void {
  worker.postMessage(message, message instanceof ArrayBuffer ? [message] : []);
}

const UNREADABLE = "a message of it could not be read";

function webHost(worker: WebWorker): Host {
  return {
    send: (message) => send(worker, message),
    listen: (listener) =>
      worker.addEventListener("message", ({ data }: MessageEvent) => listener(data)),
    onDeath(listener) {
      worker.addEventListener("error", (event) => {
        event.preventDefault?.();
        // Where the file itself cannot be loaded there is no message.
        listener(
          event.message ||
            "its file could not be loaded: it must be served beside the others of the package, and allowed by the page's " +
              "policy (worker-src, script-src)",
          event.error,
        );
      });
      worker.addEventListener("messageerror", () => listener(UNREADABLE));
    },
    end: () => worker.terminate(),
  };
}

function nodeHost(worker: NodeWorker): Host {
  return {
    send: (message) => send(worker, message),
    listen: (listener) => void worker.on("message", (data) => listener(data as FromWorker)),
    onDeath(listener) {
      worker.on("error", (error) => listener(error?.message ?? String(error), error));
      worker.on("messageerror", (error) => listener(UNREADABLE, error));
      worker.on("exit", (code) => listener(`it exited with code ${code}`));
    },
    end: () => void worker.terminate(),
  };
}
