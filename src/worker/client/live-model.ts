// Watchdog of a worker. Browsers do not report that a worker was terminated: it just stops responding.

import { argument, callback, oneOf, show, whole } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type {
  GrabOptions,
  NamedState,
  PushOptions,
  RecordedRun,
  SettableValue,
} from "../../bodies.js";
import type { Snapshot, StateOptions } from "../../index.js";
import type { RigidBodyInfo } from "../../interfaces/index.js";
import type { Body } from "../../model/handles.js";
import { BodyTransforms, type Matrix4, writeMatrix } from "../../run/realtime/body-matrix.js";
import type { RunSnapshot } from "../../solve.js";
import {
  type Commands,
  errorOf,
  FrameSlot,
  type FromWorker,
  frameLength,
  frameViews,
  type ReadyData,
  type ToWorker,
} from "../messages/messages.js";
import type { WorkerHandle } from "./worker-handle.js";

// Listeners of a live model.

/** End of a motion. */
export interface LiveEnd {
  /** Simulated time of the end. */
  readonly time: number;
  /** "until", or the status of a run. */
  readonly reason: string;
}

/** Arguments of listeners, by event. */
export interface LiveEvents<L> {
  frame: L;
  error: Error;
  end: LiveEnd;
}

type Listener = (given: never) => void;

const EVENTS = oneOf("frame", "error", "end");

/** An asynchronous loop over frames. */
interface FrameListener {
  frame(): void;
  finish(error?: Error): void;
}

export class LiveListeners<L> {
  readonly #lists = {
    frame: new Set<Listener>(),
    error: new Set<Listener>(),
    end: new Set<Listener>(),
  };
  readonly #readers = new Set<FrameListener>();

  add<Type extends keyof LiveEvents<L>>(
    type: Type,
    listener: (given: LiveEvents<L>[Type]) => void,
  ): () => void {
    argument("on", "STEP", "the event", type, EVENTS);
    argument("on", "STEP", "the listener", listener, callback());
    const list = this.#lists[type];
    list.add(listener as Listener);
    return () => void list.delete(listener as Listener);
  }

  emit<Type extends keyof LiveEvents<L>>(type: Type, given: LiveEvents<L>[Type]): void {
    for (const listener of this.#lists[type]) (listener as (given: unknown) => void)(given);
    for (const reader of this.#readers) {
      if (type === "frame") reader.frame();
      else if (type === "end") reader.finish();
    }
  }

  /** Reports an error of a step, or the last error of a worker. */
  error(error: Error, isLast: boolean): void {
    const { error: list } = this.#lists;
    if (list.size === 0 && this.#readers.size === 0) {
      // Without a listener the error must not vanish.
      queueMicrotask(() => {
        throw error;
      });
    }
    for (const listener of list) (listener as (given: unknown) => void)(error);
    // Without a listener a failed step ends loops too: they would wait for a frame that never comes.
    if (isLast || list.size === 0) for (const reader of this.#readers) reader.finish(error);
  }

  /** Ends all loops over frames. */
  finish(): void {
    for (const reader of this.#readers) reader.finish();
  }

  iterate(live: L, isAlive: () => boolean): AsyncIterator<L, undefined> {
    return new FrameReader(live, isAlive, this.#readers);
  }
}

/** Asynchronous iterator that returns the latest frame. */
class FrameReader<L> implements AsyncIterator<L, undefined>, FrameListener {
  readonly #live: L;
  readonly #all: Set<FrameListener>;
  #isNew = false;
  #isOver: boolean;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(live: L, isAlive: () => boolean, all: Set<FrameListener>) {
    this.#live = live;
    this.#all = all;
    this.#isOver = !isAlive();
    all.add(this);
  }

  frame(): void {
    this.#isNew = true;
    this.#wake?.();
  }

  finish(error?: Error): void {
    this.#isOver = true;
    this.#error = error;
    this.#all.delete(this);
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<L, undefined>> {
    while (!this.#isNew && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#isNew) {
      this.#isNew = false;
      return { done: false, value: this.#live };
    }
    const error = this.#error;
    this.#error = undefined;
    if (error) throw error;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<L, undefined>> {
    this.finish();
    this.#isNew = false;
    return { done: true, value: undefined };
  }
}

/** Sends a command about a grip. */
type Send = (name: "moveTo" | "release", ...given: readonly unknown[]) => Promise<void>;

/**
 * A grabbed point of a body in a worker. Created by `grab` of a live model.
 *
 * @example
 * const grip = await live.grab("rod", [0, 0, -0.5], { maximumForce: 100 });
 * await grip.moveTo([1, 0, 0.3]);
 * await grip.release();
 */
export class LiveGrip {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /** Sets the target that the point is pulled towards, in the world. */
  moveTo(place: readonly number[] | Float64Array): Promise<void> {
    return this.#send("moveTo", place);
  }

  /** Releases the point. */
  release(): Promise<void> {
    return this.#send("release");
  }
}

/** Last state that a page received from a worker. */
export interface LastState {
  readonly time: number;
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/**
 * Reports that a worker ended unexpectedly or does not respond. Contains the last state it sent.
 *
 * @example
 * live.on("error", (error) => {
 *   if (error instanceof WorkerError) console.log(error.message, error.last.time);
 * });
 */
export class WorkerError extends NodriftError {
  /** Name of the class, for messages. */
  override readonly name = "WorkerError";

  constructor(
    message: string,
    /** State of the last frame. */
    readonly last: LastState,
    options?: ErrorOptions,
  ) {
    super("WORKER", message, options);
  }
}

/** Milliseconds between two pings. */
const PING_INTERVAL_MS = 1000;

/**
 * Pings every second and counts unanswered pings. Rejected: measuring time by a clock, which runs on while a computer
 * sleeps and no ping is sent.
 */
class Watchdog {
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #unanswered = 0;

  constructor(timeout: number, ping: () => void, onTimeout: () => void) {
    if (timeout === Number.POSITIVE_INFINITY) return;
    const limit = Math.max(1, (1000 * timeout) / PING_INTERVAL_MS);
    this.#timer = setInterval(() => {
      if (this.#unanswered >= limit) onTimeout();
      else {
        this.#unanswered++;
        ping();
      }
    }, PING_INTERVAL_MS);
    // Do not keep Node running for it.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Resets the count. Call after any message of the worker. */
  acknowledge(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** A part by its name or handle. */
type PartLike = string | { readonly name: string };
type Vector3 = readonly number[] | Float64Array;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Returns the name of a handle, by which the worker finds it; names of markers are prefixed by that of the body. */
function nameOf(given: PartLike): string {
  if (typeof given === "string") return given;
  const { name, body } = (given ?? {}) as { name: string; body?: { name: string } };
  return body === undefined ? name : `${body.name}:${name}`;
}

/**
 * A model that is simulated in a worker. Created by {@link spawn}. All values are those of the last frame received; `q`,
 * `v` and `values` stay the same arrays and are overwritten by each frame.
 *
 * Commands are executed between steps, in the order of the calls. Their promises are fulfilled in the same order; a
 * command that fails rejects its promise with the error of the model, and changes nothing.
 *
 * @example
 * const live = await spawn(text, { rate: 60 });
 * live.on("frame", () => live.matrix("crank", mesh.matrix.elements));
 * await live.set("spring", { stiffness: 3e4 });
 * live.dispose();
 */
export class LiveModel implements AsyncIterable<LiveModel> {
  /** Name of the model. */
  readonly name: string;
  /** Name of the method. */
  readonly method: string;
  /** Names of the bodies. */
  readonly bodies: readonly string[];
  /** Names of the joints and drives. */
  readonly joints: readonly string[];
  /** Positions to draw. */
  readonly q: Float64Array;
  /** Velocities to draw. */
  readonly v: Float64Array;
  /** The requested values, in the order of their names. */
  readonly values: Float64Array;
  readonly #names: readonly string[];
  readonly #handle: WorkerHandle;
  readonly #header = new Float64Array(FrameSlot.LENGTH);
  readonly #listeners = new LiveListeners<LiveModel>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #matrices: BodyTransforms | undefined;
  readonly #length: number;
  /** Frames in shared memory. */
  readonly #slots: readonly Float64Array[];
  readonly #watchdog: Watchdog;
  #rigidBodies: readonly RigidBodyInfo[] | undefined;
  #absent: readonly string[] = [];
  #commands = 0;
  #closedBy: Error | undefined;

  /** @internal */
  constructor(handle: WorkerHandle, about: ReadyData, names: readonly string[], timeout: number) {
    this.#handle = handle;
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
      about.bodies && new BodyTransforms(() => this.#rigidBodies ?? [], this.q, nameOf);
    this.#watchdog = new Watchdog(
      timeout,
      () => handle.send({ type: "ping" }),
      () =>
        this.#handleExit(
          `no response for ${timeout} s: a step or a user function takes that long, or the worker was terminated`,
        ),
    );
  }

  /** Whether frames are sent through shared memory instead of transferred buffers. */
  get shared(): boolean {
    return this.#slots.length > 0;
  }

  /** Joints and forces that the present mode lacks, since an event removed them. */
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

  /** Length of a step in seconds; the mean over the last frame if steps vary. */
  get stepLength(): number {
    return this.#header[FrameSlot.STEP]!;
  }

  /** Total number of steps. */
  get steps(): number {
    return this.#header[FrameSlot.STEPS]!;
  }

  /** Computing time per step of the last frame, in seconds; NaN if it took no step. */
  get costPerStep(): number {
    return this.#header[FrameSlot.COST]!;
  }

  /** Simulated seconds dropped because more steps were due than a frame may take. */
  get droppedTime(): number {
    return this.#header[FrameSlot.DROPPED_TIME]!;
  }

  /** Frames that were due but not sent: the worker was late, or the page had not read earlier frames. */
  get skippedFrames(): number {
    return this.#header[FrameSlot.SKIPPED]!;
  }

  /** Whether simulated time stands still. */
  get paused(): boolean {
    return this.#header[FrameSlot.PAUSED] === 1;
  }

  /** Number of commands, from the first on, whose effects the last frame shows. */
  get shownCommands(): number {
    return this.#header[FrameSlot.COMMAND]!;
  }

  /** Number of commands sent. */
  get commands(): number {
    return this.#commands;
  }

  /** Whether the worker runs and accepts commands. */
  get isAlive(): boolean {
    return this.#closedBy === undefined;
  }

  /**
   * Returns one of the requested values by its name.
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
      `value: unknown value ${show(name)}: those passed to spawn are ${this.#names.join(", ") || "none"}`,
    );
  }

  /** Writes the drawn pose of a body: the 4 x 4 matrix of its frame, column-major, as `matrix` of `realtime`. */
  matrix<M extends Matrix4>(body: string | number | Body, out: M, offset = 0): M {
    return writeMatrix(this.#matrices, body, out, offset);
  }

  /**
   * Adds a listener for "frame", "error" (a step failed, and the model is paused before it; or the worker ended) or
   * "end". Returns a function that removes it. Errors without a listener are thrown.
   *
   * @example
   * const off = live.on("error", (error) => show(error.message));
   */
  on<Type extends keyof LiveEvents<LiveModel>>(
    type: Type,
    listener: (given: LiveEvents<LiveModel>[Type]) => void,
  ): () => void {
    return this.#listeners.add(type, listener);
  }

  /**
   * Iterates over frames. Of frames that arrive while one is processed only the last is kept.
   *
   * @example
   * for await (const { time, q } of live) draw(time, q);
   */
  [Symbol.asyncIterator](): AsyncIterator<LiveModel, undefined> {
    return this.#listeners.iterate(this, () => this.#closedBy === undefined);
  }

  /**
   * Sets parameters and gravity, or values of a body, marker, joint or force by its name.
   *
   * @example
   * await live.set({ k: 3e4, gravity: [0, 0, -1.62] });
   * await live.set("crank", { mass: 3 });
   */
  set(parameters: Readonly<Record<string, SettableValue>>): Promise<void>;
  set(name: PartLike, values: Readonly<Record<string, SettableValue>>): Promise<void>;
  set(...given: readonly unknown[]): Promise<void> {
    const [first, ...more] = given;
    return this.#command("set", more.length === 0 ? [first] : [nameOf(first as PartLike), ...more]);
  }

  /** Pushes a body, as `push` of simulations does. */
  push(body: PartLike, options: PushOptions): Promise<void> {
    return this.#command("push", [nameOf(body), options]);
  }

  /**
   * Grabs a point of a body, to drag it.
   *
   * @example
   * const grip = await live.grab("rod", [0, 0, -0.5]);
   * canvas.onpointermove = (event) => grip.moveTo(placeOf(event));
   * canvas.onpointerup = () => grip.release();
   */
  async grab(body: PartLike, point: Vector3, options: GrabOptions = {}): Promise<LiveGrip> {
    const id = await this.#command<number>("grab", [nameOf(body), point, options]);
    return new LiveGrip((name, ...given) => this.#command(name, [id, ...given]));
  }

  /** Pauses simulated time. */
  pause(): Promise<void> {
    return this.#command("pause", []);
  }

  /** Resumes simulated time. */
  resume(): Promise<void> {
    return this.#command("resume", []);
  }

  /** Sets the speed in simulated seconds per real second. */
  speed(speed: number): Promise<void> {
    return this.#command("speed", [speed]);
  }

  /** Takes steps immediately, paused or not. The frame that shows them arrives before the promise is fulfilled. */
  step(count = 1): Promise<void> {
    return this.#command("step", [argument("step", "STEP", "count", count, whole(0))]);
  }

  /** Replaces the state, as `setState` of simulations does. */
  setState(q: ArrayLike<number>, v: ArrayLike<number>, options?: StateOptions): Promise<void> {
    return this.#command("setState", [q, v, options]);
  }

  /** Returns the state by the names of bodies and joints, also for another model or `state` of {@link spawn}. */
  namedState(): Promise<NamedState> {
    return this.#command("namedState", []);
  }

  /** Sets the state by names, as `setNamedState` of simulations does. */
  setNamedState(state: NamedState): Promise<void> {
    return this.#command("setNamedState", [state]);
  }

  /** Returns a snapshot for {@link restore}, here or in another worker, or for `from` of {@link spawn}. */
  save(): Promise<Snapshot | RunSnapshot> {
    return this.#command("save", []);
  }

  /** Restores a snapshot. */
  restore(snapshot: Snapshot | RunSnapshot): Promise<void> {
    return this.#command("restore", [snapshot]);
  }

  /** Rewinds to a time within the ring of snapshots, bitwise identical; needs `record`. */
  rewind(time: number): Promise<void> {
    return this.#command("rewind", [time]);
  }

  /** Returns the recording so far, for `replay` of simulations; needs `record`. */
  recorded(): Promise<RecordedRun> {
    return this.#command("recorded", []);
  }

  /** Terminates the worker. Pending commands are rejected. */
  dispose(): void {
    if (this.#closedBy) return;
    this.#close(new NodriftError("WORKER", "the live model has been disposed of"));
    this.#listeners.finish();
  }

  #command<T = void>(name: keyof Commands, given: readonly unknown[]): Promise<T> {
    if (this.#closedBy) return Promise.reject(this.#closedBy);
    const id = ++this.#commands;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      try {
        this.#handle.send({ type: "command", id, name, given });
      } catch (cause) {
        // The arguments cannot be cloned: nothing was sent.
        this.#waiting.delete(id);
        const reason = cause instanceof Error ? cause.message : String(cause);
        reject(
          new NodriftError("STEP", `${name}: only plain data can be sent: ${reason}`, { cause }),
        );
      }
    });
  }

  /** @internal Handles a message of the worker. */
  take(message: FromWorker | ArrayBuffer): void {
    if (this.#closedBy) return;
    this.#watchdog.acknowledge();
    if (message instanceof ArrayBuffer) this.#read(new Float64Array(message), message);
    else if (message.type === "frame") this.#readSlot(message.slot);
    else if (message.type === "done") this.#settle(message.id)?.resolve(message.value);
    else if (message.type === "refused") this.#settle(message.id)?.reject(errorOf(message.error));
    else if (message.type === "bodies") this.#rigidBodies = message.bodies;
    else if (message.type === "absent") this.#absent = message.names;
    else if (message.type === "error") this.#listeners.error(errorOf(message.error), false);
    else if (message.type === "end") {
      this.#listeners.emit("end", { time: message.time, reason: message.reason });
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

  /** Copies a frame, and returns its buffer before listeners are called. */
  #read(frame: Float64Array, back: ArrayBuffer | ToWorker): void {
    if (frame.length !== this.#length) return;
    let at = 0;
    for (const part of [this.#header, this.q, this.v, this.values]) {
      for (let i = 0; i < part.length; i++) part[i] = frame[at + i]!;
      at += part.length;
    }
    this.#handle.send(back);
    this.#listeners.emit("frame", this);
  }

  /** @internal Handles the end of the worker. */
  handleExit(reason: string, cause?: unknown): void {
    this.#handleExit(reason, cause);
  }

  #handleExit(reason: string, cause?: unknown): void {
    if (this.#closedBy) return;
    const last = { time: this.time, q: this.q.slice(), v: this.v.slice() };
    const error = new WorkerError(
      `the worker of ${show(this.name)} ended at t = ${this.time}: ${reason}`,
      last,
      { cause },
    );
    this.#close(error);
    this.#listeners.error(error, true);
  }

  #close(error: Error): void {
    this.#closedBy = error;
    this.#watchdog.stop();
    this.#handle.end();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}
