// A mechanism and its motion as a drawing.

import { type Body, nameGiven } from "../../describe/model/handles.js";
import { GROUND, type ModelData, type Vector } from "../../describe/model/model-data.js";
import {
  descriptionError,
  hint,
  type VectorLike,
  vector,
} from "../../describe/model/option-checks.js";
import { norm, subtract } from "../../ground/algebra/vectors.js";
import { bodyItems } from "./items-bodies.js";
import { forceItems, wheelItems } from "./items-forces.js";
import { jointItems } from "./items-joints.js";
import { roadsOf, type Shaker } from "./items-roads.js";
import { detailOf, keyPoints } from "./key-points.js";
import { Poses } from "./poses.js";
import type { Anchor, Frames, Item, Scene } from "./scene-data.js";
import { extentOf } from "./solids.js";
import { directionsOf, extremesOf, type NamedView, viewFrom, whomToFollow } from "./view.js";

/** How a scene is looked at. */
export interface SceneOptions {
  /** From where one looks; found by what moves how, if not given. A vector: towards the viewer. */
  readonly from?: NamedView | VectorLike;
  /** Up on the screen; against gravity, if not given. */
  readonly up?: VectorLike;
  /** A body that stays in the middle, horizontally. Not given: one that goes far away; false: none. */
  readonly follow?: string | Body | false;
  /** Points whose way is drawn: in the frame of the body; its centre of mass, if not given. */
  readonly traces?: readonly { readonly body: string | Body; readonly point?: VectorLike }[];
  /** More lines, each a list of points, in the frame of a body, or of "ground". */
  readonly draw?: readonly {
    readonly body: string | Body;
    readonly lines: readonly (readonly (readonly number[])[])[];
  }[];
  /** Whether names of bodies are shown at first. */
  readonly labels?: boolean;
}

/**
 * What a mechanism looks like while it moves: shapes, or links between joints; symbols of joints, springs
 * and wheels; roads; and a view in which all of it is seen.
 *
 * @example
 * const frames = framesOf(solution.states(), m.data());
 * const scene = sceneOf(m.data(), frames, { traces: [{ body: "rod", point: [0.5, 0, 0] }] });
 * writeFileSync("motion.html", renderPage({ title: m.name, blocks: [{ kind: "animation", scene }] }));
 */
export function sceneOf(data: ModelData, frames: Frames, options: SceneOptions = {}): Scene {
  return liveScene(data, frames, options).scene;
}

/** The same, with the plates that move with roads: they must be placed at times that are in no frame yet. */
export function liveScene(
  data: ModelData,
  frames: Frames,
  options: SceneOptions = {},
): { readonly scene: Scene; readonly shakers: readonly Shaker[] } {
  checkFrames(data, frames);
  const poses = new Poses(frames, data.bodies.length);
  const directions = directionsOf(data, options.up);
  const { up, right } = directions;
  const traces = options.traces ?? [];
  const traced = traces.filter(({ point }) => point).map((trace) => traceOf(data, trace));
  const wheels = wheelItems(data, poses);
  const roads = roadsOf(data, poses, data.bodies.length);
  const parts: Item[] = [
    ...linesOf(data, options.draw ?? []),
    ...bodyItems(
      data,
      new Set(wheels.flatMap((item) => ("body" in item ? [item.body] : []))),
      traced,
    ),
    ...wheels,
    ...forceItems(data, poses, up),
    ...jointItems(data, poses, up),
  ];
  const follow = followed(data, options.follow, poses, parts, up);
  const extremes = extremesOf(data, parts, poses, follow, up);
  const from = viewFrom(options.from, data, poses, directions, extremes);
  const detail = detailOf(parts, sizeOf(extremes) / 4 || 1);
  const floor: Item[] = [...roads.items, ...roads.shakers.map(({ item }) => item)];
  const all = [...floor, ...withoutBlocks(parts, detail)];
  const scene = {
    name: data.name,
    bodies: data.bodies.map(({ name, centre }) => ({ name, centre })),
    items: all,
    traces: traces.map((trace) => traceOf(data, trace)),
    gravity: data.gravity,
    view: { up, right, from, follow, extremes, detail },
    labels: options.labels ?? false,
    frames: withShakers(frames, poses, roads.shakers),
  };
  return { scene, shakers: roads.shakers };
}

/** A body that is a block of its own needs none where it slides: if it is larger than this part of others. */
const BLOCK = 0.4;

function withoutBlocks(parts: readonly Item[], detail: number): readonly Item[] {
  const blocks = new Set(
    parts.flatMap((item) =>
      (item.kind === "box" || item.kind === "cylinder" || item.kind === "sphere") &&
      extentOf(item) > BLOCK * detail
        ? [item.body]
        : [],
    ),
  );
  return parts.filter(
    (item) => item.kind !== "joint" || item.symbol !== "block" || !blocks.has(item.at[0]),
  );
}

function checkFrames({ name, bodies }: ModelData, frames: Frames): void {
  const count = frames.times.length * bodies.length;
  if (frames.positions.length === 3 * count && frames.orientations.length === 4 * count) return;
  throw descriptionError(
    `sceneOf(${name})`,
    `frames must have 3 positions and 4 orientations for each of ${bodies.length} bodies, at ` +
      `${frames.times.length} times`,
  );
}

function numberOf(data: ModelData, given: string | Body): number {
  const name = nameGiven(`sceneOf(${data.name})`, data, given, "body");
  if (name === "ground") return GROUND;
  const names = data.bodies.map((body) => body.name);
  const index = names.indexOf(name);
  if (index >= 0) return index;
  throw descriptionError(`sceneOf(${data.name})`, `there is no body "${name}"${hint(name, names)}`);
}

function traceOf(
  data: ModelData,
  { body, point }: { readonly body: string | Body; readonly point?: VectorLike },
): Anchor {
  const index = numberOf(data, body);
  const own = point === undefined ? undefined : vector("sceneOf", "the point of a trace", point);
  return [index, ...(own ?? data.bodies[index]?.centre ?? ([0, 0, 0] as const))];
}

function linesOf(data: ModelData, draw: NonNullable<SceneOptions["draw"]>): Item[] {
  return draw.map(({ body, lines }) => ({
    kind: "lines",
    body: numberOf(data, body),
    lines: lines.map((line) =>
      line.map((point) => vector("sceneOf", "a point of draw", point as Vector)),
    ),
  }));
}

function followed(
  data: ModelData,
  given: string | Body | false | undefined,
  poses: Poses,
  parts: readonly Item[],
  up: Vector,
): number {
  if (given === false) return GROUND;
  if (given !== undefined) return numberOf(data, given);
  const points = keyPoints(parts)
    .filter(([body]) => body >= 0)
    .map(([body, ...own]) => poses.point(0, body, own));
  return whomToFollow(data, poses, up, sizeOf(points));
}

/** The diagonal of the box that has some points in it. */
function sizeOf(points: readonly Vector[]): number {
  if (points.length === 0) return 0;
  const low = [0, 1, 2].map((i) => points.reduce((a, p) => Math.min(a, p[i]!), Number.MAX_VALUE));
  const high = [0, 1, 2].map((i) => points.reduce((a, p) => Math.max(a, p[i]!), -Number.MAX_VALUE));
  return norm(subtract([high[0]!, high[1]!, high[2]!], [low[0]!, low[1]!, low[2]!]));
}

/** Plates that shake wheels are bodies of their own, behind the others. */
function withShakers(frames: Frames, poses: Poses, shakers: readonly Shaker[]): Frames {
  if (shakers.length === 0) return frames;
  const { times } = frames;
  const [before, after] = [poses.bodies, poses.bodies + shakers.length];
  const positions = new Float64Array(3 * after * times.length);
  const orientations = new Float64Array(4 * after * times.length);
  for (let frame = 0; frame < times.length; frame++) {
    const row = <T>(all: ArrayLike<T>, width: number) =>
      Array.prototype.slice.call(all, width * before * frame, width * before * (frame + 1)) as T[];
    positions.set(row(frames.positions, 3), 3 * after * frame);
    orientations.set(row(frames.orientations, 4), 4 * after * frame);
    for (const [i, { carrier, place }] of shakers.entries()) {
      positions.set(
        poses.point(frame, carrier, place(times[frame]!)),
        3 * (after * frame + before + i),
      );
      orientations[4 * (after * frame + before + i)] = 1;
    }
  }
  return { ...frames, positions, orientations };
}
