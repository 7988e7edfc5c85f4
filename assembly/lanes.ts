// The ABI of the lanes module: the only list of its exports. Batches of instances have it in a
// memory of their own.

export { treeLanes } from "./tree/lanes";
