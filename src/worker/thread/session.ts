// Session in a worker: runs a model by its own clock, executes commands between steps and sends frames.

import { NodriftError } from "../../base/errors.js";
import type { BodyState } from "../../bodies.js";
import { parseStateFormula } from "../../files/index.js";
import type { ModelData } from "../../model/model-data.js";
import type { Channel, Commands, FromWorker, ToWorker } from "../messages/messages.js";
import {
  errorData,
  type FrameSizes,
  FrameSlot,
  frameLength,
  frameViews,
} from "../messages/messages.js";
import { createRunner, type ModelFactory, type ModelRunner } from "./model-runner.js";

// Values that a page requested by formulas, in the syntax of outputs in model files.

/** Model data of a system without bodies, which still has an energy and constraint errors. */
const NO_BODIES = { name: "", bodies: [], joints: [], markers: [], forces: [], userForces: [] };

/** Returns functions that evaluate the formulas at the present state. */
function valueReaders(runner: ModelRunner, formulas: readonly string[]): (() => number)[] {
  const data = (runner.data ?? NO_BODIES) as unknown as ModelData;
  return formulas.map((text) => {
    const { read } = parseStateFormula(text, data);
    return () => {
      try {
        // A simulation has the accessors of a state.
        return read(runner.motion.state as BodyState);
      } catch (error) {
        // Not available now, such as reactions in a singular pose: NaN, and the motion continues.
        if (error instanceof NodriftError) return Number.NaN;
        throw error;
      }
    };
  });
}

// Frames sent to the page and returned: a small pool of buffers.

/** Frames in the pool: one being filled, one in transit, one being read; the rest absorb delays. */
const POOL_SIZE = 16;

/** Storage of a frame: a transferable buffer, or a slot of the shared memory. */
interface FrameBuffer {
  readonly numbers: Float64Array;
  readonly slot?: number;
}

/** Fills frames and sends them. */
class FrameSender {
  readonly sizes: FrameSizes;
  /** Memory of all frames, if they are shared. */
  readonly memory: SharedArrayBuffer | undefined;
  /** Header of the next frame. */
  readonly header = new Float64Array(FrameSlot.LENGTH);
  readonly #channel: Channel<FromWorker, ToWorker>;
  readonly #runner: ModelRunner;
  readonly #readers: readonly (() => number)[];
  readonly #length: number;
  readonly #free: FrameBuffer[] = [];
  readonly #slots: readonly FrameBuffer[];

  constructor(
    channel: Channel<FromWorker, ToWorker>,
    runner: ModelRunner,
    readers: readonly (() => number)[],
    shared: boolean,
  ) {
    this.#channel = channel;
    this.#runner = runner;
    this.#readers = readers;
    this.sizes = {
      positions: runner.motion.q.length,
      velocities: runner.motion.v.length,
      values: readers.length,
    };
    this.#length = frameLength(this.sizes);
    this.memory = shared ? sharedMemory(8 * this.#length * POOL_SIZE) : undefined;
    this.#slots = this.memory ? frameViews(this.memory, this.#length).map(slotBuffer) : [];
    for (let i = 0; i < POOL_SIZE; i++) this.#free.push(this.#slots[i] ?? this.#buffer());
  }

  #buffer(): FrameBuffer {
    return { numbers: new Float64Array(this.#length) };
  }

  /** Returns a buffer from the page to the pool. Buffers sent in addition to shared memory are dropped. */
  recycle(buffer: ArrayBuffer): void {
    const isOurs = this.memory === undefined && buffer.byteLength === 8 * this.#length;
    if (isOurs && this.#free.length < POOL_SIZE)
      this.#free.push({ numbers: new Float64Array(buffer) });
  }

  /** Returns a slot of the shared memory to the pool after the page has read it. */
  recycleSlot(slot: number): void {
    const target = this.#slots[slot];
    if (target && !this.#free.includes(target)) this.#free.push(target);
  }

  /** Ensures that the next frame is sent even if the page holds all buffers. */
  allowOne(): void {
    if (this.#free.length === 0) this.#free.push(this.#buffer());
  }

  /** Counts skipped frames. */
  skip(count: number): void {
    this.header[FrameSlot.SKIPPED] = this.header[FrameSlot.SKIPPED]! + count;
  }

  /** Sends a frame of the present state; skips it if the page holds all buffers. */
  send(steps: number, cost: number): void {
    const { header } = this;
    header[FrameSlot.STEPS] = header[FrameSlot.STEPS]! + steps;
    const target = this.#free.pop();
    if (target === undefined) {
      this.skip(1);
      return;
    }
    const { motion, reached, droppedTime } = this.#runner;
    header[FrameSlot.NUMBER] = header[FrameSlot.NUMBER]! + 1;
    header[FrameSlot.TIME] = motion.time;
    header[FrameSlot.REACHED] = reached;
    header[FrameSlot.STEP] = motion.stepLength;
    header[FrameSlot.DROPPED_TIME] = droppedTime;
    header[FrameSlot.COST] = steps > 0 ? cost : Number.NaN;
    header[FrameSlot.PAUSED] = motion.paused ? 1 : 0;
    const { numbers: frame, slot } = target;
    frame.set(header);
    frame.set(motion.q, FrameSlot.LENGTH);
    frame.set(motion.v, FrameSlot.LENGTH + this.sizes.positions);
    const at = this.#length - this.#readers.length;
    for (let i = 0; i < this.#readers.length; i++) frame[at + i] = this.#readers[i]!();
    this.#channel.send(
      slot === undefined ? (frame.buffer as ArrayBuffer) : { type: "frame", slot },
    );
  }
}

function slotBuffer(numbers: Float64Array, slot: number): FrameBuffer {
  return { numbers, slot };
}

/** Allocates shared memory; undefined if the page is not cross-origin isolated. */
function sharedMemory(bytes: number): SharedArrayBuffer | undefined {
  if (typeof SharedArrayBuffer !== "function" || globalThis.crossOriginIsolated === false) {
    return undefined;
  }
  return new SharedArrayBuffer(bytes);
}

/** Time and timers of a thread; tests replace them. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Calls `call` once after a delay in milliseconds; returns a function that cancels it. */
  after(milliseconds: number, call: () => void): () => void;
}

export const threadClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Longest delay in milliseconds after which all overdue frames are sent; beyond it frames are skipped. */
const MAX_CATCH_UP_MS = 250;

/** Commands that send a frame of the new state before their reply. */
const SHOWN_FIRST: ReadonlySet<keyof Commands> = new Set([
  "step",
  "restore",
  "rewind",
  "setState",
  "setNamedState",
]);

type Begin = Extract<ToWorker, { type: "begin" }>;
/** One model in one worker. */
export class Session {
  readonly #channel: Channel<FromWorker, ToWorker>;
  readonly #clock: Clock;
  readonly #own: ModelFactory | undefined;
  #motion: LiveMotion | undefined;
  #hasBegun = false;

  constructor(
    channel: Channel<FromWorker, ToWorker>,
    clock: Clock = threadClock,
    own?: ModelFactory,
  ) {
    this.#channel = channel;
    this.#clock = clock;
    this.#own = own;
    channel.listen((message) => this.#take(message));
  }

  #take(message: ToWorker | ArrayBuffer): void {
    if (message instanceof ArrayBuffer) this.#motion?.frames.recycle(message);
    else if (message.type === "begin") void this.#begin(message);
    else if (message.type === "command") this.#motion?.command(message);
    else if (message.type === "read") this.#motion?.frames.recycleSlot(message.slot);
    else this.#channel.send({ type: "alive" });
  }

  async #begin({ source, run }: Begin): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    try {
      const runner = await createRunner(source, run, this.#own);
      runner.motion.paused = run.paused;
      if (run.from !== undefined) runner.perform("restore", [run.from]);
      if (run.state !== undefined) runner.perform("setNamedState", [run.state]);
      runner.hold();
      const readers = valueReaders(runner, run.values);
      const frames = new FrameSender(this.#channel, runner, readers, run.shared);
      this.#motion = new LiveMotion(this.#channel, this.#clock, runner, frames, run.rate);
      const { name, method, bodies, joints } = runner;
      const about = { name, method, bodies: plainBodies(bodies), joints, ...frames.sizes };
      const { memory } = frames;
      this.#channel.send({ type: "ready", about: { ...about, ...(memory && { memory }) } });
      this.#motion.start();
    } catch (error) {
      this.#channel.send({ type: "failed", error: errorData(error) });
    }
  }
}

function plainBodies(bodies: ModelRunner["bodies"]) {
  return bodies?.map(({ name, centre }) => ({ name, centre: Array.from(centre) }));
}

/**
 * Advances a runner and sends its frames. Frame n is due at n / rate after the start and shows the state of that time,
 * whenever its timer fires: browser timers are one to four milliseconds late, and motion by the clock would jitter by as
 * much. After a delay overdue frames are sent one after the other, so that plots and recordings get all of them; beyond
 * {@link MAX_CATCH_UP_MS} frames are skipped, but their time is simulated. Rejected: skipping every late frame. On a busy
 * machine that dropped one frame in ten, for delays too short to see.
 */
class LiveMotion {
  readonly frames: FrameSender;
  readonly #channel: Channel<FromWorker, ToWorker>;
  readonly #clock: Clock;
  readonly #runner: ModelRunner;
  /** Milliseconds between frames. */
  readonly #period: number;
  #origin = 0;
  /** Frames that were due so far. */
  #due = 0;
  #isOver = false;
  /** Whether the state has changed since the last frame. */
  #isChanged = true;
  #bodies: ModelRunner["bodies"];
  #absent: ModelRunner["absent"] = [];

  constructor(
    channel: Channel<FromWorker, ToWorker>,
    clock: Clock,
    runner: ModelRunner,
    frames: FrameSender,
    rate: number,
  ) {
    this.#channel = channel;
    this.#clock = clock;
    this.#runner = runner;
    this.frames = frames;
    this.#period = 1000 / rate;
    this.#bodies = runner.bodies;
  }

  start(): void {
    this.#origin = this.#clock.now();
    this.#show(0, Number.NaN);
    this.#wait();
  }

  #wait(): void {
    const next = this.#origin + (this.#due + 1) * this.#period;
    this.#clock.after(Math.max(0, next - this.#clock.now()), () => {
      this.#sendDue();
      this.#wait();
    });
  }

  /** Sends the frames that are due, if any. */
  #sendDue(): void {
    const due = Math.floor((this.#clock.now() - this.#origin) / this.#period + 1e-6);
    const owed = due - this.#due;
    if (owed <= 0) return;
    this.#due = due;
    if (this.#isIdle) {
      if (this.#isChanged) this.#showPresent();
      return;
    }
    const frames = Math.min(owed, Math.max(1, Math.round(MAX_CATCH_UP_MS / this.#period)));
    this.frames.skip(owed - frames);
    // The time of skipped frames is simulated with the first one.
    for (let i = 0; i < frames && !this.#isIdle; i++)
      this.#simulate(i === 0 ? owed - frames + 1 : 1);
  }

  /** Whether simulated time stands still. */
  get #isIdle(): boolean {
    return this.#runner.motion.paused || this.#isOver;
  }

  /** Advances the simulation by some frame periods and sends a frame. */
  #simulate(periods: number): void {
    const runner = this.#runner;
    const from = this.#clock.now();
    let steps = 0;
    try {
      steps = runner.advance((periods * this.#period) / 1000);
    } catch (error) {
      // The state is that before the failed step: wait there for commands.
      runner.motion.paused = true;
      this.#show(0, Number.NaN);
      this.#channel.send({ type: "error", error: errorData(error) });
      return;
    }
    this.#show(steps, (this.#clock.now() - from) / 1000 / steps);
    if (runner.over !== undefined) this.#end(runner.over);
  }

  /** Sends a frame of the present state without advancing time. */
  #showPresent(): void {
    const { motion } = this.#runner;
    const { paused } = motion;
    motion.paused = true;
    try {
      motion.advance(0);
    } finally {
      motion.paused = paused;
    }
    this.#show(0, Number.NaN);
  }

  #show(steps: number, cost: number): void {
    const { bodies, absent } = this.#runner;
    if (absent !== this.#absent) {
      if (absent.length + this.#absent.length > 0)
        this.#channel.send({ type: "absent", names: absent });
      this.#absent = absent;
    }
    if (bodies !== this.#bodies && bodies !== undefined) {
      this.#bodies = bodies;
      this.#channel.send({ type: "bodies", bodies: plainBodies(bodies)! });
    }
    this.#isChanged = false;
    this.frames.send(steps, cost);
  }

  #end(reason: string): void {
    this.#isOver = true;
    this.#channel.send({ type: "end", time: this.#runner.reached, reason });
  }

  /** Executes a command. Messages arrive between steps, never within one. */
  command({ id, name, given }: Extract<ToWorker, { type: "command" }>): void {
    try {
      const value = this.#runner.perform(name, given);
      this.frames.header[FrameSlot.COMMAND] = id;
      this.#isChanged = true;
      if (SHOWN_FIRST.has(name)) {
        this.#isOver = false;
        this.frames.allowOne();
        this.#runner.hold();
        this.#show(0, Number.NaN);
      }
      this.#channel.send({ type: "done", id, value });
    } catch (error) {
      this.#channel.send({ type: "refused", id, error: errorData(error) });
    }
    // Timers may starve while messages arrive, so due frames are sent here too.
    if (this.#clock.now() >= this.#origin + (this.#due + 1) * this.#period) this.#sendDue();
  }
}
