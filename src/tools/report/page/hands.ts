// Turning, moving and zooming the view by mouse, fingers and keys.

import type { Stage } from "./stage.js";

/** Radians for a pixel, and for a press of a key. */
const DRAG = 0.009;
const KEY = Math.PI / 24;
const ZOOM_KEY = 1.15;

/** What hands hold: its camera and scene may be others later. */
export type Held = Pick<Stage, "canvas" | "camera" | "scene" | "isStale">;

export function handleView(stage: Held): void {
  const { canvas } = stage;
  const fingers = new Map<number, { x: number; y: number }>();
  const changed = () => {
    stage.isStale = true;
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const now = { x: event.clientX, y: event.clientY };
    const [other] = others;
    if (other !== undefined) {
      const distance = (at: { x: number; y: number }) => Math.hypot(at.x - other.x, at.y - other.y);
      stage.camera.zoom(distance(now) / (distance(before) || 1), ...placeOf(canvas, other));
    } else if (event.shiftKey || event.buttons === 4) stage.camera.pan(dx, dy);
    else stage.camera.turn(-DRAG * dx, DRAG * dy);
    fingers.set(event.pointerId, now);
    changed();
  });
  for (const type of ["pointerup", "pointercancel"] as const) {
    canvas.addEventListener(type, (event) => fingers.delete(event.pointerId));
  }
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const at = { x: event.clientX, y: event.clientY };
      stage.camera.zoom(Math.exp(-0.0015 * event.deltaY), ...placeOf(canvas, at));
      changed();
    },
    { passive: false },
  );
  canvas.addEventListener("dblclick", () => {
    stage.camera.lookFrom(stage.scene.view.from);
    changed();
  });
  canvas.addEventListener("keydown", (event) => {
    const act = KEYS[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(stage);
    changed();
  });
}

const KEYS: Readonly<Record<string, (stage: Held) => void>> = {
  ArrowLeft: ({ camera }) => camera.turn(-KEY, 0),
  ArrowRight: ({ camera }) => camera.turn(KEY, 0),
  ArrowUp: ({ camera }) => camera.turn(0, KEY),
  ArrowDown: ({ camera }) => camera.turn(0, -KEY),
  "+": ({ camera }) => camera.zoom(ZOOM_KEY),
  "-": ({ camera }) => camera.zoom(1 / ZOOM_KEY),
  Home: ({ camera, scene }) => camera.lookFrom(scene.view.from),
};

function placeOf(canvas: HTMLCanvasElement, at: { x: number; y: number }): [number, number] {
  const { left, top } = canvas.getBoundingClientRect();
  return [at.x - left, at.y - top];
}
