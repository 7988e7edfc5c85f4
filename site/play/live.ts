// A live simulation in three dimensions, which can be dragged, pushed and looked at from everywhere.

import { type ModelFile, readModel } from "nodrift/files";
import { realtime } from "nodrift/solve";
import { type View, view } from "nodrift/view";
import { spawn } from "nodrift/worker";

/** Steps of a second of the clock. */
const RATE = 240;
/** Bodies of which a frame of steps fits into a frame of the page. */
const FEW = 60;

/** Of runs that meet rigid stops. */
const TOLERANCE = 1e-6;
/** From so many bodies on, choosing a method for even steps takes minutes: a run to a tolerance needs no choice. */
const MANY = 300;
const ROUGH = 1e-3;

/** Something that is shown, till it is no longer. */
export type Shown = Pick<View, "dispose">;

/** Shows a model as it runs, for as long as one looks. Throws where the text is no model. */
export async function showLive(element: HTMLElement, text: string): Promise<Shown> {
  const file = readModel(text);
  return isLight(file) && !hasRigidStops(text)
    ? showHere(element, file)
    : showFar(element, file, text);
}

/** Impacts are met between steps: those of one length would pass over them. */
function hasRigidStops(text: string): boolean {
  const { forces = [] } = JSON.parse(text) as { readonly forces?: readonly Stop[] };
  return forces.some(({ type, stiffness }) => type === "stop" && stiffness === undefined);
}

/** A force of a file, as far as it may be a stop. */
interface Stop {
  readonly type: string;
  readonly stiffness?: unknown;
}

/**
 * What takes even steps, and not long for them, runs in the page: there every reaction can be read, and arrows be drawn. Events and modes
 * need a run to a tolerance, whose steps take what they take, as do the steps of many bodies.
 */
function isLight({ model, settings: { events = [], modes = [] } }: ModelFile): boolean {
  return model.data().bodies.length <= FEW && events.length + modes.length === 0;
}

async function showHere(element: HTMLElement, file: ModelFile): Promise<Shown> {
  const system = await file.compile({ maximumSeconds: 20 });
  return view(element, realtime(system, { step: 1 / RATE }), { ...file.settings.view });
}

function toleranceFor({ model }: ModelFile, text: string): { readonly tolerance?: number } {
  if (hasRigidStops(text)) return { tolerance: TOLERANCE };
  return model.data().bodies.length >= MANY ? { tolerance: ROUGH } : {};
}

/** In a thread of its own. */
async function showFar(element: HTMLElement, file: ModelFile, text: string): Promise<Shown> {
  const live = await spawn(text, toleranceFor(file, text));
  const shown = view(element, live, { ...file.settings.view, model: file.model });
  return {
    dispose: () => {
      shown.dispose();
      live.dispose();
    },
  };
}
