// Rotating, panning and zooming the view by mouse, touch and keys.

import type { Camera, Vector } from "./camera.js";

/** Radians per pixel of a drag, and per key press. */
const DRAG = 0.009;
const KEY = Math.PI / 24;
const ZOOM_KEY = 1.15;

/** A controlled view; its camera and home direction may be replaced later. */
export interface ControlledView {
  readonly canvas: HTMLCanvasElement;
  readonly camera: Camera;
  /** Initial view direction. */
  readonly home: Vector;
  changed(): void;
  /** Goes to the next or previous picture. */
  step?(count: number): void;
  /** Whether a press is handled elsewhere. */
  takes?(event: PointerEvent): boolean;
}

/**
 * Attaches pointer and key controls to a view, until the signal. The wheel alone scrolls the page; with Ctrl or ⌘,
 * which browsers also report for pinching on a touchpad, it zooms. Left and right arrows step through time; with Shift
 * all four arrows rotate the view. Up and down arrows alone scroll the page.
 */
export function attachControls(view: ControlledView, signal?: AbortSignal): void {
  const { canvas } = view;
  const fingers = new Map<number, { x: number; y: number }>();
  const listen = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    act: (event: HTMLElementEventMap[Type]) => void,
    passive = true,
  ) => canvas.addEventListener(type, act, { passive, ...(signal && { signal }) });
  listen("pointerdown", (event) => {
    if (view.takes?.(event)) return;
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
      view.camera.zoom(distance(now) / (distance(before) || 1), ...pointIn(canvas, other));
    } else if (event.shiftKey || event.buttons === 4) view.camera.pan(dx, dy);
    else view.camera.turn(-DRAG * dx, DRAG * dy);
    fingers.set(event.pointerId, now);
    view.changed();
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
      view.camera.zoom(Math.exp(-0.0015 * event.deltaY), ...pointIn(canvas, at));
      view.changed();
    },
    false,
  );
  listen("dblclick", () => {
    view.camera.lookFrom(view.home);
    view.changed();
  });
  listen(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = (event.shiftKey ? TURNS : KEYS)[event.key] ?? ZOOMS[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act(view);
      view.changed();
    },
    false,
  );
}

type Keys = Readonly<Record<string, (view: ControlledView) => void>>;

const KEYS: Keys = {
  ArrowLeft: (view) => view.step?.(-1),
  ArrowRight: (view) => view.step?.(1),
  Home: ({ camera, home }) => camera.lookFrom(home),
};

/** Rotations of the view, as if the mechanism were pushed in the direction of the arrow. */
const TURNS: Keys = {
  ArrowLeft: ({ camera }) => camera.turn(KEY, 0),
  ArrowRight: ({ camera }) => camera.turn(-KEY, 0),
  ArrowUp: ({ camera }) => camera.turn(0, -KEY),
  ArrowDown: ({ camera }) => camera.turn(0, KEY),
};

/** Zoom keys; "=" is "+" without Shift on some keyboards. */
const ZOOMS: Keys = {
  "+": ({ camera }) => camera.zoom(ZOOM_KEY),
  "=": ({ camera }) => camera.zoom(ZOOM_KEY),
  "-": ({ camera }) => camera.zoom(1 / ZOOM_KEY),
};

function pointIn(canvas: HTMLCanvasElement, at: { x: number; y: number }): [number, number] {
  const { left, top } = canvas.getBoundingClientRect();
  return [at.x - left, at.y - top];
}
