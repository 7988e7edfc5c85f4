// What happens in a worker: a model moves by a clock of its own, takes commands between steps and sends frames.

import { NodriftError } from "../../../ground/errors.js";
import { errorData } from "../messages/errors.js";
import { FrameSlot } from "../messages/frame.js";
import type { Commands, FromWorker, Line, ToWorker } from "../messages/messages.js";
import type { Drive } from "./drive.js";
import { FrameSender } from "./frame-sender.js";
import { type Maker, makeDrive } from "./make-drive.js";
import { valueReaders } from "./value-readers.js";

/** Time and timers of a thread: tests have their own. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Calls back once, after so many milliseconds; gives what cancels it. */
  after(milliseconds: number, call: () => void): () => void;
}

export const threadClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Milliseconds of delay that are made up for frame by frame. */
const CATCH_UP = 250;

/** Commands after which the page sees the new state before it is told that they are done. */
const SHOWN: ReadonlySet<keyof Commands> = new Set([
  "step",
  "restore",
  "rewind",
  "setState",
  "setNamedState",
]);

type Begin = Extract<ToWorker, { type: "begin" }>;
type Command = Extract<ToWorker, { type: "command" }>;

/** One model in one worker. */
export class Session {
  readonly #line: Line<FromWorker, ToWorker>;
  readonly #clock: Clock;
  readonly #own: Maker | undefined;
  #motion: Motion | undefined;
  #hasBegun = false;

  constructor(line: Line<FromWorker, ToWorker>, clock: Clock = threadClock, own?: Maker) {
    this.#line = line;
    this.#clock = clock;
    this.#own = own;
    line.listen((message) => this.#take(message));
  }

  #take(message: ToWorker | ArrayBuffer): void {
    if (message instanceof ArrayBuffer) this.#motion?.frames.takeBack(message);
    else if (message.type === "begin") void this.#begin(message);
    else if (message.type === "command") this.#motion?.command(message);
    else if (message.type === "read") this.#motion?.frames.takeBackSlot(message.slot);
    else this.#line.send({ type: "alive" });
  }

  async #begin({ source, run }: Begin): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    try {
      const drive = await makeDrive(source, run, this.#own);
      drive.paused = run.paused;
      if (run.from !== undefined) drive.restore(run.from);
      if (run.state !== undefined) drive.setNamedState(run.state);
      drive.hold();
      const readers = valueReaders(drive, run.values);
      const frames = new FrameSender(this.#line, drive, readers, run.shared);
      this.#motion = new Motion(this.#line, this.#clock, drive, frames, run.rate);
      const { name, method, bodies, joints } = drive;
      const about = { name, method, bodies: plainBodies(bodies), joints, ...frames.sizes };
      const { memory } = frames;
      this.#line.send({ type: "ready", about: { ...about, ...(memory && { memory }) } });
      this.#motion.start();
    } catch (error) {
      this.#line.send({ type: "failed", error: errorData(error) });
    }
  }
}

function plainBodies(bodies: Drive["bodies"]) {
  return bodies?.map(({ name, centre }) => ({ name, centre: Array.from(centre) }));
}

/**
 * A drive and its frames. Frame n is due at n / rate after the start and shows the state of that time, whenever its timer
 * rings: timers of browsers are late by a millisecond or four, and motion by what the clock says then would tremble by as
 * much. A thread that was held up makes the frames it owes one after the other, so that whoever plots or records them gets
 * all; of a delay of more than {@link CATCH_UP} frames are skipped, with their time simulated. Rejected: to skip whatever is
 * late. On a busy machine that was one frame of ten, for delays that nobody sees.
 */
class Motion {
  readonly frames: FrameSender;
  readonly #line: Line<FromWorker, ToWorker>;
  readonly #clock: Clock;
  readonly #drive: Drive;
  /** Milliseconds between frames. */
  readonly #period: number;
  #origin = 0;
  /** Frames that were due so far. */
  #due = 0;
  #cancel: () => void = () => {};
  #isOver = false;
  /** Whether something has changed that no frame shows. */
  #isChanged = true;
  #bodies: Drive["bodies"];
  #absent: Drive["absent"] = [];

  constructor(
    line: Line<FromWorker, ToWorker>,
    clock: Clock,
    drive: Drive,
    frames: FrameSender,
    rate: number,
  ) {
    this.#line = line;
    this.#clock = clock;
    this.#drive = drive;
    this.frames = frames;
    this.#period = 1000 / rate;
    this.#bodies = drive.bodies;
  }

  start(): void {
    this.#origin = this.#clock.now();
    this.#show(0, Number.NaN);
    this.#wait();
  }

  #wait(): void {
    const next = this.#origin + (this.#due + 1) * this.#period;
    this.#cancel = this.#clock.after(Math.max(0, next - this.#clock.now()), () => {
      this.#frame();
      this.#wait();
    });
  }

  /** The frames that are due; nothing where none is. */
  #frame(): void {
    const whole = Math.floor((this.#clock.now() - this.#origin) / this.#period + 1e-6);
    const owed = whole - this.#due;
    if (owed <= 0) return;
    this.#due = whole;
    if (this.#rests) {
      if (this.#isChanged) this.#look();
      return;
    }
    const each = Math.min(owed, Math.max(1, Math.round(CATCH_UP / this.#period)));
    this.frames.skip(owed - each);
    // What is skipped passes with the first.
    for (let i = 0; i < each && !this.#rests; i++) this.#pass(i === 0 ? owed - each + 1 : 1);
  }

  /** Whether no time passes. */
  get #rests(): boolean {
    return this.#drive.paused || this.#isOver;
  }

  /** Lets the time of some frames pass, and shows what has become of it. */
  #pass(periods: number): void {
    const drive = this.#drive;
    const from = this.#clock.now();
    let steps = 0;
    try {
      steps = drive.advance((periods * this.#period) / 1000);
    } catch (error) {
      // The state is that before the step: it waits there for commands.
      drive.paused = true;
      this.#show(0, Number.NaN);
      this.#line.send({ type: "error", error: errorData(error) });
      return;
    }
    this.#show(steps, (this.#clock.now() - from) / 1000 / steps);
    if (drive.over !== undefined) this.#end(drive.over);
  }

  /** Shows the present state, with no time passing. */
  #look(): void {
    const drive = this.#drive;
    const { paused } = drive;
    drive.paused = true;
    try {
      drive.advance(0);
    } finally {
      drive.paused = paused;
    }
    this.#show(0, Number.NaN);
  }

  #show(steps: number, cost: number): void {
    const { bodies, absent } = this.#drive;
    if (absent !== this.#absent) {
      if (absent.length + this.#absent.length > 0)
        this.#line.send({ type: "absent", names: absent });
      this.#absent = absent;
    }
    if (bodies !== this.#bodies && bodies !== undefined) {
      this.#bodies = bodies;
      this.#line.send({ type: "bodies", bodies: plainBodies(bodies)! });
    }
    this.#isChanged = false;
    this.frames.send(steps, cost);
  }

  #end(reason: string): void {
    this.#isOver = true;
    this.#line.send({ type: "end", time: this.#drive.reached, reason });
  }

  /** Between two steps: threads do one thing at a time. */
  command({ id, name, given }: Command): void {
    try {
      const value = this.#perform(name, given);
      this.frames.header[FrameSlot.COMMAND] = id;
      this.#isChanged = true;
      if (SHOWN.has(name)) {
        this.#isOver = false;
        this.frames.allowOne();
        this.#drive.hold();
        this.#show(0, Number.NaN);
      }
      this.#line.send({ type: "done", id, value });
    } catch (error) {
      this.#line.send({ type: "refused", id, error: errorData(error) });
    }
    // Timers wait while messages come: a flood of them stops no frame.
    if (this.#clock.now() >= this.#origin + (this.#due + 1) * this.#period) this.#frame();
  }

  #perform(name: keyof Commands, given: readonly unknown[]): unknown {
    const drive = this.#drive;
    switch (name) {
      case "pause":
        drive.paused = true;
        return undefined;
      case "resume":
        drive.paused = false;
        return undefined;
      case "speed":
        drive.clockSpeed = given[0] as number;
        return undefined;
      default: {
        const call = drive[name] as ((...all: readonly unknown[]) => unknown) | undefined;
        if (typeof call === "function") return call.apply(drive, given as unknown[]);
        throw new NodriftError("STEP", `a worker has no command "${String(name)}"`);
      }
    }
  }

  /** No more frames. */
  stop(): void {
    this.#cancel();
  }
}
