// Playground: an editor, a model that is simulated on every edit, two methods side by side, and their cost.

import { Player, timeControls, viewControls } from "nodrift/draw";
import { find, make } from "../dom.js";
import type { Entry } from "../gallery/entry.js";
import type { Editor } from "./editor.js";
import { LiveMode } from "./live-mode.js";
import { type ColumnEvents, MethodColumn } from "./method-column.js";
import {
  caption,
  downloadMenu,
  FrameClock,
  followServedFile,
  handleDrops,
  save,
  statusOf,
  tabs,
} from "./page-parts.js";
import type { Panels } from "./panels.js";
import { Picker } from "./picker.js";
import type { Answer, Choice, Mark, Methods, Setting } from "./protocol.js";
import type { Schema } from "./schema.js";
import { fromFragment, toFragment } from "./share.js";
import { settingAt, showSliders, writeAt } from "./sliders.js";

/** Milliseconds after the last key press before the model runs again. */
const TYPING_DELAY_MS = 16;

class Playground {
  readonly #columns: MethodColumn[] = [];
  readonly #captions: HTMLElement[] = [];
  readonly #pickers: Picker[] = [];
  /** Panels around the motion, loaded after it. */
  #panels: Panels | undefined;
  readonly #clock = new FrameClock();
  #editor: Editor | undefined;
  #text = "";
  /** Text before sliders changed values in it, and these values by their pointers. */
  #base = "";
  readonly #settings = new Map<string, Setting>();
  /** Parsed text; undefined if it is not JSON. */
  #document: unknown;
  #name = "";
  #entry: Entry | undefined;
  #player: Player | undefined;
  /** Whether the recorded motion played before the live one was shown. */
  #wasMoving = false;
  /** Whether the present controls include those of a picture. */
  #hadPicture = false;
  #methods: readonly string[] = [];
  #quantities: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #live: LiveMode;
  /** Resolves after the first motion or error. */
  readonly #firstResult: Promise<void>;
  #resolveFirstResult = () => {};
  #wanted: { b?: Choice | undefined; a?: Choice | undefined } = {};

  constructor() {
    this.#firstResult = new Promise((resolve) => {
      this.#resolveFirstResult = resolve;
    });
    this.#addColumn();
    const two = find<HTMLInputElement>("two");
    two.addEventListener("change", () => this.#setTwo(two.checked));
    this.#live = new LiveMode({
      document: () => this.#document,
      failed: (message) => this.#say(message, true),
      changed: (isOn) => this.#setResting(isOn),
    });
    this.#attachButtons();
    requestAnimationFrame(() => this.#paint());
  }

  async begin(): Promise<void> {
    await this.#loadFirst();
    await this.#firstResult;
    this.#columns[0]?.ask({ kind: "methods" });
    void this.#loadPanels();
    void this.#loadEditor();
  }

  /** Loads plots, the model list and descriptions: large, and not needed for the first motion. */
  async #loadPanels(): Promise<void> {
    const { Panels: LoadedPanels } = await import("./panels.js");
    this.#panels = new LoadedPanels({
      seek: (time) => this.#player?.seek(time),
      compare: (methods) => this.#columns[0]!.ask({ kind: "compare", methods }),
      load: (name) => {
        history.replaceState(null, "", `?model=${name}`);
        void this.#load(name);
      },
    });
    this.#introduce();
    this.#showPlots();
  }

  /** Shows title and sliders of the model. */
  #introduce(): void {
    this.#entry = this.#panels?.introduce(this.#name);
    this.#showSliders();
    if (this.#entry) find("title").textContent = this.#entry.title;
  }

  /** Loads the first model: from the link, the served file, the address, or else a slider-crank. */
  async #loadFirst(): Promise<void> {
    try {
      const shared = await fromFragment(location.hash);
      if (shared) {
        this.#wanted = { a: shared.a as Choice, b: shared.b as Choice };
        if (this.#wanted.a) this.#columns[0]!.choice = this.#wanted.a;
        this.show(shared.text, "");
        return;
      }
    } catch (error) {
      this.#say(`The link is invalid: ${(error as Error).message}`, true);
    }
    if (await followServedFile((text) => this.show(text, ""))) return;
    await this.#load(new URLSearchParams(location.search).get("model") ?? "slider-crank");
  }

  async #load(name: string): Promise<void> {
    const answer = await fetch(`./models/${encodeURIComponent(name)}.json`);
    if (answer.ok) this.show(await answer.text(), name);
    else this.#say(`Unknown model "${name}".`, true);
  }

  /** Shows another model. */
  show(text: string, name: string): void {
    this.#text = text;
    this.#name = name;
    this.#quantities = [];
    this.#editor?.set(text);
    this.#parse();
    this.#introduce();
    this.#start();
  }

  /** Loads the editor, which is large, after the first motion. */
  async #loadEditor(): Promise<void> {
    const schema = async (name: string) => (await (await fetch(name)).json()) as Schema;
    const [{ Editor: LoadedEditor }, model, equations] = await Promise.all([
      import("./editor.js"),
      schema("./model-1.schema.json"),
      schema("./equations-1.schema.json"),
    ]);
    this.#editor = new LoadedEditor({
      parent: find("editor"),
      schemas: { model, equations },
      methods: () => this.#methods,
      changed: (text) => {
        performance.mark("nodrift edit");
        this.#text = text;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
          this.#parse();
          this.#showSliders();
          this.#start();
        }, TYPING_DELAY_MS);
      },
    });
    this.#editor.set(this.#text);
  }

  #addColumn(): void {
    const index = this.#columns.length;
    const letter = "AB"[index]!;
    const canvas = make("canvas", {
      tabindex: "0",
      role: "img",
      "aria-label": `Motion by method ${letter}. Arrow keys rotate the view, plus and minus zoom.`,
    });
    const caption = make("figcaption", {});
    const label = make("span", { class: "letter" }, letter);
    const figure = make("figure", { class: "lane card" }, canvas, label, caption);
    find("lanes").append(figure);
    const column = new MethodColumn(canvas, this.#eventsOf(index));
    const picker = new Picker(
      `Method ${letter}`,
      () => this.#choose(index),
      (parts) => column.ask({ kind: "judge", parts }),
    );
    find("pickers").append(picker.element);
    this.#columns.push(column);
    this.#captions.push(caption);
    this.#pickers.push(picker);
    this.#updateLetters();
    // The methods of the first column are needed after its motion.
    if (index > 0) column.ask({ kind: "methods" });
  }

  #updateLetters(): void {
    const isPair = this.#columns.length > 1;
    for (const letter of document.querySelectorAll<HTMLElement>(".lane .letter")) {
      letter.hidden = !isPair;
    }
  }

  #setTwo(isTwo: boolean): void {
    find<HTMLInputElement>("two").checked = isTwo;
    if (isTwo && this.#columns.length === 1) this.#addColumn();
    else if (!isTwo && this.#columns.length === 2) {
      this.#columns.pop()?.dispose();
      this.#captions.pop()?.closest("figure")?.remove();
      this.#pickers.pop()?.element.remove();
      this.#updateLetters();
      this.#showPlots();
    }
  }

  #eventsOf(index: number): ColumnEvents {
    return {
      problems: ({ marks }) => {
        if (index === 0) this.#mark(marks);
      },
      model: ({ span }) => {
        this.#pickers[index]!.span = span[1] - span[0];
      },
      motion: (motion, isFirst) => {
        if (isFirst && index === 0) performance.mark("nodrift motion");
        this.#pickers[index]!.refusal = motion.refused[0]?.message ?? "";
        caption(this.#captions[index]!, motion.facts, motion.isDone);
        if (index === 0) this.#showMotion(isFirst);
        this.#resolveFirstResult();
        this.#showPlots();
      },
      refused: (message) => {
        this.#pickers[index]!.refusal = message;
        if (index === 0) this.#say(message, true);
      },
      other: (answer) => this.#receive(index, answer),
    };
  }

  #receive(index: number, answer: Answer): void {
    if (answer.kind === "methods") this.#receiveMethods(index, answer.methods);
    else if (answer.kind === "judged") this.#pickers[index]!.setReasons(answer.reasons);
    else if (answer.kind === "file") save(answer.name, answer.text);
    else this.#panels?.receive(answer);
  }

  #receiveMethods(index: number, methods: Methods): void {
    const picker = this.#pickers[index]!;
    picker.setMethods(methods);
    this.#methods = methods.map(({ name }) => name);
    const wanted = index === 0 ? this.#wanted.a : this.#wanted.b;
    if (wanted) {
      picker.restore(wanted);
      if (index > 0) this.#choose(index);
    } else if (index > 0) picker.choose("udwadiaKalaba", "", "rk4");
    if (index === 0 && this.#wanted.b) this.#setTwo(true);
  }

  #choose(index: number): void {
    const { choice } = this.#pickers[index]!;
    const column = this.#columns[index];
    if (!choice || !column) return;
    column.choice = choice;
    column.run(this.#model);
  }

  /** The model of a run. */
  get #model() {
    const settings = [...this.#settings.values()];
    return { base: this.#base, settings, text: this.#text, quantities: this.#quantities };
  }

  /** Parses a text that is not the present one with other values of sliders. */
  #parse(): void {
    this.#base = this.#text;
    this.#settings.clear();
    try {
      this.#document = JSON.parse(this.#text);
    } catch {
      this.#document = undefined;
    }
  }

  /** Runs another text. */
  #start(): void {
    this.#live.refresh();
    this.#run();
  }

  #run(): void {
    for (const column of this.#columns) column.run(this.#model);
  }

  /** Shows a new motion. The player is replaced if the time span has changed. */
  #showMotion(isFirst: boolean): void {
    const { motion, model, animation } = this.#columns[0]!;
    if (!motion || !model) return;
    const [start] = model.span;
    const end = motion.isDone ? motion.end : model.span[1];
    this.#live.allow(animation !== undefined);
    find<HTMLInputElement>("formula").placeholder = animation ? "z('rod')" : "x^2 + y^2";
    const before = this.#player;
    this.#say(statusOf(model, motion.facts, motion.isDone), false);
    if (isFirst) find("title").textContent = this.#entry?.title ?? model.name;
    const isSame =
      before?.start === start && before.end === end && this.#hadPicture === !!animation;
    this.#hadPicture = !!animation;
    if (isSame) {
      this.#showTime(before.time);
      return;
    }
    const player = new Player(start, end);
    const isMoving = before?.isPlaying ?? !matchMedia("(prefers-reduced-motion: reduce)").matches;
    player.listen((time) => this.#showTime(time));
    find("controls").replaceChildren(
      timeControls(player, motion.scene?.frames ?? motion),
      ...(animation ? [viewControls(player, animation)] : []),
    );
    before?.pause();
    this.#player = player;
    player.seek(before && before.time < end ? before.time : start);
    if (isMoving && !this.#live.isOn) player.play();
  }

  /** Pauses the recorded motion while the live simulation is shown. */
  #setResting(isResting: boolean): void {
    // The budget concerns the recorded motion only.
    find("budget").hidden = isResting;
    if (isResting) {
      this.#wasMoving = this.#player?.isPlaying ?? false;
      this.#player?.pause();
    } else if (this.#wasMoving) this.#player?.play();
  }

  #showTime(time: number): void {
    for (const { animation } of this.#columns) animation?.show(time);
  }

  #showPlots(): void {
    const [a, b] = this.#columns.map(({ motion }) => motion?.plots);
    if (a) this.#panels?.show(a, b);
    if (this.#player) this.#showTime(this.#player.time);
  }

  #paint(): void {
    this.#clock.measure(() => {
      if (!this.#live.isOn) for (const { animation } of this.#columns) animation?.refresh();
      if (this.#player) this.#panels?.moveTo(this.#player.time);
    });
    requestAnimationFrame(() => this.#paint());
  }

  #mark(marks: readonly Mark[]): void {
    this.#editor?.mark(marks);
    const list = find("problems");
    const wasWrong = !list.hidden;
    list.hidden = marks.length === 0;
    list.replaceChildren(
      ...marks.slice(0, 50).map((mark) => {
        const place = mark.line === undefined ? "" : `line ${mark.line}: `;
        const button = make("button", { type: "button" }, `${place}${mark.message}`);
        button.addEventListener("click", () => this.#editor?.show(mark));
        return make("li", {}, button);
      }),
    );
    if (marks.length > 0) {
      const what = marks.length === 1 ? "1 problem" : `${marks.length} problems`;
      this.#say(`The file has ${what}; the last valid motion is shown.`, true);
    } else if (wasWrong) this.#say("Computing…", false);
  }

  #say(text: string, isBad: boolean): void {
    if (isBad) this.#resolveFirstResult();
    const status = find("status");
    status.textContent = text;
    status.classList.toggle("bad", isBad);
  }

  #showSliders(): void {
    const { sliders = [] } = this.#entry ?? {};
    showSliders(find("sliders"), sliders, this.#document, (pointer, value) => {
      if (!this.#editor?.write(pointer, value)) return;
      this.#text = this.#editor.text;
      writeAt(this.#document, pointer, value);
      const setting = settingAt(this.#document, pointer);
      if (setting) this.#settings.set(pointer, setting);
      // A value that cannot be set alone needs the whole text.
      else this.#base = this.#text;
      void this.#live.change(setting);
      this.#run();
    });
  }

  #attachButtons(): void {
    tabs(["plots", "compare", "about"]);
    find("share").addEventListener("click", () => void this.#share());
    const file = find<HTMLInputElement>("file");
    find("open").addEventListener("click", () => file.click());
    file.addEventListener("change", () => void this.#open(file.files?.[0]));
    downloadMenu(find<HTMLDetailsElement>("downloads"), (format) => {
      if (format === "model") save(`${this.#name || "model"}.json`, this.#text);
      else this.#columns[0]!.ask({ kind: "file", format });
    });
    handleDrops(find("drop"), (dropped) => void this.#open(dropped));
    find("quantity").addEventListener("submit", (event) => {
      event.preventDefault();
      const field = find<HTMLInputElement>("formula");
      const formula = field.value.trim();
      if (formula === "" || this.#quantities.includes(formula)) return;
      this.#quantities = [...this.#quantities, formula];
      this.#run();
    });
  }

  async #open(file: File | undefined): Promise<void> {
    if (file) this.show(await file.text(), "");
  }

  async #share(): Promise<void> {
    const [a, b] = this.#columns.map(({ choice }) => choice as Record<string, unknown>);
    const fragment = await toFragment({ text: this.#text, a, b });
    history.replaceState(null, "", `${location.pathname}${fragment}`);
    try {
      await navigator.clipboard.writeText(location.href);
      this.#say("Link copied.", false);
    } catch {
      this.#say("The link is in the address bar.", false);
    }
  }
}

void new Playground().begin();
