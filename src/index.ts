// `nodrift`: the names of most programs. Descriptions by formulas have an entry of their own, because they have functions of
// the same names.

export * from "./bodies.js";
export * from "./core.js";
export * from "./solve.js";
