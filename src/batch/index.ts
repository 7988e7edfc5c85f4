// Entry point `nodrift/batch`: many instances of one compiled model, advanced together.

export { initLanes } from "../base/wasm/lanes.js";
export {
  Batch,
  type BatchFailure,
  type BatchOptions,
  batch,
  type InstanceMask,
  type Preparation,
} from "./batch.js";
