// Model files with several mistakes that do not depend on each other: each in a separate part, so that none hides
// another.

import type { Random } from "./random.js";

type Json = Record<string, unknown>;

/** A planted mistake and its expected location. */
export interface Planted {
  readonly kind: string;
  /** A JSON pointer to the mistake, or to its container. */
  readonly pointer: string;
}

/** Changes a document in place; undefined if it has no such part. */
type Plant = (document: Json, random: Random) => string | undefined;

const entriesOf = (document: Json, list: string): Json[] =>
  Array.isArray(document[list]) ? (document[list] as Json[]) : [];

/** A random integer below another. */
const below = (count: number, random: Random) => Math.floor((count * (random() + 1)) / 2);

/** A letter is lost, doubled or exchanged. */
function misspelt(word: string, random: Random): string {
  if (word.length < 2) return `${word}x`;
  const at = below(word.length - 1, random);
  const letters = [...word];
  const way = below(3, random);
  if (way === 0) letters.splice(at, 1);
  else if (way === 1) letters.splice(at, 0, letters[at]!);
  else letters.splice(at, 2, letters[at + 1]!, letters[at]!);
  const made = letters.join("");
  return made === word ? `${word}${word.at(-1)}` : made;
}

function pick<Item>(items: readonly Item[], random: Random): Item | undefined {
  return items[below(items.length, random)];
}

/** A mistake in a random entry of a list. */
function inEntry(
  list: string,
  change: (entry: Json, random: Random, document: Json) => string | undefined,
): Plant {
  return (document, random) => {
    const entries = entriesOf(document, list);
    const index = below(entries.length, random);
    const entry = entries[index];
    const where = entry && change(entry, random, document);
    return where === undefined ? undefined : `/${list}/${index}${where}`;
  };
}

function renamed(entry: Json, key: string, other: string): void {
  const pairs = Object.entries(entry).map(([own, value]) => [own === key ? other : own, value]);
  for (const own of Object.keys(entry)) delete entry[own];
  Object.assign(entry, Object.fromEntries(pairs));
}

function set(key: string, value: unknown) {
  return (entry: Json): string | undefined => {
    if (!Object.hasOwn(entry, key)) return undefined;
    entry[key] = value;
    return `/${key}`;
  };
}

function misspeltKey(entry: Json, random: Random): string | undefined {
  const keys = Object.keys(entry).filter((key) => key.length > 3 && key !== "type");
  const key = pick(keys, random);
  if (key === undefined) return undefined;
  const other = misspelt(key, random);
  renamed(entry, key, other);
  return `/${other}`;
}

function inSettings(
  part: string,
  change: (settings: Json, random: Random) => string | undefined,
): Plant {
  return (document, random) => {
    const settings = document[part] as Json | undefined;
    const where = settings && change(settings, random);
    return where === undefined ? undefined : `/${part}${where}`;
  };
}

const PLANTS: Readonly<Record<string, Plant>> = {
  "a key of a body": inEntry("bodies", misspeltKey),
  "a key of a joint": inEntry("joints", misspeltKey),
  "a key of a force": inEntry("forces", misspeltKey),
  "a key of the file": (document, random) => {
    const key = pick(
      ["gravity", "units", "solve"].filter((own) => document[own]),
      random,
    )!;
    const other = misspelt(key, random);
    renamed(document, key, other);
    return `/${other}`;
  },
  "a negative mass": inEntry("bodies", set("mass", -1)),
  "a mass that is text": inEntry("bodies", set("mass", "heavy")),
  "a position of two numbers": inEntry("bodies", set("position", [0, 1])),
  "no axis": inEntry("joints", set("axis", [0, 0, 0])),
  "a point that is a number": inEntry("joints", set("at", 3)),
  "the type of a joint": inEntry("joints", (entry, random) => {
    entry.type = misspelt(String(entry.type), random);
    return "/type";
  }),
  "a body that is not there": inEntry("joints", (entry, random) => {
    const between = entry.between as unknown[] | undefined;
    const [at, name] =
      [...(between ?? []).entries()].filter(([, one]) => typeof one === "string").at(-1) ?? [];
    if (at === undefined) return undefined;
    between![at] = `${misspelt(String(name), random)} of nothing`;
    return `/between/${at}`;
  }),
  "a name that is taken": inEntry("joints", (entry, _, document) => {
    const joints = entriesOf(document, "joints");
    const other = joints.slice(0, joints.indexOf(entry)).find((one) => one.name);
    if (!other || entry.name === undefined) return undefined;
    entry.name = other.name;
    return "/name";
  }),
  "a formula that ends": inSettings("output", (output) => {
    if (!Array.isArray(output.values)) return undefined;
    output.values.push("1 + ");
    return `/values/${output.values.length - 1}`;
  }),
  "a quantity that is not known": inSettings("output", (output) => {
    if (!Array.isArray(output.values)) return undefined;
    output.values.push("angel('hinge')");
    return `/values/${output.values.length - 1}`;
  }),
  "a quantity of nothing": inSettings("output", (output) => {
    if (!Array.isArray(output.values)) return undefined;
    output.values.push("x('nothing of the kind')");
    return `/values/${output.values.length - 1}`;
  }),
  "a key of the output": inSettings("output", (output) => {
    output.vlaues = [];
    return "/vlaues";
  }),
  "no tolerance": inSettings("solve", (solve) => {
    solve.tolerance = -1;
    return "/tolerance";
  }),
  "no span": inSettings("solve", (solve) => {
    solve.span = [1, 1];
    return "/span";
  }),
  "a method that is not known": inSettings("solve", (solve) => {
    solve.method = "runge";
    return "/method";
  }),
  "a body to follow that is not there": (document) => {
    document.view = { ...(document.view as Json | undefined), follow: "nobody at all" };
    return "/view/follow";
  },
  "a mode without nothing": (document) => {
    const modes = entriesOf(document, "modes");
    document.modes = [...modes, { name: "planted", without: ["no joint of this name"] }];
    return `/modes/${modes.length}`;
  },
  "an event of nothing": (document) => {
    const events = entriesOf(document, "events");
    document.events = [...events, { when: "z('no body of this name')" }];
    return `/events/${events.length}`;
  },
  "a start of no joint": (document) => {
    document.start = { joints: { "no such joint": 1 } };
    return "/start/joints/no such joint";
  },
  "a function that does not end": (document) => {
    const functions = entriesOf(document, "functions");
    document.functions = [...functions, { name: "planted", of: "x", expression: "sin(x" }];
    return `/functions/${functions.length}`;
  },
};

/** The document with a number of mistakes, each in a separate part. */
export function withMistakes(
  document: object,
  count: number,
  random: Random,
): { readonly document: object; readonly planted: readonly Planted[] } {
  let made = structuredClone(document) as Json;
  const planted: Planted[] = [];
  for (let tries = 0; planted.length < count && tries < 200; tries++) {
    const [kind, plant] = pick(Object.entries(PLANTS), random)!;
    const next = structuredClone(made);
    const pointer = plant(next, random);
    const isFree = planted.every(
      (one) => one.kind !== kind && partOf(one.pointer) !== partOf(pointer ?? ""),
    );
    // Renaming a top-level key removes its part.
    const stays = planted.every((one) => hasPart(next, one.pointer));
    if (pointer === undefined || !isFree || !stays) continue;
    planted.push({ kind, pointer });
    made = next;
  }
  return { document: made, planted };
}

/** The option of an entry, or the setting, that a pointer lies in. */
function partOf(pointer: string): string {
  return pointer.split("/").slice(0, 4).join("/");
}

function hasPart(document: Json, pointer: string): boolean {
  return Object.hasOwn(document, pointer.split("/")[1]!);
}

/**
 * Whether a problem belongs to a mistake: at it, inside it, at its entry, or with a message that names its location.
 */
export function names(
  problem: { readonly pointer: string; readonly message: string },
  { pointer }: Planted,
): boolean {
  const isEntry = problem.pointer.split("/").length > 2 && pointer.startsWith(problem.pointer);
  return isEntry || problem.pointer.startsWith(pointer) || problem.message.includes(pointer);
}
