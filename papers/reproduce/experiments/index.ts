// The experiments of the tables, for tests and figures of this repository. Their arguments are not checked.

export * from "./braun.js";
export * from "./cpu.js";
export * from "./energy-control.js";
export * from "./formulation-runs.js";
export * from "./formulation-systems.js";
export * from "./hmmwv.js";
export * from "./hmmwv-race.js";
export * from "./jacobian-errors.js";
export * from "./linear-pendulum.js";
export * from "./methods.js";
export * from "./ode45.js";
export * from "./order-systems.js";
export * from "./reference-motion.js";
export * from "./reference-run.js";
export * from "./stiff-pendulum.js";
export * from "./stiff-runs.js";
export * from "./three-links.js";
export * from "./welch.js";
export * from "./welch-43.js";
