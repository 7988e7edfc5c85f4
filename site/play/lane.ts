// A lane: one method on the model, with its thread, its picture and what is known of its run. Two of them stand side by side.

import { handleView } from "../../src/tools/report/page/hands.js";
import { Stage } from "../../src/tools/report/page/stage.js";
import type { Answer, Choice, ModelFacts, Request } from "./protocol.js";

type Motion = Extract<Answer, { kind: "motion" }>;
type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
type Ask = WithoutId<Request>;

export interface LaneEvents {
  readonly ready?: (methods: Extract<Answer, { kind: "ready" }>["methods"]) => void;
  readonly problems: (answer: Extract<Answer, { kind: "problems" }>) => void;
  readonly model: (facts: ModelFacts) => void;
  readonly motion: (motion: Motion, isFirst: boolean) => void;
  readonly refused: (message: string) => void;
  readonly other: (answer: Answer) => void;
}

export class Lane {
  choice: Choice = {};
  motion: Motion | undefined;
  model: ModelFacts | undefined;
  stage: Stage | undefined;
  readonly #worker: Worker;
  #asked = 0;
  #running = 0;
  #shown = 0;
  #name: string | undefined;
  /** Whether hands turn the view. */
  #isHandled = false;

  constructor(
    readonly canvas: HTMLCanvasElement,
    events: LaneEvents,
  ) {
    this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Answer>) =>
      this.#hear(data, events),
    );
    this.#worker.addEventListener("error", ({ message }) =>
      events.refused(message || "the thread of the simulation has stopped"),
    );
  }

  run(text: string, quantities: readonly string[]): void {
    const { choice } = this;
    this.#running = this.ask({ kind: "run", text, choice, quantities });
  }

  /** Sends a request; its number comes back with the answers. */
  ask(request: Ask): number {
    const id = ++this.#asked;
    this.#worker.postMessage({ ...request, id } as Request);
    return id;
  }

  dispose(): void {
    this.#worker.terminate();
    this.stage?.dispose();
  }

  #hear(answer: Answer, events: LaneEvents): void {
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

  #show(motion: Motion, events: LaneEvents): void {
    const isFirst = motion.id !== this.#shown;
    this.#shown = motion.id;
    this.motion = motion;
    const { scene } = motion;
    this.canvas.hidden = scene === undefined;
    const before = this.stage;
    this.stage = scene && new Stage(scene, this.canvas);
    if (before) {
      if (this.stage) this.stage.names = before.names;
      if (this.#name === scene?.name) this.stage?.camera.like(before.camera);
      before.dispose();
    }
    if (this.stage && !this.#isHandled) {
      this.#isHandled = true;
      handleView(this);
    }
    this.#name = scene?.name;
    events.motion(motion, isFirst);
  }

  /** For the hands that turn the view: whichever motion is shown. */
  get camera() {
    return this.#present.camera;
  }

  get home() {
    return this.#present.scene.view.from;
  }

  changed(): void {
    this.#present.isStale = true;
  }

  get #present(): Stage {
    if (!this.stage) throw new Error("there is no motion yet");
    return this.stage;
  }
}
