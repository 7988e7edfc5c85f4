// Switches between the recorded run with its plots and the live simulation, which is loaded on demand with three.js.

import { find } from "../dom.js";
import type { LiveView } from "./live.js";
import type { Setting } from "./protocol.js";

export interface LiveModeOptions {
  /** Returns the current document. */
  readonly document: () => unknown;
  readonly failed: (message: string) => void;
  /** Called when live mode is switched on or off. */
  readonly changed: (isOn: boolean) => void;
}

export class LiveMode {
  readonly #options: LiveModeOptions;
  #view: LiveView | undefined;
  #isOn = false;
  /** Number of the last request; older ones that finish later are discarded. */
  #number = 0;
  /** Number of the request that is shown. */
  #shown = 0;
  /** Whether the model has been replaced by another one than the view shows. */
  #isOther = true;

  constructor(options: LiveModeOptions) {
    this.#options = options;
    find("mode-live").addEventListener("click", () => this.#set(true));
    find("mode-runs").addEventListener("click", () => this.#set(false));
  }

  /** Whether the live simulation is shown. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Shows another model. */
  refresh(): void {
    this.#isOther = true;
    void this.#show();
  }

  /** Gives the running model a changed value. If it cannot be set, the changed document is started. */
  async change(setting: Setting | undefined): Promise<void> {
    const isShown = this.#shown === this.#number;
    const isSet = isShown && setting && (await this.#view?.set(setting));
    if (!isSet) await this.#show();
  }

  /** Enables or disables live mode: equations have no bodies to show. */
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
    this.#options.changed(isOn);
  }

  async #show(): Promise<void> {
    if (!this.#isOn) return;
    const number = ++this.#number;
    const isLatest = () => number === this.#number;
    try {
      const { LiveView: Loaded } = await import("./live.js");
      const model = this.#options.document();
      if (this.#view && !this.#isOther) await this.#view.restart(model, isLatest);
      else {
        const place = document.createElement("div");
        find("live").append(place);
        const view = await Loaded.of(place, model);
        if (!isLatest()) {
          view.dispose();
          place.remove();
          return;
        }
        this.#view?.dispose();
        find("live").replaceChildren(place);
        this.#view = view;
        this.#isOther = false;
      }
      if (isLatest()) this.#shown = number;
    } catch (error) {
      if (isLatest()) this.#options.failed((error as Error).message);
    }
  }

  #clear(): void {
    this.#number++;
    this.#view?.dispose();
    this.#view = undefined;
    find("live").replaceChildren();
  }
}
