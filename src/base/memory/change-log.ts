import type { Workspace } from "./workspace.js";

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
