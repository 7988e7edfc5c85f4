// A model and its motion, in the thread: the motion is told as it grows, at ever longer intervals.

import type { BodyState, CompiledModel } from "nodrift/bodies";
import { type ModelFile, parseMethod, readModel, unitOf } from "nodrift/files";
import { type Run, type Solution, type SolveOptions, start } from "nodrift/solve";
import { Curves } from "./curves.js";
import type { Answer, Choice, FileRequest, RunFacts, RunRequest } from "./protocol.js";
import { drawn } from "./scene.js";

/** States of an animation. */
const FRAMES = 601;
/** Milliseconds of computing before the thread looks for newer requests. */
const SLICE = 12;
/** Milliseconds till a motion that is not complete is told for the first time; then twice as long, and so on. */
const FIRST = 16;
/** Seconds that a run may take: a page that is left open should not compute for ever. */
const PATIENCE = 120;

interface Compiled {
  readonly text: string;
  readonly file: ModelFile;
  readonly system: CompiledModel;
}

interface Finished extends Compiled {
  readonly solution: Solution<BodyState>;
}

export class Simulator {
  readonly #tell: (answer: Answer) => void;
  #latest = 0;
  #compiled: Compiled | undefined;
  #finished: Finished | undefined;

  constructor(tell: (answer: Answer) => void) {
    this.#tell = tell;
  }

  /** Runs a model; gives up as soon as there is a newer request. */
  async run(request: RunRequest): Promise<void> {
    const { id, text, choice, quantities } = request;
    this.#latest = id;
    const compiled = await this.#compile(text);
    if (this.#latest !== id) return;
    const { file, system } = compiled;
    const options = optionsOf(compiled, choice);
    const { bodies, joints } = file.model.data();
    const { degreesOfFreedom, notes } = system.report;
    this.#tell({ kind: "problems", id, marks: [] });
    this.#tell({
      kind: "model",
      id,
      facts: {
        name: file.name,
        bodies: bodies.length,
        joints: joints.length,
        degreesOfFreedom,
        notes,
        span: options.span as readonly [number, number],
        method: file.settings.solve?.method,
      },
    });
    const curves = new Curves(file, quantities, options.span[0]);
    const run = start(system, options);
    if (await this.#advance(id, run, curves, compiled)) {
      this.#finished = { ...compiled, solution: run.solution() };
    }
  }

  /** A file of the last motion that was completed. */
  async file({ id, format }: FileRequest): Promise<Answer> {
    const finished = this.#finished;
    if (!finished) throw new Error("there is no motion yet");
    const { fileOf } = await import("./downloads.js");
    return { kind: "file", id, ...fileOf(format, finished) };
  }

  async #compile(text: string): Promise<Compiled> {
    if (this.#compiled?.text === text) return this.#compiled;
    const file = readModel(text);
    const system = await file.compile({ maximumSeconds: 20 });
    this.#compiled = { text, file, system };
    return this.#compiled;
  }

  /** Whether the run came to its end. */
  async #advance(id: number, run: Run<BodyState>, curves: Curves, of: Compiled): Promise<boolean> {
    const began = performance.now();
    let [next, computed] = [FIRST, 0];
    for (let goesOn = true; goesOn; ) {
      const from = performance.now();
      let [now, steps] = [from, 0];
      while (goesOn && now - from < SLICE) {
        goesOn = run.step();
        curves.step(run.time);
        steps++;
        now = performance.now();
      }
      computed += now - from;
      curves.cost(run.time, (1000 * (now - from)) / steps);
      if (!goesOn || now - began > next) {
        this.#show(id, run, curves, of, computed, !goesOn);
        next = 2 * (performance.now() - began);
      }
      if (goesOn) await pause();
      if (this.#latest !== id) return false;
    }
    return true;
  }

  #show(
    id: number,
    run: Run<BodyState>,
    curves: Curves,
    { file }: Compiled,
    milliseconds: number,
    isDone: boolean,
  ): void {
    const solution = run.solution();
    if (solution.length === 0) return;
    curves.read(solution);
    this.#tell({
      kind: "motion",
      id,
      scene: drawn(file, solution),
      plots: curves.plots(),
      facts: factsOf(solution, file, milliseconds, isDone),
      isDone,
      refused: curves.refused,
    });
  }
}

function optionsOf({ file, system }: Compiled, choice: Choice): SolveOptions<CompiledModel> {
  const { method, step, tolerance, until } = choice;
  const { solve } = file.settings;
  const span = [solve?.span[0] ?? 0, until ?? solve?.span[1] ?? 10] as const;
  const asked = file.solveOptions(system, {
    span,
    ...(method !== undefined && parseMethod(method)),
    ...(step !== undefined && { step }),
    ...(tolerance !== undefined && { tolerance }),
    maximumSeconds: Math.min(PATIENCE, solve?.maximumSeconds ?? PATIENCE),
  });
  // A step of the file belongs to its method, and would make others take it too.
  const { step: own, ...others } = asked;
  const isKept = own !== undefined && (step !== undefined || method === undefined);
  const output = { times: timesOf(span, isKept ? own : undefined) };
  return { ...others, ...(isKept && { step: own }), output };
}

/** Times of frames: where steps end, if they have one length, so that none is shortened for a picture. */
function timesOf([from, to]: readonly [number, number], step: number | undefined): number[] {
  const even = (to - from) / (FRAMES - 1);
  const gap = step === undefined ? even : Math.max(1, Math.round(Math.abs(even) / step)) * step;
  const count = Math.floor(Math.abs((to - from) / gap) + 1e-9) + 1;
  const times = Array.from(
    { length: count },
    (_, i) => from + Math.sign(to - from) * i * Math.abs(gap),
  );
  if (Math.abs(times.at(-1)! - to) > 1e-9 * Math.abs(gap)) times.push(to);
  else times[times.length - 1] = to;
  return times;
}

function factsOf(
  solution: Solution<BodyState>,
  file: ModelFile,
  milliseconds: number,
  isDone: boolean,
): RunFacts {
  const { method, methodReason, status, reason, statistics, notes } = solution;
  const { steps, maximumDrift, energyError, energyChange } = statistics;
  return {
    method,
    reason: isDone ? reason : methodReason,
    status,
    steps,
    drift: maximumDrift.position,
    energy: Number.isNaN(energyError) ? energyChange : energyError,
    isEnergyKept: !Number.isNaN(energyError),
    energyUnit: unitOf("energy", file.settings.units),
    milliseconds,
    perStep: (1000 * milliseconds) / Math.max(1, steps),
    notes,
  };
}

const channel = new MessageChannel();
let wake: (() => void) | undefined;
channel.port1.onmessage = () => wake?.();

/** Lets messages in. Timers would wait 4 ms each. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve;
    channel.port2.postMessage(0);
  });
}
