// Comparisons for other tools; the entry point `nodrift/compare` is compare.ts.

export {
  blocksOf,
  COLUMNS,
  type ComparedRun,
  type ComparisonOptions,
  cellsOf,
  MethodComparison,
} from "./comparison.js";
