// The memory layout of implicit methods, compiled by asc (into the stiff module) and by tsc: only
// integers and enums.

/** Head of a sparse factor whose pivots are chosen once: see state-space/sparse-lu.ts. */
export enum SparseLu {
  LENGTH = 0,
}
