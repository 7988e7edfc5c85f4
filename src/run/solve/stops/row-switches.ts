// Rows of equations that switch on and off. Each set of acting rows is a system of its own, with its own memory. A condition that
// changes its sign is an event: the system of the other set continues from the same state. Rows that begin to act are closed
// by impulses. If rows only end, the state does not change.

import { NodriftError, SimulationError } from "../../../ground/errors.js";
import type { State, StateData } from "../../../seam/index.js";
import type { RowSwitching } from "../../../systems/equations/made.js";
import type { EquationState } from "../../../systems/equations/state.js";
import { switchingOf, systemOf } from "../../stepping/source.js";
import type { CheckedEvent } from "../events/event-checks.js";
import type { Occurrence } from "../events/event-location.js";
import { disturb, MIXERS } from "../events/event-noise.js";
import type { Leg } from "../leg/leg.js";
import { legName } from "../leg/leg-name.js";
import type { Legs } from "../leg/legs.js";
import { stateOf } from "../leg/state-viewer.js";
import { type Setup, START, type Start, startOf } from "../setup/setup.js";
import type { Source } from "../setup/source.js";

/** Part of the span, or of a unit of time, after which a condition that is zero at the start shows where it goes. */
const AHEAD = 1e-4;

/** Tolerances by which positions may move when a row begins to act. What is open by more is a mistake, not an error of a step. */
const MAX_CLOSING_TOLERANCES = 1000;

/** Events of the rows that switch, of all modes, numbered from `first` on. */
export function rowEvents<T extends State>(
  sources: Readonly<Record<string, Source>>,
  first: number,
): CheckedEvent<T>[] {
  const all = Object.entries(sources).flatMap(([mode, source]) =>
    (switchingOf(source)?.rows ?? []).map((row) => ({ mode, row })),
  );
  return all.map(({ mode, row }, i) => ({
    name: row.name,
    index: first + i,
    when: row.height,
    value: row.height,
    direction: "both",
    last: Number.POSITIVE_INFINITY,
    action: () => {},
    counts: (other) => other === mode,
    side: (state) => (acts(state, row.name) ? 1 : -1),
    own: { kind: "row", row: row.name, isOneSided: row.isOneSided },
  }));
}

function acts(state: State, row: string): boolean {
  return (state as unknown as EquationState).acts(row);
}

/** Which rows act along a run. */
export class RowSwitches<T extends State> {
  readonly #legs: Legs<T>;
  readonly #sources: Readonly<Record<string, Source>>;
  readonly #ahead: number;

  constructor(legs: Legs<T>, setup: Setup<T>, events: readonly CheckedEvent<T>[]) {
    this.#legs = legs;
    this.#sources = setup.sources;
    this.#ahead = aheadOf(setup);
    const [first] = events;
    if (first === undefined || setup.direction >= 0) return;
    throw new NodriftError(
      "STEP",
      `solve: row "${first.name}" switches on and off, and impulses cannot be undone: run forwards, or leave its \`when\` out`,
    );
  }

  /** Begins a run in the leg with these rows, less those that end at once. `begin` brings a leg to the start. */
  start<R>(
    t: number,
    acting: Set<string> | undefined,
    begin: (leg: Leg<T>) => R,
  ): { leg: Leg<T>; result: R } {
    for (;;) {
      const leg = acting ? this.#legs.of(this.#legs.acting(START, acting)) : this.#legs.first;
      const result = begin(leg);
      const ended = acting && this.#endedAt(leg, t);
      if (!ended || ended.length === 0) return { leg, result };
      for (const row of ended) acting.delete(row);
    }
  }

  /** The name of a mode that is entered, with the rows that act by the state in view of the leg before. */
  entered(variant: string, leg: Leg<T>, t: number): string {
    const switching = switchingOf(this.#sources[legName(variant).mode]!);
    if (switching === undefined) return variant;
    return this.#legs.acting(variant, actingRows(switching, t, leg, this.#ahead));
  }

  /** Some events of rows have happened at the state in view of a leg: the leg that goes on, with the same state in view. */
  turn(leg: Leg<T>, t: number, met: readonly Occurrence<T>[]): Leg<T> {
    const rows = met.flatMap(({ event }) => (event.own?.kind === "row" ? [event.own.row] : []));
    const switching = switchingOf(this.#sources[leg.mode]!);
    if (switching === undefined || rows.length === 0) return leg;
    const state = leg.look.atShown(t);
    const acting = new Set(
      switching.rows.map(({ name }) => name).filter((row) => acts(state, row)),
    );
    for (const row of rows) if (!acting.delete(row)) acting.add(row);
    const next = this.#legs.of(this.#legs.acting(leg.mode, acting));
    if (next !== leg) next.takeStateOf(leg, t);
    return next;
  }

  /** Rows that act in a leg and not in the one before it. */
  begun(next: Leg<T>, before: Leg<T>): readonly string[] {
    const { rowNames } = before.system.constraints;
    return next.system.constraints.rowNames.filter((row) => !rowNames.includes(row));
  }

  /** Goes on in a leg from the state in view, with rows that have begun to act. */
  close(leg: Leg<T>, t: number, begun: readonly string[], allowed: number): void {
    const { rowNames } = leg.system.constraints;
    const open = leg.phi(t).slice();
    const q = leg.q.slice();
    leg.continueFrom(t, allowed);
    const { relative, positions } = leg.motion.weights;
    const moved = leg.q.map((value, i) => Math.abs(value - q[i]!));
    const far = moved.findIndex(
      (value, i) => value > MAX_CLOSING_TOLERANCES * (positions + relative * Math.abs(q[i]!)),
    );
    if (far < 0) return;
    const size = (row: string) => Math.abs(open[rowNames.indexOf(row)]!);
    const worst = begun.reduce((most, row) => (size(row) > size(most) ? row : most), begun[0]!);
    const coordinate = leg.view.coordinates.velocityNames[far];
    throw new SimulationError(
      "ASSEMBLY",
      t,
      `row "${worst}" begins to act at t = ${t}, where it is open by ${size(worst).toPrecision(3)}: closing it would move ` +
        `"${coordinate}" by ${moved[far]!.toPrecision(3)}, more than ${MAX_CLOSING_TOLERANCES} tolerances. Let its \`when\` become ` +
        "positive where the row is closed, make it a row on velocities, or give a larger tolerance",
    );
  }

  /** Rows that act in a leg and that conditions of their own end at the accepted state. */
  #endedAt(leg: Leg<T>, t: number): readonly string[] {
    const state = leg.look.atAccepted(t);
    const rows = switchingOf(this.#sources[leg.mode]!)?.rows ?? [];
    return rows
      .filter((row) => row.isOneSided && acts(state, row.name) && row.height(state) < 0)
      .map(({ name }) => name);
  }
}

/** Rows that act where a run begins, by the state that is given; undefined if none switches. */
export function rowsAtStart<T extends State>(setup: Setup<T>): Set<string> | undefined {
  const source = setup.sources[START]!;
  const switching = switchingOf(source);
  if (switching === undefined) return undefined;
  return actingRows(switching, setup.span[0], startOf(setup, systemOf(source)), aheadOf(setup));
}

function aheadOf<T extends State>({ span: [from, to] }: Setup<T>): number {
  return AHEAD * Math.min(1, Math.abs(to - from));
}

/** Rows that act at a state by their conditions; one that is zero there by where it goes, `h` ahead. */
function actingRows(
  switching: RowSwitching,
  t: number,
  { q, v }: Pick<Start, "q" | "v">,
  h: number,
): Set<string> {
  const free = switching.with(new Set());
  const at = (time: number, positions: ArrayLike<number>, velocities: ArrayLike<number>) => {
    const turns = new Float64Array(0);
    const numbers = { q: Float64Array.from(positions), v: Float64Array.from(velocities) };
    return stateOf<EquationState & StateData>(free, { time, ...numbers, turns });
  };
  const here = at(t, q, v);
  let ahead: State | undefined;
  const found = switching.rows.filter((row) => {
    const value = row.height(here);
    const noise = MIXERS.reduce((most, mixer) => {
      const near = at(t, q, v);
      disturb(near.q, mixer);
      disturb(near.v, mixer + 2);
      return Math.max(most, Math.abs(row.height(near) - value));
    }, 0);
    if (Math.abs(value) > noise) return value > 0;
    if (ahead === undefined) {
      const a = here.accelerations();
      ahead = at(
        t + h,
        here.q.map((x, i) => x + h * (here.v[i]! + (h / 2) * a[i]!)),
        here.v.map((x, i) => x + h * a[i]!),
      );
    }
    const change = row.height(ahead) - value;
    return row.isOneSided ? change >= -noise : change > noise;
  });
  return new Set(found.map(({ name }) => name));
}
