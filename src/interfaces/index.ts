// All interfaces between systems and methods. Start with {@link System}, then {@link Method}; both files open with a
// contract.

export type * from "./constraints.js";
export type * from "./matrices.js";
export type * from "./methods.js";
export type * from "./ode.js";
export type * from "./system.js";
