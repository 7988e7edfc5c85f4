// Models simulated in a worker: `nodrift/worker`.

export {
  type LastState,
  type LiveEnd,
  type LiveEvents,
  type LiveGrip,
  LiveModel,
  WorkerError,
} from "./client/live-model.js";
export { type SpawnOptions, type SpawnSource, spawn } from "./client/spawn.js";
export type { NodeWorker, WebWorker } from "./client/worker-handle.js";
