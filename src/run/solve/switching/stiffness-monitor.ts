import type { State } from "../../../seam/index.js";
import type { Leg } from "../leg/leg.js";
import { WorkMeter } from "./work-meter.js";

/** Steps between two checks, and consecutive checks that make a system stiff if the user chose the method. */
const EVERY = 10;
const IN_ROW = 8;
/** Stability limits steps that use this part of it: where they show it plainly they are kept from using all. */
const LIMITED = 0.8;

/**
 * From this part of the stability limit a step is suspicious; this many more suspicious steps than others suffice.
 * Where loops close it takes more: near singular poses the projection of stages looks like something fast, and
 * the implicit method does not pass there.
 */
const OPEN = { suspicious: 0.5, enough: 3 } as const;
const CLOSED = { suspicious: 0.8, enough: 20 } as const;
/** Work with the implicit method before the explicit one is tried again, in evaluations. */
const PATIENCE = 1000;
/** A failed trial is repeated after this many times its work, then after twice that, up to a limit. */
const TIMES = 10;
const MOST_TIMES = 80;
/** Trials in a row that the explicit method has to win. */
const WINS = 2;
/** What the pace remembers of the steps before the last. */
const MEMORY = 0.8;

/** What a step suggests: nothing; to note that the motion is stiff; to try the other method. */
export type Advice = "nothing" | "note" | "try";

/** Monitors the progress of the run per unit of work, and what limits its steps. */
export class StiffnessMonitor<T extends State> {
  /** Steps of the method in use. */
  #steps = 0;
  #inRow = 0;
  #suspicions = 0;
  /** Time and work of the last steps. */
  #advanced = 0;
  #spent = 0;
  /** Work since the last trial, and how much there has to be before the next. */
  #since = 0;
  #wait = 0;
  #times = TIMES;
  /** Trials in a row that the other method won. */
  #wins = 0;
  /** Work since the last check. */
  readonly #meter = new WorkMeter<T>();

  /** Time covered per unit of work. */
  get pace(): number {
    return this.#advanced / this.#spent;
  }

  /** A method begins, or continues from a changed state. */
  begin(leg: Leg<T>): void {
    this.#steps = 0;
    this.#suspicions = 0;
    this.#advanced = 0;
    this.#spent = 0;
    this.#since = 0;
    this.#wins = 0;
    this.#times = TIMES;
    this.#wait = leg.isImplicit ? PATIENCE : leg.rivalPrice;
    this.#meter.start(leg);
  }

  /**
   * The other method was tried, and is better. True if that suffices: the explicit one has to win several times, or it
   * would take over at every jump between two long stiff stretches.
   */
  won(leg: Leg<T>): boolean {
    this.#since = 0;
    this.#wins++;
    return !leg.isImplicit || this.#wins >= WINS;
  }

  /** The other method was tried for some work, and is no better. */
  lost(leg: Leg<T>, work: number): void {
    this.#since = 0;
    this.#wins = 0;
    this.#suspicions = 0;
    this.#wait = Math.max(this.#wait, this.#times * work);
    // Stiffness is detected directly, so failed trials may become rare; its end is not.
    if (!leg.isImplicit) this.#times = Math.min(2 * this.#times, MOST_TIMES);
  }

  /** Examines a step that used a part of the stability limit of its method. */
  look(leg: Leg<T>, h: number, stability: number, mayChange: boolean): Advice {
    this.#steps++;
    const work = this.#meter.read(leg);
    this.#meter.start(leg);
    this.#since += work;
    this.#advanced = MEMORY * this.#advanced + Math.abs(h);
    this.#spent = MEMORY * this.#spent + work;
    if (!mayChange) return this.#showsStiffness(stability) ? "note" : "nothing";
    const { suspicious, enough } = leg.system.loops ? CLOSED : OPEN;
    this.#suspicions = Math.max(this.#suspicions + (stability > suspicious ? 1 : -1), 0);
    const isDue = leg.isImplicit || this.#suspicions >= enough;
    return isDue && this.#since >= this.#wait ? "try" : "nothing";
  }

  save(): readonly number[] {
    return [
      this.#steps,
      this.#inRow,
      this.#suspicions,
      this.#advanced,
      this.#spent,
      this.#since,
      this.#wait,
      this.#times,
      this.#wins,
    ];
  }

  /** Continues from saved numbers, with a leg whose counts may differ. */
  restore(saved: readonly number[], leg: Leg<T>): void {
    const at = (index: number) => saved[index] ?? 0;
    this.#steps = at(0);
    this.#inRow = at(1);
    this.#suspicions = at(2);
    this.#advanced = at(3);
    this.#spent = at(4);
    this.#since = at(5);
    this.#wait = at(6);
    this.#times = at(7);
    this.#wins = at(8);
    this.#meter.start(leg);
  }

  /** True at the step that shows it, once. */
  #showsStiffness(stability: number): boolean {
    if (this.#inRow >= IN_ROW || (this.#steps - 1) % EVERY !== 0) return false;
    this.#inRow = stability > LIMITED ? this.#inRow + 1 : 0;
    return this.#inRow === IN_ROW;
  }
}
