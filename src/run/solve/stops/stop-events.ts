// Events that stops of a mechanism bring along: a rigid one is met, or what rests there is pulled away; one that gives way is
// touched or left, where steps end so that none straddles the kink of its force.

import { Sensor, Want } from "../../../../assembly/layout-bodies.js";
import type { ModelData } from "../../../describe/model/model-data.js";
import type { State } from "../../../seam/index.js";
import type { BodyState } from "../../bodies/simulation/state.js";
import {
  type Limit,
  limitIn,
  limitName,
  limitsOf,
  restName,
  type StopEvent,
} from "../../held/limits.js";
import type { CheckedEvent } from "../events/event-checks.js";
import type { Source } from "../setup/source.js";

/** A compiled mechanism among the sources. */
export function modelOf(source: Source | undefined): ModelData | undefined {
  const { data } = (source ?? {}) as { readonly data?: ModelData };
  return data?.forces === undefined ? undefined : data;
}

/** Events of the stops of a source, numbered from `first` on. */
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
  const when = (state: State) => heightOf(own, state as unknown as BodyState);
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

/** Beyond the limit: positive. While something rests there only its release is looked for. */
function heightOf({ kind, limit }: StopEvent, state: BodyState): number {
  const { data } = state.readout.model;
  const present = limitIn(data, limit);
  if (present === undefined) return kind === "release" ? 1 : -1;
  const rests = data.joints.some(({ holds, name }) => holds && name === restName(limit));
  if (kind === "release") return rests ? pushOf(state, limit) : 1;
  return rests ? -1 : limit.side * (measured(state, limit.sensor).value - present.value);
}

/** By how much a stop pushes what rests there: it cannot pull. */
export function pushOf(state: BodyState, limit: Limit): number {
  return -limit.side * (state.joint(restName(limit)).driveForce ?? 0);
}

/** What a sensor says at a state. */
export function measured(state: BodyState, sensor: number): { value: number; rate: number } {
  const { probe } = state.readout;
  probe.load();
  const { quantities } = probe.system;
  quantities.requireSensors(Want.PHI | Want.RATES);
  const at = Sensor.LENGTH * sensor;
  const { sensors } = quantities.arrays;
  return { value: sensors[at + Sensor.VALUE]!, rate: sensors[at + Sensor.RATE]! };
}
