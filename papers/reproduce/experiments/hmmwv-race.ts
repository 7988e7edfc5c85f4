// The HMMWV by every explicit method of the package against the implicit one, in CPU time per second of
// motion.

import type { BodyState, CompiledModel } from "../../../src/bodies.js";
import { type Method, projection, stagedProjection, udwadiaKalaba } from "../../../src/index.js";
import {
  adams,
  bs3,
  dop853,
  dp5,
  type Solution,
  sdirk4,
  solve,
  start,
} from "../../../src/solve.js";
import { cpuSeconds } from "./cpu.js";
import { inStateSpace } from "./methods.js";

/**
 * Time at which explicit methods begin, from a state of the implicit one: the first tenth of a second costs
 * them a few per cent more.
 */
const FROM = 0.1;
/** Seconds of motion by explicit methods to find the best two. All steps cost the same. */
const GLANCE = 0.005;
const ROUNDS = 3;
/** Length of the motion in tables V and VI, s. */
const SECONDS = 4;
/** Runs of the implicit method, which are short, before and after each explicit one. */
const REPEATS = 3;
/** Warm-up runs of the implicit method, as engines compile only functions called often. */
const WARM = 20;
/** Number of explicit methods that reach the final rounds, whose runs last seconds. */
const FINALISTS = 2;

const implicit = inStateSpace(sdirk4());

/** Options of {@link HmmwvRaces}. */
export interface RaceOptions {
  /** Number of screening runs of 0.005 s for each method, to find the best two; odd. Default: 3. */
  readonly screeningRuns?: number;
  /** Seconds of motion for which the best two are measured, three times each. Default: 0.05. */
  readonly measuredSeconds?: number;
}

/**
 * Explicit methods: on all coordinates, ends of steps or every stage projected; or on independent
 * ones.
 */
function explicitMethods(): Record<string, Method> {
  const embedded = { bs3: bs3(), dp5: dp5(), dop853: dop853() };
  const methods: Record<string, Method> = { "stateSpace + adams": inStateSpace(adams()) };
  for (const [name, integrator] of Object.entries(embedded)) {
    methods[`stateSpace + ${name}`] = inStateSpace(integrator);
    for (const stabilisation of [projection(), stagedProjection()]) {
      const key = `udwadiaKalaba + ${stabilisation.name} + ${name}`;
      methods[key] = { formulation: udwadiaKalaba(), stabilisation, integrator };
    }
    // Without compliance in the loops: the HMMWV has no row too many.
    methods[`udwadiaKalaba by Cholesky + projection + ${name}`] = {
      formulation: udwadiaKalaba({ solver: "cholesky" }),
      stabilisation: projection(),
      integrator,
    };
  }
  return methods;
}

/** CPU time of a method for one second of motion. */
export interface Entrant {
  /** Name of the method. */
  readonly name: string;
  /** Seconds of CPU. */
  readonly seconds: number;
}

interface State {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

interface Contestant {
  readonly name: string;
  readonly method: Method;
}

/** Result of a race at a tolerance. */
export interface HmmwvRace {
  /** All explicit methods, from the screening runs. */
  readonly entrants: readonly Entrant[];
  /** The best of them, from the longer runs. */
  readonly best: Entrant;
  /** CPU of the implicit method, in seconds for one second of motion. */
  readonly implicit: number;
  /** CPU of the best explicit method over that of the implicit one: the median over rounds. */
  readonly ratio: number;
}

/** Races at one tolerance for all. */
export class HmmwvRaces {
  readonly #source: CompiledModel;
  readonly #glances: number;
  readonly #look: number;
  readonly #start: State;
  /** Initial state of the screening runs. */
  readonly #begun: State;

  constructor(
    source: CompiledModel,
    { screeningRuns = 3, measuredSeconds = 0.05 }: RaceOptions = {},
  ) {
    this.#source = source;
    this.#glances = screeningRuns;
    this.#look = measuredSeconds;
    this.#start = copyOf(source);
    const options = { span: [0, FROM], tolerance: 1e-7, output: "ends", method: implicit } as const;
    this.#begun = finished(solve(source, options));
    this.#warm();
  }

  /** Runs all methods at a tolerance. */
  race(tolerance: number): HmmwvRace {
    const contestants = Object.entries(explicitMethods()).map(([name, method]) => {
      return { name, method, glances: [] as number[] };
    });
    for (let round = 0; round < this.#glances; round++) {
      for (const { method, glances } of contestants) {
        glances.push(this.#explicit(method, tolerance, GLANCE));
      }
    }
    const entrants = contestants.map(({ glances, ...contestant }) => {
      return { ...contestant, seconds: median(glances) };
    });
    const finalists = [...entrants].sort((a, b) => a.seconds - b.seconds).slice(0, FINALISTS);
    return { entrants, ...this.#final(finalists, tolerance) };
  }

  /**
   * Tables V and VI: CPU of the best explicit method over that of the implicit one, for motions of 1, 2, 3 and 4 s, all of which
   * both run. The explicit one, which takes half a minute, runs once, second after second; the implicit one, which takes some
   * hundredths of a second, around it.
   */
  spans({ best }: HmmwvRace, tolerance: number): readonly number[] {
    const method = explicitMethods()[best.name]!;
    const options = { tolerance, output: "ends", method } as const;
    let [explicit, from] = [0, this.#start];
    return Array.from({ length: SECONDS }, (_, second) => {
      const short = Array.from({ length: REPEATS }, () => this.#implicit(tolerance, second + 1));
      const run = start(this.#source, { span: [second, second + 1], ...options, ...from });
      explicit += cpuSeconds(() => run.finish());
      from = finished(run.solution());
      run.release();
      for (let i = 1; i < REPEATS; i++) short.push(this.#implicit(tolerance, second + 1));
      return explicit / median(short);
    });
  }

  #final(finalists: readonly Contestant[], tolerance: number): Omit<HmmwvRace, "entrants"> {
    const rounds = Array.from({ length: ROUNDS }, () => {
      const short: number[] = [];
      const repeat = () => {
        for (let i = 0; i < REPEATS; i++) short.push(this.#implicit(tolerance));
      };
      repeat();
      const explicit = finalists.map(({ method }) => {
        const cpu = this.#explicit(method, tolerance, this.#look);
        repeat();
        return cpu;
      });
      return { explicit, implicit: median(short) };
    });
    const results = finalists.map(({ name }, i) => ({
      name,
      seconds: median(rounds.map(({ explicit }) => explicit[i] as number)),
      ratio: median(rounds.map((round) => (round.explicit[i] as number) / round.implicit)),
    }));
    const { ratio, ...best } = results.reduce((a, b) => (b.ratio < a.ratio ? b : a));
    return { best, ratio, implicit: median(rounds.map((round) => round.implicit)) };
  }

  #warm(): void {
    for (const method of Object.values(explicitMethods())) this.#explicit(method, 1e-3, GLANCE);
    for (let i = 0; i < WARM; i++) this.#implicit(1e-3);
  }

  /** CPU time extrapolated from a fraction of a second, without set-up, which does not recur each second. */
  #explicit(method: Method, tolerance: number, seconds: number): number {
    const options = { span: [FROM, FROM + seconds], tolerance, output: "ends", method } as const;
    const run = start(this.#source, { ...options, ...this.#begun });
    const cpu = cpuSeconds(() => run.finish());
    finished(run.solution());
    return cpu / seconds;
  }

  /** CPU time from the start, over the bump, including set-up. */
  #implicit(tolerance: number, seconds = 1): number {
    const options = { span: [0, seconds], tolerance, output: "ends", method: implicit } as const;
    return cpuSeconds(() => {
      finished(solve(this.#source, options));
    });
  }
}

function copyOf({ q, v }: { readonly q: ArrayLike<number>; readonly v: ArrayLike<number> }): State {
  return { q: Float64Array.from(q), v: Float64Array.from(v) };
}

/** Final state of a run, which must have succeeded. */
function finished({ status, reason, methodReason, end }: Solution<BodyState>): State {
  if (status !== "finished") throw new Error(`${methodReason}: ${reason}`);
  return copyOf(end);
}

/** Median of an odd number of values. */
function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}
