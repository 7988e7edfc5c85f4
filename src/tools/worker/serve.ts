// Programs of workers that `spawn` drives: `nodrift/worker-serve`.

export type { Made, Maker } from "./thread/make-drive.js";
export { type ServeOptions, type ServePort, serve } from "./thread/serve.js";
export type { Clock } from "./thread/session.js";
