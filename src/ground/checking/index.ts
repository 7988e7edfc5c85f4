// Checks of everything users give: one way for all entries. A shape says what each option may be, next to the type of the
// options; `optionsOf` reads them.

export {
  argument,
  checkedFunction,
  optionsOf,
  refuseMore,
  Turn,
  withoutOptions,
} from "./arguments.js";
export { functionTrouble } from "./functions.js";
export { inside, type Place, placeOf, refusal, unwanted } from "./place.js";
export {
  isRecord,
  plain,
  type Rule,
  reading,
  readKeys,
  readOptions,
  readRecord,
  readValue,
  type Shape,
} from "./read.js";
export {
  anything,
  callback,
  finite,
  flag,
  isList,
  lengthOf,
  limit,
  listOf,
  nameOrIndex,
  needed,
  notNegative,
  number,
  numbers,
  oneOf,
  options,
  positive,
  rankTolerance,
  recordOf,
  rule,
  text,
  whole,
  word,
} from "./rules.js";
export { label, show } from "./show.js";
export { british, hint, meant } from "./suggest.js";
