// The ABI of the stiff module: the only list of what it exports.

export { bodyConstraintStiffness } from "./derivatives/second";
