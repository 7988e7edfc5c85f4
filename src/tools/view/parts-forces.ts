// Springs, dampers, actuators, bars between bodies, bushings and loads.

import { BufferAttribute, BufferGeometry, Group, Line, Mesh } from "three";
import type { Vector } from "../../describe/model/model-data.js";
import { axesAlong, IDENTITY, norm, subtract } from "../../ground/algebra/vectors.js";
import type { Anchor } from "../report/scene-data.js";
import { type Kit, spanned } from "./kit.js";
import type { Maker, Of, Part } from "./part.js";
import { placeScaled } from "./parts-joints.js";
import type { PoseTable } from "./pose-table.js";

/** Windings of a coil, points of each, and the part of its length that is straight at either end. */
const WINDINGS = 8;
const POINTS = 16;
const LEAD = 0.1;
/** Radius of a thin bar, relative to a usual part. */
const BAR = 0.02;

/** A bar of one body hangs on it; one between two is placed anew. */
export function barPart({ kit, detail }: Maker, { a, b }: Of<"bar">): readonly Part[] {
  const radius = BAR * detail;
  if (a[0] === b[0]) {
    const tint = a[0] < 0 ? "ground" : a[0];
    return [{ body: a[0], object: kit.bar(tint, ownOf(a), ownOf(b), radius) }];
  }
  const bar = new Mesh(kit.shape("tube"), kit.solid("soft"));
  bar.matrixAutoUpdate = false;
  const place = (table: PoseTable) => {
    spanned(bar.matrix, table.point(...a), table.point(...b), radius);
    bar.matrixWorldNeedsUpdate = true;
  };
  return [{ body: -1, object: bar, place }];
}

function ownOf([, x, y, z]: Anchor): Vector {
  return [x, y, z];
}

/** A coil, a dashpot in it, or a cylinder with its rod. */
export function springPart({ kit, detail }: Maker, item: Of<"spring">): readonly Part[] {
  const parts: Part[] = [];
  const isPlain = !item.coil && !item.damper;
  if (item.coil) parts.push(coilPart(kit, item.a, item.b, 0.055 * detail));
  if (item.damper || isPlain)
    parts.push(...dashpot(kit, item, isPlain ? 0.045 * detail : 0.032 * detail));
  return parts;
}

/** A line that winds: z from one end to the other, of length and radius 1, which its matrix stretches. */
function coilPart(kit: Kit, a: Anchor, b: Anchor, radius: number): Part {
  const count = WINDINGS * POINTS;
  const points = new Float32Array(3 * (count + 3));
  points.set([0, 0, -0.5], 0);
  for (let i = 0; i <= count; i++) {
    const angle = (2 * Math.PI * i) / POINTS;
    const along = -0.5 + LEAD + ((1 - 2 * LEAD) * i) / count;
    points.set([Math.cos(angle), Math.sin(angle), along], 3 * (i + 1));
  }
  points.set([0, 0, 0.5], 3 * (count + 2));
  const geometry = kit.own(new BufferGeometry());
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  const line = new Line(geometry, kit.line("ink"));
  line.matrixAutoUpdate = false;
  const place = (table: PoseTable) => {
    spanned(line.matrix, table.point(...a), table.point(...b), radius);
    line.matrixWorldNeedsUpdate = true;
  };
  return { body: -1, object: line, place };
}

/** A cup of fixed length at one end, a rod from the other into it. */
function dashpot(kit: Kit, { a, b }: Of<"spring">, radius: number): Part[] {
  const [cup, rod] = [
    new Mesh(kit.shape("tube"), kit.solid("soft")),
    new Mesh(kit.shape("tube"), kit.solid("ink")),
  ];
  for (const each of [cup, rod]) each.matrixAutoUpdate = false;
  const place = (table: PoseTable) => {
    const [from, to] = [table.point(...a), table.point(...b)] as const;
    const at = (part: number): Vector =>
      [0, 1, 2].map((i) => from[i]! + part * (to[i]! - from[i]!)) as unknown as Vector;
    spanned(cup.matrix, from, at(0.55), radius);
    spanned(rod.matrix, at(0.4), to, 0.4 * radius);
    cup.matrixWorldNeedsUpdate = true;
    rod.matrixWorldNeedsUpdate = true;
  };
  return [
    { body: -1, object: cup, place },
    { body: -1, object: rod },
  ];
}

/** A spring about an axis: in radii of a joint. */
export function spiralPart(
  { kit }: Maker,
  { at: [body, ...at], axis }: Of<"spiral">,
): readonly Part[] {
  const points = new Float32Array(3 * 61);
  for (let i = 0; i <= 60; i++) {
    const [angle, r] = [(2 * Math.PI * 2.25 * i) / 60, 1.25 + (1.5 * i) / 60];
    points.set([r * Math.cos(angle), r * Math.sin(angle), 0], 3 * i);
  }
  const geometry = kit.own(new BufferGeometry());
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  const line = new Line(geometry, kit.line("ink"));
  line.matrixAutoUpdate = false;
  const axes = axesAlong(axis);
  const place = (_: PoseTable, unit: number) => placeScaled(line, at, axes, unit);
  return [{ body, object: line, place, isSymbol: true }];
}

/** Rubber between two rings. */
export function bushingPart({ kit }: Maker, { at: [body, ...at] }: Of<"bushing">): readonly Part[] {
  const group = new Group();
  group.matrixAutoUpdate = false;
  group.add(kit.mesh("bead", "tyre", [0, 0, 0], IDENTITY, [1.2, 1.2, 1.2]));
  const place = (_: PoseTable, unit: number) => placeScaled(group, at, IDENTITY, unit);
  return [{ body, object: group, place, isSymbol: true }];
}

/** A constant load: an arrow, or a ring with the arrow along its axis for a torque. */
export function loadPart({ kit }: Maker, item: Of<"arrow">): readonly Part[] {
  const [body, ...at] = item.at;
  const group = new Group();
  group.matrixAutoUpdate = false;
  group.add(
    kit.mesh("tube", "accent", [0, 0, 2.2], IDENTITY, [0.22, 0.22, 4.4]),
    kit.mesh("cone", "accent", [0, 0, 5], IDENTITY, [0.6, 0.6, 1.4]),
  );
  if (item.torque) group.add(kit.mesh("torus", "accent", [0, 0, 2], IDENTITY, [1.8, 1.8, 1.8]));
  const place = (table: PoseTable, unit: number) => {
    const direction = item.turns ? table.direction(body, item.direction) : item.direction;
    placeScaled(group, table.point(body, ...at), axesAlong(direction), unit);
  };
  return [{ body: -1, object: group, place, isSymbol: true }];
}

/** How long a spring is: what numbers of parts are compared with. */
export function lengthOf(table: PoseTable, a: Anchor, b: Anchor): number {
  return norm(subtract(table.point(...b), table.point(...a)));
}
