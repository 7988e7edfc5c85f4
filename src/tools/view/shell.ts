// The place of a view in a page: a shadow root with the picture, what lies over it, and the bars around it.

import { make } from "../report/page/dom.js";
import { wrong } from "./options.js";
import { viewStyle } from "./style.js";

export class Shell {
  /** Holds the canvases. */
  readonly place = make("div", { class: "stage" });
  /** Whether some of it is on the screen. */
  isVisible = true;
  readonly #host = make("div", { class: "nodrift-view" });
  readonly #notice = make("p", { class: "notice", role: "status" });
  readonly #observers: { disconnect(): void }[] = [];

  /** Puts everything into the page. */
  assemble(
    element: HTMLElement,
    above: readonly HTMLElement[],
    over: readonly HTMLElement[],
    below: readonly HTMLElement[],
  ): void {
    const root = this.#host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [viewStyle()];
    this.place.append(...over, this.#notice);
    root.append(make("div", { class: "view" }, ...above, this.place, ...below));
    element.append(this.#host);
  }

  /** Tells when the size of the picture changes, and notes whether it is seen. */
  observe(resize: () => void): void {
    const sizes = new ResizeObserver(resize);
    sizes.observe(this.place);
    const sight = new IntersectionObserver((entries) => {
      this.isVisible = entries.some(({ isIntersecting }) => isIntersecting);
    });
    sight.observe(this.#host);
    this.#observers.push(sizes, sight);
  }

  set isDark(isDark: boolean) {
    this.#host.toggleAttribute("data-dark", isDark);
  }

  /** A sentence below the picture; empty: none. */
  tell(text: string, isBad = false): void {
    this.#notice.textContent = text;
    this.#notice.classList.toggle("bad", isBad);
  }

  /** All canvases as one PNG. */
  picture(): Promise<Blob> {
    const canvases = this.place.querySelectorAll<HTMLCanvasElement>(".picture, .signs");
    const whole = make("canvas", {});
    [whole.width, whole.height] = [canvases[0]!.width, canvases[0]!.height];
    const context = whole.getContext("2d")!;
    for (const canvas of canvases) context.drawImage(canvas, 0, 0);
    return new Promise((done, fail) =>
      whole.toBlob((blob) => (blob ? done(blob) : fail(wrong("the picture could not be made")))),
    );
  }

  dispose(): void {
    for (const observer of this.#observers) observer.disconnect();
    this.#host.remove();
  }
}
