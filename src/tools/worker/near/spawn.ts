import { optionsOf, show } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import { errorOf } from "../messages/errors.js";
import type { FromWorker, ReadyData, RunData, SourceData } from "../messages/messages.js";
import { type Host, hostOf, type NodeWorker, startWorker, type WebWorker } from "./host.js";
import { Live } from "./live.js";
import { SPAWN_SHAPE, type SpawnOptions } from "./options.js";
import { isWorker, sourceOf } from "./source.js";

/** What can be spawned: a model file as text or value, the address of a module, or a worker of yours. */
export type SpawnSource = string | URL | object | WebWorker | NodeWorker;

const PATIENCE = 10;
const RATE = 60;

/**
 * Starts a model in a worker, in browsers and in Node, and gives what a page needs to draw and to touch it. The model is a
 * model file, as text or value; or the address of a module whose default export makes a model, a compiled model, a
 * simulation or a run; or a worker whose program calls `serve` of `nodrift/worker-serve`.
 *
 * @example
 * const live = await spawn(await (await fetch("crane.json")).text(), { step: 1 / 240, rate: 60 });
 * live.on("frame", () => draw(live.time, live.q));
 *
 * @example
 * const live = await spawn(new URL("./crane.js", import.meta.url), { input: { length: 12 } });
 */
export async function spawn(
  source: SpawnSource,
  options: SpawnOptions = {},
  ...more: undefined[]
): Promise<Live> {
  const checked = optionsOf("spawn", "STEP", options, SPAWN_SHAPE, more);
  const own = isWorker(source);
  const data = own ? undefined : sourceOf(source);
  const host = own ? hostOf(source) : await startWorker();
  try {
    return await began(host, data, checked);
  } catch (error) {
    host.end();
    throw error;
  }
}

function runData(options: SpawnOptions): RunData {
  const {
    rate = RATE,
    speed = 1,
    paused = false,
    values = {},
    shared = globalThis.crossOriginIsolated === true,
    record,
    patience: _,
    ...rest
  } = options;
  return {
    ...rest,
    rate,
    speed,
    paused,
    values: Object.values(values),
    shared,
    ...(record !== undefined && record !== false && { record: record === true ? {} : record }),
  } as RunData;
}

/** Sends the model; what comes next goes to the live model, or is the reason why there is none. */
function began(host: Host, source: SourceData | undefined, options: SpawnOptions): Promise<Live> {
  const { values = {}, patience = PATIENCE } = options;
  return new Promise<Live>((resolve, reject) => {
    let live: Live | undefined;
    const begin = (about: ReadyData) => {
      live = new Live(host, about, Object.keys(values), patience);
    };
    const next = (message: FromWorker | ArrayBuffer, known: Live) => {
      known.take(message);
      // With the first frame there is something to read.
      if (message instanceof ArrayBuffer || message.type === "frame") resolve(known);
    };
    host.onDeath((reason, cause) => {
      if (live) live.die(reason, cause);
      else
        reject(new NodriftError("LOAD", `spawn: the worker did not start: ${reason}`, { cause }));
    });
    host.listen((message: FromWorker | ArrayBuffer) => {
      if (!(message instanceof ArrayBuffer) && message.type === "failed") {
        reject(errorOf(message.error));
      } else if (live) next(message, live);
      else if (!(message instanceof ArrayBuffer) && message.type === "ready") begin(message.about);
    });
    try {
      host.send({ type: "begin", source: source as SourceData, run: runData(options) });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : show(cause);
      reject(
        new NodriftError("DESCRIPTION", `spawn: only plain data can be sent: ${reason}`, { cause }),
      );
    }
  });
}
