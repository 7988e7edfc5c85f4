// Events of the stops of a mechanism. Rigid stops have impacts and contact releases. At compliant stops, steps end on
// touching and leaving, so that none straddles the kink of the force.

import { Sensor, Want } from "../../../../assembly/layout-bodies.js";
import type { State } from "../../../interfaces/index.js";
import type { ModelData } from "../../../model/model-data.js";
import type { BodyState } from "../../bodies/simulation/state.js";
import {
  type Limit,
  limitIn,
  limitName,
  limitsOf,
  restingRowName,
  type StopEvent,
} from "../../contact/joint-limits.js";
import type { CheckedEvent } from "../events/event-checks.js";
import type { Source } from "../setup/source.js";

/** Model of a source that is a compiled mechanism; undefined for other sources. */
export function modelOf(source: Source | undefined): ModelData | undefined {
  const { data } = (source ?? {}) as { readonly data?: ModelData };
  return data?.forces === undefined ? undefined : data;
}

/** Events of the stops of a source, indexed from `first`. */
export function stopEvents<T extends State>(
  source: Source | undefined,
  first: number,
): CheckedEvent<T>[] {
  const data = modelOf(source);
  if (data === undefined) return [];
  const events = limitsOf(data).flatMap((limit): StopEvent[] =>
    limit.isRigid
      ? [
          { kind: "impact", limit },
          { kind: "release", limit },
        ]
      : [{ kind: "touch", limit }],
  );
  return events.map((own, i) => checkedEvent<T>(own, first + i));
}

function checkedEvent<T extends State>(own: StopEvent, index: number): CheckedEvent<T> {
  const { kind, limit } = own;
  const when = (state: State) => penetrationOf(own, state as unknown as BodyState);
  return {
    name: kind === "release" ? `${limitName(limit)} is left` : limitName(limit),
    index,
    when,
    value: when,
    direction: ({ impact: "rising", release: "falling", touch: "both" } as const)[kind],
    last: Number.POSITIVE_INFINITY,
    action: () => {},
    counts: () => true,
    ...(kind === "impact" && { side: () => -1 }),
    own,
  };
}

/**
 * Penetration of the limit, or the contact force for a release. During a resting contact only its release is active.
 */
function penetrationOf({ kind, limit }: StopEvent, state: BodyState): number {
  const { data } = state.readout.model;
  const present = limitIn(data, limit);
  if (present === undefined) return kind === "release" ? 1 : -1;
  const isResting = data.joints.some(({ holds, name }) => holds && name === restingRowName(limit));
  if (kind === "release") return isResting ? contactForceOf(state, limit) : 1;
  return isResting ? -1 : limit.side * (measured(state, limit.sensor).value - present.value);
}

/** Force of a resting contact along its outward normal: positive while it is compressive. */
export function contactForceOf(state: BodyState, limit: Limit): number {
  return -limit.side * (state.joint(restingRowName(limit)).driveForce ?? 0);
}

/** Value and rate of a sensor at a state. */
export function measured(state: BodyState, sensor: number): { value: number; rate: number } {
  const { probe } = state.readout;
  probe.load();
  const { system } = probe;
  system.requireSensors(Want.PHI | Want.RATES);
  const at = Sensor.LENGTH * sensor;
  const { sensors } = system.arrays;
  return { value: sensors[at + Sensor.VALUE]!, rate: sensors[at + Sensor.RATE]! };
}
