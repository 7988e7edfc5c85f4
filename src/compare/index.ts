// Comparisons for other tools; the entry point `nodrift/compare` is compare.ts.

export { type ComparedRun, type ComparisonOptions, MethodComparison } from "./comparison.js";
export { blocksOf, COLUMNS, cellsOf } from "./comparison-page.js";
