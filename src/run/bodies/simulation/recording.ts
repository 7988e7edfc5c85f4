// What was done to a simulation, with the numbers of the steps before which it was done: enough to do it again.

import {
  argument,
  finite,
  needed,
  rule,
  type Shape,
  whole,
} from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import type { Snapshot } from "../../stepping/snapshot.js";
import type { JointValues } from "../coordinates/joint-values.js";
import type { GripData, PushData } from "../hands/hand.js";

/** One thing that was done, as plain data. */
export type Action =
  | { readonly op: "set"; readonly settings: object }
  | { readonly op: "push"; readonly push: PushData }
  | { readonly op: "grab"; readonly grip: GripData }
  | { readonly op: "move"; readonly id: number; readonly target: readonly number[] }
  | { readonly op: "release"; readonly id: number }
  | { readonly op: "setStep"; readonly length: number }
  | { readonly op: "runTo"; readonly until: number }
  | { readonly op: "restore"; readonly snapshot: Snapshot }
  | {
      readonly op: "setState";
      readonly q: readonly number[];
      readonly v: readonly number[];
      readonly options: object;
    }
  | { readonly op: "setCoordinates"; readonly joints: JointValues };

/** An action and the number of steps that were taken before it. */
export type Command = Action & { readonly step: number };

/** A recorded run: plain data, which can be cloned and stored. */
export interface RecordedRun {
  /** Where it begins. */
  readonly start: Snapshot;
  /** What was done, in order. */
  readonly commands: readonly Command[];
  /** Steps that were taken. */
  readonly steps: number;
}

/** Options of `record`. */
export interface RecordOptions {
  /** Steps between two snapshots. Default: 240. */
  readonly every?: number;
  /** Snapshots that are kept: the run can be rewound to the oldest. Default: 60. */
  readonly snapshots?: number;
}

export const RECORD_SHAPE: Shape<RecordOptions> = { every: whole(1), snapshots: whole(1) };

export const RUN_SHAPE: Shape<RecordedRun> = {
  start: needed(rule<Snapshot>("a snapshot", (value) => typeof value === "object")),
  commands: needed(rule<readonly Command[]>("a list of commands", Array.isArray)),
  steps: needed(whole(0)),
};

/** What a recording needs of its simulation. */
export interface Recorded {
  readonly time: number;
  save(): Snapshot;
  restore(snapshot: Snapshot): void;
  advance(count: number): unknown;
  perform(action: Action): void;
}

interface Kept {
  readonly snapshot: Snapshot;
  readonly time: number;
  readonly steps: number;
  /** Commands before it. */
  readonly commands: number;
}

/**
 * A simulation that is being recorded. Made by `record` of a simulation.
 *
 * @example
 * const recording = simulation.record({ every: 240, snapshots: 60 });
 * simulation.advance(1000);
 * recording.rewind(2);              // back to t = 2, and on from there
 * const run = recording.stop();     // plain data
 * (await compile(m)).simulate({ step: 1 / 240 }).replay(run);
 */
export class Recording {
  readonly #of: Recorded;
  readonly #start: Snapshot;
  readonly #every: number;
  readonly #most: number;
  #commands: Command[] = [];
  #ring: Kept[] = [];
  #steps = 0;
  #isOn = true;
  readonly #leave: () => void;

  constructor(of: Recorded, { every = 240, snapshots = 60 }: RecordOptions, leave: () => void) {
    this.#of = of;
    this.#every = every;
    this.#most = snapshots;
    this.#leave = leave;
    this.#start = of.save();
    this.#keep(this.#start);
  }

  /** Whether it goes on. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Steps so far. */
  get steps(): number {
    return this.#steps;
  }

  /** The earliest time that {@link rewind} can go back to. */
  get earliest(): number {
    return this.#ring[0]!.time;
  }

  /** What has been recorded so far. */
  get run(): RecordedRun {
    return { start: this.#start, commands: [...this.#commands], steps: this.#steps };
  }

  /** Ends it; gives what was recorded. */
  stop(): RecordedRun {
    if (this.#isOn) this.#leave();
    this.#isOn = false;
    return this.run;
  }

  /**
   * Goes back to the last step that ended at or before a time, with the same bits. What was done later is forgotten; the
   * recording goes on from there.
   */
  rewind(time: number): void {
    argument("rewind", "STEP", "the time", time, finite);
    const kept = this.#ring.filter((each) => each.time <= time).at(-1);
    if (!this.#isOn || kept === undefined) {
      throw new NodriftError(
        "STEP",
        this.#isOn
          ? `rewind: the time is ${time}; the snapshots go back to t = ${this.earliest}`
          : "rewind: the recording has been stopped",
      );
    }
    const later = this.#commands.slice(kept.commands);
    const end = this.#steps;
    this.#ring = this.#ring.slice(0, this.#ring.indexOf(kept) + 1);
    this.#commands = this.#commands.slice(0, kept.commands);
    this.#steps = kept.steps;
    this.#suspended(() => {
      this.#of.restore(kept.snapshot);
      this.#again(later, end, time);
    });
  }

  /** @internal Before a command. */
  note(action: Action): void {
    if (this.#isBusy) return;
    this.#commands.push({ ...action, step: this.#steps });
  }

  /** @internal Steps until the next snapshot. */
  get due(): number {
    return this.#isBusy ? Number.POSITIVE_INFINITY : this.#every - (this.#steps % this.#every);
  }

  /** @internal After steps. */
  count(steps: number): void {
    if (this.#isBusy) return;
    this.#steps += steps;
    if (steps > 0 && this.#steps % this.#every === 0) this.#keep(this.#of.save());
  }

  #isBusy = false;

  /** Does it without recording it. */
  #suspended(action: () => void): void {
    this.#isBusy = true;
    try {
      action();
    } finally {
      this.#isBusy = false;
    }
  }

  /** Takes the steps of before again, with their commands, up to a time. */
  #again(commands: readonly Command[], end: number, time: number): void {
    let next = 0;
    for (;;) {
      for (; next < commands.length && commands[next]!.step === this.#steps; next++) {
        const command = commands[next]!;
        if (command.op === "runTo" && command.until > time) return;
        this.#of.perform(command);
        this.#commands.push(command);
      }
      if (this.#steps >= end) return;
      const before = this.#of.save();
      this.#of.advance(1);
      if (this.#of.time > time + 1e-12) {
        this.#of.restore(before);
        return;
      }
      this.#steps++;
    }
  }

  #keep(snapshot: Snapshot): void {
    const { time } = this.#of;
    const commands = this.#commands.length;
    this.#ring.push({ snapshot, time, steps: this.#steps, commands });
    if (this.#ring.length > this.#most) this.#ring.shift();
  }
}

/** Does everything of a recorded run again. */
export function replayRun(of: Recorded, { start, commands, steps }: RecordedRun): void {
  of.restore(start);
  let taken = 0;
  for (const command of commands) {
    if (!(command.step >= taken))
      throw new NodriftError("STEP", "replay: commands are out of order");
    of.advance(command.step - taken);
    taken = command.step;
    of.perform(command);
  }
  of.advance(steps - taken);
}
