// Integration that controls its error: `nodrift/solve`.

export { embeddedRk } from "../integrators/adaptive/embedded-rk.js";
export { adaptiveIntegrators, bs3, dop853, dp5 } from "../integrators/adaptive/index.js";
export type { EmbeddedTableau } from "../integrators/adaptive/tableau.js";
export { bogackiShampineTableau } from "../integrators/adaptive/tableaus/bogacki-shampine.js";
export { dop853Tableau } from "../integrators/adaptive/tableaus/dop853.js";
export { dormandPrinceTableau } from "../integrators/adaptive/tableaus/dormand-prince.js";
