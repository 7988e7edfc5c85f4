// Which of the two is seen: the recorded run with its plots, or the live simulation. The latter, with three.js, is loaded
// when it is asked for.

import type { Shown } from "./live.js";

const find = (id: string) => document.getElementById(id) as HTMLElement;

export interface LiveModeOptions {
  /** Of the model, now. */
  readonly text: () => string;
  readonly failed: (message: string) => void;
  /** It has begun, or ended. */
  readonly changed: (isOn: boolean) => void;
}

export class LiveMode {
  readonly #text: () => string;
  readonly #failed: (message: string) => void;
  readonly #changed: (isOn: boolean) => void;
  #view: Shown | undefined;
  #isOn = false;
  /** Of the newest model that was asked for: an older one that is ready later is thrown away. */
  #number = 0;

  constructor({ text, failed, changed }: LiveModeOptions) {
    this.#text = text;
    this.#failed = failed;
    this.#changed = changed;
    find("mode-live").addEventListener("click", () => this.#set(true));
    find("mode-runs").addEventListener("click", () => this.#set(false));
  }

  /** Whether the live simulation is seen. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** The model has changed. */
  refresh(): void {
    if (this.#isOn) void this.#show();
  }

  /** Whether there is anything to be seen: equations have no bodies. */
  allow(isPossible: boolean): void {
    find("modes").hidden = !isPossible;
    if (!isPossible && this.#isOn) this.#set(false);
  }

  #set(isOn: boolean): void {
    this.#isOn = isOn;
    find("mode-live").setAttribute("aria-pressed", String(isOn));
    find("mode-runs").setAttribute("aria-pressed", String(!isOn));
    find("live").hidden = !isOn;
    find("lanes").hidden = isOn;
    find("controls").hidden = isOn;
    if (isOn) void this.#show();
    else this.#clear();
    this.#changed(isOn);
  }

  async #show(): Promise<void> {
    const number = ++this.#number;
    try {
      const { showLive } = await import("./live.js");
      const place = document.createElement("div");
      find("live").append(place);
      const view = await showLive(place, this.#text());
      if (number !== this.#number) {
        view.dispose();
        place.remove();
        return;
      }
      this.#view?.dispose();
      find("live").replaceChildren(place);
      this.#view = view;
    } catch (error) {
      if (number === this.#number) this.#failed((error as Error).message);
    }
  }

  #clear(): void {
    this.#number++;
    this.#view?.dispose();
    this.#view = undefined;
    find("live").replaceChildren();
  }
}
