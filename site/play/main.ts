// The playground: an editor, a model that moves as one types, two methods side by side, and what they cost.

import { timeControls, viewControls } from "../../src/tools/report/page/controls.js";
import { make } from "../../src/tools/report/page/dom.js";
import { Player } from "../../src/tools/report/page/player.js";
import type { Entry } from "../gallery/entry.js";
import { downloadMenu } from "./download-menu.js";
import { takeDrops } from "./drops.js";
import type { Editor } from "./editor.js";
import { FrameClock } from "./frame-clock.js";
import { Lane, type LaneEvents } from "./lane.js";
import { LiveMode } from "./live-mode.js";
import { follow } from "./local.js";
import type { Panels } from "./panels.js";
import { Picker } from "./picker.js";
import type { Answer, Choice, Mark } from "./protocol.js";
import { save } from "./save.js";
import type { Schema } from "./schema.js";
import { fromFragment, toFragment } from "./share.js";
import { showSliders } from "./sliders.js";
import { tabs } from "./tabs.js";
import { caption, statusOf } from "./words.js";

const find = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;

/** Milliseconds after the last key before the model runs again. */
const TYPING = 16;

class Playground {
  readonly #lanes: Lane[] = [];
  readonly #captions: HTMLElement[] = [];
  readonly #pickers: Picker[] = [];
  /** What stands around the motion, which comes first. */
  #panels: Panels | undefined;
  readonly #clock = new FrameClock();
  #editor: Editor | undefined;
  #text = "";
  #name = "";
  #entry: Entry | undefined;
  #player: Player | undefined;
  /** Whether the recorded motion played before the live one was shown. */
  #wasMoving = false;
  /** Whether the controls are those of a picture. */
  #hadStage = false;
  #methods: readonly string[] = [];
  #quantities: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #live: LiveMode;
  /** Whether there was a motion, or a reason why there is none. */
  readonly #hasBegun: Promise<void>;
  #begun = () => {};
  #wanted: { b?: Choice | undefined; a?: Choice | undefined } = {};

  constructor() {
    this.#hasBegun = new Promise((resolve) => {
      this.#begun = resolve;
    });
    this.#addLane();
    const two = find<HTMLInputElement>("two");
    two.addEventListener("change", () => this.#setTwo(two.checked));
    this.#live = new LiveMode({
      text: () => this.#text,
      failed: (message) => this.#say(message, true),
      changed: (isOn) => this.#rest(isOn),
    });
    this.#listenToButtons();
    requestAnimationFrame(() => this.#paint());
  }

  async begin(): Promise<void> {
    await this.#first();
    await this.#hasBegun;
    void this.#surround();
    void this.#edit();
  }

  /** Plots, the list of models and all that is said of them: large, and not needed for the first motion. */
  async #surround(): Promise<void> {
    const { Panels: Made } = await import("./panels.js");
    this.#panels = new Made({
      seek: (time) => this.#player?.seek(time),
      compare: (methods) => this.#lanes[0]!.ask({ kind: "compare", text: this.#text, methods }),
      load: (name) => {
        history.replaceState(null, "", `?model=${name}`);
        void this.#load(name);
      },
    });
    this.#introduce();
    this.#showPlots();
  }

  /** Says what the model is. */
  #introduce(): void {
    this.#entry = this.#panels?.introduce(this.#name);
    this.#showSliders();
    if (this.#entry) find("title").textContent = this.#entry.title;
  }

  /** The model of the link, of the file that is served, of the address, or a slider-crank. */
  async #first(): Promise<void> {
    try {
      const shared = await fromFragment(location.hash);
      if (shared) {
        this.#wanted = { a: shared.a as Choice, b: shared.b as Choice };
        this.show(shared.text, "");
        return;
      }
    } catch (error) {
      this.#say(`The link is damaged: ${(error as Error).message}`, true);
    }
    if (await follow((text) => this.show(text, ""))) return;
    await this.#load(new URLSearchParams(location.search).get("model") ?? "slider-crank");
  }

  async #load(name: string): Promise<void> {
    const answer = await fetch(`./models/${encodeURIComponent(name)}.json`);
    if (answer.ok) this.show(await answer.text(), name);
    else this.#say(`There is no model "${name}" here.`, true);
  }

  /** Takes another model. */
  show(text: string, name: string): void {
    this.#text = text;
    this.#name = name;
    this.#quantities = [];
    this.#editor?.set(text);
    this.#introduce();
    this.#run();
  }

  /** The editor is large and comes after the first motion. */
  async #edit(): Promise<void> {
    const schema = async (name: string) => (await (await fetch(name)).json()) as Schema;
    const [{ Editor: Made }, model, equations] = await Promise.all([
      import("./editor.js"),
      schema("./model-1.schema.json"),
      schema("./equations-1.schema.json"),
    ]);
    this.#editor = new Made({
      parent: find("editor"),
      schemas: { model, equations },
      methods: () => this.#methods,
      changed: (text) => {
        performance.mark("nodrift edit");
        this.#text = text;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
          this.#showSliders();
          this.#run();
        }, TYPING);
      },
    });
    this.#editor.set(this.#text);
  }

  #addLane(): void {
    const index = this.#lanes.length;
    const letter = "AB"[index]!;
    const canvas = make("canvas", {
      tabindex: "0",
      role: "img",
      "aria-label": `Motion by method ${letter}. Arrow keys turn the view, plus and minus zoom.`,
    });
    const caption = make("figcaption", {});
    const label = make("span", { class: "letter" }, letter);
    const figure = make("figure", { class: "lane card" }, canvas, label, caption);
    find("lanes").append(figure);
    const lane = new Lane(canvas, this.#eventsOf(index));
    const picker = new Picker(
      `Method ${letter}`,
      () => this.#choose(index),
      (parts) => lane.ask({ kind: "judge", parts }),
    );
    find("pickers").append(picker.element);
    this.#lanes.push(lane);
    this.#captions.push(caption);
    this.#pickers.push(picker);
    this.#letters();
  }

  #letters(): void {
    const isPair = this.#lanes.length > 1;
    for (const letter of document.querySelectorAll<HTMLElement>(".lane .letter")) {
      letter.hidden = !isPair;
    }
  }

  #setTwo(isTwo: boolean): void {
    find<HTMLInputElement>("two").checked = isTwo;
    if (isTwo && this.#lanes.length === 1) this.#addLane();
    else if (!isTwo && this.#lanes.length === 2) {
      this.#lanes.pop()?.dispose();
      this.#captions.pop()?.closest("figure")?.remove();
      this.#pickers.pop()?.element.remove();
      this.#letters();
      this.#showPlots();
    }
  }

  #eventsOf(index: number): LaneEvents {
    return {
      ready: (methods) => {
        const picker = this.#pickers[index]!;
        picker.know(methods);
        this.#methods = methods.map(({ name }) => name);
        const wanted = index === 0 ? this.#wanted.a : this.#wanted.b;
        if (wanted) {
          picker.restore(wanted);
          this.#choose(index);
        } else if (index === 1) picker.choose("udwadiaKalaba", "", "rk4");
        if (index === 0 && this.#wanted.b) this.#setTwo(true);
      },
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
        if (index === 0) this.#moved(isFirst);
        this.#begun();
        this.#showPlots();
      },
      refused: (message) => {
        this.#pickers[index]!.refusal = message;
        if (index === 0) this.#say(message, true);
      },
      other: (answer) => this.#hear(index, answer),
    };
  }

  #hear(index: number, answer: Answer): void {
    if (answer.kind === "judged") this.#pickers[index]!.judged(answer.reasons);
    else if (answer.kind === "file") save(answer.name, answer.text);
    else this.#panels?.hear(answer);
  }

  #choose(index: number): void {
    const { choice } = this.#pickers[index]!;
    const lane = this.#lanes[index];
    if (!choice || !lane) return;
    lane.choice = choice;
    lane.run(this.#text, this.#quantities);
  }

  #run(): void {
    this.#live.refresh();
    for (const lane of this.#lanes) lane.run(this.#text, this.#quantities);
  }

  /** A motion has come: the player is made anew where its times are others. */
  #moved(isFirst: boolean): void {
    const { motion, model, stage } = this.#lanes[0]!;
    if (!motion || !model) return;
    const [start] = model.span;
    const end = motion.isDone ? motion.end : model.span[1];
    this.#live.allow(stage !== undefined);
    find<HTMLInputElement>("formula").placeholder = stage ? "z('rod')" : "x^2 + y^2";
    const before = this.#player;
    this.#say(statusOf(model, motion.facts, motion.isDone), false);
    if (isFirst) find("title").textContent = this.#entry?.title ?? model.name;
    const isSame = before?.start === start && before.end === end && this.#hadStage === !!stage;
    this.#hadStage = !!stage;
    if (isSame) {
      this.#placeStages();
      return;
    }
    const player = new Player(start, end);
    const isMoving = before?.isPlaying ?? !matchMedia("(prefers-reduced-motion: reduce)").matches;
    player.listen((time) => this.#at(time));
    find("controls").replaceChildren(
      timeControls(player, motion.scene?.frames ?? motion),
      ...(stage ? [viewControls(player, stage)] : []),
    );
    before?.pause();
    this.#player = player;
    player.seek(before && before.time < end ? before.time : start);
    if (isMoving && !this.#live.isOn) player.play();
  }

  /** What is not seen does not move: while the live simulation is shown, the recorded one waits. */
  #rest(isResting: boolean): void {
    // It tells of the recorded motion alone.
    find("budget").hidden = isResting;
    if (isResting) {
      this.#wasMoving = this.#player?.isPlaying ?? false;
      this.#player?.pause();
    } else if (this.#wasMoving) this.#player?.play();
  }

  #placeStages(): void {
    if (this.#player) this.#at(this.#player.time);
  }

  #at(time: number): void {
    for (const { stage } of this.#lanes) {
      if (!stage) continue;
      stage.time = time;
      stage.isStale = true;
    }
  }

  #showPlots(): void {
    const [a, b] = this.#lanes.map(({ motion }) => motion?.plots);
    if (a) this.#panels?.show(a, b);
    this.#placeStages();
  }

  #paint(): void {
    this.#clock.measure(() => {
      if (!this.#live.isOn) for (const { stage } of this.#lanes) stage?.refresh();
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
      this.#say(`The file has ${what}; the last motion that worked is shown.`, true);
    } else if (wasWrong) this.#say("Computing…", false);
  }

  #say(text: string, isBad: boolean): void {
    if (isBad) this.#begun();
    const status = find("status");
    status.textContent = text;
    status.classList.toggle("bad", isBad);
  }

  #showSliders(): void {
    showSliders(find("sliders"), this.#entry?.sliders ?? [], this.#text, (pointer, written) => {
      if (!this.#editor?.write(pointer, written)) return;
      this.#text = this.#editor.text;
      this.#run();
    });
  }

  #listenToButtons(): void {
    tabs(["plots", "compare", "about"]);
    find("share").addEventListener("click", () => void this.#share());
    const file = find<HTMLInputElement>("file");
    find("open").addEventListener("click", () => file.click());
    file.addEventListener("change", () => void this.#open(file.files?.[0]));
    downloadMenu(find<HTMLDetailsElement>("downloads"), (format) => {
      if (format === "model") save(`${this.#name || "model"}.json`, this.#text);
      else this.#lanes[0]!.ask({ kind: "file", format });
    });
    takeDrops(find("drop"), (dropped) => void this.#open(dropped));
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
    const [a, b] = this.#lanes.map(({ choice }) => choice as Record<string, unknown>);
    const fragment = await toFragment({ text: this.#text, a, b });
    history.replaceState(null, "", `${location.pathname}${fragment}`);
    try {
      await navigator.clipboard.writeText(location.href);
      this.#say("The link to this model was copied.", false);
    } catch {
      this.#say("The link to this model is in the address bar.", false);
    }
  }
}

void new Playground().begin();
