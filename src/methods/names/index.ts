export { coreMethods, listedParts, madeParts } from "./core-methods.js";
export { type MethodChoice, type MethodRegistry, methodFromName } from "./method-name.js";
export { chosenMethod, isNamed, type MethodOption, methodRule, partRule } from "./method-rule.js";
