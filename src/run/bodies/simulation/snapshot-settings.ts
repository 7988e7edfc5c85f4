// What a snapshot of a mechanism carries beside its memory, as text: numbers that were set, hands that hold bodies, and limits that are rested on.

import { type ModelSettings, NOTHING_SET } from "../../../describe/settings.js";
import { locationOf, reading } from "../../../ground/checking/index.js";
import type { Snapshot } from "../../stepping/snapshot.js";
import type { HandData } from "../hands/hand.js";
import type { StopsData } from "./stop-crossing.js";

interface Carried {
  readonly settings: ModelSettings;
  readonly hand: HandData;
  readonly stops: StopsData;
}

export function written(
  settings: ModelSettings,
  hand: HandData,
  stops: StopsData | undefined,
): string {
  return JSON.stringify({ ...settings, hand, ...(stops && { stops }) });
}

/** Of a snapshot that was checked. Without a text nothing is set, and nothing acts besides the model. */
export function carriedIn(text: string | undefined): Carried {
  const { hand, stops, ...settings } = JSON.parse(text ?? "{}");
  return {
    settings: text === undefined ? NOTHING_SET : settings,
    hand: hand ?? { pushes: [], grips: [] },
    stops: stops ?? { resting: [], caught: [] },
  };
}

/** The settings of a snapshot; undefined where it is none. What else is wrong with it is found where it is put back. */
export function settingsIn(snapshot: Snapshot): ModelSettings | undefined {
  const text = reading(
    locationOf("restore", "STEP", "the snapshot"),
    (): unknown => (snapshot as Partial<Snapshot> | undefined)?.settings,
  );
  try {
    return carriedIn(text as string | undefined).settings;
  } catch {
    return undefined;
  }
}
