// The memory layout of mechanisms: the files of assembly/ that these tests know.

export * from "../../../assembly/layout-bodies.js";
export * from "../../../assembly/layout-motor.js";
