export { type MethodOption, methodRule, partRule } from "./rule.js";
export { coreVocabulary, listedParts, madeParts } from "./vocabulary.js";
export { type MethodChoice, methodOfWords, type Vocabulary } from "./words.js";
