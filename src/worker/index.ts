// Models simulated in a worker: `nodrift/worker`.

export type { LiveEnd, LiveEvents } from "./client/live-listeners.js";
export { type LastState, type LiveGrip, LiveModel, WorkerError } from "./client/live-model.js";
export { type SpawnOptions, type SpawnSource, spawn } from "./client/spawn.js";
export type { NodeWorker, WebWorker } from "./client/worker-handle.js";
