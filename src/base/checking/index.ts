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
export { jsonSchemaOf } from "./json-schema.js";
export {
  inside,
  locationOf,
  type Mistake,
  type OptionLocation,
  optionError,
  pathText,
  readPart,
  wrongValueError,
} from "./option-location.js";
export {
  functionProblem,
  isRecord,
  type JsonSchema,
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
  choiceOf,
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
