// Frames on their way to the page and back: a few of them, used again and again.

import { type FrameSizes, FrameSlot, frameLength, frameViews } from "../messages/frame.js";
import type { FromWorker, Line, ToWorker } from "../messages/messages.js";
import type { Drive } from "./drive.js";

/** One is filled, one is on its way, one is read; the others are for a page, or a worker, that is late. */
const BUFFERS = 16;

/** Where a frame is written: a buffer that is handed over, or a part of the memory of both threads. */
interface Place {
  readonly numbers: Float64Array;
  readonly slot?: number;
}

/** Fills frames and sends them. */
export class FrameSender {
  readonly sizes: FrameSizes;
  /** What both threads have, if frames go through it. */
  readonly memory: SharedArrayBuffer | undefined;
  /** Beginning of each frame, as it is now. */
  readonly header = new Float64Array(FrameSlot.LENGTH);
  readonly #line: Line<FromWorker, ToWorker>;
  readonly #drive: Drive;
  readonly #readers: readonly (() => number)[];
  readonly #length: number;
  readonly #free: Place[] = [];
  readonly #slots: readonly Place[];

  constructor(
    line: Line<FromWorker, ToWorker>,
    drive: Drive,
    readers: readonly (() => number)[],
    shared: boolean,
  ) {
    this.#line = line;
    this.#drive = drive;
    this.#readers = readers;
    this.sizes = {
      positions: drive.q.length,
      velocities: drive.v.length,
      values: readers.length,
    };
    this.#length = frameLength(this.sizes);
    this.memory = shared ? sharedMemory(8 * this.#length * BUFFERS) : undefined;
    this.#slots = this.memory ? frameViews(this.memory, this.#length).map(slotPlace) : [];
    for (let i = 0; i < BUFFERS; i++) this.#free.push(this.#slots[i] ?? this.#buffer());
  }

  #buffer(): Place {
    return { numbers: new Float64Array(this.#length) };
  }

  /** A buffer from the page; one that went beside the memory is not used again. */
  takeBack(buffer: ArrayBuffer): void {
    const isOurs = this.memory === undefined && buffer.byteLength === 8 * this.#length;
    if (isOurs && this.#free.length < BUFFERS)
      this.#free.push({ numbers: new Float64Array(buffer) });
  }

  /** The page has read a part of the memory. */
  takeBackSlot(slot: number): void {
    const place = this.#slots[slot];
    if (place && !this.#free.includes(place)) this.#free.push(place);
  }

  /** The next frame goes even where the page holds all of them. */
  allowOne(): void {
    if (this.#free.length === 0) this.#free.push(this.#buffer());
  }

  /** Frames that came too late. */
  skip(count: number): void {
    this.header[FrameSlot.SKIPPED] = this.header[FrameSlot.SKIPPED]! + count;
  }

  /** Sends a frame of the present state; skips it where the page has not read those before. */
  send(steps: number, cost: number): void {
    const { header } = this;
    header[FrameSlot.STEPS] = header[FrameSlot.STEPS]! + steps;
    const place = this.#free.pop();
    if (place === undefined) {
      this.skip(1);
      return;
    }
    const drive = this.#drive;
    header[FrameSlot.NUMBER] = header[FrameSlot.NUMBER]! + 1;
    header[FrameSlot.TIME] = drive.time;
    header[FrameSlot.REACHED] = drive.reached;
    header[FrameSlot.STEP] = drive.stepLength;
    header[FrameSlot.LAG] = drive.lag;
    header[FrameSlot.COST] = steps > 0 ? cost : Number.NaN;
    header[FrameSlot.PAUSED] = drive.paused ? 1 : 0;
    const { numbers: frame, slot } = place;
    frame.set(header);
    frame.set(drive.q, FrameSlot.LENGTH);
    frame.set(drive.v, FrameSlot.LENGTH + this.sizes.positions);
    const at = this.#length - this.#readers.length;
    for (let i = 0; i < this.#readers.length; i++) frame[at + i] = this.#readers[i]!();
    this.#line.send(slot === undefined ? (frame.buffer as ArrayBuffer) : { type: "frame", slot });
  }
}

function slotPlace(numbers: Float64Array, slot: number): Place {
  return { numbers, slot };
}

/** Undefined where a page is not isolated: it has no such memory, or may not send it. */
function sharedMemory(bytes: number): SharedArrayBuffer | undefined {
  if (typeof SharedArrayBuffer !== "function" || globalThis.crossOriginIsolated === false) {
    return undefined;
  }
  return new SharedArrayBuffer(bytes);
}
