// Locations in the text of a model: the value at the cursor, the target of a pointer, and names of entries.

import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { keysOf } from "./sliders.js";

export type Path = readonly (string | number)[];

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the text of a name or string without quotes. */
export function textOf(state: EditorState, { from, to }: Range): string {
  const text = state.sliceDoc(from, to);
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.replaceAll(/^"|"$/g, "");
  }
}

/** Returns the path of the innermost value around a node, as keys from the root. */
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

/** Returns the keys of an object. */
export function keysIn(state: EditorState, object: SyntaxNode): readonly string[] {
  return object.getChildren("Property").flatMap((property) => {
    const name = property.getChild("PropertyName");
    return name ? [textOf(state, name)] : [];
  });
}

/** Returns the top-level keys of the file. */
export function topKeys(state: EditorState): readonly string[] {
  const top = childrenOf(syntaxTree(state).topNode).find(({ name }) => name === "Object");
  return top ? keysIn(state, top) : [];
}

/** Returns the value of a key of an object. */
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

/** Returns the value at a JSON pointer, or its innermost existing parent. */
export function locate(
  state: EditorState,
  pointer: string,
  tree = syntaxTree(state),
): SyntaxNode | undefined {
  let at = childrenOf(tree.topNode).find(({ name }) => VALUES.has(name));
  for (const key of keysOf(pointer)) {
    const inner = at?.name === "Array" ? valuesIn(at)[Number(key)] : at && valueAt(state, at, key);
    if (!inner) break;
    at = inner;
  }
  return at;
}

/** Returns the names of all entries of a top-level list, such as bodies, joints or forces. */
export function namesIn(state: EditorState, list: string): readonly string[] {
  const top = childrenOf(syntaxTree(state).topNode).find(({ name }) => name === "Object");
  const array = top && valueAt(state, top, list);
  if (array?.name !== "Array") return [];
  return valuesIn(array).flatMap((entry) => {
    const name = entry.name === "Object" ? valueAt(state, entry, "name") : undefined;
    return name ? [textOf(state, name)] : [];
  });
}
