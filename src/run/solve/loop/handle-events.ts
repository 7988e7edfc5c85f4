import { NodriftError } from "../../../ground/errors.js";
import type { State } from "../../../seam/index.js";
import type { ActionRequests } from "../events/event-context.js";
import type { Occurrence } from "../events/event-location.js";
import type { EventLog } from "../events/event-log.js";
import { messageOf } from "../leg/failure.js";
import type { Leg } from "../leg/leg.js";
import type { Legs } from "../leg/legs.js";

/** How a run continues after events. */
export interface EventOutcome<T extends State> {
  readonly leg: Leg<T>;
  /** The state, or the constraints and forces on it, were changed. */
  readonly changed: boolean;
  readonly wishes: ActionRequests;
}

/**
 * Calls the actions of events at the accepted state of a leg, and projects the result onto the constraints. If that
 * fails, the state before the actions is restored.
 */
export function handleEvents<T extends State>(
  leg: Leg<T>,
  { time, direction }: { readonly time: number; readonly direction: number },
  met: readonly Occurrence<T>[],
  log: EventLog<T>,
  legs: Legs<T>,
): EventOutcome<T> {
  const error = leg.positionError(time);
  leg.look.atAccepted(time);
  const before = leg.look.snapshot();
  const kept = leg.copyState();
  leg.view.refresh();
  const events = met.map(({ event }) => event.name);
  try {
    const { modes } = legs;
    const wishes = log.act(leg, met, {
      time,
      before,
      events,
      direction,
      modes,
      changed: (variant, where, given) => legs.changed(variant, where, given),
      switched: (variant, mode) => legs.switched(variant, mode),
    });
    const next = wishes.mode === undefined ? leg : legs.of(wishes.mode);
    const changed = next !== leg || differ(leg.q, before.q) || differ(leg.v, before.v);
    if (next !== leg) next.takeStateOf(leg, time);
    if (changed) goOn(next, time, 2 * error, events);
    next.look.atAccepted(time);
    const after = changed ? next.look.snapshot() : before;
    const impulses = { ...(next === leg ? {} : leg.impulses.byRow()), ...next.impulses.byRow() };
    log.note(met, { time, before, after, impulses, mode: next.mode });
    return { leg: next, changed, wishes };
  } catch (cause) {
    leg.putBack(kept);
    throw cause;
  }
}

function goOn<T extends State>(
  leg: Leg<T>,
  time: number,
  allowed: number,
  events: readonly string[],
): void {
  try {
    leg.continueFrom(time, allowed);
  } catch (cause) {
    throw new NodriftError(
      cause instanceof NodriftError ? cause.code : "EVALUATION",
      `event "${events.join('", "')}": cannot continue from the state left by its action: ${messageOf(cause)}`,
      { cause },
    );
  }
}

function differ(a: Float64Array, b: Float64Array): boolean {
  return a.some((value, i) => value !== b[i]);
}
