// Handle of a worker for its page: a browser worker, or a Node thread.

import { NodriftError } from "../../base/errors.js";
import type { Channel, FromWorker, ToWorker } from "../messages/messages.js";

/** Listener for the end of a worker, with the reason. */
export type OnExit = (reason: string, cause?: unknown) => void;

/** A started worker. */
export interface WorkerHandle extends Channel<ToWorker, FromWorker> {
  onExit(listener: OnExit): void;
  end(): void;
}

/** The members of a browser worker that are used. */
export type WebWorker = Pick<Worker, "postMessage" | "addEventListener" | "terminate">;

/** The members of a Node thread that are used. */
export interface NodeWorker {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(type: "message", listener: (data: unknown) => void): unknown;
  on(type: "error" | "messageerror", listener: (error: Error) => void): unknown;
  on(type: "exit", listener: (code: number) => void): unknown;
  terminate(): unknown;
}

/** Starts the package's worker file, which lies in the same folder as this one. */
export async function startWorker(here: string = import.meta.url): Promise<WorkerHandle> {
  try {
    if (typeof Worker === "function") {
      // Bundlers recognise this form and emit the worker as a separate file.
      const worker = new Worker(new URL("./worker-thread.js", import.meta.url), {
        type: "module",
        name: "nodrift",
      });
      return handleOf(worker);
    }
    // Names are computed, and the address is a variable, so that bundlers do not follow them.
    const threads = ["node", "worker_threads"].join(":");
    const file = ["./worker-thread", "js"].join(".");
    const { Worker: Thread } = (await import(
      /* @vite-ignore */ /* webpackIgnore: true */ threads
    )) as { Worker: new (file: URL) => NodeWorker };
    return handleOf(new Thread(new URL(file, here)));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NodriftError("LOAD", `spawn: the worker could not be started: ${reason}`, { cause });
  }
}

/** Returns the handle of a worker started by the user. */
export function handleOf(worker: WebWorker | NodeWorker): WorkerHandle {
  return "addEventListener" in worker ? webHandle(worker as WebWorker) : nodeHandle(worker);
}

function send(worker: WebWorker | NodeWorker, message: ToWorker | ArrayBuffer): void {
  worker.postMessage(message, message instanceof ArrayBuffer ? [message] : []);
}

const UNREADABLE = "one of its messages could not be read";

function webHandle(worker: WebWorker): WorkerHandle {
  return {
    send: (message) => send(worker, message),
    listen: (listener) =>
      worker.addEventListener("message", ({ data }: MessageEvent) => listener(data)),
    onExit(listener) {
      worker.addEventListener("error", (event) => {
        event.preventDefault?.();
        // There is no message if the file itself cannot be loaded.
        listener(
          event.message ||
            "its file could not be loaded: it must be served with the other files of the package and allowed by the page's " +
              "policy (worker-src, script-src)",
          event.error,
        );
      });
      worker.addEventListener("messageerror", () => listener(UNREADABLE));
    },
    end: () => worker.terminate(),
  };
}

function nodeHandle(worker: NodeWorker): WorkerHandle {
  return {
    send: (message) => send(worker, message),
    listen: (listener) => void worker.on("message", (data) => listener(data as FromWorker)),
    onExit(listener) {
      worker.on("error", (error) => listener(error?.message ?? String(error), error));
      worker.on("messageerror", (error) => listener(UNREADABLE, error));
      worker.on("exit", (code) => listener(`it exited with code ${code}`));
    },
    end: () => void worker.terminate(),
  };
}
