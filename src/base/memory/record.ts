import type { Segment } from "./arena.js";
import type { Workspace } from "./workspace.js";

/**
 * Creates an object whose named numbers lie in the arena, so that they are saved and restored with it: in their own
 * segment, or in one that kernels use.
 *
 * @example
 * const memory = arenaRecord(workspace, "steps", { length: 0, taken: 0 });
 * memory.taken += 1;
 */
export function arenaRecord<K extends string>(
  workspace: Workspace,
  name: string,
  start: Readonly<Record<K, number>>,
  segment: Segment = workspace.reserve(name, Object.keys(start).length),
): Record<K, number> {
  const keys = Object.keys(start) as K[];
  let numbers = Float64Array.from(keys, (key) => start[key]);
  workspace.whenSealed((arena) => {
    const first = numbers;
    numbers = arena.floats(segment);
    numbers.set(first);
  });
  const record = {} as Record<K, number>;
  for (const [index, key] of keys.entries()) {
    Object.defineProperty(record, key, {
      enumerable: true,
      get: () => numbers[index],
      set: (value: number) => {
        numbers[index] = value;
      },
    });
  }
  return record;
}

/** Number of times that are stored: the latest ones. */
const MAX_TIMES = 64;

/** Counts changes and stores the times of the latest, in the arena, so that both are saved and restored with it. */
export class ChangeLog {
  #numbers = new Float64Array(1);

  constructor(workspace: Workspace, name: string) {
    const segment = workspace.reserve(name, 1 + MAX_TIMES);
    workspace.whenSealed((arena) => {
      this.#numbers = arena.floats(segment);
    });
  }

  get count(): number {
    return this.#numbers[0]!;
  }

  note(t: number): void {
    const count = this.#numbers[0]!;
    this.#numbers[1 + (count % MAX_TIMES)] = t;
    this.#numbers[0] = count + 1;
  }

  /** Times of the latest changes, the first of them first. */
  times(): number[] {
    const { count } = this;
    const first = Math.max(0, count - MAX_TIMES);
    return Array.from(
      { length: count - first },
      (_, i) => this.#numbers[1 + ((first + i) % MAX_TIMES)]!,
    );
  }
}
