// Custom worker programs for `spawn`: `nodrift/worker-serve`.

export type { ModelFactory, ServedModel } from "./thread/model-runner.js";
export { type ServeOptions, type ServePort, serve } from "./thread/serve.js";
export type { Clock } from "./thread/session.js";
