// Column of one method: its worker, its picture and the results of its run. Two columns can stand side by side.

import { Motion as Poses } from "../../src/report/page/motion.js";
import { PageRenderer } from "../../src/report/page/page-renderer.js";
import { attachControls } from "../../src/report/page/pointer-controls.js";
import type { Answer, Choice, ModelFacts, Request } from "./protocol.js";

type Motion = Extract<Answer, { kind: "motion" }>;
type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
type Ask = WithoutId<Request>;

export interface ColumnEvents {
  readonly ready?: (methods: Extract<Answer, { kind: "ready" }>["methods"]) => void;
  readonly problems: (answer: Extract<Answer, { kind: "problems" }>) => void;
  readonly model: (facts: ModelFacts) => void;
  readonly motion: (motion: Motion, isFirst: boolean) => void;
  readonly refused: (message: string) => void;
  readonly other: (answer: Answer) => void;
}

export class MethodColumn {
  choice: Choice = {};
  motion: Motion | undefined;
  model: ModelFacts | undefined;
  renderer: PageRenderer | undefined;
  readonly #worker: Worker;
  #asked = 0;
  #running = 0;
  #shown = 0;
  #name: string | undefined;
  /** Whether view controls are attached. */
  #hasControls = false;

  constructor(
    readonly canvas: HTMLCanvasElement,
    events: ColumnEvents,
  ) {
    this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Answer>) =>
      this.#receive(data, events),
    );
    this.#worker.addEventListener("error", ({ message }) =>
      events.refused(message || "the simulation worker has stopped"),
    );
  }

  run(text: string, quantities: readonly string[]): void {
    const { choice } = this;
    this.#running = this.ask({ kind: "run", text, choice, quantities });
  }

  /** Sends a request; returns its id, which the answers repeat. */
  ask(request: Ask): number {
    const id = ++this.#asked;
    this.#worker.postMessage({ ...request, id } as Request);
    return id;
  }

  dispose(): void {
    this.#worker.terminate();
    this.renderer?.dispose();
  }

  #receive(answer: Answer, events: ColumnEvents): void {
    if (answer.kind === "ready") {
      events.ready?.(answer.methods);
      return;
    }
    const isOwn = answer.id === this.#running;
    if (answer.kind === "problems") {
      if (isOwn) events.problems(answer);
    } else if (answer.kind === "model") {
      if (!isOwn) return;
      this.model = answer.facts;
      events.model(answer.facts);
    } else if (answer.kind === "motion") {
      if (isOwn) this.#show(answer, events);
    } else if (answer.kind === "refused" && isOwn) {
      events.refused(answer.message);
    } else events.other(answer);
  }

  #show(motion: Motion, events: ColumnEvents): void {
    const isFirst = motion.id !== this.#shown;
    this.#shown = motion.id;
    this.motion = motion;
    const { scene } = motion;
    this.canvas.hidden = scene === undefined;
    const before = this.renderer;
    this.renderer = scene && new PageRenderer(scene, Poses.of(scene.frames), this.canvas);
    if (before) {
      if (this.renderer) this.renderer.names = before.names;
      if (this.#name === scene?.name) this.renderer?.camera.like(before.camera);
      before.dispose();
    }
    if (this.renderer && !this.#hasControls) {
      this.#hasControls = true;
      attachControls(this);
    }
    this.#name = scene?.name;
    events.motion(motion, isFirst);
  }

  /** Camera of the present motion, for the view controls. */
  get camera() {
    return this.#present.camera;
  }

  get home() {
    return this.#present.scene.view.from;
  }

  changed(): void {
    this.#present.isStale = true;
  }

  get #present(): PageRenderer {
    if (!this.renderer) throw new Error("no motion has been computed yet");
    return this.renderer;
  }
}
