// The memory layout of mechanisms: the one file of assembly/ that these tests know.

export * from "../../../assembly/layout-bodies.js";
