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
