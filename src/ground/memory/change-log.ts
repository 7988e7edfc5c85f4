import type { Workspace } from "./workspace.js";

/** Times that are kept: the latest ones. */
const KEPT = 64;

/** Counts changes and keeps when the latest were, in the arena, so that both are saved and restored with it. */
export class ChangeLog {
  #numbers = new Float64Array(1);

  constructor(workspace: Workspace, name: string) {
    const segment = workspace.reserve(name, 1 + KEPT);
    workspace.whenSealed((arena) => {
      this.#numbers = arena.floats(segment);
    });
  }

  get count(): number {
    return this.#numbers[0]!;
  }

  note(t: number): void {
    const count = this.#numbers[0]!;
    this.#numbers[1 + (count % KEPT)] = t;
    this.#numbers[0] = count + 1;
  }

  /** Times of the latest changes, the first of them first. */
  times(): number[] {
    const { count } = this;
    const first = Math.max(0, count - KEPT);
    return Array.from(
      { length: count - first },
      (_, i) => this.#numbers[1 + ((first + i) % KEPT)]!,
    );
  }
}
