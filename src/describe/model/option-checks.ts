// Checks of descriptions, where recipes look for them. Formulas have the same checks, and lie below models.

export * from "../../ground/option-checks.js";
