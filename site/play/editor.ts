// Editor for JSON with completion, help on hover, and problem marks.

import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import {
  ensureSyntaxTree,
  HighlightStyle,
  syntaxHighlighting,
  syntaxTree,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { type EditorState, Transaction } from "@codemirror/state";
import { EditorView, hoverTooltip, type Tooltip } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { make } from "../dom.js";
import {
  keysIn,
  locate,
  namesIn,
  type Path,
  pathOf,
  textOf,
  topKeys,
  valueAt,
} from "./json-locations.js";
import type { Mark } from "./protocol.js";
import { descriptionOf, keysOf, type Schema, schemasAt, valuesOf, wordsOf } from "./schema.js";

/** Lists of the file whose names a key refers to. */
const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  between: ["bodies"],
  body: ["bodies"],
  of: ["bodies"],
  follow: ["bodies"],
  joint: ["joints"],
  joints: ["joints"],
  without: ["joints", "forces"],
};

/** Maximum time for parsing the whole text before a value is written. */
const MAX_PARSE_MS = 1000;

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--key)" },
  { tag: tags.string, color: "var(--text)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: [tags.bool, tags.null], color: "var(--warn)" },
]);

/** Theme in the colours of the page, light and dark. */
const editorTheme = EditorView.theme({
  "&": { height: "100%", background: "var(--stage)", color: "var(--ink)", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": {
    borderRight: "1px solid var(--line)",
    background: "var(--card)",
    color: "var(--soft)",
  },
  ".cm-activeLine": { background: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-activeLineGutter": { background: "var(--hover)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 30%, transparent) !important",
  },
  ".cm-foldPlaceholder": {
    border: "1px solid var(--line)",
    background: "var(--hover)",
    color: "var(--soft)",
  },
  ".cm-tooltip": {
    maxWidth: "min(90vw, 460px)",
    border: "1px solid var(--line)",
    background: "var(--card)",
    color: "var(--ink)",
  },
  ".cm-tooltip .help": { padding: "6px 10px" },
  ".cm-tooltip .help p": { margin: "4px 0 0" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    background: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-panels": { background: "var(--card)", color: "var(--ink)" },
});

export interface Schemas {
  readonly model: Schema;
  readonly equations: Schema;
}

export interface EditorOptions {
  readonly parent: HTMLElement;
  /** Schemas of model files and equations files. */
  readonly schemas: Schemas;
  /** Returns the names of methods, once known. */
  readonly methods: () => readonly string[];
  readonly changed: (text: string) => void;
}

export class Editor {
  readonly #view: EditorView;

  constructor({ parent, schemas, methods, changed }: EditorOptions) {
    const help = new SchemaHelp(schemas, methods);
    // In a shadow tree the editor uses constructed style sheets; elsewhere it would add a style element, which the page's
    // policy forbids.
    const root = parent.attachShadow({ mode: "open" });
    this.#view = new EditorView({
      parent: root,
      root,
      extensions: [
        basicSetup,
        json(),
        syntaxHighlighting(colours),
        editorTheme,
        lintGutter(),
        autocompletion({ override: [(context) => help.complete(context)] }),
        hoverTooltip((view, at) => help.hover(view.state, at)),
        EditorView.contentAttributes.of({ "aria-label": "Model file", tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          const isOurs = update.transactions.some(
            (one) => one.annotation(Transaction.userEvent) === "set",
          );
          if (update.docChanged && !isOurs) changed(update.state.doc.toString());
        }),
      ],
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the text without reporting a change. */
  set(text: string): void {
    const { doc } = this.#view.state;
    this.#view.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      userEvent: "set",
      scrollIntoView: false,
    });
  }

  /** Replaces the number or text at a pointer; returns whether there is one. */
  write(pointer: string, value: number | string): boolean {
    const { state } = this.#view;
    // After an edit the tree of a long text is completed in the background: until then, values lie elsewhere.
    const tree = ensureSyntaxTree(state, state.doc.length, MAX_PARSE_MS);
    const place = tree && locate(state, pointer, tree);
    if (place?.name !== "Number" && place?.name !== "String") return false;
    this.#view.dispatch({
      changes: { from: place.from, to: place.to, insert: JSON.stringify(value) },
      userEvent: "set",
    });
    return true;
  }

  mark(marks: readonly Mark[]): void {
    const { state } = this.#view;
    const found = marks.map((one): Diagnostic => {
      const { from, to } = rangeOf(state, one);
      return { from, to, severity: "error", message: one.message };
    });
    this.#view.dispatch(setDiagnostics(state, found));
  }

  /** Selects the location of a problem. */
  show(mark: Mark): void {
    const { from } = rangeOf(this.#view.state, mark);
    this.#view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    this.#view.focus();
  }
}

/** Returns the range of a pointer's value; of the line if the text is not JSON. */
function rangeOf(state: EditorState, { pointer, line, column }: Mark) {
  const place = locate(state, pointer);
  if (pointer !== "" && place) {
    const first = state.doc.lineAt(place.from);
    return { from: place.from, to: Math.min(place.to, first.to) };
  }
  if (line === undefined) return { from: 0, to: Math.min(1, state.doc.length) };
  const at = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
  const from = Math.min(at.to, at.from + Math.max(0, (column ?? 1) - 1));
  return { from, to: Math.max(from, at.to) };
}

class SchemaHelp {
  constructor(
    readonly schemas: Schemas,
    readonly methods: () => readonly string[],
  ) {}

  complete(context: CompletionContext): CompletionResult | null {
    const { state, pos } = context;
    const node = syntaxTree(state).resolveInner(pos, -1);
    const isName = node.name === "PropertyName";
    const isWord = isName || node.name === "String";
    const from = isWord ? node.from : wordStart(context);
    if (!isWord && !context.explicit && from === pos) return null;
    const to = isWord ? node.to : pos;
    const object = objectOf(node);
    if (object && (isName || !isValue(state, node, pos))) {
      return { from, to, options: this.#keys(state, object) };
    }
    const options = this.#values(state, node, pos);
    return options.length === 0 ? null : { from, to, options };
  }

  #keys(state: EditorState, object: SyntaxNode): readonly Completion[] {
    const here = new Set(keysIn(state, object));
    const schemas = this.#at(state, pathOf(state, object));
    return [...keysOf(schemas)]
      .filter(([name]) => !here.has(name))
      .map(([name, { schema, isRequired }]) =>
        snippetCompletion(`"${name}": ${blankOf(schema)}`, {
          label: `"${name}"`,
          detail: isRequired ? "required" : "",
          info: descriptionOf(schema) || wordsOf(schema),
          boost: isRequired ? 1 : 0,
        }),
      );
  }

  #values(state: EditorState, node: SyntaxNode, pos: number): readonly Completion[] {
    const path = valuePath(state, node, pos);
    const key = String(path.filter((one) => typeof one === "string").at(-1) ?? "");
    const named = (REFERENCES[key] ?? []).flatMap((list) => namesIn(state, list));
    const ground = key === "between" ? ["ground"] : [];
    const methods = key === "method" ? this.methods() : [];
    const listed = valuesOf(this.#at(state, path));
    return [...new Set([...ground, ...named, ...methods, ...listed])].map((value) => ({
      label: JSON.stringify(value),
      type: "constant",
    }));
  }

  hover(state: EditorState, at: number): Tooltip | null {
    const node = syntaxTree(state).resolveInner(at, -1);
    if (node.name !== "PropertyName" || !node.parent) return null;
    const object = node.parent.parent;
    if (!object) return null;
    const name = textOf(state, node);
    const found = keysOf(this.#at(state, pathOf(state, object))).get(name);
    if (!found) return null;
    const { schema, isRequired } = found;
    return {
      pos: node.from,
      end: node.to,
      create: () => ({
        dom: make(
          "div",
          { class: "help" },
          make("strong", {}, name),
          isRequired ? " (required) " : " ",
          make("code", {}, wordsOf(schema)),
          make("p", {}, descriptionOf(schema)),
        ),
      }),
    };
  }

  #at(state: EditorState, path: Path): readonly Schema[] {
    const { model, equations } = this.schemas;
    const schema = topKeys(state).includes("equations") ? equations : model;
    return schemasAt(schema, path, (outer) => typeAt(state, outer));
  }
}

/** Returns the "type" of an entry in the text. */
function typeAt(state: EditorState, path: Path): string | undefined {
  const escaped = path.map((key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1"));
  const entry = locate(state, ["", ...escaped].join("/"));
  const type = entry?.name === "Object" ? valueAt(state, entry, "type") : undefined;
  return type && pathOf(state, type).length === path.length + 1 ? textOf(state, type) : undefined;
}

function wordStart(context: CompletionContext): number {
  return context.matchBefore(/[\w"-]+$/)?.from ?? context.pos;
}

function objectOf(node: SyntaxNode): SyntaxNode | undefined {
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === "Array") return undefined;
    if (at.name === "Object") return at;
  }
  return undefined;
}

/** Whether a position is after the colon of a key. */
function isValue(state: EditorState, node: SyntaxNode, pos: number): boolean {
  if (node.name === "String") return true;
  const before = state.sliceDoc(Math.max(0, pos - 200), pos);
  return /:\s*[\w"-]*$/.test(before);
}

function valuePath(state: EditorState, node: SyntaxNode, pos: number): Path {
  if (node.name !== "Property" && node.name !== "Object" && node.name !== "Array") {
    return pathOf(state, node);
  }
  const key = /"([^"]*)"\s*:\s*[\w"-]*$/.exec(state.sliceDoc(Math.max(0, pos - 200), pos))?.[1];
  if (node.name === "Array") return [...pathOf(state, node), 0];
  const object = node.name === "Object" ? node : (node.parent ?? node);
  return key === undefined ? pathOf(state, object) : [...pathOf(state, object), key];
}

/** Returns the template of a value after a completed key: brackets or quotes, with the cursor inside. */
function blankOf(schema: Schema): string {
  const first = schema.anyOf?.[0] ?? schema;
  if (first.type === "array") return `[\${}]`;
  if (first.type === "object") return `{ \${} }`;
  if (first.type === "string" || typeof first.const === "string") return `"\${}"`;
  return `\${}`;
}
