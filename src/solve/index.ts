// Ways to run a simulation: `nodrift/solve`.

export type { Matrix4 } from "./body-matrix.js";
export { type Realtime, type RealtimeOptions, realtime } from "./realtime.js";
