// A live simulation in three dimensions, which can be dragged, pushed and looked at from everywhere.

import { readModel } from "nodrift/files";
import { realtime } from "nodrift/solve";
import { type View, view } from "nodrift/view";

/** Steps of a second of the clock. */
const RATE = 240;

/** Shows a model as it runs, for as long as one looks. Throws where the text is no model. */
export async function showLive(element: HTMLElement, text: string): Promise<View> {
  const file = readModel(text);
  const system = await file.compile({ maximumSeconds: 20 });
  return view(element, realtime(system, { step: 1 / RATE }), { ...file.settings.view });
}
