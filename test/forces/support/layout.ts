// The memory layout of mechanisms: the files of assembly/ used by these tests.

export * from "../../../assembly/layout-bodies.js";
export * from "../../../assembly/layout-motor.js";
