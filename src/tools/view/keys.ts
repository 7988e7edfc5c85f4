// Keys of a view, besides those that turn it.

type Keys = Readonly<Record<string, () => void>>;

const KEYS =
  "Space plays, left and right arrows step, with Shift arrows turn the view, plus and minus zoom, F fits, P changes " +
  "the perspective, N shows names, Escape lets go.";

/** A picture that takes keys, and says which. */
export function describeKeys(canvas: HTMLCanvasElement, name: string): void {
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${name}. ${KEYS}`);
}

/** Single letters count whether or not they are capital. */
export function handleKeys(element: HTMLElement, keys: Keys, signal: AbortSignal): void {
  element.addEventListener(
    "keydown",
    (event) => {
      const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    },
    { signal },
  );
}
