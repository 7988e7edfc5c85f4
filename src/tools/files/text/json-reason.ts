// Why a text is not JSON, for people who wrote it by hand.

import type { UnexpectedCharacter } from "./json-tree.js";

const QUOTES = /['`\u2018\u2019\u201c\u201d]/;

/** The reason, and what to write instead. */
export function jsonReason(
  text: string,
  { offset, isEnd }: Pick<UnexpectedCharacter, "offset" | "isEnd">,
): string {
  const rest = text.slice(offset);
  if (isEnd) {
    return text.trim() === "" ? "it is empty" : "unexpected end: a bracket or quote is not closed";
  }
  if (isWhole(text.slice(0, offset))) return "unexpected text after the closing bracket";
  const before = text.slice(0, offset).trimEnd().at(-1) ?? "";
  const character = String.fromCodePoint(rest.codePointAt(0)!);
  return reasonFor(character, before, rest) ?? `${shown(character)} is not expected here`;
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Those that cannot be seen by their numbers. */
function shown(character: string): string {
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return character;
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

function reasonFor(character: string, before: string, rest: string): string | undefined {
  if (before === "," && /[\]}]/.test(character)) return "remove the trailing comma before this";
  if (/^\/[/*]/.test(rest)) return 'comments are not allowed; use "description"';
  if (QUOTES.test(character)) return `texts and keys have straight double quotes, not ${character}`;
  const [word = ""] = /^[-+]?[\p{L}_$][\w$]*/u.exec(rest) ?? [];
  if (word !== "" && /[{,]/.test(before)) return `keys have double quotes: write "${word}"`;
  if (word !== "")
    return `unknown word ${word}: expected a number, true, false, null or a quoted text`;
  if (character === "+") return "numbers have no plus sign";
  if (character === ".") return "write a digit before the decimal point";
  if (/^0\d/.test(rest)) return "numbers do not begin with a zero";
  if (!/["\d[{-]/.test(character) || !/["\d\]}el]/.test(before)) return undefined;
  return `a comma ${before === '"' ? "or a colon " : ""}is missing before this`;
}
