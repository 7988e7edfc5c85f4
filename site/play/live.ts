// Live 3D simulation that can be dragged, pushed and viewed from all sides. Its values can be changed while it runs.

import type { BodySimulation, CompiledModel } from "nodrift/bodies";
import { type ModelFile, readDocument } from "nodrift/files";
import { type Realtime, realtime } from "nodrift/solve";
import { type View, view } from "nodrift/view";
import { type LiveModel, spawn } from "nodrift/worker";
import type { Setting } from "./protocol.js";

/** Steps per simulated second. */
const STEPS_PER_SECOND = 240;
/** Maximum number of bodies whose steps fit into a frame of the page. */
const MAX_BODIES_IN_PAGE = 60;

/** Tolerance of runs with rigid stops. */
const STOP_TOLERANCE = 1e-6;
/** Number of bodies from which choosing a method for fixed steps takes minutes; an adaptive run needs no choice. */
const MIN_BODIES_ADAPTIVE = 300;
const LARGE_MODEL_TOLERANCE = 1e-3;

/** A running model: a loop in the page, or a live model of a worker. */
interface Running {
  /** Source of the view. */
  readonly source: Realtime<BodySimulation> | LiveModel;
  /** Takes values and snapshots. */
  readonly simulation: BodySimulation | LiveModel;
  /** Compiled model of a loop in the page. */
  readonly system: CompiledModel | undefined;
  readonly end: () => void;
}

export class LiveView {
  readonly #view: View;
  #running: Running;
  /** Snapshot of the start of the running model; undefined for the first one, whose start the view has. */
  #start: unknown;
  /** Values set since the start of the running model, by their pointers. */
  readonly #settings = new Map<string, Setting>();

  private constructor(element: HTMLElement, { model, settings }: ModelFile, running: Running) {
    this.#running = running;
    const simulation = forwarded(() => this.#running.simulation, {
      restore: (snapshot: unknown) => this.#restore(snapshot),
    });
    const isLoop = running.source !== running.simulation;
    const source = isLoop ? forwarded(() => this.#running.source, { simulation }) : simulation;
    // The sliders of the page are those of the document.
    this.#view = view(element, source, { ...settings.view, model, sliders: false });
  }

  /** Shows a live model. Throws if the document is not a valid model. */
  static async of(element: HTMLElement, document: unknown): Promise<LiveView> {
    const file = readDocument(document);
    return new LiveView(element, file, await begin(file, document));
  }

  /** Sets a value in the running model; returns whether it can be set. */
  async set(setting: Setting): Promise<boolean> {
    if (!(await isSet(this.#running.simulation, setting))) return false;
    this.#settings.set(setting.pointer, setting);
    // A view that is paused draws again.
    this.#view.show({});
    return true;
  }

  /** Restarts with other values in the same view, unless `isLatest` is false once they are ready. */
  async restart(document: unknown, isLatest: () => boolean): Promise<void> {
    const file = readDocument(document);
    const running = await begin(file, document, this.#running.system, this.#view);
    const start = await running.simulation.save();
    if (!isLatest()) {
      running.end();
      return;
    }
    this.#running.end();
    this.#running = running;
    this.#start = start;
    this.#settings.clear();
    this.#view.rewind();
  }

  dispose(): void {
    this.#view.dispose();
    this.#running.end();
  }

  /** Restores the start of the running model, with the values that were set since. */
  #restore(snapshot: unknown): unknown {
    const { simulation } = this.#running;
    const restored = simulation.restore((this.#start ?? snapshot) as never);
    for (const setting of this.#settings.values()) void isSet(simulation, setting);
    return restored;
  }
}

/** Returns an object that forwards to the present object all members except its own. */
function forwarded<T extends object>(present: () => T, own: object): T {
  const holderOf = (key: string | symbol) => (key in own ? own : present());
  return new Proxy({} as T, {
    has: (_, key) => key in holderOf(key),
    get: (_, key) => {
      const value: unknown = Reflect.get(holderOf(key), key);
      return typeof value === "function" ? value.bind(holderOf(key)) : value;
    },
    set: (_, key, value) => Reflect.set(holderOf(key), key, value),
  });
}

/** Sets a value; returns whether it was accepted. */
async function isSet(simulation: BodySimulation | LiveModel, { given }: Setting): Promise<boolean> {
  try {
    await (simulation as LiveModel).set(...(given as Parameters<LiveModel["set"]>));
    return true;
  } catch {
    return false;
  }
}

/** Starts a model. `before` is reused if only loads differ. */
async function begin(
  file: ModelFile,
  document: unknown,
  before?: CompiledModel,
  { isPlaying = true, speed = 1 }: Partial<Pick<View, "isPlaying" | "speed">> = {},
): Promise<Running> {
  if (!isLight(file) || hasRigidStops(document)) {
    const pace = { paused: !isPlaying, speed };
    const live = await spawn(document as object, { ...toleranceFor(file, document), ...pace });
    return { source: live, simulation: live, system: undefined, end: () => live.dispose() };
  }
  const system = await file.compile({ maximumSeconds: 20, ...(before && { reuse: before }) });
  const loop = realtime(system, { step: 1 / STEPS_PER_SECOND, speed });
  loop.paused = !isPlaying;
  return { source: loop, simulation: loop.simulation, system, end: () => undefined };
}

/**
 * Whether a model runs in the page, with cheap fixed steps: there all reactions can be read and drawn as arrows. Models
 * with events or modes need an adaptive run, whose steps, like those of many bodies, may take too long.
 */
function isLight({ model, settings: { events = [], modes = [] } }: ModelFile): boolean {
  return model.data().bodies.length <= MAX_BODIES_IN_PAGE && events.length + modes.length === 0;
}

/** Whether a model has rigid stops, whose impacts within a step need an adaptive run. */
function hasRigidStops(document: unknown): boolean {
  const { forces = [] } = document as { readonly forces?: readonly Stop[] };
  return forces.some(({ type, stiffness }) => type === "stop" && stiffness === undefined);
}

/** The members of a force entry that identify a stop. */
interface Stop {
  readonly type: string;
  readonly stiffness?: unknown;
}

function toleranceFor({ model }: ModelFile, document: unknown): { readonly tolerance?: number } {
  if (hasRigidStops(document)) return { tolerance: STOP_TOLERANCE };
  return model.data().bodies.length >= MIN_BODIES_ADAPTIVE
    ? { tolerance: LARGE_MODEL_TOLERANCE }
    : {};
}
