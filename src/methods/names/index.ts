export type { MethodChoice } from "./method-name.js";
export { chosenMethod, isNamed, type MethodOption, methodRule, partRule } from "./method-rule.js";
