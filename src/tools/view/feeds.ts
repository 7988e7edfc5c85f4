// Sources as feeds: told apart by what they have.

import type { BodySimulation, BodyState, CompiledModel, Model, ModelData } from "../../bodies.js";
import { show } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { Realtime, RealtimeRun, Solution } from "../../solve.js";
import type { Feed } from "./feed.js";
import { LiveFeed } from "./live-feed.js";
import { LoopFeed } from "./loop-feed.js";
import { SimulationFeed } from "./simulation-feed.js";
import { SolutionFeed } from "./solution-feed.js";
import type { LiveSource, ViewSource } from "./source.js";
import { StillFeed } from "./still-feed.js";
import { isOfWorker, SourceOfWorker } from "./worker-source.js";

/** Where a description comes from. */
export type ModelGiven = Model | CompiledModel | ModelData;

const KINDS =
  "a simulation, a realtime loop, a solution, a model, a compiled model, or something with bodies, time and matrix";

/** What a view needs of a source. `drives`: whether the view lets time pass. */
export function feedOf(source: ViewSource, model: ModelGiven | undefined, drives: boolean): Feed {
  const can = (...names: readonly string[]) =>
    typeof source === "object" && source !== null && names.every((name) => name in source);
  if (can("states", "state", "statistics")) {
    const solution = source as Solution<BodyState>;
    return new SolutionFeed(solution, dataFor(solution.source, model));
  }
  if (can("simulation", "advance", "matrix")) {
    const loop = source as Realtime<BodySimulation>;
    return new LoopFeed(loop, dataFor(loop.simulation, model), drives);
  }
  if (can("run", "advance", "matrix")) {
    const loop = source as RealtimeRun<BodyState>;
    return new LoopFeed(loop, dataFor(loop.run.source, model), drives);
  }
  if (can("runTo", "advance", "grab")) {
    return new SimulationFeed(source as BodySimulation, drives);
  }
  if (can("matrix", "bodies", "time")) {
    const live = isOfWorker(source) ? new SourceOfWorker(source) : (source as LiveSource);
    return new LiveFeed(live, dataFor(source, model));
  }
  if (can("simulate", "data", "q")) return StillFeed.of(source as CompiledModel);
  if (can("data", "calls")) return StillFeed.of((source as Model).data());
  throw new NodriftError("DESCRIPTION", `view: the source is ${show(source)}; give ${KINDS}`);
}

/** The description of what is shown. */
function dataFor(source: unknown, model: ModelGiven | undefined): ModelData {
  const found = model ?? (source as { readonly data?: ModelGiven["name"] | ModelData }).data;
  const data = typeof found === "object" && found !== null && "data" in found ? found.data : found;
  const plain = typeof data === "function" ? data() : data;
  if (typeof plain === "object" && plain !== null && "bodies" in plain) return plain as ModelData;
  throw new NodriftError(
    "DESCRIPTION",
    "view: this source does not carry a model of bodies: give it as the option `model`",
  );
}
