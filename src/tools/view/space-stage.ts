// A picture in space, by WebGL.

import {
  DirectionalLight,
  HemisphereLight,
  type Intersection,
  type Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import type { Sight } from "../report/page/camera.js";
import { make } from "../report/page/dom.js";
import { contextOf } from "./context.js";
import { type Named, Picture } from "./picture.js";
import {
  drawSigns,
  jointRadius,
  type Picked,
  penFor,
  type Shot,
  type Stage,
  signsKey,
} from "./stage.js";
import { type Theme, tintsOf } from "./tints.js";

type Three = readonly [number, number, number];

/** Vertical angle of what a perspective view sees, in degrees. */
const ANGLE = 28;
/** Radius of a joint in pixels, at most: in space it may be larger than in a drawing. */
const THICKEST = 10;
/** Pixels within which a thin thing is picked. */
const NEAR = 5;

export class SpaceStage implements Stage {
  readonly canvas: HTMLCanvasElement;
  readonly isSlow: boolean;
  readonly #signs: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #picture: Picture;
  readonly #light = new DirectionalLight(0xffffff, 1.9);
  readonly #sky = new HemisphereLight(0xffffff, 0x9aa4b0, 1.7);
  readonly #parallel = new OrthographicCamera();
  readonly #perspective = new PerspectiveCamera(ANGLE);
  readonly #ray = new Raycaster();
  #size: readonly [number, number] = [1, 1];
  #ratio = 1;
  #theme: Theme;
  #last: Shot | undefined;
  #ghost: number | undefined;
  /** What the signs show; undefined: they must be drawn. */
  #signed: string | undefined;

  /** Throws where there is no WebGL. */
  constructor(place: HTMLElement, theme: Theme) {
    this.#theme = theme;
    this.canvas = make("canvas", { class: "picture" });
    this.#signs = make("canvas", { class: "signs", "aria-hidden": "true" });
    const { context, isSlow } = contextOf(this.canvas);
    this.isSlow = isSlow;
    this.#renderer = new WebGLRenderer({ canvas: this.canvas, context });
    place.append(this.canvas, this.#signs);
    this.#picture = new Picture(tintsOf(theme, 0));
    this.#picture.space.add(this.#light, this.#light.target, this.#sky);
    // Also what is painted together with others, and is in no layer of the cameras.
    this.#ray.layers.enableAll();
    this.#renderer.setClearColor(theme.surface);
  }

  build(...given: Parameters<Stage["build"]>): void {
    this.#picture.kit.recolour(tintsOf(this.#theme, given[0].bodies.length));
    this.#picture.build(...given);
  }

  recolour(theme: Theme, bodies: number): void {
    this.#theme = theme;
    this.#signed = undefined;
    this.#renderer.setClearColor(theme.surface);
    this.#picture.kit.recolour(tintsOf(theme, bodies));
  }

  sharpen(ratio: number): void {
    this.#renderer.setPixelRatio(ratio);
    this.#renderer.setSize(...this.#size, false);
  }

  resize(width: number, height: number, ratio: number): void {
    this.#size = [width, height];
    this.#ratio = ratio;
    this.#signed = undefined;
    this.sharpen(ratio);
    this.#signs.width = Math.round(width * ratio);
    this.#signs.height = Math.round(height * ratio);
  }

  draw(shot: Shot): void {
    this.#last = shot;
    const { camera, table } = shot;
    const unit = jointRadius(shot, THICKEST) / camera.scale;
    const picture = this.#picture;
    picture.update(table, unit, shot.shown);
    picture.hide(shot.absent);
    picture.point(shot.arrows, shot.scales, shot.size, unit);
    picture.keepTrails(shot.trails.length);
    for (const [i, trail] of shot.trails.entries()) {
      picture.trail(i, trail.upTo(shot.time, table), trail.anchor[0]);
    }
    if (shot.highlight !== this.#ghost) picture.kit.ghost(shot.highlight);
    this.#ghost = shot.highlight;
    this.#aim(camera.sight, camera.scale, shot);
    picture.settle();
    this.#renderer.render(picture.space, this.#camera);
    this.#sign(shot);
  }

  /** A picture that only moves leaves axes and scales as they are. */
  #sign(shot: Shot): void {
    const key = shot.shown.names ? undefined : signsKey(shot);
    if (key !== undefined && key === this.#signed) return;
    this.#signed = key;
    const { camera, table, scene } = shot;
    const context = this.#signs.getContext("2d")!;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.clearRect(0, 0, ...this.#size);
    const pen = penFor(context, { camera, table, scene }, this.#theme);
    drawSigns(pen, shot, (point) => this.project(point), this.#size);
  }

  get #camera(): OrthographicCamera | PerspectiveCamera {
    return this.#last?.isPerspective ? this.#perspective : this.#parallel;
  }

  /** Both cameras see the same at the distance of the target: `scale` pixels for a unit of length. */
  #aim({ target, up, towards }: Sight, scale: number, { size, scene }: Shot): void {
    const [width, height] = this.#size;
    const half = height / (2 * scale);
    const distance = this.#last?.isPerspective
      ? half / Math.tan((ANGLE * Math.PI) / 360)
      : 20 * (size + half);
    const camera = this.#camera;
    camera.position.set(...along(target, towards, distance));
    camera.up.set(...up);
    camera.lookAt(...target);
    const reach = 30 * (size + scene.view.detail) + half;
    if (camera instanceof PerspectiveCamera) {
      camera.aspect = width / height;
      camera.near = Math.max(distance / 200, distance - reach);
    } else {
      [camera.left, camera.right] = [-width / (2 * scale), width / (2 * scale)];
      [camera.top, camera.bottom] = [half, -half];
      camera.near = 0;
    }
    camera.far = distance + reach;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    // From above the left shoulder of the viewer.
    this.#light.position.copy(camera.position).addScaledVector(camera.up, 0.6 * distance);
    this.#light.target.position.set(...target);
  }

  project(point: Three): readonly [number, number, number] {
    const [width, height] = this.#size;
    const { x, y, z } = new Vector3(...point).project(this.#camera);
    return [((x + 1) * width) / 2, ((1 - y) * height) / 2, -z];
  }

  pick(x: number, y: number): Picked | undefined {
    const shot = this.#last;
    if (shot === undefined) return undefined;
    this.#shoot(x, y);
    this.#ray.params.Line.threshold = NEAR / shot.camera.scale;
    const hits = this.#ray.intersectObjects(this.#picture.space.children, true);
    for (const hit of hits) {
      const named = namedOf(hit);
      if (named === undefined) continue;
      const body = shot.scene.bodies.findIndex(({ name }) => name === named.name);
      const { x: a, y: b, z: c } = hit.point;
      return { ...named, body: named.kind === "body" ? body : -1, at: [a, b, c] };
    }
    return undefined;
  }

  reach(x: number, y: number, asFarAs: Three): Three {
    this.#shoot(x, y);
    const normal = new Vector3();
    this.#camera.getWorldDirection(normal);
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, new Vector3(...asFarAs));
    const at = this.#ray.ray.intersectPlane(plane, new Vector3());
    return at === null ? asFarAs : [at.x, at.y, at.z];
  }

  #shoot(x: number, y: number): void {
    const [width, height] = this.#size;
    this.#ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.#camera);
  }

  /** The context is given back at once: browsers allow a few, and collect garbage when they like. */
  dispose(): void {
    this.#picture.dispose();
    this.#light.dispose();
    this.#sky.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.canvas.remove();
    this.#signs.remove();
    this.#last = undefined;
  }
}

/** Whose part was hit: it stands at the part, which may be above what was hit. */
function namedOf({ object }: Intersection): Named | undefined {
  for (let each: Object3D | null = object; each !== null; each = each.parent) {
    if (!each.visible) return undefined;
    const { kind, name } = each.userData as Partial<Named>;
    const isPart = kind === "body" || kind === "joint" || kind === "force";
    if (isPart && name !== undefined) return { kind, name };
  }
  return undefined;
}

function along(from: Three, direction: Three, distance: number): [number, number, number] {
  return [
    from[0] + distance * direction[0],
    from[1] + distance * direction[1],
    from[2] + distance * direction[2],
  ];
}
