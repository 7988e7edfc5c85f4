import type { State } from "../../../seam/index.js";
import type { Source } from "../setup/source.js";
import type { Leg } from "./leg.js";

/** Legs kept for each source. */
const MOST = 4;

/** What a leg was made for: the same source, method and kind of steps can use it again. */
export interface LegKey {
  readonly source: Source;
  readonly method: unknown;
  readonly fixedSteps: boolean;
}

interface Idle {
  readonly key: LegKey;
  readonly leg: Leg<State>;
}

/**
 * Legs whose run is over, for the next run of the same source: a sweep over starts or tolerances makes its
 * memory once. A new one costs about a millisecond, and engines compile the calls into each WebAssembly
 * instance again, which takes longer than a short run. They go when their source does, or the last of its family.
 */
const idle = new WeakMap<object, Idle[]>();

/** Whose legs a source may use: its own, and those of sources that differ in values of parameters only. */
function ownerOf(source: Source): object {
  return ("system" in source ? source.family : undefined) ?? source;
}

export function takeLeg<T extends State>(key: LegKey): Leg<T> | undefined {
  const list = idle.get(ownerOf(key.source));
  const index = list?.findIndex(
    (each) => isSame(each.key.method, key.method) && each.key.fixedSteps === key.fixedSteps,
  );
  if (list === undefined || index === undefined || index < 0) return undefined;
  // A leg reads states of its source: T is what that source makes.
  return list.splice(index, 1)[0]?.leg as Leg<State> as Leg<T>;
}

export function giveLeg<T extends State>(key: LegKey, leg: Leg<T>): void {
  const owner = ownerOf(key.source);
  const list = idle.get(owner) ?? [];
  list.unshift({ key, leg: leg as Leg<State> });
  list.length = Math.min(list.length, MOST);
  idle.set(owner, list);
}

/** The same object, or a method put together from the same parts. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const [first, second] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const names = Object.keys(first);
  return (
    names.length === Object.keys(second).length &&
    names.every((name) => Object.hasOwn(second, name) && first[name] === second[name])
  );
}
