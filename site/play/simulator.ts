// Simulates a model in the worker and reports its growing motion, at increasing intervals.

import { timeUnit, unitOf } from "nodrift/files";
import type { Solution } from "nodrift/solve";
import { Curves } from "./curves.js";
import type { Answer, RunFacts, RunRequest } from "./protocol.js";
import {
  begin,
  chosenOptions,
  MechanismSubject,
  type PlayRun,
  type PlayState,
  type Subject,
} from "./subject.js";

/** Milliseconds of computing between checks for newer requests. */
const SLICE_MS = 12;
/** Milliseconds until an incomplete motion is first reported; the interval doubles each time. */
const FIRST_REPORT_MS = 10;
/** Maximum seconds of computing per run, so that a page left open does not compute without end. */
const MAX_RUN_S = 120;

interface Finished extends Pick<Subject, "file"> {
  readonly solution: Solution<PlayState>;
}

export class Simulator {
  readonly #report: (answer: Answer) => void;
  #latest = 0;
  /** The last texts read, with their subjects: that of the sliders, and the present one if a slider needs a reading. */
  readonly #read = new Map<string, Subject>();
  /** Subject of the last run. */
  #subject: Subject | undefined;
  #finished: Finished | undefined;

  constructor(report: (answer: Answer) => void) {
    this.#report = report;
  }

  /** Runs a model; cancelled by a newer request. */
  async run(request: RunRequest): Promise<void> {
    const { id, choice, quantities } = request;
    this.#latest = id;
    const subject = await this.#subjectOf(request);
    this.#subject = subject;
    if (this.#latest !== id) return;
    const options = chosenOptions(subject, choice, MAX_RUN_S);
    this.#report({ kind: "problems", id, marks: [] });
    const { file, facts } = subject;
    const [from, to] = options.span;
    this.#report({ kind: "model", id, facts: { name: file.name, ...facts, span: [from, to] } });
    const curves = new Curves(subject, quantities, from);
    const run = begin(subject, options);
    if (await this.#advance(id, run, curves, subject)) {
      this.#finished = { file, solution: run.solution() };
    }
  }

  /** Returns a file of the last completed motion. */
  async file(format: "csv" | "html"): Promise<{ readonly name: string; readonly text: string }> {
    const finished = this.#finished;
    if (!finished) throw new Error("no motion has been computed yet");
    const { fileOf } = await import("./downloads.js");
    return fileOf(format, finished);
  }

  /** Subject of the last run. */
  get subject(): Subject {
    if (!this.#subject) throw new Error("no model has been read yet");
    return this.#subject;
  }

  /** Sets values in the model of the base text, or reads the text with these values. */
  async #subjectOf({ base, settings, text }: RunRequest): Promise<Subject> {
    const known = this.#read.get(base)?.with(settings) ?? this.#read.get(text)?.with([]);
    if (known) return known;
    const before = [...this.#read.values()].at(-1);
    const subject = await subjectOf(text, before);
    for (const known of [...this.#read.keys()]) if (known !== base) this.#read.delete(known);
    this.#read.set(text, subject);
    return subject;
  }

  /** Advances the run; returns whether it was completed. */
  async #advance(id: number, run: PlayRun, curves: Curves, of: Subject): Promise<boolean> {
    const began = performance.now();
    let [next, computed] = [FIRST_REPORT_MS, 0];
    for (let goesOn = true; goesOn; ) {
      const from = performance.now();
      let [now, steps] = [from, 0];
      while (goesOn && now - from < SLICE_MS) {
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
    this.#report({
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

async function subjectOf(text: string, before: Subject | undefined): Promise<Subject> {
  if (!EQUATIONS.test(text)) return MechanismSubject.of(text, before);
  const { EquationsSubject } = await import("./equations-subject.js");
  return new EquationsSubject(text);
}

/** A text that may describe equations; the reader reports what is wrong with it. */
const EQUATIONS = /"equations"\s*:/;

const channel = new MessageChannel();
let wake: (() => void) | undefined;
channel.port1.onmessage = () => wake?.();

/** Yields to pending messages. Timers would wait 4 ms each. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve;
    channel.port2.postMessage(0);
  });
}
