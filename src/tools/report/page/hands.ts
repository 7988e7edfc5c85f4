// Turning, moving and zooming the view by mouse, fingers and keys.

import type { Camera, Three } from "./camera.js";

/** Radians for a pixel, and for a press of a key. */
const DRAG = 0.009;
const KEY = Math.PI / 24;
const ZOOM_KEY = 1.15;

/** What hands work on: its camera, and where one looked from first, may be others later. */
export interface Held {
  readonly canvas: HTMLCanvasElement;
  readonly camera: Camera;
  /** From where one looked at first. */
  readonly home: Three;
  changed(): void;
  /** Goes to the next picture, or the one before. */
  step?(count: number): void;
  /** Whether a finger that comes down is taken for something else. */
  takes?(event: PointerEvent): boolean;
}

/**
 * Hands a view over to the user, until the signal. The wheel alone scrolls the page, as everywhere on it: with Ctrl or ⌘,
 * which browsers also report for two fingers on a touchpad, it zooms. Arrows left and right go through time; with Shift all
 * four turn the view. Arrows up and down alone are the page's.
 */
export function handleView(held: Held, signal?: AbortSignal): void {
  const { canvas } = held;
  const fingers = new Map<number, { x: number; y: number }>();
  const listen = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    act: (event: HTMLElementEventMap[Type]) => void,
    passive = true,
  ) => canvas.addEventListener(type, act, { passive, ...(signal && { signal }) });
  listen("pointerdown", (event) => {
    if (held.takes?.(event)) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  listen("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other !== undefined) {
      const distance = (at: { x: number; y: number }) => Math.hypot(at.x - other.x, at.y - other.y);
      held.camera.zoom(distance(now) / (distance(before) || 1), ...placeOf(canvas, other));
    } else if (event.shiftKey || event.buttons === 4) held.camera.pan(dx, dy);
    else held.camera.turn(-DRAG * dx, DRAG * dy);
    fingers.set(event.pointerId, now);
    held.changed();
  });
  for (const type of ["pointerup", "pointercancel"] as const) {
    listen(type, (event) => void fingers.delete(event.pointerId));
  }
  listen(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const at = { x: event.clientX, y: event.clientY };
      held.camera.zoom(Math.exp(-0.0015 * event.deltaY), ...placeOf(canvas, at));
      held.changed();
    },
    false,
  );
  listen("dblclick", () => {
    held.camera.lookFrom(held.home);
    held.changed();
  });
  listen(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = (event.shiftKey ? TURNS : KEYS)[event.key] ?? ZOOMS[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act(held);
      held.changed();
    },
    false,
  );
}

type Keys = Readonly<Record<string, (held: Held) => void>>;

const KEYS: Keys = {
  ArrowLeft: (held) => held.step?.(-1),
  ArrowRight: (held) => held.step?.(1),
  Home: ({ camera, home }) => camera.lookFrom(home),
};

/** As if the thing itself were pushed that way. */
const TURNS: Keys = {
  ArrowLeft: ({ camera }) => camera.turn(KEY, 0),
  ArrowRight: ({ camera }) => camera.turn(-KEY, 0),
  ArrowUp: ({ camera }) => camera.turn(0, -KEY),
  ArrowDown: ({ camera }) => camera.turn(0, KEY),
};

/** On some keyboards + is with Shift. */
const ZOOMS: Keys = {
  "+": ({ camera }) => camera.zoom(ZOOM_KEY),
  "=": ({ camera }) => camera.zoom(ZOOM_KEY),
  "-": ({ camera }) => camera.zoom(1 / ZOOM_KEY),
};

function placeOf(canvas: HTMLCanvasElement, at: { x: number; y: number }): [number, number] {
  const { left, top } = canvas.getBoundingClientRect();
  return [at.x - left, at.y - top];
}
