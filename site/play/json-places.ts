// Places in the text of a model: which value the cursor is in, where a pointer points, and numbers that sliders change.

import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";

export type Path = readonly (string | number)[];

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Text of a name or string without its quotes. */
export function textOf(state: EditorState, { from, to }: Range): string {
  const text = state.sliceDoc(from, to);
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.replaceAll(/^"|"$/g, "");
  }
}

/** The value that is closest around a place, as keys from the top. */
export function pathOf(state: EditorState, node: SyntaxNode): Path {
  const path: (string | number)[] = [];
  for (let at: SyntaxNode | null = node; at?.parent; at = at.parent) {
    const { parent } = at;
    if (parent.name === "Property") {
      const name = parent.getChild("PropertyName");
      if (name && at.name !== "PropertyName") path.unshift(textOf(state, name));
    } else if (parent.name === "Array" && VALUES.has(at.name)) {
      path.unshift(valuesIn(parent).findIndex(({ from }) => from === at?.from));
    }
  }
  return path;
}

export function valuesIn(array: SyntaxNode): readonly SyntaxNode[] {
  return childrenOf(array).filter(({ name }) => VALUES.has(name));
}

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const all: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) all.push(child);
  return all;
}

/** Keys of an object that are there. */
export function keysIn(state: EditorState, object: SyntaxNode): readonly string[] {
  return object.getChildren("Property").flatMap((property) => {
    const name = property.getChild("PropertyName");
    return name ? [textOf(state, name)] : [];
  });
}

/** Keys at the top of the file. */
export function topKeys(state: EditorState): readonly string[] {
  const top = childrenOf(syntaxTree(state).topNode).find(({ name }) => name === "Object");
  return top ? keysIn(state, top) : [];
}

/** The value of a key of an object. */
export function valueAt(
  state: EditorState,
  object: SyntaxNode,
  key: string,
): SyntaxNode | undefined {
  const property = object.getChildren("Property").find((one) => {
    const name = one.getChild("PropertyName");
    return name !== null && textOf(state, name) === key;
  });
  return property && childrenOf(property).find(({ name }) => VALUES.has(name));
}

/** The value a JSON pointer points at, or the closest around it that is there. */
export function placeOf(state: EditorState, pointer: string): SyntaxNode | undefined {
  let at = childrenOf(syntaxTree(state).topNode).find(({ name }) => VALUES.has(name));
  for (const word of pointer.split("/").slice(1)) {
    const key = word.replaceAll("~1", "/").replaceAll("~0", "~");
    const inner = at?.name === "Array" ? valuesIn(at)[Number(key)] : at && valueAt(state, at, key);
    if (!inner) break;
    at = inner;
  }
  return at;
}

/** Names of all entries of a list at the top: bodies, joints, forces. */
export function namesIn(state: EditorState, list: string): readonly string[] {
  const top = childrenOf(syntaxTree(state).topNode).find(({ name }) => name === "Object");
  const array = top && valueAt(state, top, list);
  if (array?.name !== "Array") return [];
  return valuesIn(array).flatMap((entry) => {
    const name = entry.name === "Object" ? valueAt(state, entry, "name") : undefined;
    return name ? [textOf(state, name)] : [];
  });
}
