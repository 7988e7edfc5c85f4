// The thread's own end of the line: of a worker in a browser, of a thread of Node, or of a port that somebody gives.

import { argument, optionsOf, rule, type Shape } from "../../../ground/checking/index.js";
import type { FromWorker, Line, ToWorker } from "../messages/messages.js";
import type { Maker } from "./make-drive.js";
import { type Clock, Session } from "./session.js";

/** What messages go through: a worker's own scope, or one end of a `MessageChannel`. */
export interface ServePort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  /** Of ports that wait until they are started. */
  start?(): void;
}

/** Options of {@link serve}. */
export interface ServeOptions {
  /** Where pages talk from. Default: the worker's own. */
  readonly port?: ServePort;
  /** Time and timers. Default: those of the worker. */
  readonly clock?: Clock;
}

const does =
  (...names: readonly string[]) =>
  (value: unknown) =>
    names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === "function");

const SHAPE: Shape<ServeOptions> = {
  port: rule<ServePort>("a port of messages", does("postMessage", "addEventListener")),
  clock: rule<Clock>("a clock: { now, after }", does("now", "after")),
};

const MAKER = rule<Maker>("a function that makes a model, or a model", (value) =>
  ["function", "object"].includes(typeof value),
);

/** The port to the thread that started this one, of Node. */
interface ParentPort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  on(type: "message", listener: (data: unknown) => void): void;
}

type Listen = Line<FromWorker, ToWorker>["listen"];

function lineOf(port: Pick<ServePort, "postMessage">, listen: Listen): Line<FromWorker, ToWorker> {
  return {
    send: (message) => port.postMessage(message, message instanceof ArrayBuffer ? [message] : []),
    listen,
  };
}

function portLine(port: ServePort): Line<FromWorker, ToWorker> {
  return lineOf(port, (listener) => {
    port.addEventListener("message", ({ data }) => listener(data as ToWorker | ArrayBuffer));
    port.start?.();
  });
}

/**
 * Makes the present worker one that `spawn` can drive, with a model of its own: for bundlers, which make a program of a
 * worker's file and all it imports.
 *
 * @example
 * // crane-worker.js; the page: spawn(new Worker(new URL("./crane-worker.js", import.meta.url), { type: "module" }))
 * import { serve } from "nodrift/worker-serve";
 * serve(() => crane());
 */
export function serve(maker?: Maker, options: ServeOptions = {}, ...more: undefined[]): void {
  if (maker !== undefined) argument("serve", "DESCRIPTION", "the maker", maker, MAKER);
  const { port, clock } = optionsOf("serve", "DESCRIPTION", options, SHAPE, more);
  const scope = globalThis as unknown as ServePort;
  if (port !== undefined) new Session(portLine(port), clock, maker);
  // At once: messages that come before somebody listens are lost in browsers.
  else if (does("postMessage", "addEventListener")(scope)) {
    new Session(portLine(scope), clock, maker);
  } else void serveThread(clock, maker);
}

async function serveThread(clock: Clock | undefined, maker: Maker | undefined): Promise<void> {
  // The name is computed so that no bundler follows it.
  const name = ["node", "worker_threads"].join(":");
  const { parentPort } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
    readonly parentPort: ParentPort | null;
  };
  if (parentPort === null) return;
  const listen: Listen = (listener) =>
    parentPort.on("message", (data) => listener(data as ToWorker | ArrayBuffer));
  new Session(lineOf(parentPort, listen), clock, maker);
}
