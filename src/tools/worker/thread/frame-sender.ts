// Buffers on their way to the page and back: a few of them, used again and again.

import { type FrameSizes, FrameSlot, frameLength } from "../messages/frame.js";
import type { FromWorker, Line, ToWorker } from "../messages/messages.js";
import type { Drive } from "./drive.js";

/** One is filled, one is on its way, one is read; the fourth is for a page that is late once. */
const BUFFERS = 4;

/** Fills frames and sends them. */
export class FrameSender {
  readonly sizes: FrameSizes;
  /** Beginning of each frame, as it is now. */
  readonly header = new Float64Array(FrameSlot.LENGTH);
  readonly #line: Line<FromWorker, ToWorker>;
  readonly #drive: Drive;
  readonly #readers: readonly (() => number)[];
  readonly #length: number;
  readonly #free: ArrayBuffer[] = [];

  constructor(line: Line<FromWorker, ToWorker>, drive: Drive, readers: readonly (() => number)[]) {
    this.#line = line;
    this.#drive = drive;
    this.#readers = readers;
    this.sizes = {
      positions: drive.q.length,
      velocities: drive.v.length,
      values: readers.length,
    };
    this.#length = frameLength(this.sizes);
    for (let i = 0; i < BUFFERS; i++) this.#free.push(this.#buffer());
  }

  #buffer(): ArrayBuffer {
    return new ArrayBuffer(Float64Array.BYTES_PER_ELEMENT * this.#length);
  }

  /** From the page. */
  takeBack(buffer: ArrayBuffer): void {
    if (buffer.byteLength === 8 * this.#length && this.#free.length < BUFFERS) {
      this.#free.push(buffer);
    }
  }

  /** The next frame goes even where the page holds all buffers. */
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
    const buffer = this.#free.pop();
    if (buffer === undefined) {
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
    const frame = new Float64Array(buffer);
    frame.set(header);
    frame.set(drive.q, FrameSlot.LENGTH);
    frame.set(drive.v, FrameSlot.LENGTH + this.sizes.positions);
    const at = this.#length - this.#readers.length;
    for (let i = 0; i < this.#readers.length; i++) frame[at + i] = this.#readers[i]!();
    this.#line.send(buffer);
  }
}
