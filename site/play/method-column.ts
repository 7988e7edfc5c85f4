// Column of one method: its worker, its picture and the results of its run. Two columns can stand side by side.

import { Animation, attachControls } from "nodrift/draw";
import type { Answer, AnswerOf, Choice, ModelFacts, Request, RunRequest } from "./protocol.js";

type Motion = AnswerOf<"motion">;
type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
type Ask = WithoutId<Request>;

export interface ColumnEvents {
  readonly problems: (answer: AnswerOf<"problems">) => void;
  readonly model: (facts: ModelFacts) => void;
  readonly motion: (motion: Motion, isFirst: boolean) => void;
  readonly refused: (message: string) => void;
  readonly other: (answer: Answer) => void;
}

export class MethodColumn {
  choice: Choice = {};
  motion: Motion | undefined;
  model: ModelFacts | undefined;
  readonly #worker: Worker;
  #animation: Animation | undefined;
  #asked = 0;
  #running = 0;
  #shown = 0;

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

  run(model: Pick<RunRequest, "base" | "settings" | "text" | "quantities">): void {
    this.#running = this.ask({ kind: "run", ...model, choice: this.choice });
  }

  /** Sends a request; returns its id, which the answers repeat. */
  ask(request: Ask): number {
    const id = ++this.#asked;
    this.#worker.postMessage({ ...request, id } as Request);
    return id;
  }

  dispose(): void {
    this.#worker.terminate();
    this.#animation?.dispose();
  }

  /** The picture; undefined if the motion has none. */
  get animation(): Animation | undefined {
    return this.motion?.scene && this.#animation;
  }

  #receive(answer: Answer, events: ColumnEvents): void {
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
    if (scene && this.#animation) this.#animation.replace(scene);
    else if (scene) {
      this.#animation = new Animation(this.canvas, scene);
      attachControls(this.#animation);
    }
    events.motion(motion, isFirst);
  }
}
