import type { Joint } from "../../../describe/model/handles.js";
import type { ModelData } from "../../../describe/model/model-data.js";
import type { ModelSettings } from "../../../describe/settings.js";
import { NodriftError } from "../../../ground/errors.js";
import type { State } from "../../../seam/index.js";
import type { BodyState } from "../../bodies/simulation/state.js";
import { locking, unlocking } from "../../held/held-joints.js";
import type { StopEvent } from "../../held/limits.js";
import type { ActionRequests } from "../events/event-context.js";
import type { Occurrence } from "../events/event-location.js";
import type { EventLog } from "../events/event-log.js";
import { messageOf } from "../leg/failure.js";
import type { Leg } from "../leg/leg.js";
import type { Legs } from "../leg/legs.js";
import type { Contacts } from "../stops/contacts.js";
import type { RowSwitches } from "../stops/row-switches.js";
import { measured } from "../stops/stop-events.js";

/** When events happen; `isStuck`: at this very time they have just happened. */
interface EventTime {
  readonly time: number;
  readonly direction: number;
  readonly isStuck: boolean;
}

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
  { time, direction, isStuck }: EventTime,
  met: readonly Occurrence<T>[],
  log: EventLog<T>,
  legs: Legs<T>,
  { contacts, rows }: { readonly contacts: Contacts<T>; readonly rows: RowSwitches<T> },
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
      held: (variant, where, joint) => legs.held(variant, heldBy(leg, time, where, joint)),
    });
    const { mode } = wishes;
    const asked = mode === undefined ? leg : legs.of(rows.entered(mode, leg, time));
    if (asked !== leg) asked.takeStateOf(leg, time);
    const stops = met.flatMap(({ event: { own } }) => (own && own.kind !== "row" ? [own] : []));
    const limits = (kind: StopEvent["kind"]) =>
      stops.flatMap((own) => (own.kind === kind ? [own.limit] : []));
    for (const { event } of met) if (event.own?.kind === "impact") wishes.bounced.add(event.index);
    const outcome = stops.some(({ kind }) => kind !== "touch")
      ? contacts.meet(asked, time, limits("impact"), { left: limits("release"), isStuck })
      : undefined;
    const next = outcome?.leg ?? (mode === undefined ? rows.turn(leg, time, met) : asked);
    const isMoved = differ(next.q, before.q) || differ(next.v, before.v);
    const changed = next !== leg || isMoved;
    const begun = outcome || next === asked ? undefined : rows.begun(next, leg);
    const onlyEnds = begun?.length === 0 && !isMoved;
    if (onlyEnds) next.begin(time, "asGiven");
    else if (begun && begun.length > 0) rows.close(next, time, begun, 2 * error);
    else if (changed) goOn(next, time, 2 * error, events);
    next.look.atAccepted(time);
    const after = changed ? next.look.snapshot() : before;
    const impulses = {
      ...Object.assign({}, ...[...new Set([leg, asked, next])].map((one) => one.impulses.byRow())),
      ...outcome?.impulses,
    };
    log.note(met, { time, before, after, impulses, mode: next.mode });
    return { leg: next, changed, wishes };
  } catch (cause) {
    leg.putBack(kept);
    throw cause;
  }
}

/** The settings with a joint locked or freed, where it is in view of a leg. */
export function heldBy<T extends State>(
  leg: Leg<T>,
  time: number,
  where: "lock" | "unlock",
  joint: string | Joint,
): (settings: ModelSettings, data: ModelData) => ModelSettings {
  const state = leg.look.atShown(time) as unknown as BodyState;
  const change = where === "lock" ? locking : unlocking;
  return (settings, data) => {
    const { q, turns } = state;
    const measure = (sensor: number) => measured(state, sensor).value;
    return change(data, settings, joint, { q, turns, measure });
  };
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
