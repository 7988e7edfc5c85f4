// A scene in space: parts of all items, arrows, ways of points, frames and centres of mass. It needs no WebGL, so its
// matrices can be looked at anywhere.

import {
  BufferAttribute,
  BufferGeometry,
  Group,
  Line,
  type LineSegments,
  Mesh,
  type Object3D,
  Scene as Space,
} from "three";
import { IDENTITY, norm, scale, subtract } from "../../ground/algebra/vectors.js";
import type { Item, Scene } from "../report/scene-data.js";
import type { Arrow, Arrows } from "./arrows.js";
import { Batches } from "./batches.js";
import { Kit, spanned, type Tint } from "./kit.js";
import { frameMark, gridMark, massMark } from "./marks.js";
import type { Part } from "./part.js";
import { partsOf } from "./parts.js";
import { placeScaled } from "./parts-joints.js";
import type { PoseTable } from "./pose-table.js";

/** What has numbers: it can be picked. */
export interface Named {
  readonly kind: "body" | "joint" | "force";
  readonly name: string;
}

/** What is shown besides bodies. */
export interface Shown {
  readonly joints: boolean;
  readonly frames: boolean;
  readonly masses: boolean;
  readonly grid: boolean;
}

/** Of an arrow, relative to the radius of a joint. */
const SHAFT = 0.28;
const HEAD = 2.4;

export class Picture {
  readonly space = new Space();
  readonly kit: Kit;
  /** Bodies by number, the ground first: what is rigid hangs on them. */
  #carriers: Group[] = [];
  #parts: readonly Part[] = [];
  #symbols: Object3D[] = [];
  #masses: readonly { readonly mark: Object3D; readonly centre: readonly number[] }[] = [];
  #frames: readonly Object3D[] = [];
  #grid: LineSegments | undefined;
  readonly #arrows = new Group();
  readonly #trails = new Group();
  readonly #batches = new Batches(this.space);

  constructor(colours: (tint: Tint) => string) {
    this.kit = new Kit(colours);
    this.space.matrixWorldAutoUpdate = false;
    this.space.add(this.#arrows, this.#trails);
  }

  /** Makes all parts anew. */
  build(scene: Scene, table: PoseTable, kindOf: (name: string) => Named["kind"]): void {
    for (const carrier of this.#carriers) carrier.removeFromParent();
    this.kit.clearOwn();
    this.#carriers = Array.from({ length: table.bodies + 1 }, () => {
      const carrier = new Group();
      carrier.matrixAutoUpdate = false;
      return carrier;
    });
    this.space.add(...this.#carriers);
    const maker = { kit: this.kit, detail: scene.view.detail };
    this.#symbols = [];
    this.#parts = scene.items.flatMap((item) =>
      partsOf(maker, item).map((part) => {
        part.object.userData = { ...namedBy(item, scene, kindOf) };
        this.#carriers[part.body + 1]!.add(part.object);
        if (item.kind === "joint" || item.kind === "ground") this.#symbols.push(part.object);
        return part;
      }),
    );
    this.#addMarks(scene);
    this.#batches.take(this.#sharedMeshes());
  }

  #sharedMeshes(): readonly Mesh[] {
    const meshes: Mesh[] = [];
    for (const carrier of this.#carriers) {
      carrier.traverse((each) => {
        if (each instanceof Mesh && this.kit.isShared(each)) meshes.push(each);
      });
    }
    return meshes;
  }

  /** After everything was put where it is: what is painted together is told where. */
  settle(): void {
    this.space.updateMatrixWorld();
    this.#batches.update();
  }

  #addMarks(scene: Scene): void {
    const hang = <Thing extends Object3D>(body: number, thing: Thing): Thing => {
      this.#carriers[body + 1]!.add(thing);
      return thing;
    };
    this.#masses = scene.bodies.map(({ centre }, i) => ({
      mark: hang(i, massMark(this.kit)),
      centre,
    }));
    this.#frames = scene.bodies.map((_, i) => hang(i, frameMark(this.kit, scene.view.detail)));
    const grid = gridMark(this.kit, scene);
    this.#grid = grid && hang(-1, grid);
  }

  /** Puts everything where it is now. `unit` is the radius of a joint in the world. */
  update(table: PoseTable, unit: number, shown: Shown): void {
    for (const [i, carrier] of this.#carriers.entries()) {
      carrier.matrix.fromArray(table.matrices, 16 * i);
      carrier.matrixWorldNeedsUpdate = true;
    }
    for (const part of this.#parts) part.place?.(table, unit);
    for (const symbol of this.#symbols) symbol.visible = shown.joints;
    for (const { mark, centre } of this.#masses) {
      mark.visible = shown.masses;
      if (shown.masses) placeScaled(mark, centre, IDENTITY, unit);
    }
    for (const frame of this.#frames) frame.visible = shown.frames;
    if (this.#grid) this.#grid.visible = shown.grid;
  }

  /** Parts of joints and forces that are absent in this mode are not seen. */
  hide(absent: ReadonlySet<string>): void {
    if (absent.size === 0 && this.#hidden === 0) return;
    this.#hidden = absent.size;
    for (const { object } of this.#parts) {
      const { kind, name } = object.userData as Partial<Named>;
      if (kind === "joint" || kind === "force") object.visible = !absent.has(name!);
    }
  }

  #hidden = 0;

  /** Arrows of now: as many meshes as the most there ever were. */
  point(arrows: readonly Arrow[], scales: Arrows, size: number, unit: number): void {
    const missing = arrows.length - this.#arrows.children.length;
    for (let i = 0; i < missing; i++) this.#arrows.add(this.#newArrow());
    for (const [i, child] of this.#arrows.children.entries()) {
      const arrow = arrows[i];
      child.visible = arrow !== undefined;
      if (arrow === undefined) continue;
      const [from, to] = scales.drawn(arrow, size);
      const way = subtract(to, from);
      const head = Math.min(0.5 * norm(way), HEAD * unit);
      const neck = subtract(to, scale(head / norm(way), way));
      const [shaft, tip] = child.children as [ReturnType<Kit["bar"]>, ReturnType<Kit["bar"]>];
      const material = this.kit.solid(arrow.kind);
      shaft.material = material;
      tip.material = material;
      spanned(shaft.matrix, from, neck, SHAFT * unit);
      spanned(tip.matrix, neck, to, 0.4 * head);
      child.userData = { kind: arrow.kind, name: arrow.name, from, to };
      shaft.matrixWorldNeedsUpdate = true;
      tip.matrixWorldNeedsUpdate = true;
    }
  }

  /** Those that are seen, as they are drawn. */
  get arrows(): readonly {
    readonly name: string;
    readonly from: readonly number[];
    readonly to: readonly number[];
  }[] {
    return this.#arrows.children
      .filter(({ visible }) => visible)
      .map(({ userData }) => userData as { name: string; from: number[]; to: number[] });
  }

  #newArrow(): Group {
    const arrow = new Group();
    arrow.add(
      this.kit.mesh("tube", "forces", [0, 0, 0], IDENTITY, [1, 1, 1]),
      this.kit.mesh("cone", "forces", [0, 0, 0], IDENTITY, [1, 1, 1]),
    );
    return arrow;
  }

  /** The way of a point, three numbers each, in the colour of its body. */
  trail(index: number, points: readonly number[], body: number): void {
    let line = this.#trails.children[index] as Line<BufferGeometry> | undefined;
    const needed = points.length / 3;
    const room = line?.geometry.getAttribute("position").count ?? 0;
    if (line === undefined || room < needed) {
      const geometry = new BufferGeometry();
      geometry.setAttribute(
        "position",
        new BufferAttribute(new Float32Array(6 * points.length), 3),
      );
      line?.geometry.dispose();
      if (line === undefined) {
        line = new Line(geometry, this.kit.line(body, 0.8));
        line.frustumCulled = false;
        this.#trails.add(line);
      } else line.geometry = geometry;
    }
    line.material = this.kit.line(body, 0.8);
    const attribute = line.geometry.getAttribute("position") as BufferAttribute;
    (attribute.array as Float32Array).set(points);
    attribute.needsUpdate = true;
    line.geometry.setDrawRange(0, needed);
  }

  /** Removes those above a number. */
  keepTrails(count: number): void {
    for (const line of this.#trails.children.slice(count)) {
      (line as Line).geometry.dispose();
      line.removeFromParent();
    }
  }

  /** The matrix of a body as it is drawn, by columns. */
  matrixOf(body: number): readonly number[] {
    return this.#carriers[body + 1]!.matrix.elements;
  }

  dispose(): void {
    this.keepTrails(0);
    this.#batches.dispose();
    this.kit.dispose();
    this.space.clear();
  }
}

/** Whose part an item is. */
function namedBy(
  item: Item,
  { bodies }: Scene,
  kindOf: (name: string) => Named["kind"],
): Named | undefined {
  if (item.of !== undefined) return { kind: kindOf(item.of), name: item.of };
  const body = "body" in item ? item.body : item.kind === "bar" ? item.a[0] : -1;
  const name = bodies[body]?.name;
  return name === undefined ? undefined : { kind: "body", name };
}
