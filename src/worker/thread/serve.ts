// Worker side of the channel: a browser worker, a Node thread, or a given message port.

import { argument, optionsOf, rule, type Shape } from "../../base/checking/index.js";
import type { Channel, FromWorker, ToWorker } from "../messages/messages.js";
import type { ModelFactory } from "./model-runner.js";
import { type Clock, Session } from "./session.js";

/** Message port of a served model: the worker's global scope, or one end of a `MessageChannel`. */
export interface ServePort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  /** Starts delivery, on ports that need it. */
  start?(): void;
}

/** Options of {@link serve}. */
export interface ServeOptions {
  /** Port to the page. Default: the worker's own. */
  readonly port?: ServePort;
  /** Time and timers. Default: the worker's own. */
  readonly clock?: Clock;
}

const hasMethods =
  (...names: readonly string[]) =>
  (value: unknown) =>
    names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === "function");

const SHAPE: Shape<ServeOptions> = {
  port: rule<ServePort>("a message port", hasMethods("postMessage", "addEventListener")),
  clock: rule<Clock>("a clock: { now, after }", hasMethods("now", "after")),
};

const FACTORY = rule<ModelFactory>("a model, or a function that creates one", (value) =>
  ["function", "object"].includes(typeof value),
);

/** Port to the thread that started this one, in Node. */
interface ParentPort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  on(type: "message", listener: (data: unknown) => void): void;
}

type Listen = Channel<FromWorker, ToWorker>["listen"];

function channelOf(
  port: Pick<ServePort, "postMessage">,
  listen: Listen,
): Channel<FromWorker, ToWorker> {
  return {
    send: (message) => port.postMessage(message, message instanceof ArrayBuffer ? [message] : []),
    listen,
  };
}

function portChannel(port: ServePort): Channel<FromWorker, ToWorker> {
  return channelOf(port, (listener) => {
    port.addEventListener("message", ({ data }) => listener(data as ToWorker | ArrayBuffer));
    port.start?.();
  });
}

/**
 * Serves a model from the present worker, for `spawn`. Use it with bundlers, which build a worker's file and its imports
 * into one program.
 *
 * @example
 * // crane-worker.js; the page: spawn(new Worker(new URL("./crane-worker.js", import.meta.url), { type: "module" }))
 * import { serve } from "nodrift/worker-serve";
 * serve(() => crane());
 */
export function serve(
  maker?: ModelFactory,
  options: ServeOptions = {},
  ...more: undefined[]
): void {
  if (maker !== undefined) argument("serve", "DESCRIPTION", "the model factory", maker, FACTORY);
  const { port, clock } = optionsOf("serve", "DESCRIPTION", options, SHAPE, more);
  const scope = globalThis as unknown as ServePort;
  if (port !== undefined) new Session(portChannel(port), clock, maker);
  // Synchronously: browsers drop messages that arrive before there is a listener.
  else if (hasMethods("postMessage", "addEventListener")(scope)) {
    new Session(portChannel(scope), clock, maker);
  } else void serveThread(clock, maker);
}

async function serveThread(
  clock: Clock | undefined,
  maker: ModelFactory | undefined,
): Promise<void> {
  // The name is computed so that no bundler follows it.
  const name = ["node", "worker_threads"].join(":");
  const { parentPort } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
    readonly parentPort: ParentPort | null;
  };
  if (parentPort === null) return;
  const listen: Listen = (listener) =>
    parentPort.on("message", (data) => listener(data as ToWorker | ArrayBuffer));
  new Session(channelOf(parentPort, listen), clock, maker);
}
