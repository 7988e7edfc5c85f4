// The tree of a text holds what JSON.parse makes of it, and is refused where that refuses it.

import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonNode, jsonTree, UnexpectedCharacter } from "../../src/files/text/json-source.js";

/** Values of a tree; each must be found again where the tree says that it begins. */
function contentOf(node: JsonNode, text: string): unknown {
  const first = text[node.offset]!;
  if (node.kind === "array") {
    expect(first).toBe("[");
    return node.elements.map((element) => contentOf(element, text));
  }
  if (node.kind === "object") {
    expect(first).toBe("{");
    const members = node.members.map(({ key, offset, value }) => {
      expect(text[offset]).toBe('"');
      return [key, contentOf(value, text)] as const;
    });
    return Object.fromEntries(members);
  }
  expect(first).toMatch(/["\d\-tfn]/);
  return node.value;
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** What the tree holds; undefined where it is refused. */
function read(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: contentOf(jsonTree(text), text) };
  } catch (error) {
    expect(error).toBeInstanceOf(UnexpectedCharacter);
    const { offset } = error as UnexpectedCharacter;
    expect(offset).toBeGreaterThanOrEqual(0);
    expect(offset).toBeLessThanOrEqual(text.length);
    return undefined;
  }
}

/** Whole texts, lists and objects mostly, with spaces of several kinds between. */
const inside = fc.jsonValue({ maxDepth: 2 });
const list = fc.array(inside, { maxLength: 3 });
const whole = fc
  .tuple(
    fc.oneof(inside, list, fc.dictionary(fc.string(), list, { maxKeys: 3 })),
    fc.constantFrom("", " ", "\t", "\n  ", "\r\n"),
  )
  .map(([value, gap]) => `${gap}${JSON.stringify(value, undefined, gap)}${gap}`);

test("jsonTree reads random JSON like JSON.parse", () => {
  fc.assert(
    fc.property(whole, (text) => {
      expect(read(text)).toEqual(parsed(text));
    }),
    { numRuns: 500, seed: 7 },
  );
});

test("jsonTree rejects a text with a changed character exactly if JSON.parse does", () => {
  const characters = fc.constantFrom(...'{}[]",,,::.-+0123eE\\ntfux \n');
  fc.assert(
    fc.property(whole, fc.nat(), characters, fc.constantFrom(0, 1), (text, at, character, cut) => {
      const place = at % (text.length + 1);
      const damaged = `${text.slice(0, place)}${character}${text.slice(place + cut)}`;
      expect(read(damaged)).toEqual(parsed(damaged));
    }),
    { numRuns: 3000, seed: 11 },
  );
});

test("jsonTree reads a long text and a long list", () => {
  const text = JSON.stringify([
    "x".repeat(2_000_000),
    Array.from({ length: 100_000 }, (_, i) => i),
  ]);
  expect(read(text)).toEqual(parsed(text));
});
