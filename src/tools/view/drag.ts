// Clicks and drags on the picture: what is clicked shows its numbers, what is dragged follows the finger.

import type { Feed } from "./feed.js";
import type { PoseTable } from "./pose-table.js";
import type { LiveGrip } from "./source.js";
import type { Picked, Stage } from "./stage.js";

type Three = readonly [number, number, number];

/** Pixels within which a press is a click. */
const STILL = 5;

export interface DragActions {
  readonly stage: Stage;
  readonly feed: Feed;
  readonly table: () => PoseTable;
  readonly select: (name: string | undefined) => void;
  readonly isDraggable: boolean;
  /** When something is held or let go. */
  readonly holds: (isHolding: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** A body that is held. */
interface Held {
  readonly pointer: number;
  readonly at: Three;
  grip: LiveGrip | undefined;
  isOver: boolean;
}

export class DragHand {
  readonly #actions: DragActions;
  #press: { readonly x: number; readonly y: number } | undefined;
  #held: Held | undefined;

  constructor(actions: DragActions, signal: AbortSignal) {
    this.#actions = actions;
    const { canvas } = actions.stage;
    canvas.addEventListener("pointermove", (event) => this.#move(event), { signal });
    canvas.addEventListener("pointerup", (event) => this.#up(event), { signal });
    canvas.addEventListener("pointercancel", () => this.release(), { signal });
    // A finger on a body drags it: the page must not scroll meanwhile.
    canvas.addEventListener(
      "touchstart",
      (event) => {
        if (this.#held !== undefined) event.preventDefault();
      },
      { signal, passive: false },
    );
  }

  /** Whether a press takes hold of a body: then the view does not turn. */
  takes(event: PointerEvent): boolean {
    const { stage, feed, isDraggable } = this.#actions;
    const [x, y] = placeIn(stage.canvas, event);
    this.#press = { x, y };
    if (!isDraggable || feed.grab === undefined || event.button !== 0 || event.shiftKey)
      return false;
    const picked = stage.pick(x, y);
    if (picked === undefined || picked.kind !== "body" || this.#held !== undefined) return false;
    this.#grab(event.pointerId, picked);
    stage.canvas.setPointerCapture(event.pointerId);
    return true;
  }

  #grab(pointer: number, { name, body, at }: Picked): void {
    const { feed, table, holds, failed } = this.#actions;
    const held: Held = { pointer, at, grip: undefined, isOver: false };
    this.#held = held;
    holds(true);
    // A worker answers later, perhaps when it has been let go again.
    Promise.resolve(feed.grab!(name, table().local(body, at))).then((grip) => {
      if (held.isOver) grip.release();
      else held.grip = grip;
    }, failed);
  }

  #move(event: PointerEvent): void {
    const held = this.#held;
    if (held === undefined || held.pointer !== event.pointerId) return;
    const { stage, failed } = this.#actions;
    try {
      held.grip?.moveTo(stage.reach(...placeIn(stage.canvas, event), held.at));
    } catch (error) {
      failed(error);
    }
  }

  #up(event: PointerEvent): void {
    const { stage, select } = this.#actions;
    const [x, y] = placeIn(stage.canvas, event);
    const press = this.#press;
    this.#press = undefined;
    this.release();
    if (press === undefined || Math.hypot(x - press.x, y - press.y) > STILL) return;
    select(stage.pick(x, y)?.name);
  }

  /** Lets go of what is held. */
  release(): void {
    const held = this.#held;
    if (held === undefined) return;
    held.isOver = true;
    this.#held = undefined;
    this.#actions.holds(false);
    try {
      held.grip?.release();
    } catch (error) {
      this.#actions.failed(error);
    }
  }
}

function placeIn(canvas: HTMLCanvasElement, event: PointerEvent): [number, number] {
  const { left, top } = canvas.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}
