// Drawing functions by kind of item.

import type { Item } from "../scene-data.js";
import * as bodies from "./draw-bodies.js";
import * as forces from "./draw-forces.js";
import * as ground from "./draw-ground.js";
import { drawJoint } from "./draw-joints.js";
import * as round from "./draw-round.js";
import type { Pen } from "./pen.js";

type Drawers = {
  readonly [Kind in Item["kind"]]: (pen: Pen, item: Extract<Item, { readonly kind: Kind }>) => void;
};

const DRAWERS: Drawers = {
  link: bodies.drawLink,
  bar: bodies.drawBar,
  box: bodies.drawBox,
  sphere: bodies.drawSphere,
  mass: bodies.drawMass,
  lines: bodies.drawLines,
  circle: bodies.drawCircle,
  cylinder: round.drawCylinder,
  wheel: round.drawWheel,
  spring: forces.drawSpring,
  spiral: forces.drawSpiral,
  bushing: forces.drawBushing,
  arrow: forces.drawArrow,
  joint: drawJoint,
  rail: ground.drawRail,
  ground: ground.drawGround,
  road: ground.drawRoad,
  plane: ground.drawPlane,
};

/** Draws an item of any kind. */
export function drawItem(pen: Pen, item: Item): void {
  (DRAWERS[item.kind] as (pen: Pen, item: Item) => void)(pen, item);
}
