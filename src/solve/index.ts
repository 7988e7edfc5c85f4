// Integration that controls its error: `nodrift/solve`.

export { type AdamsOptions, adams } from "../integrators/adaptive/adams.js";
export { adaptiveIntegrators } from "../integrators/adaptive/index.js";
