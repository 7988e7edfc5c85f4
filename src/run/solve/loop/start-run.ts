import { type Limit, Stopped } from "../../../ground/run-limits.js";
import type { State } from "../../../seam/index.js";
import { heldStart } from "../../stepping/held-start.js";
import { movedNote } from "../../stepping/state-correction.js";
import { notAssembled } from "../leg/failure.js";
import type { Leg } from "../leg/leg.js";
import type { Setup, Start } from "../setup/setup.js";

/**
 * Brings a leg to the start of the run, and notes how far that is from what was given. Returns the limit that
 * interrupted this, if one did: the state is then the given one, as no other is meaningful.
 */
export function startRun<T extends State>(
  leg: Leg<T>,
  t: number,
  given: Start,
  setup: Setup<T>,
  notes: string[],
): Limit | undefined {
  const { q, v, assembledAt } = given;
  leg.q.set(q);
  leg.v.set(v);
  try {
    begin(leg, t, given, setup);
    leg.view.refresh();
    noteMoves(leg, given, setup, notes);
    return undefined;
  } catch (error) {
    if (!(error instanceof Stopped)) {
      throw assembledAt === undefined ? error : notAssembled(error, assembledAt, t);
    }
    leg.q.set(q);
    leg.v.set(v);
    leg.view.accept();
    return error.limit;
  }
}

function begin<T extends State>(
  leg: Leg<T>,
  time: number,
  { q, v, assembledAt }: Start,
  { start, hold }: Setup<T>,
): void {
  if (hold) {
    const held = heldStart(leg.source, { q, v, time, hold });
    leg.q.set(held.q);
    leg.v.set(held.v);
  }
  leg.begin(time, hold || assembledAt === time ? "asGiven" : start);
}

/** Values the user did not give are not reported: starts of compiled models, and rest. */
function noteMoves<T extends State>(
  { q, v, view }: Leg<T>,
  given: Start,
  setup: Setup<T>,
  notes: string[],
): void {
  const { velocityNames, positionNames = velocityNames } = view.coordinates;
  const told = [
    setup.q && movedNote("positions", positionNames, given.q, q),
    setup.v && movedNote("velocities", velocityNames, given.v, v),
  ];
  notes.push(...told.filter((note) => note !== undefined));
}
