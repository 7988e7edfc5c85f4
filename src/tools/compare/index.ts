// Comparisons for other tools; `nodrift/compare` is compare.ts.

export { type ComparedRun, Comparison, type ComparisonOptions } from "./comparison.js";
export { blocksOf, COLUMNS, cellsOf } from "./comparison-page.js";
