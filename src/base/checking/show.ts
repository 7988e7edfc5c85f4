// Formats values in messages as their authors would write them. Never throws, whatever the value.

/** Limits of the entries of a list or an object that are shown, and of the characters of a text. */
const MAX_ENTRIES = 12;
const MAX_CHARACTERS = 80;
/** Nesting depth of lists that is shown. */
const MAX_DEPTH = 3;

/** Formats a value for a message. */
export function show(value: unknown, depth = 0): string {
  try {
    return shown(value, depth);
  } catch {
    return "an unreadable value";
  }
}

function shown(value: unknown, depth: number): string {
  if (typeof value === "function") return "a function";
  if (typeof value === "string") return `"${shortened(value)}"`;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Promise) return "a promise";
  if (depth >= MAX_DEPTH) return Array.isArray(value) ? "[...]" : "{ ... }";
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return list(value, depth);
  const { kind, name } = value as { kind?: unknown; name?: unknown };
  if (typeof kind === "string" && typeof name === "string") return label(kind, shortened(name));
  return record(value, depth);
}

function list(value: ArrayLike<unknown> | ArrayBufferView, depth: number): string {
  const { length = 0 } = value as ArrayLike<unknown>;
  const first = Array.from({ length: Math.min(length, MAX_ENTRIES) }, (_, i) =>
    show((value as ArrayLike<unknown>)[i], depth + 1),
  );
  return `[${[...first, ...(length > MAX_ENTRIES ? [`... ${length} in all`] : [])].join(", ")}]`;
}

function record(value: object, depth: number): string {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag !== "Object") return `${/^[AEIOU]/.test(tag) ? "an" : "a"} ${tag}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return "{}";
  const first = keys
    .slice(0, MAX_ENTRIES)
    .map((key) => `${key}: ${show((value as Record<string, unknown>)[key], depth + 1)}`);
  return `{ ${[...first, ...(keys.length > MAX_ENTRIES ? ["..."] : [])].join(", ")} }`;
}

function shortened(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}...` : text;
}

/** Returns the name of an object in messages: `body "crank"`, but `body 2` for one named by default. */
export function label(kind: string, name: string): string {
  return name === kind || name.startsWith(`${kind} `) ? name : `${kind} "${name}"`;
}
