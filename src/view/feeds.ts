// Adapters from sources to feeds; sources are distinguished by their members.

import { normalised, rotationOf, subtract, threeAt, times } from "../base/algebra/vectors.js";
import { show } from "../base/checking/index.js";
import { NodriftError } from "../base/errors.js";
import type {
  BodySimulation,
  BodyState,
  CompiledModel,
  Model,
  ModelData,
  NamedNumber,
} from "../bodies.js";
import { rateFor } from "../draw/controls.js";
import { AbsentParts, absencesOf, framesOf } from "../draw/frames.js";
import { Motion, writePose } from "../draw/motion.js";
import type { Frames } from "../draw/scene-data.js";
import type { Realtime, Run, Solution } from "../solve.js";
import type { Feed, LiveSource, Readings, ViewSource, WorkerSource } from "./feed.js";

// Preview: a simulation runs briefly and is restored, so that the picture has room for the coming motion.

/** Maximum simulated seconds, steps and real milliseconds of a preview. */
const PREVIEW_S = 2;
const MAX_PREVIEW_STEPS = 600;
const MAX_PREVIEW_MS = 120;
/** Number of sampled poses. */
const PREVIEW_POSES = 60;

/** Calls `each` at poses of a preview. If the preview fails, the poses seen so far are used. */
function runPreview(simulation: BodySimulation, each: () => void): void {
  const before = simulation.save();
  const steps = Math.min(MAX_PREVIEW_STEPS, Math.ceil(PREVIEW_S / simulation.step));
  const stride = Math.max(1, Math.floor(steps / PREVIEW_POSES));
  const until = performance.now() + MAX_PREVIEW_MS;
  try {
    for (let taken = 0; taken < steps && performance.now() < until; taken += stride) {
      each();
      simulation.advance(stride);
    }
    each();
  } catch {
    // Ignored: the real run will report the same error.
  } finally {
    simulation.restore(before);
  }
}

/** Ignores the rejection of a command: the worker reports errors to its own listeners. */
function ignoreRejection(command: Promise<unknown>): void {
  command.catch(() => undefined);
}

/** Whether a source is a live model of a worker. */
function isWorkerSource(source: object): source is WorkerSource {
  return ["pause", "resume", "speed", "save", "restore"].every(
    (name) => typeof (source as Readonly<Record<string, unknown>>)[name] === "function",
  );
}

// A model without motion, at its initial poses.

class StaticFeed implements Feed {
  readonly span = undefined;
  readonly moves = false;
  readonly hasSpeed = false;
  readonly frames: Frames;
  isPlaying = false;
  speed = 1;

  constructor(
    readonly data: ModelData,
    readonly time: number,
    positions: readonly number[],
    orientations: readonly number[],
  ) {
    this.frames = { times: [time], positions, orientations, lengthUnit: "m", timeUnit: "s" };
  }

  /** Creates the feed of a compiled model in its assembled state, or of plain data with the given poses. */
  static of(source: CompiledModel | ModelData): StaticFeed {
    if (!("simulate" in source)) {
      const { bodies } = source;
      const positions = bodies.flatMap(({ position }) => [...position]);
      return new StaticFeed(
        source,
        0,
        positions,
        bodies.flatMap(({ orientation }) => [...orientation]),
      );
    }
    const { data, q, time } = source;
    const orientations = data.bodies.map((_, i) =>
      normalised([...q.subarray(7 * i + 3, 7 * i + 7)]),
    );
    // q contains centres of mass, frames their origins.
    const positions = data.bodies.flatMap(({ centre }, i) => [
      ...subtract(threeAt(q, 7 * i), times(rotationOf(orientations[i]!), centre)),
    ]);
    return new StaticFeed(data, time, positions, orientations.flat());
  }

  advance(): void {}

  matrices(out: Float32Array | Float64Array, offset: number): void {
    const { positions, orientations } = this.frames;
    for (let i = 0; i < this.data.bodies.length; i++) {
      const orientation = [0, 1, 2, 3].map((k) => orientations[4 * i + k]!);
      writePose(
        [0, 1, 2].map((k) => positions[3 * i + k]!),
        orientation,
        out,
        offset + 16 * i,
      );
    }
  }

  readings(): undefined {
    return undefined;
  }

  parameters(): readonly NamedNumber[] {
    return [];
  }
}

// A solution: the motion is known, so any time can be shown.

/** Pause at the end before the motion repeats, in real seconds. */
const END_PAUSE_S = 0.7;

class SolutionFeed implements Feed {
  readonly moves = true;
  readonly hasSpeed = true;
  readonly span: readonly [number, number];
  isPlaying = false;
  /** Simulated time per real second. */
  speed: number;
  time: number;
  readonly frames: Frames;
  readonly #solution: Solution<BodyState>;
  readonly #motion: Motion;
  readonly #order: readonly number[];
  #waited = 0;

  constructor(
    solution: Solution<BodyState>,
    readonly data: ModelData,
  ) {
    this.#solution = solution;
    this.frames = framesOf(solution.states(), data, {
      events: solution.events,
      absences: absencesOf(solution),
    });
    this.#motion = Motion.of(this.frames);
    this.span = [this.#motion.start, this.#motion.end];
    this.time = this.#motion.start;
    this.speed = rateFor(this.#motion.end - this.#motion.start);
    const numbers = Array.from(solution.time, (_, i) => i);
    // A run backward in time is shown forward.
    this.#order = solution.time[0]! > solution.time.at(-1)! ? numbers.reverse() : numbers;
  }

  advance(seconds: number): void {
    if (!this.isPlaying) return;
    const [start, end] = this.span;
    if (this.time < end) {
      this.time = Math.min(end, this.time + Math.min(0.1, seconds) * this.speed);
      return;
    }
    this.#waited += seconds;
    if (this.#waited < END_PAUSE_S) return;
    this.#waited = 0;
    this.time = start;
  }

  matrices(out: Float32Array | Float64Array, offset: number): void {
    this.#motion.moveTo(this.time);
    const { matrices } = this.#motion;
    out.set(matrices.subarray(16, 16 * (this.data.bodies.length + 1)), offset);
  }

  readonly step = (count: number): void => {
    this.time = this.#motion.neighbour(this.time, count);
  };

  readonly rewind = (): void => {
    this.time = this.span[0];
  };

  readonly seek = (time: number): void => {
    this.time = Math.min(this.span[1], Math.max(this.span[0], time));
  };

  /** Returns the last stored state not later than the present time. */
  readings(): Readings {
    const { time } = this.#solution;
    let [low, high] = [0, this.#order.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (time[this.#order[middle]!]! <= this.time) low = middle;
      else high = middle - 1;
    }
    return this.#solution.state(this.#order[low]!);
  }

  readonly history = (most: number) => {
    const stride = Math.max(1, Math.ceil(this.#order.length / most));
    return this.#order
      .filter((_, i) => i % stride === 0)
      .map((index) => ({ time: this.#solution.time[index]!, at: this.#solution.state(index) }));
  };

  parameters(): readonly NamedNumber[] {
    return [];
  }
}

// A simulation that the view steps in real time.

/** Milliseconds of computing per frame; beyond it the motion slows down, so that the page stays responsive. */
const FRAME_BUDGET_MS = 12;
/** Longest delay that is caught up, in real seconds, for instance after a page was in the background. */
const MAX_CATCH_UP_S = 0.1;

/** The clock of a simulation in a view. */
class SimulationClock {
  paused = true;
  speed = 1;
  #due = 0;

  constructor(readonly simulation: BodySimulation) {}

  get state(): BodySimulation {
    return this.simulation;
  }

  get time(): number {
    return this.simulation.time;
  }

  advance(seconds: number): void {
    if (this.paused) return;
    const { step } = this.simulation;
    this.#due += Math.min(seconds, MAX_CATCH_UP_S) * this.speed;
    const until = performance.now() + FRAME_BUDGET_MS;
    while (this.#due >= step) {
      this.simulation.advance();
      this.#due -= step;
      if (performance.now() > until) this.#due = Math.min(this.#due, step);
    }
  }

  step(count: number): void {
    this.simulation.advance(count);
  }

  reset(): void {
    this.#due = 0;
  }

  matrix(index: number, out: Float32Array | Float64Array, offset: number): void {
    const { position, orientation } = this.simulation.body(this.simulation.bodies[index]!);
    writePose(position, orientation, out, offset);
  }
}

/** A simulation by the clock of the view, or by that of a realtime loop; or an adaptive run by that of its loop. */
type ViewLoop = SimulationClock | Realtime<BodySimulation> | Realtime<Run<BodyState>>;

class LoopFeed implements Feed {
  readonly span = undefined;
  readonly moves = true;
  readonly frames = undefined;
  readonly hasSpeed: boolean;
  readonly rewind: Feed["rewind"];
  readonly preview: Feed["preview"];
  readonly grab: Feed["grab"];
  readonly set: Feed["set"];
  readonly #loop: ViewLoop;
  readonly #autoAdvance: boolean;
  readonly #given: ModelData;
  readonly #simulation: BodySimulation | undefined;
  readonly #absent: AbsentParts | undefined;

  constructor(loop: ViewLoop, data: ModelData, autoAdvance: boolean) {
    this.#loop = loop;
    this.#autoAdvance = autoAdvance;
    this.#given = data;
    this.hasSpeed = autoAdvance || !(loop instanceof SimulationClock);
    if (!("grab" in loop.simulation)) {
      this.#absent = new AbsentParts(loop.simulation);
      return;
    }
    const { simulation } = loop;
    this.#simulation = simulation;
    const start = simulation.save();
    // Parameters keep their values.
    this.rewind = () => {
      const values = Object.fromEntries(this.parameters().map(({ name, value }) => [name, value]));
      simulation.restore(start);
      if (Object.keys(values).length > 0) simulation.set(values);
      loop.reset();
    };
    if (autoAdvance) {
      this.preview = (each) => {
        runPreview(simulation, () => {
          loop.reset();
          each();
        });
        loop.reset();
      };
    }
    this.grab = (body, point, options) => simulation.grab(body, point, options);
    this.set = (values) => void simulation.set(values);
  }

  get data(): ModelData {
    return this.#simulation?.data ?? this.#given;
  }

  get absent(): readonly string[] | undefined {
    return this.#absent?.names;
  }

  get time(): number {
    return this.#loop.time;
  }

  get isPlaying(): boolean {
    return !this.#loop.paused;
  }

  set isPlaying(isPlaying: boolean) {
    this.#loop.paused = !isPlaying;
  }

  get speed(): number {
    return this.#loop.speed;
  }

  set speed(speed: number) {
    this.#loop.speed = speed;
  }

  advance(seconds: number): void {
    if (this.#autoAdvance) this.#loop.advance(seconds);
  }

  readonly step = (count: number): void => {
    if (count <= 0) return;
    this.#loop.step(count);
    this.#loop.reset();
  };

  matrices(out: Float32Array | Float64Array, offset: number): void {
    for (let i = 0; i < this.data.bodies.length; i++) this.#loop.matrix(i, out, offset + 16 * i);
  }

  readings(): Readings {
    return this.#loop.state as BodySimulation | BodyState;
  }

  parameters(): readonly NamedNumber[] {
    return this.#simulation?.parameters ?? [];
  }
}

// A live source, which advances independently of the view. Settings of a live model in a worker become commands that take
// effect some frames later; here they are stored immediately, so that buttons do not flicker.

class LiveFeed implements Feed {
  readonly span = undefined;
  readonly moves = true;
  readonly frames = undefined;
  readonly hasSpeed: boolean;
  readonly step: Feed["step"];
  readonly rewind: Feed["rewind"];
  readonly grab: Feed["grab"];
  readonly set: Feed["set"];
  readonly #live: LiveSource | WorkerSource;
  /** The source itself, unless it is in a worker. */
  readonly #own: LiveSource | undefined;
  readonly #given: ModelData;
  #isPlaying = true;
  #speed = 1;

  constructor(live: LiveSource | WorkerSource, data: ModelData) {
    this.#live = live;
    this.#given = data;
    this.hasSpeed = "speed" in live;
    const [theirs, ours] = [live.bodies.length, data.bodies.length];
    if (theirs !== ours) {
      throw new NodriftError(
        "DESCRIPTION",
        `view: the source has ${theirs} bodies and the model ${ours}: they must be the same`,
      );
    }
    if (live.grab) this.grab = (body, point, options) => live.grab!(body, point, options);
    if (isWorkerSource(live)) {
      this.#isPlaying = !live.paused;
      const start = live.save();
      ignoreRejection(start);
      this.step = (count) => {
        if (count > 0) ignoreRejection(live.step());
      };
      this.rewind = () => ignoreRejection(start.then((saved) => live.restore(saved as never)));
      return;
    }
    this.#own = live;
    if (live.step) this.step = (count) => void (count > 0 && live.step?.());
    if (live.rewind) this.rewind = () => void live.rewind?.();
    if (live.set) this.set = (values) => void live.set?.(values);
  }

  get data(): ModelData {
    return this.#own?.data ?? this.#given;
  }

  get time(): number {
    return this.#live.time;
  }

  get isPlaying(): boolean {
    return this.#own?.paused === undefined ? this.#isPlaying : !this.#own.paused;
  }

  set isPlaying(isPlaying: boolean) {
    const isOther = isPlaying !== this.#isPlaying;
    this.#isPlaying = isPlaying;
    if (isWorkerSource(this.#live)) {
      if (isOther) ignoreRejection(isPlaying ? this.#live.resume() : this.#live.pause());
    } else if ("paused" in this.#live) this.#live.paused = !isPlaying;
  }

  get speed(): number {
    return this.#own?.speed ?? this.#speed;
  }

  set speed(speed: number) {
    this.#speed = speed;
    if (isWorkerSource(this.#live)) ignoreRejection(this.#live.speed(speed));
    else if (this.hasSpeed) this.#live.speed = speed;
  }

  advance(): void {}

  matrices(out: Float32Array | Float64Array, offset: number): void {
    for (let i = 0; i < this.#given.bodies.length; i++) this.#live.matrix(i, out, offset + 16 * i);
  }

  get absent(): readonly string[] | undefined {
    return this.#live.absent;
  }

  /** Returns the source itself if it provides values of its parts. */
  readings(): Readings | undefined {
    const live = this.#live as object as Partial<Readings>;
    return live.body && live.joint && live.force ? (live as Readings) : undefined;
  }

  parameters(): readonly NamedNumber[] {
    return this.#own?.parameters ?? [];
  }
}

/** Source of a model description. */
export type ModelInput = Model | CompiledModel | ModelData;

const KINDS =
  "a simulation, a realtime loop, a solution, a model, a compiled model, or an object with bodies, time and matrix";

/** Returns the feed of a source. `autoAdvance`: whether the view advances it. */
export function feedOf(
  source: ViewSource,
  model: ModelInput | undefined,
  autoAdvance: boolean,
): Feed {
  const can = (...names: readonly string[]) =>
    typeof source === "object" && source !== null && names.every((name) => name in source);
  if (can("states", "state", "statistics")) {
    const solution = source as Solution<BodyState>;
    return new SolutionFeed(solution, dataFor(solution.source, model));
  }
  if (can("simulation", "advance", "matrix")) {
    const loop = source as Realtime<BodySimulation>;
    const { simulation } = loop;
    const whole = "source" in simulation ? simulation.source : simulation;
    return new LoopFeed(loop, dataFor(whole, model), autoAdvance);
  }
  if (can("runTo", "advance", "grab")) {
    const simulation = source as BodySimulation;
    return new LoopFeed(new SimulationClock(simulation), simulation.data, autoAdvance);
  }
  if (can("matrix", "bodies", "time")) {
    return new LiveFeed(source as LiveSource | WorkerSource, dataFor(source, model));
  }
  if (can("simulate", "data", "q")) return StaticFeed.of(source as CompiledModel);
  if (can("data", "calls")) return StaticFeed.of((source as Model).data());
  throw new NodriftError("DESCRIPTION", `view: the source is ${show(source)}; give ${KINDS}`);
}

/** Returns the model data of a source. */
function dataFor(source: unknown, model: ModelInput | undefined): ModelData {
  const found = model ?? (source as { readonly data?: ModelInput["name"] | ModelData }).data;
  const data = typeof found === "object" && found !== null && "data" in found ? found.data : found;
  const plain = typeof data === "function" ? data() : data;
  if (typeof plain === "object" && plain !== null && "bodies" in plain) return plain as ModelData;
  throw new NodriftError(
    "DESCRIPTION",
    "view: this source does not provide its model: pass it as the option `model`",
  );
}
