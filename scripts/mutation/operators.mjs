// Mutants of a source file: one small change each, where a mistake could be.

const TOKEN =
  /(?<space>\s+)|(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|(?<number>\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)|(?<name>[#@]?[A-Za-z_$][\w$]*)|(?<sign>===|!==|&&=|\|\|=|\?\?=|=>|\.\.\.|\*\*|<<|>>>?|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|[+\-*/]=|[^\s])/gy;

/** One sign for another, between two values. */
const SIGNS = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "+=": "-=",
  "-=": "+=",
  "*=": "/=",
  "/=": "*=",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
  "&&": "||",
  "||": "&&",
};
const NAMES = { true: "false", false: "true", max: "min", min: "max" };
/** A statement of one line that is a call, and nothing else. */
const CALL = /^[ \t]+(?:this\.)?#?[a-z][\w.#?]*\([^\n]*\);$/gm;
const CONDITION = /\bif \(/g;

/** All mutants of a text: offset, original text and replacement. */
export function mutantsOf(text) {
  const tokens = tokensOf(text);
  return [...ofTokens(tokens), ...droppedCalls(text, tokens), ...negations(text, tokens)].sort(
    (a, b) => a.at - b.at || a.operator.localeCompare(b.operator),
  );
}

function tokensOf(text) {
  TOKEN.lastIndex = 0;
  return [...text.matchAll(TOKEN)]
    .map(({ index, groups, 0: found }) => {
      const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
      return { at: index, kind, text: found };
    })
    .filter(({ kind }) => kind !== "space" && kind !== "comment");
}

function* ofTokens(tokens) {
  for (const [i, { at, kind, text }] of tokens.entries()) {
    const before = tokens[i - 1];
    const after = tokens[i + 1];
    const isBinary =
      before && (["number", "name"].includes(before.kind) || [")", "]"].includes(before.text));
    if (kind === "sign" && SIGNS[text] && isBinary && !isKeyword(before)) {
      // Angle brackets of types have no space before them.
      if (/^[<>]$/.test(text) && before.at + before.text.length === at) continue;
      yield mutant("sign", at, text, SIGNS[text]);
    } else if (kind === "name" && NAMES[text] && !(after?.text === ":")) {
      if (/^m/.test(text) && before?.text !== ".") continue;
      yield mutant("name", at, text, NAMES[text]);
    } else if (kind === "number") {
      const value = Number(text.replaceAll("_", ""));
      const isInteger = /^\d+$/.test(text);
      yield mutant("constant", at, text, isInteger && value === 0 ? "1" : `(2 * ${text})`);
      if (isInteger && value > 0) yield mutant("off by one", at, text, String(value - 1));
    }
  }
}

const isKeyword = ({ kind, text }) =>
  kind === "name" && /^(return|case|in|of|typeof|import|export|extends)$/.test(text);

const mutant = (operator, at, before, after) => ({ operator, at, before, after });

function* droppedCalls(text, tokens) {
  const starts = new Set(tokens.map(({ at }) => at));
  for (const { index, 0: line } of text.matchAll(CALL)) {
    const at = index + line.search(/\S/);
    if (starts.has(at) && !/^(super|return)\b/.test(line.trim()))
      yield mutant("dropped call", at, line.trim(), ";");
  }
}

function* negations(text, tokens) {
  const starts = new Set(tokens.map(({ at }) => at));
  for (const { index } of text.matchAll(CONDITION)) {
    if (!starts.has(index)) continue;
    const open = index + 3;
    const end = closing(text, open);
    const before = text.slice(open, end + 1);
    yield mutant("negation", open, before, `(!${before})`);
  }
}

/** Offset of the bracket that closes the one at `open`. */
function closing(text, open) {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === "(") depth++;
    if (text[i] === ")" && --depth === 0) return i;
  }
  return text.length;
}

export function apply(text, { at, before, after }) {
  if (!text.startsWith(before, at))
    throw new Error(`no "${before}" at ${at}: the file has changed`);
  return text.slice(0, at) + after + text.slice(at + before.length);
}
