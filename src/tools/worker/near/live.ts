import type {
  GrabOptions,
  NamedState,
  PushOptions,
  RecordedRun,
  SettableValue,
} from "../../../bodies.js";
import type { Body } from "../../../describe/model/handles.js";
import { argument, show, whole } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import type { Snapshot, StateOptions } from "../../../index.js";
import { BodyMatrices, type Matrix4, writeMatrix } from "../../../run/realtime/body-matrix.js";
import type { RigidBodyInfo } from "../../../seam/index.js";
import type { RunSnapshot } from "../../../solve.js";
import { errorOf } from "../messages/errors.js";
import { FrameSlot, frameLength, frameViews } from "../messages/frame.js";
import type { Commands, FromWorker, ReadyData, ToWorker } from "../messages/messages.js";
import type { Host } from "./host.js";
import { LiveGrip } from "./live-grip.js";
import { type LiveEvents, LiveListeners } from "./live-listeners.js";
import { Watchdog } from "./watchdog.js";
import { WorkerError } from "./worker-error.js";

/** What can be pushed and grabbed: a body, by its name or handle. */
type Named = string | { readonly name: string };
type Vector3 = readonly number[] | Float64Array;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Handles are known by their names to the model in the worker; those of markers have the body's before them. */
function nameOf(given: Named): string {
  if (typeof given === "string") return given;
  const { name, body } = (given ?? {}) as { name: string; body?: { name: string } };
  return body === undefined ? name : `${body.name}:${name}`;
}

/**
 * A model that moves in a worker. Made by {@link spawn}. Numbers are those of the last frame that came; `q`, `v` and
 * `values` are the same arrays for ever, and hold new numbers with each frame.
 *
 * Commands are done between steps, in the order in which they were given. Their promises are fulfilled in the same order;
 * what is refused rejects its own promise with the error of the model, and changes nothing.
 *
 * @example
 * const live = await spawn(text, { rate: 60 });
 * live.on("frame", () => live.matrix("crank", mesh.matrix.elements));
 * await live.set("spring", { stiffness: 3e4 });
 * live.dispose();
 */
export class Live implements AsyncIterable<Live> {
  /** Name of the model. */
  readonly name: string;
  /** The method in words. */
  readonly method: string;
  /** Names of the bodies. */
  readonly bodies: readonly string[];
  /** Names of the joints and drives. */
  readonly joints: readonly string[];
  /** Positions to draw. */
  readonly q: Float64Array;
  /** Velocities to draw. */
  readonly v: Float64Array;
  /** The numbers that were asked for, in the order of their names. */
  readonly values: Float64Array;
  readonly #names: readonly string[];
  readonly #host: Host;
  readonly #header = new Float64Array(FrameSlot.LENGTH);
  readonly #listeners = new LiveListeners<Live>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #matrices: BodyMatrices | undefined;
  readonly #length: number;
  /** Frames in memory that the worker has too. */
  readonly #slots: readonly Float64Array[];
  readonly #watchdog: Watchdog;
  #rigidBodies: readonly RigidBodyInfo[] | undefined;
  #absent: readonly string[] = [];
  #commands = 0;
  #gone: Error | undefined;

  /** @internal */
  constructor(host: Host, about: ReadyData, names: readonly string[], patience: number) {
    this.#host = host;
    this.name = about.name;
    this.method = about.method;
    this.#rigidBodies = about.bodies;
    this.bodies = about.bodies?.map(({ name }) => name) ?? [];
    this.joints = about.joints;
    this.q = new Float64Array(about.positions);
    this.v = new Float64Array(about.velocities);
    this.values = new Float64Array(about.values);
    this.#names = names;
    this.#length = frameLength(about);
    this.#slots = about.memory ? frameViews(about.memory, this.#length) : [];
    this.#matrices =
      about.bodies && new BodyMatrices(() => this.#rigidBodies ?? [], this.q, nameOf);
    this.#watchdog = new Watchdog(
      patience,
      () => host.send({ type: "ping" }),
      () =>
        this.#die(
          `it has not answered for ${patience} s: a step or a function of yours takes that long, or it was ended`,
        ),
    );
  }

  /** Whether frames come through memory that the worker has too, and not in buffers that are handed over. */
  get shared(): boolean {
    return this.#slots.length > 0;
  }

  /** Joints and forces that the present mode lacks: what an event took away. */
  get absent(): readonly string[] {
    return this.#absent;
  }

  /** Time of the state that is drawn. */
  get time(): number {
    return this.#header[FrameSlot.TIME]!;
  }

  /** Time that the simulation has reached: up to a step later. */
  get reached(): number {
    return this.#header[FrameSlot.REACHED]!;
  }

  /** Number of the last frame, from 1. */
  get frame(): number {
    return this.#header[FrameSlot.NUMBER]!;
  }

  /** Length of a step in seconds; the mean of the last ones where they vary. */
  get stepLength(): number {
    return this.#header[FrameSlot.STEP]!;
  }

  /** Steps taken in all. */
  get steps(): number {
    return this.#header[FrameSlot.STEPS]!;
  }

  /** Seconds of computing for each step of the last frame; NaN where it took none. */
  get costPerStep(): number {
    return this.#header[FrameSlot.COST]!;
  }

  /** Simulated seconds that were dropped: more steps were due than a frame may take. */
  get lag(): number {
    return this.#header[FrameSlot.LAG]!;
  }

  /** Frames that were due and never came: the worker was late, or the page had not read those before. */
  get skippedFrames(): number {
    return this.#header[FrameSlot.SKIPPED]!;
  }

  /** Whether no time passes. */
  get paused(): boolean {
    return this.#header[FrameSlot.PAUSED] === 1;
  }

  /** Commands whose effects the last frame shows: the first so many that were given. */
  get shownCommands(): number {
    return this.#header[FrameSlot.COMMAND]!;
  }

  /** Commands that were given. */
  get commands(): number {
    return this.#commands;
  }

  /** Whether it runs and takes commands. */
  get isAlive(): boolean {
    return this.#gone === undefined;
  }

  /**
   * One of the numbers that were asked for, by its name.
   *
   * @example
   * const live = await spawn(text, { values: { height: "z('hook')", load: "force('rope')" } });
   * live.on("frame", () => plot(live.time, live.value("load")));
   */
  value(name: string): number {
    const index = this.#names.indexOf(name);
    if (index >= 0) return this.values[index]!;
    throw new NodriftError(
      "DESCRIPTION",
      `value: there is no ${show(name)}: spawn was asked for ${this.#names.join(", ") || "none"}`,
    );
  }

  /** Writes where a body is drawn: the matrix of its frame, 4 x 4 by columns, as `matrix` of `realtime`. */
  matrix<M extends Matrix4>(body: string | number | Body, out: M, offset = 0): M {
    return writeMatrix(this.#matrices, body, out, offset);
  }

  /**
   * Calls back at each "frame"; at an "error", of a step that failed (the model is paused in the state before it) or of a
   * worker that died; at the "end". Gives a function that ends it. Errors that nobody listens to are thrown.
   *
   * @example
   * const off = live.on("error", (error) => show(error.message));
   */
  on<Type extends keyof LiveEvents<Live>>(
    type: Type,
    listener: (given: LiveEvents<Live>[Type]) => void,
  ): () => void {
    return this.#listeners.add(type, listener);
  }

  /**
   * Frame after frame; those that come while one is worked on are passed over, but for the last.
   *
   * @example
   * for await (const { time, q } of live) draw(time, q);
   */
  [Symbol.asyncIterator](): AsyncIterator<Live, undefined> {
    return this.#listeners.iterate(this, () => this.#gone === undefined);
  }

  /**
   * Changes numbers: parameters and gravity, or those of a body, marker, joint or force by its name.
   *
   * @example
   * await live.set({ k: 3e4, gravity: [0, 0, -1.62] });
   * await live.set("crank", { mass: 3 });
   */
  set(parameters: Readonly<Record<string, SettableValue>>): Promise<void>;
  set(name: Named, values: Readonly<Record<string, SettableValue>>): Promise<void>;
  set(...given: readonly unknown[]): Promise<void> {
    const [first, ...more] = given;
    return this.#ask("set", more.length === 0 ? [first] : [nameOf(first as Named), ...more]);
  }

  /** Pushes a body, as `push` of simulations. */
  push(body: Named, options: PushOptions): Promise<void> {
    return this.#ask("push", [nameOf(body), options]);
  }

  /**
   * Takes hold of a point of a body, to drag it.
   *
   * @example
   * const grip = await live.grab("rod", [0, 0, -0.5]);
   * canvas.onpointermove = (event) => grip.moveTo(placeOf(event));
   * canvas.onpointerup = () => grip.release();
   */
  async grab(body: Named, point: Vector3, options: GrabOptions = {}): Promise<LiveGrip> {
    const id = await this.#ask<number>("grab", [nameOf(body), point, options]);
    return new LiveGrip((name, ...given) => this.#ask(name, [id, ...given]));
  }

  /** Stops the clock. */
  pause(): Promise<void> {
    return this.#ask("pause", []);
  }

  /** Lets time pass again. */
  resume(): Promise<void> {
    return this.#ask("resume", []);
  }

  /** Sets how many simulated seconds pass in a real one. */
  speed(speed: number): Promise<void> {
    return this.#ask("speed", [speed]);
  }

  /** Takes steps at once, paused or not; the frame that shows them comes before the promise is fulfilled. */
  step(count = 1): Promise<void> {
    return this.#ask("step", [argument("step", "STEP", "count", count, whole(0))]);
  }

  /** Replaces the state, as `setState` of simulations. */
  setState(q: ArrayLike<number>, v: ArrayLike<number>, options?: StateOptions): Promise<void> {
    return this.#ask("setState", [q, v, options]);
  }

  /** The state by the names of bodies and joints: for another model too, or `state` of {@link spawn}. */
  namedState(): Promise<NamedState> {
    return this.#ask("namedState", []);
  }

  /** Takes over a state by names, as `setNamedState` of simulations. */
  setNamedState(state: NamedState): Promise<void> {
    return this.#ask("setNamedState", [state]);
  }

  /** A copy of everything: for {@link restore}, here or in another worker, or `from` of {@link spawn}. */
  save(): Promise<Snapshot | RunSnapshot> {
    return this.#ask("save", []);
  }

  /** Goes back to what was saved. */
  restore(snapshot: Snapshot | RunSnapshot): Promise<void> {
    return this.#ask("restore", [snapshot]);
  }

  /** Goes back to a time within the ring of snapshots, with the same bits; needs `record`. */
  rewind(time: number): Promise<void> {
    return this.#ask("rewind", [time]);
  }

  /** What has been recorded so far, for `replay` of simulations; needs `record`. */
  recorded(): Promise<RecordedRun> {
    return this.#ask("recorded", []);
  }

  /** Ends the worker. Commands that wait are rejected. */
  dispose(): void {
    if (this.#gone) return;
    this.#leave(new NodriftError("WORKER", "the live model has been disposed of"));
    this.#listeners.finish();
  }

  #ask<T = void>(name: keyof Commands, given: readonly unknown[]): Promise<T> {
    if (this.#gone) return Promise.reject(this.#gone);
    const id = ++this.#commands;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      try {
        this.#host.send({ type: "command", id, name, given });
      } catch (cause) {
        // What cannot be cloned: nothing was sent.
        this.#waiting.delete(id);
        const reason = cause instanceof Error ? cause.message : String(cause);
        reject(
          new NodriftError("STEP", `${name}: only plain data can be sent: ${reason}`, { cause }),
        );
      }
    });
  }

  /** @internal A message of the worker. */
  take(message: FromWorker | ArrayBuffer): void {
    if (this.#gone) return;
    this.#watchdog.heard();
    if (message instanceof ArrayBuffer) this.#read(new Float64Array(message), message);
    else if (message.type === "frame") this.#readSlot(message.slot);
    else if (message.type === "done") this.#settle(message.id)?.resolve(message.value);
    else if (message.type === "refused") this.#settle(message.id)?.reject(errorOf(message.error));
    else if (message.type === "bodies") this.#rigidBodies = message.bodies;
    else if (message.type === "absent") this.#absent = message.names;
    else if (message.type === "error") this.#listeners.error(errorOf(message.error), false);
    else if (message.type === "end") {
      this.#listeners.tell("end", { time: message.time, reason: message.reason });
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #readSlot(slot: number): void {
    const frame = this.#slots[slot];
    if (frame) this.#read(frame, { type: "read", slot });
  }

  /** Copies the numbers of a frame, and gives it back before anybody looks at them. */
  #read(frame: Float64Array, back: ArrayBuffer | ToWorker): void {
    if (frame.length !== this.#length) return;
    let at = 0;
    for (const part of [this.#header, this.q, this.v, this.values]) {
      for (let i = 0; i < part.length; i++) part[i] = frame[at + i]!;
      at += part.length;
    }
    this.#host.send(back);
    this.#listeners.tell("frame", this);
  }

  /** @internal The worker is no more. */
  die(reason: string, cause?: unknown): void {
    this.#die(reason, cause);
  }

  #die(reason: string, cause?: unknown): void {
    if (this.#gone) return;
    const last = { time: this.time, q: this.q.slice(), v: this.v.slice() };
    const error = new WorkerError(
      `the worker of ${show(this.name)} died at t = ${this.time}: ${reason}`,
      last,
      { cause },
    );
    this.#leave(error);
    this.#listeners.error(error, true);
  }

  #leave(error: Error): void {
    this.#gone = error;
    this.#watchdog.stop();
    this.#host.end();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}
