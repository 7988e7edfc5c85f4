// A model and its motion, in the thread: the motion is told as it grows, at ever longer intervals.

import { timeUnit, unitOf } from "nodrift/files";
import type { Solution } from "nodrift/solve";
import { holdsEquations } from "../../src/tools/files/models/validate.js";
import { Curves } from "./curves.js";
import { mechanismOf } from "./mechanism-subject.js";
import type { Answer, FileRequest, RunFacts, RunRequest } from "./protocol.js";
import { chosenOptions, type PlayRun, type PlayState, type Subject } from "./subject.js";

/** Milliseconds of computing before the thread looks for newer requests. */
const SLICE = 12;
/** Milliseconds till a motion that is not complete is told for the first time; then twice as long, and so on. */
const FIRST = 10;
/** Seconds that a run may take: a page that is left open should not compute for ever. */
const PATIENCE = 120;

interface Finished extends Pick<Subject, "file"> {
  readonly solution: Solution<PlayState>;
}

export class Simulator {
  readonly #tell: (answer: Answer) => void;
  #latest = 0;
  #subject: Subject | undefined;
  #finished: Finished | undefined;

  constructor(tell: (answer: Answer) => void) {
    this.#tell = tell;
  }

  /** Runs a model; gives up as soon as there is a newer request. */
  async run(request: RunRequest): Promise<void> {
    const { id, text, choice, quantities } = request;
    this.#latest = id;
    const subject = await this.#read(text);
    if (this.#latest !== id) return;
    const options = chosenOptions(subject, choice, PATIENCE);
    this.#tell({ kind: "problems", id, marks: [] });
    const { file, facts } = subject;
    const [from, to] = options.span;
    this.#tell({ kind: "model", id, facts: { name: file.name, ...facts, span: [from, to] } });
    const curves = new Curves(subject, quantities, from);
    const run = subject.start(options);
    if (await this.#advance(id, run, curves, subject)) {
      this.#finished = { file, solution: run.solution() };
    }
  }

  /** A file of the last motion that was completed. */
  async file({ id, format }: FileRequest): Promise<Answer> {
    const finished = this.#finished;
    if (!finished) throw new Error("there is no motion yet");
    const { fileOf } = await import("./downloads.js");
    return { kind: "file", id, ...fileOf(format, finished) };
  }

  async #read(text: string): Promise<Subject> {
    if (this.#subject?.text !== text) this.#subject = await subjectOf(text);
    return this.#subject;
  }

  /** Whether the run came to its end. */
  async #advance(id: number, run: PlayRun, curves: Curves, of: Subject): Promise<boolean> {
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
    run: PlayRun,
    curves: Curves,
    subject: Subject,
    milliseconds: number,
    isDone: boolean,
  ): void {
    const solution = run.solution();
    if (solution.length === 0) return;
    curves.read(solution);
    this.#tell({
      kind: "motion",
      id,
      scene: subject.drawn(solution),
      timeUnit: timeUnit(subject.file.settings.units),
      end: solution.end.time,
      plots: curves.plots(),
      facts: factsOf(solution, subject, milliseconds, isDone),
      isDone,
      refused: curves.refused,
    });
  }
}

function factsOf(
  solution: Solution<PlayState>,
  { file }: Subject,
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
    energy: energyError ?? energyChange,
    isEnergyKept: energyError !== undefined,
    energyUnit: unitOf("energy", file.settings.units),
    milliseconds,
    perStep: (1000 * milliseconds) / Math.max(1, steps),
    notes,
  };
}

/** Reads and compiles a text of either kind. */
async function subjectOf(text: string): Promise<Subject> {
  if (!holdsEquations(plainOf(text))) return mechanismOf(text);
  const { equationsOf } = await import("./equations-subject.js");
  return equationsOf(text);
}

/** Undefined for what is not JSON: its reader says why. */
function plainOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
