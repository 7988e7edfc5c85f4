// Table of the events of a run.

import type { Block } from "./blocks.js";
import { short } from "./numbers.js";

/** Maximum number of events listed; the others are counted. */
const MAX_LISTED = 200;

export function eventTable(
  events: readonly {
    readonly name: string;
    readonly time: number;
    readonly direction: string;
    readonly mode: string;
  }[],
  unit: string,
): Block | undefined {
  if (events.length === 0) return undefined;
  const rows = events
    .slice(0, MAX_LISTED)
    .map(({ name, time, direction, mode }) => [name, short(time, 9), direction, mode]);
  const rest = events.length - rows.length;
  return {
    kind: "table",
    title: "Events",
    ...(rest > 0 && { caption: `and ${rest} more` }),
    columns: [
      { name: "event" },
      { name: `time (${unit})`, align: "right" },
      { name: "direction" },
      { name: "then in mode" },
    ],
    rows,
    collapsed: events.length > 20,
  };
}
