// Two bodies that are turned, off centre and in motion, in a file and by calls: entries of joints and forces stand
// between them.

import { type Body, cylinder, type Joint, type Marker, type Model, model } from "nodrift/bodies";
import type { ModelDocument, TypedEntry } from "nodrift/files";

/** What calls can refer to, in place of names. */
export interface Handles {
  readonly ground: Body;
  readonly base: Marker;
  readonly a: Body;
  readonly b: Body;
  readonly tip: Marker;
  readonly hub: Marker;
  readonly hinge: Joint;
  readonly slide: Joint;
  readonly turn: Joint;
}

/** Names in files; scenes of one model have numbers. */
export const nameOf = (name: string, scene: number) => (scene === 0 ? name : `${name} ${scene}`);

export const base = { name: "base", at: [0.2, 0.4, -0.3], axis: [0.1, 0.2, 1] } as const;
const tip = { name: "tip", at: [0.3, 0.1, -0.2], axis: [0, 1, 0.2], x: [1, 0, 0] } as const;
const hub = { name: "hub", at: [1.2, 0.1, 0.6], axis: [0.2, 1, 0], frame: "world" } as const;

const first = {
  mass: 2,
  inertia: [0.3, 0.4, 0.5],
  centre: [0.1, 0, 0.05],
  position: [0.2, 0.1, 0.5],
  orientation: { axis: [1, 2, 3], angle: 0.4 },
  velocity: [0.3, -0.2, 0.1],
  angularVelocity: { body: [0.4, 0.5, -0.6] },
} as const;

const second = {
  density: 700,
  centre: [0, 0.02, 0],
  position: [1.1, 0.1, 0.6],
  orientation: [0.5, 0.5, -0.5, 0.5],
  angularVelocity: [0.1, -0.3, 0.2],
} as const;

const solid = { radius: 0.08, length: 0.3, axis: [0, 1, 0] } as const;

/** Joints that others refer to, where a case needs them. */
export type Needed = "hinge" | "slide" | "turn";

const needed = {
  hinge: { at: [0.2, 0.1, 0.5], axis: [0.3, 1, 0] },
  slide: { at: [1.1, 0.1, 0.6], axis: [1, 0, 0.5] },
  turn: { at: [1.1, 0.1, 0.6], axis: [0, 0.4, 1] },
} as const;

type Lists = Pick<ModelDocument, "bodies"> & { readonly joints: readonly TypedEntry[] };

/** Bodies of a scene, and the joints it needs, as a file has them. */
export function sceneEntries(scene: number, needs: readonly Needed[]): Lists {
  const name = (word: string) => nameOf(word, scene);
  const between = { hinge: ["ground", name("a")], slide: ["ground", name("b")] };
  const ends = { ...between, turn: ["ground", name("b")] };
  const types = { hinge: "revolute", slide: "prismatic", turn: "revolute" };
  return {
    bodies: [
      { name: name("a"), ...first, markers: [tip] },
      {
        name: name("b"),
        ...second,
        shape: { type: "cylinder", ...solid },
        markers: [hub],
      },
    ],
    joints: needs.map((need) => ({
      type: types[need],
      name: name(need),
      between: ends[need],
      ...needed[need],
    })),
  };
}

/** The same by calls. */
export function addScene(
  m: Model,
  scene: number,
  needs: readonly Needed[],
  ground: Marker,
): Handles {
  const name = (word: string) => nameOf(word, scene);
  const a = m.body({ name: name("a"), ...first });
  const b = m.body({ name: name("b"), ...second, shape: cylinder(solid) });
  const made = { tip: a.marker(tip), hub: b.marker(hub) };
  const ends = { hinge: a, slide: b, turn: b };
  const methods = { hinge: m.revolute, slide: m.prismatic, turn: m.revolute };
  const joints = needs.map((need) => [
    need,
    methods[need]({ name: name(need), between: [m.ground, ends[need]], ...needed[need] }),
  ]);
  const all = { ground: m.ground, base: ground, a, b, ...made, ...Object.fromEntries(joints) };
  return all as Handles;
}

export const gravity = [0.3, -0.4, -9.81] as const;

/** A model with nothing but the marker of its ground. */
export function emptyModel(name: string): { readonly m: Model; readonly ground: Marker } {
  const m = model({ name, gravity });
  return { m, ground: m.ground.marker(base) };
}
