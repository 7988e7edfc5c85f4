// Comparisons for other tools; the entry point `nodrift/compare` is compare.ts.

export * from "./comparison.js";
