import { RadauKept as Kept } from "../../../../assembly/layout-radau.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { Workspace } from "../../../ground/memory/workspace.js";

/** What Radau's iterations and control of steps remember, in the arena. */
export class RadauMemory {
  readonly address: Address;
  #kept = new Float64Array(Kept.LENGTH);

  constructor(workspace: Workspace) {
    const kept = workspace.reserve("radau5 history", Kept.LENGTH);
    this.address = kept.address;
    workspace.whenSealed((arena) => {
      this.#kept = arena.floats(kept);
      this.forget();
    });
  }

  forget(): void {
    this.#kept.fill(0);
    this.#kept[Kept.SLOWNESS] = 1;
  }

  /** Length of the step that the factors are made for; 0 if there is no df/dy, NaN if only that is there. */
  get factored(): number {
    return this.#at(Kept.FACTORED);
  }
  set factored(h: number) {
    this.#kept[Kept.FACTORED] = h;
  }

  /** Length of the last accepted step; 0 if there is none. */
  get previousLength(): number {
    return this.#at(Kept.PREVIOUS_LENGTH);
  }
  set previousLength(h: number) {
    this.#kept[Kept.PREVIOUS_LENGTH] = h;
  }

  /** theta: by what an iteration made the increment smaller, in the last attempt. */
  get contraction(): number {
    return this.#at(Kept.CONTRACTION);
  }

  /** By how many times iterations would leave more than is allowed. */
  get excess(): number {
    return this.#at(Kept.EXCESS);
  }

  /** The error of the last attempt that was made in one call. */
  get error(): number {
    return this.#at(Kept.ERROR);
  }

  /** The last attempt was too wrong, or refused. */
  get rejected(): boolean {
    return this.#kept[Kept.REJECTED] === 1;
  }
  set rejected(value: boolean) {
    this.#kept[Kept.REJECTED] = value ? 1 : 0;
  }

  #at(place: Kept): number {
    return this.#kept[place] as number;
  }
}
