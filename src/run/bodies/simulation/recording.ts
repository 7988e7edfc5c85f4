// Actions on a simulation with the indices of the steps before which they occurred, sufficient to repeat the run.

import { argument, finite, needed, rule, type Shape, whole } from "../../../base/checking/index.js";
import { NodriftError } from "../../../base/errors.js";
import type { Simulation, StepObserver } from "../../stepping/simulation.js";
import type { Snapshot } from "../../stepping/snapshot.js";
import type { JointValues } from "../coordinates/joint-values.js";
import type { GripData, PushData } from "../external-loads/external-loads.js";

/** An action on a simulation, as plain data. */
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

/** An action and the number of steps taken before it. */
export type Command = Action & { readonly step: number };

/** A recorded run. Plain data, which can be cloned and stored. */
export interface RecordedRun {
  /** Snapshot at the start. */
  readonly start: Snapshot;
  /** Actions in order. */
  readonly commands: readonly Command[];
  /** Number of steps taken. */
  readonly steps: number;
}

/** Options of `record`. */
export interface RecordOptions {
  /** Steps between two snapshots. Default: 240. */
  readonly every?: number;
  /** Number of snapshots kept. The run can be rewound to the oldest. Default: 60. */
  readonly snapshots?: number;
}

export const RECORD_SHAPE: Shape<RecordOptions> = { every: whole(1), snapshots: whole(1) };

export const RUN_SHAPE: Shape<RecordedRun> = {
  start: needed(rule<Snapshot>("a snapshot", (value) => typeof value === "object")),
  commands: needed(rule<readonly Command[]>("a list of commands", Array.isArray)),
  steps: needed(whole(0)),
};

/** Operations of a simulation that a recording needs. */
type Recorded = Pick<Simulation, "time" | "save" | "restore" | "advance">;

/** Performs an action on a simulation without recording it. */
type Perform = (action: Action) => void;

interface SavedState {
  readonly snapshot: Snapshot;
  readonly time: number;
  readonly steps: number;
  /** Number of commands before it. */
  readonly commands: number;
}

/**
 * A recording of a simulation. Created by its method `record`.
 *
 * @example
 * const recording = simulation.record({ every: 240, snapshots: 60 });
 * simulation.advance(1000);
 * recording.rewind(2);              // back to t = 2, and on from there
 * const run = recording.stop();     // plain data
 * (await compile(m)).simulate({ step: 1 / 240 }).replay(run);
 */
export class Recording implements StepObserver {
  readonly #recorded: Recorded;
  readonly #perform: Perform;
  readonly #start: Snapshot;
  readonly #every: number;
  readonly #maxSnapshots: number;
  #commands: Command[] = [];
  #saved: SavedState[] = [];
  #steps = 0;
  #isRecording = true;
  readonly #onStop: () => void;

  constructor(
    recorded: Recorded,
    perform: Perform,
    { every = 240, snapshots = 60 }: RecordOptions,
    onStop: () => void,
  ) {
    this.#recorded = recorded;
    this.#perform = perform;
    this.#every = every;
    this.#maxSnapshots = snapshots;
    this.#onStop = onStop;
    this.#start = recorded.save();
    this.#saveSnapshot(this.#start);
  }

  /** Whether it is still recording. */
  get isOn(): boolean {
    return this.#isRecording;
  }

  /** Number of steps so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Earliest time to which {@link rewind} can return. */
  get earliest(): number {
    return this.#saved[0]!.time;
  }

  /** The run recorded so far. */
  get run(): RecordedRun {
    return { start: this.#start, commands: [...this.#commands], steps: this.#steps };
  }

  /** Stops the recording and returns the run. */
  stop(): RecordedRun {
    if (this.#isRecording) this.#onStop();
    this.#isRecording = false;
    return this.run;
  }

  /**
   * Returns to the last step that ended at or before a time, with the same bits. Later actions are discarded, and the
   * recording continues from there.
   */
  rewind(time: number): void {
    argument("rewind", "STEP", "the time", time, finite);
    const saved = this.#saved.filter((each) => each.time <= time).at(-1);
    if (!this.#isRecording || saved === undefined) {
      throw new NodriftError(
        "STEP",
        this.#isRecording
          ? `rewind: the time is ${time}; the snapshots go back to t = ${this.earliest}`
          : "rewind: the recording has been stopped",
      );
    }
    const later = this.#commands.slice(saved.commands);
    const end = this.#steps;
    this.#saved = this.#saved.slice(0, this.#saved.indexOf(saved) + 1);
    this.#commands = this.#commands.slice(0, saved.commands);
    this.#steps = saved.steps;
    this.#suspended(() => {
      this.#recorded.restore(saved.snapshot);
      this.#repeat(later, end, time);
    });
  }

  /** @internal Notes an action; call before it is performed. */
  note(action: Action): void {
    if (this.#isBusy) return;
    this.#commands.push({ ...action, step: this.#steps });
  }

  /** @internal Counts a step; called after it was taken. */
  stepped(): void {
    if (this.#isBusy) return;
    this.#steps++;
    if (this.#steps % this.#every === 0) this.#saveSnapshot(this.#recorded.save());
  }

  /** @internal Notes that a run to a time ends with a shorter step. */
  lastStep(until: number): void {
    this.note({ op: "runTo", until });
  }

  #isBusy = false;

  /** Performs an action without recording it. */
  #suspended(action: () => void): void {
    this.#isBusy = true;
    try {
      action();
    } finally {
      this.#isBusy = false;
    }
  }

  /** Repeats earlier steps with their commands, up to a time. */
  #repeat(commands: readonly Command[], end: number, time: number): void {
    let next = 0;
    for (;;) {
      for (; next < commands.length && commands[next]!.step === this.#steps; next++) {
        const command = commands[next]!;
        if (command.op === "runTo" && command.until > time) return;
        this.#perform(command);
        this.#commands.push(command);
      }
      if (this.#steps >= end) return;
      const before = this.#recorded.save();
      this.#recorded.advance(1);
      if (this.#recorded.time > time + 1e-12) {
        this.#recorded.restore(before);
        return;
      }
      this.#steps++;
    }
  }

  #saveSnapshot(snapshot: Snapshot): void {
    const { time } = this.#recorded;
    const commands = this.#commands.length;
    this.#saved.push({ snapshot, time, steps: this.#steps, commands });
    if (this.#saved.length > this.#maxSnapshots) this.#saved.shift();
  }
}

/** Repeats a recorded run. */
export function replayRun(
  recorded: Recorded,
  perform: Perform,
  { start, commands, steps }: RecordedRun,
): void {
  recorded.restore(start);
  let stepsTaken = 0;
  for (const command of commands) {
    if (!(command.step >= stepsTaken))
      throw new NodriftError("STEP", "replay: commands are out of order");
    recorded.advance(command.step - stepsTaken);
    stepsTaken = command.step;
    perform(command);
  }
  recorded.advance(steps - stepsTaken);
}
