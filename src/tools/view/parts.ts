// Items of a scene as things in space. What belongs to one body hangs on it and is made once; what lies between two is placed
// anew for each picture.

import { axesAlong } from "../../ground/algebra/vectors.js";
import type { Drawing, Item } from "../report/scene-data.js";
import { hullParts } from "./hull.js";
import { spanned } from "./kit.js";
import type { Maker, Of, Part } from "./part.js";
import { barPart, bushingPart, loadPart, spiralPart, springPart } from "./parts-forces.js";
import { groundPart, linesPart, planePart, railPart, roadPart } from "./parts-ground.js";
import { jointPart } from "./parts-joints.js";
import type { PoseTable } from "./pose-table.js";

/** Radius of links, relative to that of a joint. */
const LINK = 0.62;

type Makers = {
  readonly [Kind in Drawing["kind"]]: (maker: Maker, item: Of<Kind>) => readonly Part[];
};

const MAKERS: Makers = {
  link: linkParts,
  bar: barPart,
  box: ({ kit }, { body, centre, axes, size }) => [
    { body, object: kit.mesh("box", body, centre, axes, size) },
  ],
  cylinder: ({ kit }, { body, centre, axis, radius, length }) => [
    {
      body,
      object: kit.mesh("cylinder", body, centre, axesAlong(axis), [radius, radius, length]),
    },
  ],
  sphere: ({ kit }, { body, centre, radius }) => [
    {
      body,
      object: kit.mesh("sphere", body, centre, axesAlong([0, 0, 1]), [radius, radius, radius]),
    },
  ],
  wheel: wheelParts,
  mass: () => [],
  spring: springPart,
  joint: jointPart,
  spiral: spiralPart,
  bushing: bushingPart,
  rail: railPart,
  ground: groundPart,
  arrow: loadPart,
  circle: ({ kit }, { body, centre, axis, radius }) => [
    {
      body,
      object: kit.mesh("torus", body, centre, axesAlong(axis), [radius, radius, radius]),
    },
  ],
  road: roadPart,
  plane: planePart,
  lines: linesPart,
};

/** The parts of an item. */
export function partsOf(maker: Maker, item: Item): readonly Part[] {
  return (MAKERS[item.kind] as (maker: Maker, item: Item) => readonly Part[])(maker, item);
}

/** A round bar as thick as a joint allows, or a solid through all points. */
function linkParts(maker: Maker, { body, points }: Of<"link">): readonly Part[] {
  const [a, b] = points;
  if (points.length > 2) return hullParts(maker, body, points);
  const bar = maker.kit.bar(body, a!, b!, 1);
  const place = (_: PoseTable, unit: number) => {
    spanned(bar.matrix, a!, b!, LINK * unit);
    bar.matrixWorldNeedsUpdate = true;
  };
  return [{ body, object: bar, place, isSymbol: true }];
}

/** A tyre, a rim, and spokes where it turns. */
function wheelParts({ kit }: Maker, item: Of<"wheel">): readonly Part[] {
  const { body, centre, axis, radius, width, turns } = item;
  const axes = axesAlong(axis);
  // A little larger than a body that has the shape of the wheel: surfaces in one place flicker.
  const [outer, wide] = [1.012 * radius, 1.012 * width];
  const tyre = kit.mesh("cylinder", "tyre", centre, axes, [outer, outer, wide]);
  const rim = kit.mesh("cylinder", body, centre, axes, [
    0.62 * radius,
    0.62 * radius,
    1.03 * width,
  ]);
  const [long, thin, deep] = [1.9 * radius, 0.09 * radius, 1.06 * width];
  const spokes = (turns ? [[long, thin, deep] as const, [thin, long, deep] as const] : []).map(
    (size) => kit.mesh("box", "soft", centre, axes, size),
  );
  return [tyre, rim, ...spokes].map((object) => ({ body, object }));
}
