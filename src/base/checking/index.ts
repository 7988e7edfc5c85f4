// Validation of all user input, the same for all entry points. A shape states the permitted values of each option,
// next to the type of the options; `optionsOf` reads them.

export { answering, answerMissing } from "./answers.js";
export {
  argument,
  checkedFunction,
  optionsOf,
  ReentryGuard,
  refuseMore,
  withoutOptions,
} from "./arguments.js";
export { functionProblem } from "./function-problem.js";
export {
  inside,
  locationOf,
  type OptionLocation,
  optionError,
  wrongValueError,
} from "./option-location.js";
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
