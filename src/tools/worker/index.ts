// Models that move in a worker: `nodrift/worker`.

export type { NodeWorker, WebWorker } from "./near/host.js";
export { Live } from "./near/live.js";
export type { LiveGrip } from "./near/live-grip.js";
export type { LiveEnd, LiveEvents } from "./near/live-listeners.js";
export type { SpawnOptions } from "./near/options.js";
export { type SpawnSource, spawn } from "./near/spawn.js";
export { type LastState, WorkerError } from "./near/worker-error.js";
