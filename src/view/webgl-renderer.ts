// 3D picture by WebGL.

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
import { NodriftError } from "../base/errors.js";
import { jointRadius } from "../draw/animation.js";
import type { CameraPose, Vector } from "../draw/camera.js";
import { type Theme, tintsOf } from "../draw/colours.js";
import { make } from "../draw/dom.js";
import { type NamedPart, Picture } from "./picture.js";
import {
  drawOverlay,
  overlayKey,
  type Picked,
  penFor,
  type RenderFrame,
  type SceneRenderer,
} from "./renderer.js";

// WebGL context of a view, with antialiasing unless rendering is in software.

/** Names of software renderers. */
const SOFTWARE_RENDERER = /swiftshader|llvmpipe|softpipe|software|basic render/i;

interface FoundContext {
  readonly context: WebGL2RenderingContext;
  /** Whether rendering is done in software. */
  readonly isSoftware: boolean;
}

/** Cached for the page. */
let cachedIsSoftware: boolean | undefined;

/**
 * Creates the context here because three logs an error if there is none. In software rendering, antialiasing takes two
 * thirds of a frame (117 ms against 33 ms for the HMMWV, SwiftShader), so it is disabled. Browsers can also be asked to
 * refuse slow contexts, but Chromium grants SwiftShader nevertheless.
 */
function contextOf(canvas: HTMLCanvasElement): FoundContext {
  cachedIsSoftware ??= isSoftware();
  const context = canvas.getContext("webgl2", {
    antialias: !cachedIsSoftware,
    powerPreference: "low-power",
  });
  if (context === null) throw new NodriftError("LOAD", "view: WebGL is not available");
  return { context, isSoftware: cachedIsSoftware };
}

/** Only a context reveals its renderer, but antialiasing is chosen at its creation: hence a first, temporary context. */
function isSoftware(): boolean {
  const context = make("canvas", { width: "1", height: "1" }).getContext("webgl2");
  if (context === null) return false;
  const name = nameOf(context);
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return SOFTWARE_RENDERER.test(name);
}

/** Returns the renderer name. Firefox provides it directly, and warns about the extension that other browsers need. */
function nameOf(context: WebGL2RenderingContext): string {
  const name = String(context.getParameter(context.RENDERER));
  if (name !== "WebKit WebGL") return name;
  const more = context.getExtension("WEBGL_debug_renderer_info");
  return more === null ? name : String(context.getParameter(more.UNMASKED_RENDERER_WEBGL));
}

/** Vertical field of view in degrees. */
const FIELD_OF_VIEW_DEG = 28;
/** Maximum radius of a joint in pixels; in 3D it may be larger than in a drawing. */
const MAX_JOINT_RADIUS_PX = 10;
/** Distance in pixels within which a thin part is picked. */
const PICK_RADIUS_PX = 5;

export class WebGlRenderer implements SceneRenderer {
  readonly canvas: HTMLCanvasElement;
  readonly isSoftware: boolean;
  readonly #overlay: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #picture: Picture;
  readonly #light = new DirectionalLight(0xffffff, 1.9);
  readonly #sky = new HemisphereLight(0xffffff, 0x9aa4b0, 1.7);
  readonly #parallel = new OrthographicCamera();
  readonly #perspective = new PerspectiveCamera(FIELD_OF_VIEW_DEG);
  readonly #ray = new Raycaster();
  #size: readonly [number, number] = [1, 1];
  #ratio = 1;
  #theme: Theme;
  #last: RenderFrame | undefined;
  #ghost: number | undefined;
  /** Key of the drawn overlay; undefined if it must be redrawn. */
  #overlayKey: string | undefined;

  /** Throws if WebGL is not available. */
  constructor(place: HTMLElement, theme: Theme) {
    this.#theme = theme;
    this.canvas = make("canvas", { class: "picture" });
    this.#overlay = make("canvas", { class: "signs", "aria-hidden": "true" });
    const { context, isSoftware } = contextOf(this.canvas);
    this.isSoftware = isSoftware;
    this.#renderer = new WebGLRenderer({ canvas: this.canvas, context });
    place.append(this.canvas, this.#overlay);
    this.#picture = new Picture(tintsOf(theme, 0));
    this.#picture.space.add(this.#light, this.#light.target, this.#sky);
    // Also pick instanced meshes, whose layer no camera sees.
    this.#ray.layers.enableAll();
    this.#renderer.setClearColor(theme.surface);
  }

  build(...given: Parameters<SceneRenderer["build"]>): void {
    this.#picture.meshes.recolour(tintsOf(this.#theme, given[0].bodies.length));
    this.#picture.build(...given);
  }

  recolour(theme: Theme, bodies: number): void {
    this.#theme = theme;
    this.#overlayKey = undefined;
    this.#renderer.setClearColor(theme.surface);
    this.#picture.meshes.recolour(tintsOf(theme, bodies));
  }

  setPixelRatio(ratio: number): void {
    this.#renderer.setPixelRatio(ratio);
    this.#renderer.setSize(...this.#size, false);
  }

  resize(width: number, height: number, ratio: number): void {
    this.#size = [width, height];
    this.#ratio = ratio;
    this.#overlayKey = undefined;
    this.setPixelRatio(ratio);
    this.#overlay.width = Math.round(width * ratio);
    this.#overlay.height = Math.round(height * ratio);
  }

  draw(frame: RenderFrame): void {
    this.#last = frame;
    const { camera, table } = frame;
    const unit =
      jointRadius(frame.scene.view.detail, camera.scale, MAX_JOINT_RADIUS_PX) / camera.scale;
    const picture = this.#picture;
    picture.update(table, unit, frame.shown);
    picture.hide(frame.absent);
    picture.point(frame.arrows, frame.scales, frame.size, unit);
    picture.keepTrails(frame.trails.length);
    for (const [i, trail] of frame.trails.entries()) {
      picture.trail(i, trail.upTo(frame.time, table), trail.anchor[0]);
    }
    if (frame.highlight !== this.#ghost) picture.meshes.ghost(frame.highlight);
    this.#ghost = frame.highlight;
    this.#aim(camera.sight, camera.scale, frame);
    picture.updateInstances();
    this.#renderer.render(picture.space, this.#camera);
    this.#drawOverlay(frame);
  }

  /** Draws the overlay, unless names are hidden and axes and scales are unchanged. */
  #drawOverlay(frame: RenderFrame): void {
    const key = frame.shown.names ? undefined : overlayKey(frame);
    if (key !== undefined && key === this.#overlayKey) return;
    this.#overlayKey = key;
    const { camera, table, scene } = frame;
    const context = this.#overlay.getContext("2d")!;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.clearRect(0, 0, ...this.#size);
    const pen = penFor(context, { camera, table, scene }, this.#theme);
    drawOverlay(pen, frame, (point) => this.project(point), this.#size);
  }

  get #camera(): OrthographicCamera | PerspectiveCamera {
    return this.#last?.isPerspective ? this.#perspective : this.#parallel;
  }

  /** Aims both cameras such that they show the same at the target's depth: `scale` pixels per unit of length. */
  #aim({ target, up, towards }: CameraPose, scale: number, { size, scene }: RenderFrame): void {
    const [width, height] = this.#size;
    const half = height / (2 * scale);
    const distance = this.#last?.isPerspective
      ? half / Math.tan((FIELD_OF_VIEW_DEG * Math.PI) / 360)
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

  project(point: Vector): readonly [number, number, number] {
    const [width, height] = this.#size;
    const { x, y, z } = new Vector3(...point).project(this.#camera);
    return [((x + 1) * width) / 2, ((1 - y) * height) / 2, -z];
  }

  pick(x: number, y: number): Picked | undefined {
    const frame = this.#last;
    if (frame === undefined) return undefined;
    this.#shoot(x, y);
    this.#ray.params.Line.threshold = PICK_RADIUS_PX / frame.camera.scale;
    const hits = this.#ray.intersectObjects(this.#picture.space.children, true);
    for (const hit of hits) {
      const named = namedOf(hit);
      if (named === undefined) continue;
      const body = frame.scene.bodies.findIndex(({ name }) => name === named.name);
      const { x: a, y: b, z: c } = hit.point;
      return { ...named, body: named.kind === "body" ? body : -1, at: [a, b, c] };
    }
    return undefined;
  }

  reach(x: number, y: number, asFarAs: Vector): Vector {
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

  /** Releases the context immediately: browsers allow only a few, and collect garbage late. */
  dispose(): void {
    this.#picture.dispose();
    this.#light.dispose();
    this.#sky.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.canvas.remove();
    this.#overlay.remove();
    this.#last = undefined;
  }
}

/** Returns the part that was hit, stored at the object or at one of its ancestors. */
function namedOf({ object }: Intersection): NamedPart | undefined {
  for (let each: Object3D | null = object; each !== null; each = each.parent) {
    if (!each.visible) return undefined;
    const { kind, name } = each.userData as Partial<NamedPart>;
    const isPart = kind === "body" || kind === "joint" || kind === "force";
    if (isPart && name !== undefined) return { kind, name };
  }
  return undefined;
}

function along(from: Vector, direction: Vector, distance: number): [number, number, number] {
  return [
    from[0] + distance * direction[0],
    from[1] + distance * direction[1],
    from[2] + distance * direction[2],
  ];
}
