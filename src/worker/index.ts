// Models simulated in a worker: `nodrift/worker`.

export type { LiveGrip } from "./client/live-grip.js";
export type { LiveEnd, LiveEvents } from "./client/live-listeners.js";
export { LiveModel } from "./client/live-model.js";
export type { SpawnOptions } from "./client/options.js";
export { type SpawnSource, spawn } from "./client/spawn.js";
export { type LastState, WorkerError } from "./client/worker-error.js";
export type { NodeWorker, WebWorker } from "./client/worker-handle.js";
